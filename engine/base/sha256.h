#pragma once

#include "engine/base/job_context.h"

#include <cstddef>
#include <memory>
#include <span>
#include <string>

struct evp_md_ctx_st;

namespace assay {

/// Computes the SHA-256 of bytes that arrive in pieces.
class Sha256 {
public:
    Sha256();

    /// Appends bytes.
    /// @throws Cancelled
    void add(std::span<const std::byte> bytes, const JobContext& job = {});
    /// The hash of all bytes so far, as 64 lower-case hex digits. Call it once, as the last function.
    std::string hex();

private:
    struct Free {
        void operator()(evp_md_ctx_st* context) const noexcept;
    };
    std::unique_ptr<evp_md_ctx_st, Free> context_;
};

/// SHA-256 of bytes in memory, as 64 lower-case hex digits. @throws Cancelled
std::string sha256OfBytes(std::span<const std::byte> bytes, const JobContext& job = {});

} // namespace assay
