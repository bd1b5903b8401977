#include "engine/io/hdf5/global_heap.h"

#include "engine/io/files/little_endian.h"
#include "engine/io/files/refusal.h"
#include "engine/io/files/text_encoding.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <numeric>
#include <optional>
#include <string_view>

namespace assay {
namespace {

struct Reference {
    std::uint64_t length = 0, address = 0, object = 0;
};

std::vector<Reference> referencesIn(std::span<const std::byte> bytes, const HeapLayout& layout) {
    std::vector<Reference> references;
    references.reserve(bytes.size() / layout.referenceBytes());
    for (; bytes.size() >= layout.referenceBytes(); bytes = bytes.subspan(layout.referenceBytes()))
        references.push_back({littleEndian(bytes.first(4)), littleEndian(bytes.subspan(4, layout.addressBytes)),
                              littleEndian(bytes.subspan(4 + layout.addressBytes, 4))});
    return references;
}

/// A collection of the heap: objects, found by their number.
class Collection {
public:
    Collection(const InputFile& input, const HeapLayout& layout, std::uint64_t address, const std::string& where)
        : where_(where) {
        const std::size_t head = 8 + layout.lengthBytes;
        if (address > input.size() - layout.base || input.size() - layout.base - address < head)
            damaged();
        const std::uint64_t at = layout.base + address;
        bytes_.resize(head);
        readExactly(*input.openSection(at, head), bytes_, where_);
        const std::uint64_t size = littleEndian(std::span(bytes_).subspan(8, layout.lengthBytes));
        constexpr std::string_view signature = "GCOL\x01";
        if (std::string_view(reinterpret_cast<const char*>(bytes_.data()), signature.size()) != signature ||
            size < head || size > input.size() - at)
            damaged();
        bytes_.resize(size);
        readExactly(*input.openSection(at, size), bytes_, where_);
        end_ = address + size;
        // Objects are padded to multiples of eight bytes; number 0 is what is left.
        for (std::size_t i = head; bytes_.size() - i >= 8 + layout.lengthBytes;) {
            const std::uint64_t object = littleEndian(std::span(bytes_).subspan(i, 2));
            const std::uint64_t length = littleEndian(std::span(bytes_).subspan(i + 8, layout.lengthBytes));
            const std::size_t data = i + 8 + layout.lengthBytes;
            if (object == 0)
                break;
            if (length > bytes_.size() - data)
                damaged();
            objects_[object] = std::span(bytes_).subspan(data, length);
            i = data + std::min<std::size_t>((length + 7) / 8 * 8, bytes_.size() - data);
        }
    }
    Collection(const Collection&) = delete;
    Collection& operator=(const Collection&) = delete;

    std::uint64_t end() const noexcept { return end_; }

    std::string_view text(const Reference& reference) const {
        const auto object = objects_.find(reference.object);
        if (object == objects_.end() || object->second.size() < reference.length)
            damaged();
        const std::string_view all(reinterpret_cast<const char*>(object->second.data()), reference.length);
        return all.substr(0, all.find('\0'));
    }

private:
    [[noreturn]] void damaged() const { refuse(where_, "texts in the file", "a reference that leads nowhere"); }

    const std::string& where_;
    std::vector<std::byte> bytes_;
    std::map<std::uint64_t, std::span<const std::byte>> objects_;
    std::uint64_t end_ = 0;
};

} // namespace

std::vector<std::string> textsOfHeap(const InputFile& input, const HeapLayout& layout, std::span<const std::byte> bytes,
                                     const std::string& where, const JobContext& job) {
    const std::vector<Reference> references = referencesIn(bytes, layout);
    std::vector<std::size_t> byAddress(references.size());
    std::iota(byAddress.begin(), byAddress.end(), std::size_t{0});
    std::ranges::stable_sort(byAddress, {}, [&](std::size_t i) { return references[i].address; });
    std::vector<std::string> texts(references.size());
    std::optional<Collection> collection;
    std::uint64_t address = 0, taken = 0;
    for (const std::size_t i : byAddress) {
        const Reference& reference = references[i];
        if (reference.length == 0)
            continue;
        if (!collection || reference.address != address) {
            job.throwIfStopped();
            if (collection && reference.address < collection->end())
                refuse(where, "texts in the file", "pieces of them that overlap");
            collection.emplace(input, layout, reference.address, where);
            address = reference.address;
        }
        // Any number of references may share a text.
        taken += reference.length;
        if (taken > 8 * input.size())
            refuse(where, "texts in the file", "more of them than it has room for");
        texts[i] = utf8OrEscaped(collection->text(reference));
    }
    return texts;
}

} // namespace assay
