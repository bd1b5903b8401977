#include "engine/io/files/file_hash.h"

#include "engine/io/files/refusal.h"

#include <algorithm>
#include <vector>

namespace assay {
namespace {

// Hashing 1 MiB takes about one millisecond, so a stop request takes effect at once.
constexpr std::size_t pieceBytes = std::size_t{1} << 20;

} // namespace

std::string sha256OfFile(const std::string& file, const JobContext& job) {
    const InputFile input = InputFile::onDisk(file);
    if (input.isDirectory())
        refuse(file, "a file", "a folder");
    const auto source = input.open();
    const auto total = static_cast<double>(std::max<std::uint64_t>(input.size(), 1));
    std::vector<std::byte> piece(pieceBytes);
    Sha256 hash;
    double done = 0.0;
    while (const std::size_t got = source->readSome(piece)) {
        hash.add(std::span(piece).first(got));
        done += static_cast<double>(got);
        job.checkpoint(done / total);
    }
    job.checkpoint(1.0);
    return hash.hex();
}

} // namespace assay
