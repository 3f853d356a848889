# What `cmake --install` puts where: program, both libraries, headers, yomi.pc, and the man page and
# completions, which the program that was just built writes itself.
include(GNUInstallDirs)

install(TARGETS yomi yomi_static yomi_shared)
install(DIRECTORY include/yomi DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(FILES LICENSE README.md CHANGELOG.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY docs examples DESTINATION ${CMAKE_INSTALL_DOCDIR})
# Where the program looks for them, from its own folder.
file(RELATIVE_PATH yomi_docs_from_bin ${CMAKE_INSTALL_FULL_BINDIR} ${CMAKE_INSTALL_FULL_DOCDIR})
set_property(SOURCE src/cmd/text.c APPEND PROPERTY COMPILE_DEFINITIONS
                                                   YOMI_DOCS_FROM_BIN="${yomi_docs_from_bin}")
install(FILES nets/shogi-large.onnx DESTINATION ${CMAKE_INSTALL_DATADIR}/yomi)
install(FILES packaging/yomi-web.service packaging/yomi-worker.service DESTINATION lib/systemd/user)
install(FILES packaging/yomi.desktop DESTINATION ${CMAKE_INSTALL_DATADIR}/applications)
install(FILES web/icon.svg DESTINATION ${CMAKE_INSTALL_DATADIR}/icons/hicolor/scalable/apps
        RENAME yomi.svg)
if(yomi_page) # the licences of what is part of the page
  install(FILES ${CMAKE_BINARY_DIR}/page/out/licences.txt DESTINATION ${CMAKE_INSTALL_DOCDIR} OPTIONAL)
endif()

# Relative to ${pcfiledir}, so that an installed tree may be moved.
file(RELATIVE_PATH yomi_pc_prefix ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
string(REGEX REPLACE "/$" "" yomi_pc_prefix "${yomi_pc_prefix}")
configure_file(cmake/yomi.pc.in yomi.pc @ONLY)
install(FILES ${CMAKE_BINARY_DIR}/yomi.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

if(NOT CMAKE_CROSSCOMPILING OR CMAKE_CROSSCOMPILING_EMULATOR)
  set(generated ${CMAKE_BINARY_DIR}/generated)
  file(MAKE_DIRECTORY ${generated})
  function(yomi_writes file destination)
    add_custom_command(
      OUTPUT ${generated}/${file}
      COMMAND yomi ${ARGN} > ${generated}/${file}
      DEPENDS yomi
      VERBATIM)
    install(FILES ${generated}/${file} DESTINATION ${destination})
  endfunction()
  yomi_writes(yomi.1 ${CMAKE_INSTALL_MANDIR}/man1 man)
  yomi_writes(yomi ${CMAKE_INSTALL_DATADIR}/bash-completion/completions completion bash)
  yomi_writes(_yomi ${CMAKE_INSTALL_DATADIR}/zsh/site-functions completion zsh)
  add_custom_target(generated ALL DEPENDS ${generated}/yomi.1 ${generated}/yomi ${generated}/_yomi)
else()
  message(STATUS "cross-compiling: the man page and the completions are left out")
endif()
