# One program for each test_*.c below tests/, the helpers of tests/support linked to each; scripts for
# what no C program can check. Labels say when a test runs:
#   threads  also under the thread sanitizer (test_threads*, test_eval*, test_playouts_api*)
#   long     only with ./check --long (test_long*)
#   source   reads the source tree and not the build: once is enough
#   heavy    much arithmetic, which other tests of the same files have too: under the sanitizers only
#            with ./check --long
# Time limits are against tests that hang. They are far from what a test takes, so that a machine that
# is busy or slow passes too.
pkg_check_modules(CMOCKA REQUIRED IMPORTED_TARGET cmocka)

yomi_glob_recurse(test_sources tests/test_*.c)
yomi_glob(test_helpers tests/support/*.c)
add_library(test_helpers STATIC ${test_helpers})
target_include_directories(test_helpers PUBLIC tests)
# Of the libraries only the headers: not every program with a helper needs cmocka.
target_include_directories(test_helpers SYSTEM PRIVATE ${CMOCKA_INCLUDE_DIRS} ${JANSSON_INCLUDE_DIRS}
                                                       ${ZLIB_INCLUDE_DIRS})

set(yomi_heavy
    test_go_board test_go_ladder test_go_perft test_gtp_play test_playout_conformance
    test_search_alphabeta test_search_dfpn test_search_margins test_search_territory
    test_search_tsume test_search_uct test_shogi_moves
    test_threads_cuda test_threads_hw_server test_threads_selfplay)

set(test_patience 1800)
if(CMAKE_CROSSCOMPILING_EMULATOR)
  set(test_patience 7200) # some twenty times slower
endif()
foreach(source ${test_sources})
  get_filename_component(name ${source} NAME_WE)
  add_executable(${name} ${source})
  target_link_libraries(${name} PRIVATE test_helpers yomi_static PkgConfig::CMOCKA)
  if(name MATCHES "hw")
    yomi_add_hw(${name})
  endif()
  # A test without its asserts would be one that cannot fail.
  target_compile_options(${name} PRIVATE -UNDEBUG)
  add_test(NAME ${name} COMMAND ${name} WORKING_DIRECTORY ${CMAKE_SOURCE_DIR})
  # What is measured on a machine must not change what a test sees.
  set_tests_properties(${name} PROPERTIES TIMEOUT ${test_patience} ENVIRONMENT YOMI_CACHE=)
  if(name MATCHES "^test_(threads|eval|playouts_api)")
    set_tests_properties(${name} PROPERTIES LABELS threads)
  elseif(name MATCHES "^test_long")
    set_tests_properties(${name} PROPERTIES LABELS long TIMEOUT 7200)
  endif()
  if(name IN_LIST yomi_heavy)
    set_property(TEST ${name} APPEND PROPERTY LABELS heavy)
  endif()
endforeach()

# yomi_script_test(FOLDER/NAME LABEL): tests/FOLDER/NAME.sh, told by its environment what was built
# and with what.
set(script_env
    "YOMI=$<TARGET_FILE:yomi>"
    "BUILD=${CMAKE_BINARY_DIR}"
    "CMAKE=${CMAKE_COMMAND}"
    "CC=${CMAKE_C_COMPILER}"
    "CXX=${YOMI_CXX}"
    "SANITIZE=${YOMI_SANITIZE}"
    "VERSION=${PROJECT_VERSION}")
function(yomi_script_test script label)
  get_filename_component(name ${script} NAME)
  add_test(NAME ${name} COMMAND bash tests/${script}.sh WORKING_DIRECTORY ${CMAKE_SOURCE_DIR})
  set_tests_properties(${name} PROPERTIES ENVIRONMENT "${script_env}" LABELS "${label}"
                                          SKIP_RETURN_CODE 77 TIMEOUT 1800)
  if(label STREQUAL "long")
    set_tests_properties(${name} PROPERTIES TIMEOUT 7200)
  endif()
endfunction()

# For machines with a GPU; a plain program, without cmocka.
add_executable(gpu_conformance tests/gpu/conformance.c)
target_link_libraries(gpu_conformance PRIVATE test_helpers yomi_static)
add_executable(net_conformance tests/gpu/net_conformance.c)
target_link_libraries(net_conformance PRIVATE test_helpers yomi_static)

# Talks to a running `yomi web`, for cmd/web.sh.
add_executable(web_client tests/cmd/web_client.c)
target_link_libraries(web_client PRIVATE yomi_static)

yomi_script_test(tree/format source)
yomi_script_test(tree/includes source)
yomi_script_test(tree/headers source)
yomi_script_test(tree/readme source)
yomi_script_test(tree/scripts source)
yomi_script_test(tree/scripts_help source)
yomi_script_test(tree/includes_picture source)
yomi_script_test(tree/includes_doors source)
yomi_script_test(tree/state source)
yomi_script_test(tree/setup source)
yomi_script_test(tree/skipped source)
yomi_script_test(hw/hw source)
yomi_script_test(hw/hw_long long)
yomi_script_test(search/go/check_ends source)
yomi_script_test(cmd/cli "")
yomi_script_test(cmd/config source)
yomi_script_test(cmd/book "")
yomi_script_test(cmd/play "")
yomi_script_test(cmd/play_shogi "")
yomi_script_test(cmd/learn "")
yomi_script_test(cmd/bench heavy)
yomi_script_test(cmd/match heavy)
yomi_script_test(cmd/net "")
yomi_script_test(cmd/convert "")
yomi_script_test(cmd/usi "")
yomi_script_test(cmd/web "")
yomi_script_test(cmd/cluster_simulate heavy)
yomi_script_test(cmd/selfplay heavy)
yomi_script_test(cmd/analyze "")
yomi_script_test(cmd/analyze_shogi "")
yomi_script_test(cluster/commands heavy)
yomi_script_test(cluster/faults heavy)
yomi_script_test(cluster/faults_long long)
yomi_script_test(train/train heavy)
yomi_script_test(experiments/experiments heavy)
yomi_script_test(train/train_go long)
yomi_script_test(train/train_shogi_policy long)
yomi_script_test(train/train_shogi_eval long)
yomi_script_test(train/loop_go long)
yomi_script_test(train/loop_shogi long)
yomi_script_test(web/page_units source)
yomi_script_test(web/page source)
yomi_script_test(tree/site source)
yomi_script_test(package/package long)
yomi_script_test(gui/gui long)
yomi_script_test(examples/examples heavy)
yomi_script_test(tree/docs heavy)
yomi_script_test(tree/install heavy)
yomi_script_test(gpu/gpu source)
yomi_script_test(gpu/gpu_sanitizer source)
yomi_script_test(gpu/net_gpu source)
yomi_script_test(gpu/cudnn_header source)
yomi_script_test(gpu/kernels_assemble source)
yomi_script_test(tano/tano source)
# Too slow to compile for every kind of build:
yomi_script_test(eval/playout/warp_light source)
yomi_script_test(eval/playout/warp_mogo source)
yomi_script_test(eval/playout/warp_every_size long)
yomi_script_test(eval/net/net_tower source)
yomi_script_test(eval/net/net_cuda source)
