# assay-embed and assay-convert are folders of the package for Python, which run by themselves: share/assay/PROGRAM, and a
# launcher beside the other programs. The build tree has both in the same places, so that the others find them from their own.
# assay_python_program(PROGRAM FOLDER VARIABLE): the folder's place as seen from the programs' goes to the variable.
function(assay_python_program program folder variable)
  file(RELATIVE_PATH ASSAY_FOLDER_FROM_BIN ${CMAKE_INSTALL_FULL_BINDIR} ${CMAKE_INSTALL_FULL_DATADIR}/assay/${program})
  set(${variable} ${ASSAY_FOLDER_FROM_BIN} PARENT_SCOPE)
  configure_file(${CMAKE_SOURCE_DIR}/python/launcher.in ${CMAKE_BINARY_DIR}/launchers/${program} @ONLY)
  cmake_path(SET link NORMALIZE ${CMAKE_BINARY_DIR}/bin/${ASSAY_FOLDER_FROM_BIN})
  cmake_path(GET link PARENT_PATH parent)
  file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/bin ${parent})
  file(CREATE_LINK ${folder} ${link} SYMBOLIC)
  file(COPY ${CMAKE_BINARY_DIR}/launchers/${program} DESTINATION ${CMAKE_BINARY_DIR}/bin
    FILE_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
  install(PROGRAMS ${CMAKE_BINARY_DIR}/launchers/${program} DESTINATION ${CMAKE_INSTALL_BINDIR})
  install(DIRECTORY ${folder}/ DESTINATION ${CMAKE_INSTALL_DATADIR}/assay/${program}
    FILES_MATCHING PATTERN "*.py" PATTERN "__pycache__" EXCLUDE)
endfunction()

assay_python_program(assay-embed ${CMAKE_SOURCE_DIR}/python/assay/embed ASSAY_EMBED_FROM_BIN)
assay_python_program(assay-convert ${CMAKE_SOURCE_DIR}/python/assay/_convert ASSAY_CONVERT_FROM_BIN)
configure_file(${CMAKE_SOURCE_DIR}/gui/jobs/embed_location.h.in ${CMAKE_BINARY_DIR}/generated/gui/jobs/embed_location.h @ONLY)
