#include "engine/base/sha256.h"

#include <fmt/format.h>
#include <openssl/evp.h>

#include <algorithm>
#include <new>

namespace assay {
namespace {

// Hashing 1 MiB takes about one millisecond, so a stop request takes effect at once.
constexpr std::size_t pieceBytes = std::size_t{1} << 20;

} // namespace

void Sha256::Free::operator()(EVP_MD_CTX* context) const noexcept {
    EVP_MD_CTX_free(context);
}

Sha256::Sha256() : context_(EVP_MD_CTX_new()) {
    if (!context_ || EVP_DigestInit_ex(context_.get(), EVP_sha256(), nullptr) != 1)
        throw std::bad_alloc();
}

void Sha256::add(std::span<const std::byte> bytes, const JobContext& job) {
    for (std::size_t first = 0; first < bytes.size(); first += pieceBytes) {
        job.checkpoint(static_cast<double>(first) / static_cast<double>(bytes.size()));
        const auto piece = bytes.subspan(first, std::min(pieceBytes, bytes.size() - first));
        if (EVP_DigestUpdate(context_.get(), piece.data(), piece.size()) != 1)
            throw std::bad_alloc();
    }
    job.checkpoint(1.0);
}

std::string Sha256::hex() {
    unsigned char digest[EVP_MAX_MD_SIZE];
    unsigned length = 0;
    if (EVP_DigestFinal_ex(context_.get(), digest, &length) != 1)
        throw std::bad_alloc();
    return fmt::format("{:02x}", fmt::join(digest, digest + length, ""));
}

std::string sha256OfBytes(std::span<const std::byte> bytes, const JobContext& job) {
    Sha256 hash;
    hash.add(bytes, job);
    return hash.hex();
}

} // namespace assay
