# tessera_answer_sources(<var> [CONFIGURE_DEPENDS]): every file that an answer of an op model depends on, sorted.
# Needs ROOT, the project's folder.
function(tessera_answer_sources var)
  set(patterns "")
  foreach(room OpModel Layout Device Support)
    list(APPEND patterns ${ROOT}/include/tessera/${room}/*.h ${ROOT}/include/tessera/${room}/*.def)
  endforeach()
  foreach(room OpModel OpModel/Analytic OpModel/Backends Layout Device Support)
    list(APPEND patterns ${ROOT}/lib/${room}/*.cpp ${ROOT}/lib/${room}/*.h ${ROOT}/lib/${room}/*.def)
  endforeach()
  file(GLOB sources ${ARGN} ${patterns})
  set(${var} ${sources} PARENT_SCOPE)
endfunction()
