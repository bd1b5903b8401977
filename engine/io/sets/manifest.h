#pragma once

#include "engine/io/sets/set_files.h"

#include <optional>
#include <string>
#include <vector>

namespace assay {

/// One synthetic set of a manifest.
struct ManifestModel {
    std::string name; ///< unique, not empty
    SetFiles files;
};

/// The sets of an audit, as listed in a JSON file (docs/formats.md).
struct Manifest {
    SetFiles real;
    std::vector<ManifestModel> models; ///< at least one
    std::optional<SetFiles> heldOut;
};

/// Whether the file name ends like that of a manifest (`.json`).
bool isNamedManifest(const std::string& file);

/// Reads a manifest. Relative file names refer to the manifest's folder. Does not open the sets themselves.
/// @throws Error{BadInput} naming the file and the key or line, what was expected and what was found
Manifest readManifest(const std::string& file);

} // namespace assay
