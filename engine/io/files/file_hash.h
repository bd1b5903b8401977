#pragma once

#include "engine/base/job_context.h"
#include "engine/base/sha256.h"
#include "engine/io/files/input_file.h"

#include <cstdint>
#include <memory>
#include <string>
#include <utility>

namespace assay {

/// SHA-256 of a file, as 64 lower-case hex digits.
/// @throws Error{BadInput} when the file cannot be read; Cancelled
std::string sha256OfFile(const std::string& file, const JobContext& job = {});

/// Passes bytes on and computes their SHA-256.
class HashedSource : public ByteSource {
public:
    explicit HashedSource(std::unique_ptr<ByteSource> source) : source_(std::move(source)) {}
    std::uint64_t size() const noexcept override { return source_->size(); }
    std::size_t readSome(std::span<std::byte> into) override {
        const std::size_t got = source_->readSome(into);
        hash_.add(into.first(got));
        return got;
    }
    /// Of all bytes so far. Call it once, as the last function.
    std::string hash() { return hash_.hex(); }

private:
    std::unique_ptr<ByteSource> source_;
    Sha256 hash_;
};

} // namespace assay
