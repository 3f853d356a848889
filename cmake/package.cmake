# The Debian package: `--target package`. Dependencies come from the libraries that the program is
# linked with.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME yomi)
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_PACKAGE_DESCRIPTION
    "Yomi plays and analyses Go and shogi: in a browser, in the terminal, and as an engine
for programs that speak GTP, USI or KataGo's JSON. It searches on CPUs, GPUs and
clusters.")
set(CPACK_PACKAGE_CONTACT "The Yomi authors <yomi@localhost>")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION games)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS xdg-utils)
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "gnugo, nats-server, sabaki, xboard")
include(CPack)
