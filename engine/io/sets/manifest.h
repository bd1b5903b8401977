#pragma once

#include "engine/io/sets/set_files.h"

#include <optional>
#include <string>
#include <vector>

namespace assay {

/// A synthetic set of a manifest.
struct ManifestModel {
    std::string name; ///< unique, not empty
    SetFiles files;
};

/// The sets of an audit, as a JSON file lists them (docs/formats.md).
struct Manifest {
    SetFiles real;
    std::vector<ManifestModel> models; ///< at least one
    std::optional<SetFiles> heldOut;
};

/// Whether a file is named like a manifest (`.json`).
bool isNamedManifest(const std::string& file);

/// Reads a manifest. Its file names are taken from its own folder; the sets themselves are not looked at.
/// @throws Error{BadInput} naming the file and the key or line, what was expected and what was found
Manifest readManifest(const std::string& file);

} // namespace assay
