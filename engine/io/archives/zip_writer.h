#pragma once

#include "engine/base/job_context.h"

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <string>

namespace assay {

enum class ZipPacking { Stored, Deflated };

/// A zip archive that appears under its name either complete or not at all; uses zip64 beyond 4 GiB. Equal entries
/// always produce identical bytes.
///
/// Every function throws Error{WriteFailed}; the message names the archive and the reason.
class ZipWriter {
public:
    explicit ZipWriter(const std::string& file);
    ~ZipWriter();
    ZipWriter(const ZipWriter&) = delete;
    ZipWriter& operator=(const ZipWriter&) = delete;

    /// Adds an entry that consists of `head` followed by `data`. The caller keeps both alive until commit() returns.
    /// @param name UTF-8, unique within the archive
    void add(const std::string& name, std::span<const std::byte> head, std::span<const std::byte> data,
             ZipPacking packing);
    /// Adds an entry whose bytes `make` creates while the archive is written, so that only one such entry is in memory
    /// at a time. commit() rethrows exceptions of `make`.
    void add(const std::string& name, std::function<std::string()> make, ZipPacking packing);

    /// Writes the archive and renames it to its final name. Nothing may be added afterwards.
    /// @throws Error{WriteFailed}; Cancelled; exceptions of the `make` functions
    void commit(const JobContext& job = {});

private:
    struct MadeEntry;
    struct Archive;
    std::unique_ptr<Archive> archive_;
};

} // namespace assay
