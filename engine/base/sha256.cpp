#include "engine/base/sha256.h"

#include <openssl/evp.h>

#include <algorithm>
#include <new>

namespace assay {
namespace {

// Hashing 1 MiB takes about one millisecond, so a stop request takes effect at once.
constexpr std::size_t pieceBytes = std::size_t{1} << 20;

} // namespace

struct Sha256::Context {
    Context() : value(EVP_MD_CTX_new()) {}
    ~Context() { EVP_MD_CTX_free(value); }
    Context(const Context&) = delete;
    Context& operator=(const Context&) = delete;

    EVP_MD_CTX* value;
};

Sha256::Sha256() : context_(std::make_unique<Context>()) {
    if (context_->value == nullptr || EVP_DigestInit_ex(context_->value, EVP_sha256(), nullptr) != 1)
        throw std::bad_alloc();
}

Sha256::~Sha256() = default;

void Sha256::add(std::span<const std::byte> bytes, const JobContext& job) {
    for (std::size_t first = 0; first < bytes.size(); first += pieceBytes) {
        job.checkpoint(static_cast<double>(first) / static_cast<double>(bytes.size()));
        const auto piece = bytes.subspan(first, std::min(pieceBytes, bytes.size() - first));
        if (EVP_DigestUpdate(context_->value, piece.data(), piece.size()) != 1)
            throw std::bad_alloc();
    }
    job.checkpoint(1.0);
}

std::string Sha256::hex() {
    unsigned char digest[EVP_MAX_MD_SIZE];
    unsigned length = 0;
    if (EVP_DigestFinal_ex(context_->value, digest, &length) != 1)
        throw std::bad_alloc();
    constexpr std::string_view digits = "0123456789abcdef";
    std::string text;
    for (unsigned i = 0; i < length; ++i) {
        text += digits[digest[i] >> 4];
        text += digits[digest[i] & 15];
    }
    return text;
}

std::string sha256OfBytes(std::span<const std::byte> bytes, const JobContext& job) {
    Sha256 hash;
    hash.add(bytes, job);
    return hash.hex();
}

} // namespace assay
