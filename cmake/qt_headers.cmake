# Qt's headers, compiled once for the window and its tests: they are most of what a file of these takes to compile. Whoever
# takes them may define more than Qt Widgets asks for, never less: target_precompile_headers(NAME REUSE_FROM assay_qt_headers).
find_package(Qt6 REQUIRED COMPONENTS Widgets)
file(WRITE ${CMAKE_BINARY_DIR}/generated/qt_headers.cpp "")
add_library(assay_qt_headers OBJECT ${CMAKE_BINARY_DIR}/generated/qt_headers.cpp)
target_link_libraries(assay_qt_headers PRIVATE assay_options Qt6::Widgets)
target_precompile_headers(assay_qt_headers PRIVATE <QtWidgets> <memory> <optional> <string> <vector>)
