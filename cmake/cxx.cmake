# A C++ compiler, for the simulated hardware unit and for some tests; the library itself needs none.
# Debian's clang-19 comes with clang++-19 and no c++, which is where CMake would look: the one that
# belongs to the C compiler comes first.
get_filename_component(yomi_cc_name ${CMAKE_C_COMPILER} NAME)
string(REGEX REPLACE "clang" "clang++" yomi_cxx_name "${yomi_cc_name}")
string(REGEX REPLACE "gcc" "g++" yomi_cxx_name "${yomi_cxx_name}")
# A C compiler of another name (cc) is no C++ compiler under that name: it would compile, not link.
if(yomi_cxx_name STREQUAL yomi_cc_name)
  set(yomi_cxx_name c++)
endif()
find_program(YOMI_CXX NAMES $ENV{CXX} ${yomi_cxx_name} clang++-19 clang++ g++ c++
             DOC "C++ compiler, for the hardware unit and the tests")
if(YOMI_CXX AND NOT CMAKE_CXX_COMPILER)
  set(CMAKE_CXX_COMPILER ${YOMI_CXX})
endif()
