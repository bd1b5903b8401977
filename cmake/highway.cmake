# Highway: kernels are written once and compiled for several instruction sets, of which the best that the processor has
# runs. Its package file names libraries that programs do not need.
find_path(HIGHWAY_INCLUDE_DIR hwy/highway.h REQUIRED)
add_library(assay_highway INTERFACE)
if(ASSAY_ARM_CHECK)
  # NEON is part of every such processor: nothing is chosen at run time, and headers are all that is needed. A link to
  # them, because their own folder holds the C library's for this machine, too.
  file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/highway)
  file(CREATE_LINK ${HIGHWAY_INCLUDE_DIR}/hwy ${CMAKE_BINARY_DIR}/highway/hwy SYMBOLIC)
  set(HIGHWAY_INCLUDE_DIR ${CMAKE_BINARY_DIR}/highway)
else()
  find_library(HIGHWAY_LIBRARY hwy REQUIRED)
  target_link_libraries(assay_highway INTERFACE ${HIGHWAY_LIBRARY})
endif()
target_include_directories(assay_highway SYSTEM INTERFACE ${HIGHWAY_INCLUDE_DIR})
# Left out: SSSE3, because no processor of interest stops there, and SVE, because its vectors have no size that arrays of
# them could have. What remains is AVX-512, AVX2, SSE4 and plain C++ on x86, and NEON on ARM.
target_compile_definitions(assay_highway INTERFACE
  "HWY_DISABLED_TARGETS=(HWY_SSSE3|HWY_SVE|HWY_SVE_256|HWY_SVE2|HWY_SVE2_128)")
