# A package for Debian and Ubuntu: `cpack --config build/release/CPackConfig.cmake` in a finished build writes
# build/release/assay_VERSION_ARCHITECTURE.deb. What it depends on is what the linker says.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME assay)
set(CPACK_PACKAGE_VENDOR Assay)
set(ASSAY_CONTACT "Assay developers <assay@users.noreply.github.com>" CACHE STRING "Maintainer named in the package")
set(CPACK_PACKAGE_CONTACT "${ASSAY_CONTACT}")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "audits generative models, sample by sample")
set(CPACK_DEBIAN_PACKAGE_DESCRIPTION "Given embeddings of real and synthetic samples, with their pictures where
there are some, Assay says in plain words what is wrong with each model,
judges every single sample, tells how often these judgements are wrong, and
shows how well the real data is covered. In a window (assay) or without one
(assay-score).")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_PACKAGE_DIRECTORY ${CMAKE_BINARY_DIR})
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
# Beside the libraries: the build of OpenBLAS without threads of its own, whose folder the programs name
# (engine/CMakeLists.txt), and what Qt loads at run time.
set(CPACK_DEBIAN_PACKAGE_DEPENDS "libopenblas0-serial")
if(ASSAY_GUI)
  string(APPEND CPACK_DEBIAN_PACKAGE_DEPENDS ", qt6-qpa-plugins, libgl1, libgl1-mesa-dri, hicolor-icon-theme")
  set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "fonts-dejavu-core")
endif()
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "python3")

# What Debian asks of every package.
set(doc ${CMAKE_INSTALL_DATADIR}/doc/assay)
set(folder ${CMAKE_BINARY_DIR}/package)
string(TIMESTAMP date "%a, %d %b %Y %H:%M:%S +0000" UTC)
file(WRITE ${folder}/changelog "assay (${PROJECT_VERSION}) unstable; urgency=medium

  * What changed stands in /usr/share/doc/assay/CHANGELOG.md.gz.

 -- ${CPACK_PACKAGE_CONTACT}  ${date}
")
file(WRITE ${folder}/copyright "Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: Assay

Files: *
Copyright: 2026 Assay developers
License: Apache-2.0
Comment: The program assay draws charts by Qt Charts, which is under the GPL
 version 3: as a program file it may be passed on under that licence.

License: Apache-2.0
 On Debian systems, the text of the Apache License 2.0 is in
 /usr/share/common-licenses/Apache-2.0.
")
file(WRITE ${folder}/lintian "# The programs need the build of OpenBLAS without threads of its own, whichever the system prefers for others.
assay: custom-library-search-path
")
file(COPY ${CMAKE_SOURCE_DIR}/CHANGELOG.md DESTINATION ${folder})
execute_process(COMMAND gzip -9nf CHANGELOG.md changelog WORKING_DIRECTORY ${folder})
install(FILES ${folder}/changelog.gz ${folder}/CHANGELOG.md.gz ${folder}/copyright DESTINATION ${doc})
install(FILES ${folder}/lintian DESTINATION ${CMAKE_INSTALL_DATADIR}/lintian/overrides RENAME assay)
include(CPack)
