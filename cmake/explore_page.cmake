# The page that can be explored, built into the program: the files of engine/report/page/ as text in a source file. The
# scripts are one after the other in the order of their names, each in a literal of its own.
set(folder ${CMAKE_SOURCE_DIR}/engine/report/page)
file(GLOB scripts CONFIGURE_DEPENDS ${folder}/*.js)
file(READ ${folder}/page.html page_html)
file(READ ${folder}/page.css page_css)
set(page_js "")
foreach(script ${scripts})
  file(READ ${script} text)
  string(APPEND page_js "\n    R\"assay-page(${text})assay-page\"")
endforeach()
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${folder}/page.html ${folder}/page.css ${scripts})
configure_file(${folder}/page_resources.cpp.in ${CMAKE_BINARY_DIR}/generated/engine/report/page/page_resources.cpp @ONLY)
