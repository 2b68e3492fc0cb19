# cmake -DROOT=folder "-DFILES=a;b/c" -DOUTPUT=file.cpp -DNAME=tessera::x::kFiles -P EmbedFolder.cmake
# Writes a C++ source that defines `extern const llvm::ArrayRef<std::pair<llvm::StringRef, llvm::StringRef>> NAME`: path below ROOT and
# bytes of each file. A number per byte, as in EmbedText.cmake.
string(REGEX MATCH "^(.*)::([^:]*)$" parts "${NAME}")
set(scope ${CMAKE_MATCH_1})
set(variable ${CMAKE_MATCH_2})
set(arrays "")
set(rows "")
set(n 0)
foreach(file IN LISTS FILES)
  file(READ ${ROOT}/${file} bytes HEX)
  # A file without a byte is no array.
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}0a")
  string(APPEND arrays "static const unsigned char file${n}[] = {${bytes}};\n")
  string(APPEND rows "    {\"${file}\", llvm::StringRef(reinterpret_cast<const char *>(file${n}), sizeof(file${n}) - 1)},\n")
  math(EXPR n "${n} + 1")
endforeach()
file(WRITE ${OUTPUT} "#include \"llvm/ADT/ArrayRef.h\"
#include \"llvm/ADT/StringRef.h\"
#include <utility>
namespace ${scope} {
${arrays}static const std::pair<llvm::StringRef, llvm::StringRef> files[] = {
${rows}};
extern const llvm::ArrayRef<std::pair<llvm::StringRef, llvm::StringRef>> ${variable};
const llvm::ArrayRef<std::pair<llvm::StringRef, llvm::StringRef>> ${variable}(files);
}
")
