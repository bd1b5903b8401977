#pragma once

#include "engine/base/job_context.h"

#include <cstddef>
#include <memory>
#include <span>
#include <string>

namespace assay {

/// SHA-256 of bytes that come in pieces.
class Sha256 {
public:
    Sha256();
    ~Sha256();
    Sha256(const Sha256&) = delete;
    Sha256& operator=(const Sha256&) = delete;

    /// @throws Cancelled
    void add(std::span<const std::byte> bytes, const JobContext& job = {});
    /// Of all of them, as 64 lower-case hex digits. Once only.
    std::string hex();

private:
    struct Context;
    std::unique_ptr<Context> context_;
};

/// SHA-256 of bytes in memory, as 64 lower-case hex digits. @throws Cancelled
std::string sha256OfBytes(std::span<const std::byte> bytes, const JobContext& job = {});

} // namespace assay
