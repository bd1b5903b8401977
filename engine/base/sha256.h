#pragma once

#include "engine/base/job_context.h"

#include <cstddef>
#include <memory>
#include <span>
#include <string>

namespace assay {

/// Computes the SHA-256 of bytes that arrive in pieces.
class Sha256 {
public:
    Sha256();
    ~Sha256();
    Sha256(const Sha256&) = delete;
    Sha256& operator=(const Sha256&) = delete;

    /// Appends bytes.
    /// @throws Cancelled
    void add(std::span<const std::byte> bytes, const JobContext& job = {});
    /// The hash of all bytes so far, as 64 lower-case hex digits. Call it once, as the last function.
    std::string hex();

private:
    struct Context;
    std::unique_ptr<Context> context_;
};

/// SHA-256 of bytes in memory, as 64 lower-case hex digits. @throws Cancelled
std::string sha256OfBytes(std::span<const std::byte> bytes, const JobContext& job = {});

} // namespace assay
