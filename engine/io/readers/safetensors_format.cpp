#include "engine/base/available_memory.h"
#include "engine/base/error.h"
#include "engine/io/files/input_file.h"
#include "engine/io/files/refusal.h"
#include "engine/io/numpy/npy_array.h"
#include "engine/io/preparation/built_in.h"
#include "engine/io/preparation/sample_lists.h"
#include "engine/io/readers/format_table.h"
#include "engine/io/tensors/tensor_choice.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>
#include <set>

namespace assay {
namespace {

using Json = nlohmann::json;
using Kind = NpyType::Kind;

constexpr std::uint64_t kLengthBytes = 8;
constexpr std::uint64_t kMaxHeaderBytes = std::uint64_t{100} << 20; // the format's own limit
constexpr int kDepth = 3;                                           // nesting of the header's JSON: file, tensor, list
constexpr std::size_t kMaxTensors = 100'000;

constexpr std::array kDtypes{
    NamedType{"F16", Kind::Float, 2},    NamedType{"BF16", Kind::BFloat, 2},  NamedType{"F32", Kind::Float, 4},
    NamedType{"F64", Kind::Float, 8},    NamedType{"I8", Kind::Integer, 1},   NamedType{"I16", Kind::Integer, 2},
    NamedType{"I32", Kind::Integer, 4},  NamedType{"I64", Kind::Integer, 8},  NamedType{"U8", Kind::Unsigned, 1},
    NamedType{"U16", Kind::Unsigned, 2}, NamedType{"U32", Kind::Unsigned, 4}, NamedType{"U64", Kind::Unsigned, 8},
    NamedType{"BOOL", Kind::Bool, 1}};

/// Byte range of a tensor in the file.
struct TensorPlace {
    std::uint64_t begin = 0, end = 0;
};

std::uint64_t headerBytesOf(const InputFile& input) {
    return littleEndian(input.head().first(kLengthBytes));
}

/// Refuses what no header holds, before a tree is made of it. A check during the parse would take time by the square of
/// the number of tensors.
class HeaderCheck : public nlohmann::json_sax<Json> {
public:
    explicit HeaderCheck(const std::string& file) : file_(file) {}
    std::size_t events() const noexcept { return events_; }

    bool null() override { return count(); }
    bool boolean(bool) override { return count(); }
    bool number_integer(number_integer_t) override { return count(); }
    bool number_unsigned(number_unsigned_t) override { return count(); }
    bool number_float(number_float_t, const string_t&) override { return count(); }
    bool string(string_t&) override { return count(); }
    bool binary(binary_t&) override { return false; }
    bool start_object(std::size_t) override { return begin(); }
    bool end_object() override { return depth_-- > 0; }
    bool start_array(std::size_t) override { return begin(); }
    bool end_array() override { return depth_-- > 0; }
    bool key(string_t& name) override {
        if (depth_ > 1)
            return count();
        if (keys_.size() >= kMaxTensors)
            refuse(file_, "at most " + std::to_string(kMaxTensors) + " tensors", "more of them");
        if (!keys_.insert(name).second)
            refuse(file_, "one tensor of each name", "two named " + inQuotes(name));
        return count();
    }
    bool parse_error(std::size_t, const std::string&, const nlohmann::detail::exception&) override { return false; }

private:
    bool count() {
        ++events_;
        return true;
    }
    bool begin() {
        if (++depth_ > kDepth)
            refuse(file_, "a header of tensors", "lists or objects in each other");
        return count();
    }

    const std::string& file_;
    std::set<std::string> keys_;
    std::size_t events_ = 0;
    int depth_ = 0;
};

class TensorFile {
public:
    explicit TensorFile(const InputFile& input) : input_(input), dataAt_(kLengthBytes + headerBytesOf(input)) {
        requireMemory(dataAt_ - kLengthBytes, input.name());
        std::string text(dataAt_ - kLengthBytes, '\0');
        readExactly(*input.openSection(kLengthBytes, text.size()), std::as_writable_bytes(std::span(text)),
                    input.name());
        const Json header = parse(text);
        for (const auto& [key, value] : header.items())
            if (key != "__metadata__")
                add(key, value);
        requireApart();
    }

    const std::vector<NamedArray>& arrays() const noexcept { return arrays_; }
    std::string where(std::size_t tensor) const { return placeOf(input_.name(), printable(arrays_[tensor].key)); }

    std::unique_ptr<ByteSource> open(std::size_t tensor) const {
        return input_.openSection(places_[tensor].begin, places_[tensor].end - places_[tensor].begin);
    }

    /// A view of the embeddings in the mapped file; empty when they must be copied.
    std::optional<FloatStorage> view(std::size_t tensor, const NpyHeader& shape) const {
        if (!input_.mapping() || !input_.reading().allowsView())
            return std::nullopt;
        const TensorPlace& place = places_[tensor];
        return viewNpyMatrix(input_.memory().subspan(place.begin, place.end - place.begin), input_.mapping(), shape);
    }

private:
    Json parse(const std::string& text) const {
        HeaderCheck check(input_.name());
        Json header;
        if (!Json::sax_parse(text, &check))
            refuse(input_.name(), "a header in JSON", "one that is damaged");
        constexpr std::size_t kBytesPerEvent = 64; // of a node of the tree, about
        requireMemory(text.size() + check.events() * kBytesPerEvent, input_.name());
        try {
            header = Json::parse(text);
        } catch (const Json::exception&) {
            refuse(input_.name(), "a header in JSON", "one that is damaged");
        }
        if (!header.is_object())
            refuse(input_.name(), "a header that names tensors", "another kind of JSON");
        return header;
    }

    void add(const std::string& key, const Json& value) {
        const std::string place = placeOf(input_.name(), printable(key));
        const auto damaged = [&](const char* expected) { refuse(place, expected, "a damaged entry"); };
        const auto numbers = [&](const char* name, std::size_t most) {
            const auto list = value.find(name);
            if (list == value.end() || !list->is_array() || list->size() > most ||
                !std::ranges::all_of(*list, [](const Json& n) { return n.is_number_unsigned(); }))
                damaged("'dtype', 'shape' and 'data_offsets' as whole numbers");
            return list->get<std::vector<std::uint64_t>>();
        };
        constexpr std::size_t mostDimensions = 64;
        if (!value.is_object() || !value.contains("dtype") || !value["dtype"].is_string())
            damaged("an object with a 'dtype'");
        NamedArray tensor{key, {}};
        tensor.header.type = typeNamed(value["dtype"].get<std::string>(), kDtypes, NpyType::kLittleEndian);
        tensor.header.shape = numbers("shape", mostDimensions);
        const std::vector<std::uint64_t> offsets = numbers("data_offsets", 2);
        const std::uint64_t dataBytes = input_.size() - dataAt_;
        if (offsets.size() != 2 || offsets[0] > offsets[1] || offsets[1] > dataBytes)
            refuse(place, "bytes within the " + std::to_string(dataBytes) + " of the file",
                   "'data_offsets' beyond them");
        const std::size_t item = tensor.header.type.itemBytes;
        const auto count = tensor.header.count();
        if (item != 0 && (!count || *count > dataBytes / item || *count * item != offsets[1] - offsets[0]))
            refuse(place, "as many bytes as " + tensor.header.text() + " takes",
                   std::to_string(offsets[1] - offsets[0]));
        arrays_.push_back(std::move(tensor));
        places_.push_back({dataAt_ + offsets[0], dataAt_ + offsets[1]});
    }

    void requireApart() const {
        std::vector<std::size_t> byPlace;
        for (std::size_t i = 0; i < places_.size(); ++i)
            if (places_[i].begin < places_[i].end)
                byPlace.push_back(i);
        std::ranges::sort(byPlace, {}, [&](std::size_t i) { return places_[i].begin; });
        for (std::size_t i = 1; i < byPlace.size(); ++i)
            if (places_[byPlace[i]].begin < places_[byPlace[i - 1]].end)
                refuse(where(byPlace[i]), "bytes of its own", "some of " + inQuotes(arrays_[byPlace[i - 1]].key));
    }

    const InputFile& input_;
    std::uint64_t dataAt_;
    std::vector<NamedArray> arrays_;
    std::vector<TensorPlace> places_; ///< one per tensor
};

/// Place of the tensor of that name that has one value per row of a matrix; empty when there is no such tensor.
/// @param takesFloats whether its values may be floats
std::optional<std::size_t> companion(const TensorFile& file, std::string_view key, std::size_t matrix,
                                     std::uint64_t rows, bool takesFloats) {
    const auto found = std::ranges::find(file.arrays(), key, &NamedArray::key);
    const auto tensor = static_cast<std::size_t>(found - file.arrays().begin());
    if (found == file.arrays().end() || tensor == matrix)
        return std::nullopt;
    const NpyHeader header = asList(found->header);
    const bool isList = header.type.isWhole() || (takesFloats && header.type.isFloat());
    if (header.shape.size() != 1 || header.shape[0] != rows || !isList)
        refuse(file.where(tensor), std::to_string(rows) + " whole numbers, one for each row", header.text());
    return tensor;
}

} // namespace

bool recognisesSafetensors(const InputFile& input) {
    if (input.head().size() < kLengthBytes + 2 || input.head()[kLengthBytes] != std::byte{'{'})
        return false;
    const std::uint64_t header = headerBytesOf(input);
    return header >= 2 && header <= std::min(kMaxHeaderBytes, input.size() - kLengthBytes);
}

EmbeddingParts readSafetensors(const InputFile& input, const std::string& key, const JobContext& job) {
    const TensorFile file(input);
    const std::size_t matrix = chooseMatrix(file.arrays(), input.name(), key);
    const NamedArray& chosen = file.arrays()[matrix];
    EmbeddingParts parts;
    const NpyHeader shape = setShape(parts, chosen.header, file.where(matrix));
    parts.source.key = chosen.key;
    if (std::string others = othersNote(file.arrays(), matrix, input.name()); !others.empty())
        parts.source.notes.push_back(std::move(others));
    const auto listOf = [&](std::size_t tensor) { return asList(file.arrays()[tensor].header); };
    const auto readLabels = [&](const char* what) {
        const auto list = companion(file, what, matrix, parts.rows, true);
        return list ? readClassNumbers(*file.open(*list), listOf(*list), file.where(*list), what,
                                       job.part({}, 0.0, 0.05))
                    : ClassLabels();
    };
    parts.labels = readLabels(kLabelList);
    setGroups(parts, readLabels(kGroupList), placeOf(input.name(), kGroupList));
    if (const auto ids = companion(file, "ids", matrix, parts.rows, false))
        parts.ids = readNpyTexts(*file.open(*ids), listOf(*ids), file.where(*ids), job.part({}, 0.05, 0.1));
    if (auto view = file.view(matrix, shape))
        parts.values = std::move(*view);
    else
        take(parts,
             takeNpyMatrix(*file.open(matrix), shape, file.where(matrix), input.reading(), job.part({}, 0.1, 1.0)));
    return parts;
}

std::vector<std::string> safetensorsChoices(const InputFile& input, const JobContext& /*job*/) {
    return matrixChoices(TensorFile(input).arrays());
}

} // namespace assay
