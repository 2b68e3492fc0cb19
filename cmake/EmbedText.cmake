# cmake -DINPUT=file -DOUTPUT=file.cpp -DNAME=tessera::x::kText -P EmbedText.cmake
# Writes a C++ source that defines `extern const llvm::StringRef NAME` as the bytes of INPUT. A number per byte: string literals have a
# length that compilers must take, and quotes would have to be escaped.
file(READ ${INPUT} bytes HEX)
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
string(REGEX REPLACE "((0x[0-9a-f][0-9a-f],)(0x[0-9a-f][0-9a-f],)(0x[0-9a-f][0-9a-f],)(0x[0-9a-f][0-9a-f],)(0x[0-9a-f][0-9a-f],)(0x[0-9a-f][0-9a-f],)(0x[0-9a-f][0-9a-f],)(0x[0-9a-f][0-9a-f],))" "\\1\n" bytes "${bytes}")
string(REGEX MATCH "^(.*)::([^:]*)$" parts "${NAME}")
file(WRITE ${OUTPUT} "#include \"llvm/ADT/StringRef.h\"
namespace ${CMAKE_MATCH_1} {
static const unsigned char bytes[] = {
${bytes}};
extern const llvm::StringRef ${CMAKE_MATCH_2};
const llvm::StringRef ${CMAKE_MATCH_2}(reinterpret_cast<const char *>(bytes), sizeof(bytes));
}
")
