# Programs and libraries read files of unknown origin, in C libraries too: an overflow ends the process instead of running code.
include(CheckPIESupported)
check_pie_supported()
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
# Sanitizers check the same, and more; _FORTIFY_SOURCE hides calls from them.
if(NOT ASSAY_SANITIZE AND NOT ASSAY_FUZZ)
  add_compile_options($<$<COMPILE_LANGUAGE:C,CXX>:-fstack-protector-strong>)
  # Needs optimisation. Undefined first, because some distributions' compilers define it.
  add_compile_options("$<$<AND:$<COMPILE_LANGUAGE:C,CXX>,$<NOT:$<CONFIG:Debug>>>:-U_FORTIFY_SOURCE;-D_FORTIFY_SOURCE=3>")
endif()
add_link_options(LINKER:-z,relro,-z,now)
