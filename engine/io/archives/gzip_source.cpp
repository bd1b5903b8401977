#include "engine/io/archives/gzip_source.h"

#include "engine/io/files/refusal.h"

#include <zlib.h>

#include <limits>
#include <new>

namespace assay {
namespace {

class GzipSource : public ByteSource {
public:
    GzipSource(std::unique_ptr<ByteSource> packed, std::uint64_t packedBytes, std::string where)
        : packed_(std::move(packed)), packedBytes_(packedBytes), where_(std::move(where)), piece_(kPiece) {
        constexpr int gzipAlone = 16 + MAX_WBITS;
        if (inflateInit2(&stream_, gzipAlone) != Z_OK)
            throw std::bad_alloc();
    }
    ~GzipSource() override { inflateEnd(&stream_); }
    GzipSource(const GzipSource&) = delete;
    GzipSource& operator=(const GzipSource&) = delete;

    std::uint64_t size() const noexcept override {
        constexpr std::uint64_t largestRatio = 1032;
        return packedBytes_ < std::numeric_limits<std::uint64_t>::max() / largestRatio ? packedBytes_ * largestRatio
                                                                                       : packedBytes_;
    }

    std::size_t readSome(std::span<std::byte> into) override {
        constexpr std::size_t most = std::size_t{1} << 30; // zlib counts in 32 bits
        into = into.first(std::min(into.size(), most));
        stream_.next_out = reinterpret_cast<Bytef*>(into.data());
        stream_.avail_out = static_cast<uInt>(into.size());
        while (!ended_ && stream_.avail_out == into.size() && !into.empty()) {
            if (!hasInput())
                refuse(where_, "more gzip data", "the end of the file: it is truncated");
            const int code = inflate(&stream_, Z_NO_FLUSH);
            if (code == Z_STREAM_END) { // of a member: several, one after the other, form one source
                ended_ = !hasInput();
                inflateReset(&stream_);
            } else if (code != Z_OK && code != Z_BUF_ERROR) {
                refuse(where_, "sound gzip data", "damaged data");
            }
        }
        return into.size() - stream_.avail_out;
    }

private:
    static constexpr std::size_t kPiece = std::size_t{64} << 10;

    /// Reads more packed bytes when all have been unpacked. @return false at their end
    bool hasInput() {
        if (stream_.avail_in == 0) {
            stream_.avail_in = static_cast<uInt>(packed_->readSome(piece_));
            stream_.next_in = reinterpret_cast<Bytef*>(piece_.data());
        }
        return stream_.avail_in > 0;
    }

    std::unique_ptr<ByteSource> packed_;
    std::uint64_t packedBytes_;
    std::string where_;
    std::vector<std::byte> piece_;
    z_stream stream_{};
    bool ended_ = false;
};

} // namespace

std::unique_ptr<ByteSource> openGzip(std::unique_ptr<ByteSource> packed, std::uint64_t packedBytes,
                                     const std::string& where) {
    return std::make_unique<GzipSource>(std::move(packed), packedBytes, where);
}

bool isGzip(const InputFile& input) {
    return input.startsWith("\x1f\x8b\x08");
}

} // namespace assay
