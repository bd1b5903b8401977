#include "engine/base/available_memory.h"
#include "engine/base/job_context.h"
#include "engine/io/archives/zip_archive.h"
#include "engine/io/files/refusal.h"
#include "engine/io/files/text_encoding.h"
#include "engine/io/numpy/npy_array.h"
#include "engine/io/numpy/npy_writer.h"
#include "engine/io/preparation/built_in.h"
#include "engine/io/preparation/sample_lists.h"
#include "engine/io/readers/format_table.h"
#include "engine/io/tensors/pickle_reader.h"
#include "engine/io/tensors/tensor_choice.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace assay {
namespace {

constexpr std::uint64_t kMaxPickleBytes = std::uint64_t{1} << 30;
constexpr std::size_t kMaxArrays = 100'000;
constexpr std::size_t kDeepest = 8; ///< containers in each other that are searched for tensors

using Kind = NpyType::Kind;

constexpr std::array kTorchTypes{
    NamedType{"torch.FloatStorage", Kind::Float, 4},   NamedType{"torch.DoubleStorage", Kind::Float, 8},
    NamedType{"torch.HalfStorage", Kind::Float, 2},    NamedType{"torch.BFloat16Storage", Kind::BFloat, 2},
    NamedType{"torch.LongStorage", Kind::Integer, 8},  NamedType{"torch.IntStorage", Kind::Integer, 4},
    NamedType{"torch.ShortStorage", Kind::Integer, 2}, NamedType{"torch.CharStorage", Kind::Integer, 1},
    NamedType{"torch.ByteStorage", Kind::Unsigned, 1}, NamedType{"torch.BoolStorage", Kind::Bool, 1},
    NamedType{"torch.uint16", Kind::Unsigned, 2},      NamedType{"torch.uint32", Kind::Unsigned, 4},
    NamedType{"torch.uint64", Kind::Unsigned, 8}};

/// A range of an entry's bytes. At the end of the range, reads the rest of the entry, which verifies the checksum.
class PartSource : public ByteSource {
public:
    PartSource(std::unique_ptr<ByteSource> all, std::uint64_t skipped, std::uint64_t size, const std::string& where)
        : all_(std::move(all)), size_(size), left_(size) {
        while (skipped > 0) {
            const auto count = static_cast<std::size_t>(std::min<std::uint64_t>(skipped, kPart));
            std::vector<std::byte> piece(count);
            readExactly(*all_, piece, where);
            skipped -= count;
        }
    }
    std::uint64_t size() const noexcept override { return size_; }
    std::size_t readSome(std::span<std::byte> into) override {
        if (left_ == 0) {
            std::vector<std::byte> rest(kPart);
            while (all_->readSome(rest) > 0)
                ;
            return 0;
        }
        const auto wanted = static_cast<std::size_t>(std::min<std::uint64_t>(into.size(), left_));
        const std::size_t got = all_->readSome(into.first(wanted));
        left_ -= got;
        return got;
    }

private:
    static constexpr std::size_t kPart = std::size_t{1} << 16;
    std::unique_ptr<ByteSource> all_;
    std::uint64_t size_, left_;
};

/// Whether the strides are those of consecutive elements, with the last dimension (in Fortran order, the first)
/// fastest.
bool isPacked(const std::vector<std::uint64_t>& shape, const std::vector<std::uint64_t>& strides,
              NpyHeader::Order order) {
    std::uint64_t expected = 1;
    for (std::size_t i = 0; i < shape.size(); ++i) {
        const std::size_t axis = order == NpyHeader::Order::C ? shape.size() - 1 - i : i;
        if (shape[axis] != 1 && strides[axis] != expected)
            return false;
        expected *= shape[axis]; // cannot overflow: at most the size of the storage, checked before
    }
    return true;
}

/// The tensors of a file written by torch.save (PyTorch 1.6 or later): a tensor, or a dictionary or list of tensors,
/// or of more of these, up to eight in each other. Also finds NumPy arrays and lists of integers or text; skips
/// everything else. The pickle inside is parsed but never executed. Source: torch/serialization.py, torch/_utils.py.
class TorchFile {
public:
    /// @throws Error{BadInput} when it is not such a file, or uses names other than those of tensors and arrays
    explicit TorchFile(const InputFile& input)
        : file_(input.name()), zip_(input, "a complete file of PyTorch (a zip archive)") {
        for (std::uint64_t i = 0; i < zip_.count(); ++i)
            entries_.emplace(zip_.name(i), i);
        constexpr std::string_view pickle = "data.pkl";
        const auto found = std::ranges::find_if(
            entries_, [&](const auto& entry) { return entry.first.ends_with("/" + std::string(pickle)); });
        if (found == entries_.end())
            refuse(file_, "an entry 'data.pkl', as torch.save writes it", "none");
        prefix_ = found->first.substr(0, found->first.size() - pickle.size());
        const std::string place = placeOf(file_, found->first);
        pickleBytes_ = zip_.read(found->second, kMaxPickleBytes, place);
        if (const auto entry = entries_.find(prefix_ + "byteorder"); entry != entries_.end()) {
            const std::vector<std::byte> word = zip_.read(entry->second, 100, placeOf(file_, entry->first));
            const bool big = !word.empty() && word[0] == std::byte{'b'};
            order_ = big ? NpyType::kBigEndian : NpyType::kLittleEndian;
        }
        pickle_ = std::make_unique<const Pickle>(pickleBytes_, place);
        add({}, pickle_->root());
    }

    /// Tensors and arrays, in the order of the file. A single tensor without a container has an empty key.
    const std::vector<NamedArray>& arrays() const noexcept { return arrays_; }
    /// `file: 'key'`, for messages.
    std::string where(std::size_t array) const { return placeOf(file_, arrays_[array].key); }
    /// Integers or text of that key, as texts, from a list or a one-dimensional array; empty when the key does not
    /// exist.
    /// @throws Error{BadInput} when their number differs from `rows`; Cancelled
    std::optional<std::vector<std::string>> texts(const std::string& key, std::uint64_t rows,
                                                  const JobContext& job) const {
        const std::string expected = std::to_string(rows) + " whole numbers or texts, one for each row";
        std::vector<std::string> texts;
        const auto array = std::ranges::find(arrays_, key, &NamedArray::key);
        if (array != arrays_.end()) {
            const NpyHeader header = asList(array->header);
            if (header.shape.size() != 1 || header.shape[0] != rows || !header.type.isWhole())
                refuse(placeOf(file_, key), expected, header.text());
            const Elements elements = open(static_cast<std::size_t>(array - arrays_.begin()));
            return readNpyTexts(*elements.source, asList(elements.header), placeOf(file_, key), job);
        }
        const auto list = lists_.find(key);
        if (list == lists_.end())
            return std::nullopt;
        const auto items = pickle_->items(list->second);
        if (items.size() != rows)
            refuse(placeOf(file_, key), expected, pickle_->describe(list->second));
        for (const PickleValue item : items) {
            if (const auto number = pickle_->integer(item))
                texts.push_back(std::to_string(*number));
            else if (const auto text = pickle_->text(item))
                texts.push_back(utf8OrEscaped(*text));
            else
                refuse(placeOf(file_, key), expected, pickle_->describe(item));
        }
        return texts;
    }

    /// Elements of an array, in the order of their header.
    struct Elements {
        NpyHeader header;
        std::unique_ptr<ByteSource> source;
    };
    /// @throws Error{BadInput}
    Elements open(std::size_t array) const {
        Elements elements{arrays_[array].header, nullptr};
        if (const auto pickled = pickled_.find(array); pickled != pickled_.end()) {
            elements.source = pickled->second.open(where(array));
            return elements;
        }
        const Tensor& tensor = tensors_[array];
        for (const NpyHeader::Order order : {NpyHeader::Order::C, NpyHeader::Order::Fortran})
            if (isPacked(elements.header.shape, tensor.strides, order)) {
                elements.header.order = order;
                elements.source = openItems(array, tensor.offset, elements.header.count().value_or(0));
                return elements;
            }
        elements.source = openBytes(gather(array));
        return elements;
    }

private:
    struct Tensor {
        std::string storage; ///< name of the entry in the archive
        std::uint64_t storageItems = 0;
        std::uint64_t offset = 0; ///< in elements
        std::vector<std::uint64_t> strides;
    };

    void add(const std::string& key, PickleValue value) {
        constexpr std::size_t mostVisits = std::size_t{1}
                                           << 21; // containers that are used several times count each time
        if (++visits_ > mostVisits)
            refuse(file_, "at most " + std::to_string(mostVisits) + " values", "more of them");
        if (pickle_->name(value) == "torch._utils._rebuild_parameter" && !pickle_->arguments(value).empty())
            value = pickle_->arguments(value)[0];
        if (arrays_.size() >= kMaxArrays)
            refuse(file_, "at most " + std::to_string(kMaxArrays) + " tensors", "more of them");
        if (pickle_->name(value).starts_with("torch._utils._rebuild_tensor")) {
            addTensor(key, value);
            return;
        }
        if (auto array = arrayOf(*pickle_, value, placeOf(file_, key))) {
            arrays_.push_back({key, array->header});
            tensors_.emplace_back();
            pickled_.emplace(arrays_.size() - 1, std::move(*array));
            return;
        }
        const auto items = pickle_->items(value);
        const auto below = [&](const std::string& name) { return key.empty() ? name : key + "." + name; };
        if (value.kind == PickleKind::List)
            lists_[key] = value;
        const bool isContainer =
            value.kind == PickleKind::Dict || value.kind == PickleKind::List || value.kind == PickleKind::Tuple;
        if (!isContainer || open_.size() >= kDeepest || std::ranges::find(open_, value.at) != open_.end())
            return;
        open_.push_back(value.at);
        if (value.kind == PickleKind::Dict) {
            for (std::size_t i = 0; i + 1 < items.size(); i += 2)
                if (const auto name = pickle_->text(items[i]))
                    add(below(utf8OrEscaped(*name)), items[i + 1]);
                else if (const auto number = pickle_->integer(items[i])) // as layers are named: {33: tensor}
                    add(below(std::to_string(*number)), items[i + 1]);
        }
        for (std::size_t i = 0; value.kind != PickleKind::Dict && i < items.size(); ++i)
            if (items[i].kind == PickleKind::Call || items[i].kind == PickleKind::Dict)
                add(below(std::to_string(i)), items[i]);
        open_.pop_back();
    }
    /// Arguments: (storage, offset, sizes, strides, ..., in version 3 also the type). The storage is a persistent id:
    /// ('storage', type, key, location, number of elements).
    void addTensor(const std::string& key, PickleValue call) {
        const std::string place = placeOf(file_, key);
        const auto arguments = pickle_->arguments(call);
        const auto storage =
            arguments.empty() ? std::span<const PickleValue>() : pickle_->items(pickle_->outside(arguments[0]));
        if (arguments.size() < 4 || storage.size() < 5)
            refuse(place, "a tensor's storage, offset, sizes and strides", "a damaged tensor");
        const auto name = pickle_->text(storage[2]);
        const auto items = pickle_->integer(storage[4]);
        const auto offset = pickle_->integer(arguments[1]);
        const auto shape = sizesOf(*pickle_, arguments[2]);
        const auto strides = sizesOf(*pickle_, arguments[3]);
        if (!name || !items || *items < 0 || !offset || *offset < 0 || !shape || !strides ||
            shape->size() != strides->size())
            refuse(place, "a tensor's storage, offset, sizes and strides", "a damaged tensor");
        std::string_view type = pickle_->name(storage[1]);
        const bool untyped = type == "torch.storage.UntypedStorage"; // which counts bytes
        if (untyped)
            type = arguments.size() > 6 ? pickle_->name(arguments[6]) : std::string_view("a type without a name");
        NpyHeader header;
        header.type = typeNamed(type, kTorchTypes, order_);
        const std::uint64_t count =
            static_cast<std::uint64_t>(*items) / (untyped ? std::max<std::size_t>(header.type.itemBytes, 1) : 1);
        header.shape = *shape;
        arrays_.push_back({key, std::move(header)});
        tensors_.push_back(
            {prefix_ + "data/" + std::string(*name), count, static_cast<std::uint64_t>(*offset), *strides});
        requireInside(arrays_.size() - 1);
    }
    /// Checks that every element lies inside the storage, and that the tensor has no more elements than the storage.
    void requireInside(std::size_t array) const {
        const NpyHeader& header = arrays_[array].header;
        const Tensor& tensor = tensors_[array];
        const auto count = header.count();
        const std::string expected = "elements within the " + std::to_string(tensor.storageItems) + " that are stored";
        if (count == 0U)
            return;
        if (!count || *count > tensor.storageItems)
            refuse(where(array), expected, header.text() + "; save a tensor's clone() where it was expanded");
        std::uint64_t last = tensor.offset;
        for (std::size_t axis = 0; axis < header.shape.size(); ++axis) {
            const std::uint64_t steps = header.shape[axis] - 1;
            const std::uint64_t stride = tensor.strides[axis];
            if (last >= tensor.storageItems || (stride != 0 && steps > (tensor.storageItems - last) / stride))
                refuse(where(array), expected, header.text() + " with strides or an offset beyond them");
            last += steps * stride;
        }
        if (last >= tensor.storageItems)
            refuse(where(array), expected, header.text() + " with strides or an offset beyond them");
    }
    std::unique_ptr<ByteSource> openItems(std::size_t array, std::uint64_t first, std::uint64_t count) const {
        const Tensor& tensor = tensors_[array];
        const std::size_t item = arrays_[array].header.type.itemBytes;
        const auto entry = entries_.find(tensor.storage);
        if (entry == entries_.end())
            refuse(where(array), "its elements in an entry " + inQuotes(tensor.storage), "no such entry");
        auto all = zip_.open(entry->second, where(array));
        // Division avoids overflow.
        if (item == 0 || all->size() / item != tensor.storageItems)
            refuse(where(array), std::to_string(tensor.storageItems) + " stored elements",
                   std::to_string(all->size()) + " bytes in " + inQuotes(tensor.storage));
        return std::make_unique<PartSource>(std::move(all), first * item, count * item, where(array));
    }
    /// Copies the elements into C order when they are stored in another order.
    std::vector<std::byte> gather(std::size_t array) const {
        const std::vector<std::uint64_t>& shape = arrays_[array].header.shape;
        const Tensor& tensor = tensors_[array];
        const std::size_t item = arrays_[array].header.type.itemBytes;
        std::uint64_t spanned = 1;
        for (std::size_t axis = 0; axis < shape.size(); ++axis)
            spanned += (shape[axis] - 1) * tensor.strides[axis];
        requireMemory((spanned + *arrays_[array].header.count()) * item, where(array));
        const auto source = openItems(array, tensor.offset, spanned);
        std::vector<std::byte> stored(spanned * item);
        readExactly(*source, stored, where(array));
        expectEnd(*source, where(array));
        std::vector<std::byte> gathered(*arrays_[array].header.count() * item);
        std::byte* to = gathered.data();
        forEachInOrder(shape, tensor.strides, [&](std::uint64_t from) {
            std::memcpy(to, &stored[from * item], item);
            to += item;
        });
        return gathered;
    }

    std::string file_;
    ZipFile zip_;
    std::map<std::string, std::uint64_t, std::less<>> entries_;
    std::string prefix_; ///< common prefix of all entries: "archive/"
    NpyType::ByteOrder order_ = NpyType::ByteOrder::Native;
    std::vector<std::byte> pickleBytes_;
    std::unique_ptr<const Pickle> pickle_;
    std::vector<NamedArray> arrays_;
    std::vector<std::uint32_t> open_;             ///< containers that add() is in; one may hold itself
    std::size_t visits_ = 0;                      ///< calls of add()
    std::vector<Tensor> tensors_;                 ///< one per array; unused for NumPy arrays, which have no storage
    std::map<std::size_t, PickledArray> pickled_; ///< NumPy arrays by index
    std::map<std::string, PickleValue> lists_;    ///< lists of numbers or text by key
};

/// Whether the file was written by torch.save before PyTorch 1.6: protocol 2 and a magic number.
bool isLegacyTorch(const InputFile& input) {
    return input.startsWith("\x80\x02\x8a\x0a\x6c\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19");
}

TorchFile openTorch(const InputFile& input) {
    if (isLegacyTorch(input))
        refuse(input.name(), "a file of PyTorch 1.6 or later",
               "the older form, which is a pickle; write it again with torch.save(torch.load(...), ...), or as "
               ".safetensors");
    return TorchFile(input);
}

/// Classes from text; sorted by number when all texts are integers.
ClassLabels classesFrom(const std::vector<std::string>& texts) {
    std::vector<std::int64_t> numbers;
    for (const std::string& text : texts) {
        const auto number = wholeNumberOf(text);
        if (!number)
            return labelsFromFields(texts);
        numbers.push_back(*number);
    }
    return labelsFromIntegers(numbers);
}

/// Classes or groups as a list, or as a tensor of whole numbers, which may be floats; empty when there are none.
/// @param key kLabelList or kGroupList
ClassLabels labelsIn(const TorchFile& file, const std::string& key, std::size_t rows, const JobContext& job) {
    const auto array = std::ranges::find(file.arrays(), key, &NamedArray::key);
    if (array != file.arrays().end()) {
        const NpyHeader header = asList(array->header);
        const auto place = static_cast<std::size_t>(array - file.arrays().begin());
        if (header.type.isFloat() && header.shape == std::vector<std::uint64_t>{rows}) {
            const TorchFile::Elements elements = file.open(place);
            return readClassNumbers(*elements.source, asList(elements.header), file.where(place), key, job);
        }
    }
    const auto texts = file.texts(key, rows, job);
    return texts ? classesFrom(*texts) : ClassLabels();
}

} // namespace

bool recognisesTorch(const InputFile& input) {
    return isLegacyTorch(input) || zipContentOf(input) == ZipContent::Tensors;
}

EmbeddingParts readTorch(const InputFile& input, const std::string& key, const JobContext& job) {
    const TorchFile file = openTorch(input);
    const std::size_t matrix = chooseMatrix(file.arrays(), input.name(), key);
    const NamedArray& chosen = file.arrays()[matrix];
    EmbeddingParts parts;
    setShape(parts, chosen.header, file.where(matrix));
    parts.source.key = chosen.key;
    if (std::string others = othersNote(file.arrays(), matrix, input.name()); !others.empty())
        parts.source.notes.push_back(std::move(others));
    if (chosen.key != kLabelList)
        parts.labels = labelsIn(file, kLabelList, parts.rows, job.part({}, 0.0, 0.05));
    if (chosen.key != kGroupList)
        setGroups(parts, labelsIn(file, kGroupList, parts.rows, job.part({}, 0.0, 0.05)),
                  placeOf(input.name(), kGroupList));
    if (chosen.key != "ids")
        if (auto ids = file.texts("ids", parts.rows, job.part({}, 0.05, 0.1)))
            parts.ids = std::move(*ids);
    const TorchFile::Elements elements = file.open(matrix);
    const std::string where = file.where(matrix);
    take(parts, takeNpyMatrix(*elements.source, asMatrix(elements.header, where), where, input.reading(),
                              job.part({}, 0.1, 1.0)));
    return parts;
}

std::vector<std::string> torchChoices(const InputFile& input, const JobContext& /*job*/) {
    return matrixChoices(openTorch(input).arrays());
}

} // namespace assay
