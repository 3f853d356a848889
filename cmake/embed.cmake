# Data files that are part of the program: yomi_embed(FILE NAME OUT) writes a C file that defines
# NAME and NAME_len, and sets OUT to its path.
function(yomi_embed file name out)
  set(source ${CMAKE_BINARY_DIR}/embedded/${name}.c)
  file(READ ${CMAKE_SOURCE_DIR}/${file} hex HEX)
  string(REGEX REPLACE "(................................)" "\\1\n" hex "${hex}")
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," hex "${hex}")
  file(CONFIGURE OUTPUT ${source} @ONLY CONTENT [[
#include <stddef.h>
extern const unsigned char @name@[];
extern const size_t @name@_len;
const unsigned char @name@[] = {
@hex@};
const size_t @name@_len = sizeof @name@;
]])
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/${file})
  set(${out} ${source} PARENT_SCOPE)
endfunction()
