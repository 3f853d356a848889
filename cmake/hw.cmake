# The hardware unit (hw/rtl) as a simulation inside the program: Verilator turns it into C++, one
# model a board size. Looked for and never required; without it the backend is there and says that
# it is not available. The library itself stays free of C++: the models are linked to the program
# and to the tests, and found through a weak symbol.
set(yomi_hw_summary "off")
set(yomi_hw FALSE)
if(NOT YOMI_HW MATCHES "^(AUTO|ON|OFF)$")
  message(FATAL_ERROR "YOMI_HW is ${YOMI_HW}; it takes AUTO, ON or OFF")
elseif(YOMI_HW STREQUAL "AUTO" AND (YOMI_SANITIZE OR YOMI_FUZZ OR CMAKE_C_FLAGS MATCHES "-fsanitize"))
  set(yomi_hw_summary "off (sanitizers are for our own code; YOMI_HW=ON has it all the same)")
elseif(NOT YOMI_HW STREQUAL "OFF")
  find_program(YOMI_VERILATOR verilator DOC "Verilator, for the backend hw")
  include(CheckLanguage)
  check_language(CXX)
  set(yomi_hw_summary "not found (Verilator and a C++ compiler are needed)")
  if(YOMI_VERILATOR AND CMAKE_CXX_COMPILER)
    set(yomi_hw TRUE)
  elseif(YOMI_HW STREQUAL "ON")
    message(FATAL_ERROR "YOMI_HW is ON, but Verilator or a C++ compiler was not found")
  endif()
endif()

# Adds the models to a program.
function(yomi_add_hw target)
  if(yomi_hw)
    target_link_libraries(${target} PRIVATE yomi_hw)
  endif()
endfunction()

if(yomi_hw)
  enable_language(CXX)
  execute_process(COMMAND ${YOMI_VERILATOR} --getenv VERILATOR_ROOT OUTPUT_VARIABLE verilator_root
                  OUTPUT_STRIP_TRAILING_WHITESPACE)
  execute_process(COMMAND ${YOMI_VERILATOR} --version OUTPUT_VARIABLE yomi_hw_summary
                  OUTPUT_STRIP_TRAILING_WHITESPACE)
  yomi_glob(rtl hw/rtl/*.sv)
  add_library(yomi_hw OBJECT src/eval/playout/hw/model.cpp
                             ${verilator_root}/include/verilated.cpp
                             ${verilator_root}/include/verilated_threads.cpp)
  set(models "")
  foreach(size 9 13 19)
    set(dir ${CMAKE_BINARY_DIR}/hw/${size})
    set(model ${dir}/Vyomi${size}__ALL.a)
    add_custom_command(
      OUTPUT ${model} ${dir}/Vyomi${size}.h
      COMMAND sh ${CMAKE_SOURCE_DIR}/cmake/verilate.sh ${dir} ${CMAKE_SOURCE_DIR}/hw/rtl ${YOMI_VERILATOR}
              --cc --build -j 1 -O3 --noassert --x-assign fast --x-initial fast
              -MAKEFLAGS CXX=${CMAKE_CXX_COMPILER} -CFLAGS -O2 -CFLAGS -fPIC -CFLAGS -w
              -GN=${size} --top-module yomi_unit --prefix Vyomi${size}
              > ${CMAKE_BINARY_DIR}/hw-${size}.log
      DEPENDS ${rtl} ${CMAKE_SOURCE_DIR}/cmake/verilate.sh
      COMMENT "Verilating the ${size}x${size} unit"
      VERBATIM)
    add_custom_target(yomi_hw_${size} DEPENDS ${model})
    add_dependencies(yomi_hw yomi_hw_${size})
    target_include_directories(yomi_hw SYSTEM PRIVATE ${dir})
    target_link_libraries(yomi_hw PUBLIC ${model})
  endforeach()
  target_include_directories(yomi_hw SYSTEM PRIVATE ${verilator_root}/include
                                                    ${verilator_root}/include/vltstd)
  target_link_libraries(yomi_hw PUBLIC Threads::Threads)
  # Not the warnings of our C: most of this is generated.
  set_target_properties(yomi_hw PROPERTIES COMPILE_OPTIONS "-w" CXX_STANDARD 17
                                           POSITION_INDEPENDENT_CODE ON)
endif()
