# One libFuzzer program for each fuzz/fuzz_NAME.c. As a test it runs for a short time, starting from
# the seeds in fuzz/corpus/NAME; what it finds stays in the build folder.
if(NOT CMAKE_C_COMPILER_ID MATCHES "Clang")
  message(FATAL_ERROR "YOMI_FUZZ needs clang; this is ${CMAKE_C_COMPILER_ID}")
endif()
target_compile_options(yomi_objects PRIVATE -fsanitize=fuzzer-no-link)

yomi_glob(fuzz_sources fuzz/fuzz_*.c)
foreach(source ${fuzz_sources})
  get_filename_component(target ${source} NAME_WE)
  string(REPLACE "fuzz_" "" name ${target})
  add_executable(${target} ${source})
  target_compile_definitions(${target} PRIVATE YOMI_SOURCE="${CMAKE_SOURCE_DIR}")
  target_compile_options(${target} PRIVATE -fsanitize=fuzzer -Wno-missing-prototypes)
  target_link_options(${target} PRIVATE -fsanitize=fuzzer)
  target_link_libraries(${target} PRIVATE yomi_static)
  set(found ${CMAKE_BINARY_DIR}/fuzz/${name})
  file(MAKE_DIRECTORY ${found})
  add_test(NAME ${target}
           COMMAND ${target} -max_total_time=${YOMI_FUZZ_SECONDS} -seed=${YOMI_FUZZ_SEED}
                   -timeout=10 -rss_limit_mb=2048 -print_final_stats=1 -artifact_prefix=${found}/ ${found}
                   ${CMAKE_SOURCE_DIR}/fuzz/corpus/${name})
  set_tests_properties(${target} PROPERTIES LABELS fuzz TIMEOUT 600)
endforeach()
