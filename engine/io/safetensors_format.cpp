#include "engine/io/formats.h"
#include "engine/io/npy_array.h"
#include "engine/io/refusal.h"
#include "engine/job/error.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <optional>
#include <set>

namespace assay {
namespace {

using Json = nlohmann::json;
using Kind = NpyType::Kind;

constexpr std::uint64_t kLengthBytes = 8;
constexpr std::uint64_t kMostHeaderBytes = std::uint64_t{100} << 20; // what the format itself allows
constexpr int kDepth = 4;                                            // of the header's JSON: file, tensor, list, number

struct Dtype {
    std::string_view name;
    Kind kind;
    std::size_t bytes;
};

constexpr std::array kDtypes{
    Dtype{"F16", Kind::Float, 2},    Dtype{"BF16", Kind::BFloat, 2},  Dtype{"F32", Kind::Float, 4},
    Dtype{"F64", Kind::Float, 8},    Dtype{"I8", Kind::Integer, 1},   Dtype{"I16", Kind::Integer, 2},
    Dtype{"I32", Kind::Integer, 4},  Dtype{"I64", Kind::Integer, 8},  Dtype{"U8", Kind::Unsigned, 1},
    Dtype{"U16", Kind::Unsigned, 2}, Dtype{"U32", Kind::Unsigned, 4}, Dtype{"U64", Kind::Unsigned, 8},
    Dtype{"BOOL", Kind::Bool, 1}};

struct Tensor {
    std::string key;
    NpyHeader header;                 ///< of the same array in NumPy's words; of an unknown type it has no size
    std::uint64_t begin = 0, end = 0; ///< in the file
};

NpyType typeOf(const std::string& dtype) {
    const auto known = std::ranges::find(kDtypes, dtype, &Dtype::name);
    NpyType type;
    type.descr = dtype;
    if (known != kDtypes.end()) {
        type.kind = known->kind;
        type.itemBytes = known->bytes;
        if constexpr (std::endian::native == std::endian::big)
            type.order = NpyType::ByteOrder::Swapped;
    }
    return type;
}

std::uint64_t headerBytesOf(const InputFile& input) {
    std::uint64_t length = 0;
    for (std::size_t i = kLengthBytes; i-- > 0;)
        length = length << 8 | std::to_integer<std::uint64_t>(input.head()[i]);
    return length;
}

class TensorFile {
public:
    explicit TensorFile(const InputFile& input) : input_(input), dataAt_(kLengthBytes + headerBytesOf(input)) {
        std::string text(dataAt_ - kLengthBytes, '\0');
        readExactly(*input.openSection(kLengthBytes, text.size()), std::as_writable_bytes(std::span(text)),
                    input.name());
        const Json header = parse(text);
        for (const auto& [key, value] : header.items())
            if (key != "__metadata__")
                tensors_.push_back(tensorOf(key, value));
        requireApart();
    }

    const Tensor* find(std::string_view key) const {
        const auto found = std::ranges::find(tensors_, key, &Tensor::key);
        return found != tensors_.end() ? &*found : nullptr;
    }

    /// What could be embeddings, in the order of the keys.
    std::vector<const Tensor*> matrices() const {
        std::vector<const Tensor*> found;
        for (const Tensor& tensor : tensors_)
            if (tensor.header.type.isNumeric() && tensor.header.shape.size() == 2)
                found.push_back(&tensor);
        return found;
    }

    std::string listing() const {
        constexpr std::size_t shown = 20;
        std::string text;
        for (std::size_t i = 0; i < std::min(shown, tensors_.size()); ++i)
            text += (i > 0 ? "; " : "") + textOf(tensors_[i]);
        if (tensors_.size() > shown)
            text += " and " + std::to_string(tensors_.size() - shown) + " more";
        return text.empty() ? "no tensors" : text;
    }

    static std::string textOf(const Tensor& tensor) {
        return "'" + printable(tensor.key) + "' " + tensor.header.text();
    }
    std::string where(const Tensor& tensor) const { return placeOf(input_.name(), printable(tensor.key)); }

    /// @param reader a function as readNpyIntegers
    template <typename Reader>
    ReadBy<Reader> read(const Tensor& tensor, const Reader& reader, const JobContext& job) const {
        return reader(*input_.openSection(tensor.begin, tensor.end - tensor.begin), tensor.header, where(tensor), job);
    }

    /// The embeddings where they lie in the mapped file. @return nothing when they have to be copied
    std::optional<FloatStorage> view(const Tensor& tensor) const {
        if (!input_.mapping() || !input_.reading().allowsView())
            return std::nullopt;
        return viewNpyMatrix(input_.memory().subspan(tensor.begin, tensor.end - tensor.begin), input_.mapping(),
                             tensor.header);
    }

private:
    Json parse(const std::string& text) const {
        std::set<std::string> keys;
        const auto check = [&](int depth, Json::parse_event_t event, const Json& parsed) {
            if (depth > kDepth)
                refuse(input_.name(), "a header of tensors", "lists or objects in each other");
            if (event == Json::parse_event_t::key && depth == 1 && !keys.insert(parsed.get<std::string>()).second)
                refuse(input_.name(), "one tensor of each name",
                       "two named '" + printable(parsed.get<std::string>()) + "'");
            return true;
        };
        Json header;
        try {
            header = Json::parse(text, check);
        } catch (const Json::exception&) {
            refuse(input_.name(), "a header in JSON", "one that is damaged");
        }
        if (!header.is_object())
            refuse(input_.name(), "a header that names tensors", "another kind of JSON");
        return header;
    }

    Tensor tensorOf(const std::string& key, const Json& value) const {
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
        Tensor tensor{key, {}, 0, 0};
        tensor.header.type = typeOf(value["dtype"].get<std::string>());
        tensor.header.shape = numbers("shape", mostDimensions);
        const std::vector<std::uint64_t> offsets = numbers("data_offsets", 2);
        const std::uint64_t dataBytes = input_.size() - dataAt_;
        if (offsets.size() != 2 || offsets[0] > offsets[1] || offsets[1] > dataBytes)
            refuse(place, "bytes within the " + std::to_string(dataBytes) + " of the file",
                   "'data_offsets' beyond them");
        tensor.begin = dataAt_ + offsets[0];
        tensor.end = dataAt_ + offsets[1];
        const std::size_t item = tensor.header.type.itemBytes;
        const auto count = tensor.header.count();
        if (item != 0 && (!count || *count > dataBytes / item || *count * item != offsets[1] - offsets[0]))
            refuse(place, "as many bytes as " + tensor.header.text() + " takes",
                   std::to_string(offsets[1] - offsets[0]));
        return tensor;
    }

    void requireApart() const {
        std::vector<const Tensor*> byPlace;
        for (const Tensor& tensor : tensors_)
            if (tensor.begin < tensor.end)
                byPlace.push_back(&tensor);
        std::ranges::sort(byPlace, {}, &Tensor::begin);
        for (std::size_t i = 1; i < byPlace.size(); ++i)
            if (byPlace[i]->begin < byPlace[i - 1]->end)
                refuse(where(*byPlace[i]), "bytes of its own", "some of '" + printable(byPlace[i - 1]->key) + "'");
    }

    const InputFile& input_;
    std::uint64_t dataAt_;
    std::vector<Tensor> tensors_;
};

/// The tensor by that key, by the name 'embeddings', or the only one with two dimensions.
const Tensor& chooseTensor(const TensorFile& file, const std::string& name, const std::string& key) {
    if (!key.empty()) {
        const Tensor* wanted = file.find(key);
        if (!wanted)
            refuse(name, "a tensor '" + printable(key) + "'", file.listing());
        return *wanted;
    }
    if (const Tensor* named = file.find("embeddings"))
        return *named;
    const std::vector<const Tensor*> candidates = file.matrices();
    if (candidates.size() == 1)
        return *candidates.front();
    if (candidates.empty())
        refuse(name, "a tensor [samples, dimensions]", file.listing());
    refuse(name, "one tensor [samples, dimensions]",
           std::to_string(candidates.size()) + ": " + file.listing() +
               ". Say which by appending ':key' to the file's name, as in '" + name + ":" +
               printable(candidates.front()->key) + "'");
}

/// Whole numbers that go with the rows; nothing where there is no such tensor.
std::optional<std::vector<std::int64_t>> companion(const TensorFile& file, std::string_view key, std::uint64_t rows,
                                                   const JobContext& job) {
    const Tensor* tensor = file.find(key);
    if (!tensor)
        return std::nullopt;
    const NpyHeader& header = tensor->header;
    if (header.shape.size() != 1 || header.shape[0] != rows || !header.type.isNumeric() || header.type.isFloat())
        refuse(file.where(*tensor), std::to_string(rows) + " whole numbers, one for each row", header.text());
    return file.read(*tensor, readNpyIntegers, job);
}

} // namespace

bool recognisesSafetensors(const InputFile& input) {
    if (input.head().size() < kLengthBytes + 2 || input.head()[kLengthBytes] != std::byte{'{'})
        return false;
    const std::uint64_t header = headerBytesOf(input);
    return header >= 2 && header <= std::min(kMostHeaderBytes, input.size() - kLengthBytes);
}

EmbeddingParts readSafetensors(const InputFile& input, const std::string& key, const JobContext& job) {
    const TensorFile file(input);
    const Tensor& matrix = chooseTensor(file, input.name(), key);
    requireMatrix(matrix.header, file.where(matrix));
    EmbeddingParts parts;
    parts.source.key = matrix.key;
    parts.rows = matrix.header.shape[0];
    parts.dim = matrix.header.shape[1];
    if (const auto labels =
            matrix.key == "labels" ? std::nullopt : companion(file, "labels", parts.rows, job.part({}, 0.0, 0.05)))
        parts.labels = labelsFromIntegers(*labels);
    if (const auto ids =
            matrix.key == "ids" ? std::nullopt : companion(file, "ids", parts.rows, job.part({}, 0.05, 0.1)))
        for (const std::int64_t id : *ids)
            parts.ids.push_back(std::to_string(id));
    std::optional<FloatStorage> view = file.view(matrix);
    const auto reader = [&](ByteSource& source, const NpyHeader& header, const std::string& where,
                            const JobContext& part) {
        return takeNpyMatrix(source, header, where, input.reading(), part);
    };
    if (view)
        parts.values = std::move(*view);
    else
        take(parts, file.read(matrix, reader, job.part({}, 0.1, 1.0)));
    return parts;
}

std::vector<std::string> safetensorsChoices(const InputFile& input, const JobContext& /*job*/) {
    const TensorFile file(input);
    std::vector<std::string> keys;
    if (file.find("embeddings") != nullptr)
        return keys;
    for (const Tensor* tensor : file.matrices())
        keys.push_back(tensor->key);
    return keys.size() > 1 ? keys : std::vector<std::string>();
}

} // namespace assay
