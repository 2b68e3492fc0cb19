# Writes a header with a hash over the sources that answers of op models depend on, so that a cache file never
# outlives them: cmake -DROOT=<project> -DOUTPUT=<header> -P SourceHash.cmake
include(${CMAKE_CURRENT_LIST_DIR}/AnswerSources.cmake)
tessera_answer_sources(sources)
set(hashes "")
foreach(source IN LISTS sources)
  file(SHA256 ${source} hash)
  cmake_path(RELATIVE_PATH source BASE_DIRECTORY ${ROOT})
  string(APPEND hashes "${hash} ${source}\n")
endforeach()
string(SHA256 id "${hashes}")
string(SUBSTRING ${id} 0 16 id)
file(WRITE ${OUTPUT} "// Written by SourceHash.cmake.\n#define TESSERA_ANSWER_SOURCES \"${id}\"\n")
