# assay-embed is a folder of the package for Python, which runs by itself: share/assay/assay-embed, and a launcher beside the
# other programs. The build tree has both in the same places, so that the window finds them from its own.
file(RELATIVE_PATH ASSAY_EMBED_FROM_BIN ${CMAKE_INSTALL_FULL_BINDIR} ${CMAKE_INSTALL_FULL_DATADIR}/assay/assay-embed)
configure_file(${CMAKE_SOURCE_DIR}/gui/jobs/embed_location.h.in ${CMAKE_BINARY_DIR}/generated/gui/jobs/embed_location.h @ONLY)
configure_file(${CMAKE_SOURCE_DIR}/python/launcher.in ${CMAKE_BINARY_DIR}/embed/assay-embed @ONLY)
file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/bin)
cmake_path(SET folder NORMALIZE ${CMAKE_BINARY_DIR}/bin/${ASSAY_EMBED_FROM_BIN})
cmake_path(GET folder PARENT_PATH parent)
file(MAKE_DIRECTORY ${parent})
file(CREATE_LINK ${CMAKE_SOURCE_DIR}/python/assay/embed ${folder} SYMBOLIC)
file(COPY ${CMAKE_BINARY_DIR}/embed/assay-embed DESTINATION ${CMAKE_BINARY_DIR}/bin
  FILE_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)

install(PROGRAMS ${CMAKE_BINARY_DIR}/embed/assay-embed DESTINATION ${CMAKE_INSTALL_BINDIR})
install(DIRECTORY ${CMAKE_SOURCE_DIR}/python/assay/embed/ DESTINATION ${CMAKE_INSTALL_DATADIR}/assay/assay-embed
  FILES_MATCHING PATTERN "*.py" PATTERN "__pycache__" EXCLUDE)
