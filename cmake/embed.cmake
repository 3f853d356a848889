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

# The same for files of some megabytes, which take a compiler minutes as C: the assembler reads them.
function(yomi_embed_large file name out)
  set(path ${CMAKE_SOURCE_DIR}/${file})
  set(source ${CMAKE_BINARY_DIR}/embedded/${name}.c)
  file(CONFIGURE OUTPUT ${source} @ONLY CONTENT [[
#include <stddef.h>
#ifdef __APPLE__
#define SECTION ".section __DATA,__const\n"
#define SYMBOL  "_@name@"
#else
#define SECTION ".section .rodata\n"
#define SYMBOL  "@name@"
#endif
__asm__(SECTION ".balign 64\n.globl " SYMBOL "\n" SYMBOL ":\n.incbin \"@path@\"\n.globl " SYMBOL
        "_end\n" SYMBOL "_end:\n.byte 0\n.text\n");
extern const unsigned char @name@_end[];
extern const unsigned char @name@[];
size_t @name@_len(void);
size_t @name@_len(void) { return (size_t)(@name@_end - @name@); }
]])
  set_source_files_properties(${source} PROPERTIES OBJECT_DEPENDS ${path})
  set(${out} ${source} PARENT_SCOPE)
endfunction()
