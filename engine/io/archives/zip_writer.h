#pragma once

#include "engine/base/job_context.h"

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <string>

namespace assay {

enum class ZipPacking { Stored, Deflated };

/// A zip archive that appears under its name complete or not at all; beyond 4 GiB as zip64. The same entries always
/// give the same bytes.
///
/// Every function throws Error{WriteFailed} naming the archive and the reason.
class ZipWriter {
public:
    explicit ZipWriter(const std::string& file);
    ~ZipWriter();
    ZipWriter(const ZipWriter&) = delete;
    ZipWriter& operator=(const ZipWriter&) = delete;

    /// Adds an entry of bytes that are owned by someone else until commit() returns: `head`, then `data`.
    /// @param name UTF-8, each once
    void add(const std::string& name, std::span<const std::byte> head, std::span<const std::byte> data,
             ZipPacking packing);
    /// Adds an entry that is made when the archive is written, so that one entry is in memory at a time. What `make`
    /// throws, commit() throws.
    void add(const std::string& name, std::function<std::string()> make, ZipPacking packing);

    /// Writes the archive and makes it appear. Nothing may be added afterwards. @throws also Cancelled
    void commit(const JobContext& job = {});

private:
    struct MadeEntry;
    struct Archive;
    std::unique_ptr<Archive> archive_;
};

} // namespace assay
