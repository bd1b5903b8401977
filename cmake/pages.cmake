# Manual pages and completions of bash and zsh, from what the programs say to --help (scripts/pages.awk). Those in Python say
# it without any package; without a Python they have no pages.
set(ASSAY_PAGES_DIR ${CMAKE_BINARY_DIR}/pages)
set(made)
find_package(Python3 3.9 COMPONENTS Interpreter QUIET)
set(assay-embed_script ${CMAKE_SOURCE_DIR}/python/assay/embed)
set(assay-convert_script ${CMAKE_SOURCE_DIR}/python/assay/_convert)
foreach(program assay-score assay assay-embed assay-convert)
  if(DEFINED ${program}_script)
    if(NOT Python3_FOUND)
      continue()
    endif()
    set(command ${Python3_EXECUTABLE} ${${program}_script})
    file(GLOB sources CONFIGURE_DEPENDS ${${program}_script}/*.py)
  elseif(NOT TARGET ${program} OR CMAKE_CROSSCOMPILING)
    continue()
  else()
    set(command $<TARGET_FILE:${program}>)
    set(sources ${program})
  endif()
  set(pages ${ASSAY_PAGES_DIR}/${program}.1.gz ${ASSAY_PAGES_DIR}/bash/${program} ${ASSAY_PAGES_DIR}/zsh/_${program})
  set(awk awk -f ${CMAKE_SOURCE_DIR}/scripts/pages.awk program=${program} version=${PROJECT_VERSION})
  set(help ${ASSAY_PAGES_DIR}/${program}.txt)
  add_custom_command(OUTPUT ${pages}
    COMMAND ${CMAKE_COMMAND} -E make_directory ${ASSAY_PAGES_DIR}/bash ${ASSAY_PAGES_DIR}/zsh
    COMMAND ${CMAKE_COMMAND} -E env QT_QPA_PLATFORM=offscreen LC_ALL=C.UTF-8 HOME=${ASSAY_PAGES_DIR} COLUMNS=1000
      PYTHONDONTWRITEBYTECODE=1 ${command} --help > ${help}
    COMMAND ${awk} kind=man ${help} > ${ASSAY_PAGES_DIR}/${program}.1
    COMMAND gzip -9nf ${ASSAY_PAGES_DIR}/${program}.1
    COMMAND ${awk} kind=bash ${help} > ${ASSAY_PAGES_DIR}/bash/${program}
    COMMAND ${awk} kind=zsh ${help} > ${ASSAY_PAGES_DIR}/zsh/_${program}
    DEPENDS ${sources} ${CMAKE_SOURCE_DIR}/scripts/pages.awk VERBATIM)
  list(APPEND made ${pages})
  install(FILES ${ASSAY_PAGES_DIR}/${program}.1.gz DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
  install(FILES ${ASSAY_PAGES_DIR}/bash/${program} DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
  install(FILES ${ASSAY_PAGES_DIR}/zsh/_${program} DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions)
endforeach()
if(made)
  add_custom_target(assay_pages ALL DEPENDS ${made})
endif()
