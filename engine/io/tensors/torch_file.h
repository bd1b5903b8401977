#pragma once

#include "engine/base/job_context.h"
#include "engine/io/archives/zip_file.h"
#include "engine/io/numpy/npy_array.h"
#include "engine/io/tensors/pickled_array.h"
#include "engine/io/tensors/tensor_choice.h"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace assay {

/// The tensors of a file that torch.save wrote (PyTorch 1.6 or later): a tensor, or a dictionary or list of them, also
/// one level deep in another. NumPy arrays and lists of whole numbers or text in it are found, too; all else is passed
/// over. Nothing of the pickle in it is run.
/// Source: torch/serialization.py, torch/_utils.py.
class TorchFile {
public:
    /// @throws Error{BadInput} when it is no such file, or names what is no tensor
    explicit TorchFile(const InputFile& input);

    /// Tensors and arrays, in the order of the file. A lone tensor has an empty key.
    const std::vector<NamedArray>& arrays() const noexcept { return arrays_; }
    /// `file: 'key'`, for messages.
    std::string where(std::size_t array) const;
    /// Whole numbers or text under that key as text, from a list or an array of one dimension; nothing where there is
    /// no such key.
    /// @throws Error{BadInput} when there are not as many as `rows`
    std::optional<std::vector<std::string>> texts(const std::string& key, std::uint64_t rows,
                                                  const JobContext& job) const;

    template <typename Reader>
    ReadBy<Reader> read(std::size_t array, const Reader& reader, const JobContext& job) const {
        const Elements elements = open(array);
        return reader(*elements.source, elements.header, where(array), job);
    }

private:
    struct Tensor {
        std::string storage; ///< name of the archive's entry
        std::uint64_t storageItems = 0;
        std::uint64_t offset = 0; ///< in items
        std::vector<std::uint64_t> strides;
    };
    /// An array's elements one after the other.
    struct Elements {
        NpyHeader header;
        std::vector<std::byte> gathered; ///< where they lie, unless in the file
        std::unique_ptr<ByteSource> source;
    };

    void add(const std::string& key, PickleValue value, int depth);
    void addTensor(const std::string& key, PickleValue call);
    void requireInside(std::size_t array) const;
    Elements open(std::size_t array) const;
    std::unique_ptr<ByteSource> openItems(std::size_t array, std::uint64_t first, std::uint64_t count) const;
    std::vector<std::byte> gather(std::size_t array) const;

    std::string file_;
    ZipFile zip_;
    std::map<std::string, std::uint64_t, std::less<>> entries_;
    std::string prefix_; ///< of all entries: "archive/"
    NpyType::ByteOrder order_ = NpyType::ByteOrder::Native;
    std::vector<std::byte> pickleBytes_;
    std::unique_ptr<const Pickle> pickle_;
    std::vector<NamedArray> arrays_;
    std::vector<Tensor> tensors_;                 ///< of each array; of NumPy's without a storage
    std::map<std::size_t, PickledArray> pickled_; ///< NumPy's
    std::map<std::string, PickleValue> lists_;    ///< lists of numbers or text
};

} // namespace assay
