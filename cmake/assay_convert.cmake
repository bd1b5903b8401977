# The converter of Python's files is one file of the package for Python, which runs by itself: share/assay/assay-convert.py,
# with a launcher beside the other programs. The build tree has both in the same places.
file(RELATIVE_PATH ASSAY_CONVERT_FROM_BIN ${CMAKE_INSTALL_FULL_BINDIR} ${CMAKE_INSTALL_FULL_DATADIR}/assay/assay-convert.py)
set(ASSAY_EMBED_FROM_BIN ${ASSAY_CONVERT_FROM_BIN})
configure_file(${CMAKE_SOURCE_DIR}/python/launcher.in ${CMAKE_BINARY_DIR}/embed/assay-convert @ONLY)
cmake_path(SET file NORMALIZE ${CMAKE_BINARY_DIR}/bin/${ASSAY_CONVERT_FROM_BIN})
cmake_path(GET file PARENT_PATH parent)
file(MAKE_DIRECTORY ${parent})
file(CREATE_LINK ${CMAKE_SOURCE_DIR}/python/assay/_convert.py ${file} SYMBOLIC)
file(COPY ${CMAKE_BINARY_DIR}/embed/assay-convert DESTINATION ${CMAKE_BINARY_DIR}/bin
  FILE_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)

install(PROGRAMS ${CMAKE_BINARY_DIR}/embed/assay-convert DESTINATION ${CMAKE_INSTALL_BINDIR})
install(FILES ${CMAKE_SOURCE_DIR}/python/assay/_convert.py DESTINATION ${CMAKE_INSTALL_DATADIR}/assay RENAME assay-convert.py)
