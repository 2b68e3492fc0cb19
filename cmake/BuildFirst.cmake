# cmake -DBUILD=folder -P BuildFirst.cmake: builds what is not built, if a preset of tests asks for it (TESSERA_BUILD_FIRST); the fixture of
# all tests. `ctest --test-dir` alone runs what is there: who works on one thing builds that.
if("$ENV{TESSERA_BUILD_FIRST}" STREQUAL "ON")
  execute_process(COMMAND ${CMAKE_COMMAND} --build ${BUILD} COMMAND_ERROR_IS_FATAL ANY)
endif()
