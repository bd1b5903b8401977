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

/// The tensors of a file written by torch.save (PyTorch 1.6 or later): a tensor, or a dictionary or list of tensors,
/// or of more of these, up to eight in each other. Also finds NumPy arrays and lists of integers or text; skips
/// everything else. The pickle inside is parsed but never executed. Source: torch/serialization.py, torch/_utils.py.
class TorchFile {
public:
    /// @throws Error{BadInput} when it is not such a file, or uses names other than those of tensors and arrays
    explicit TorchFile(const InputFile& input);

    /// Tensors and arrays, in the order of the file. A single tensor without a container has an empty key.
    const std::vector<NamedArray>& arrays() const noexcept { return arrays_; }
    /// `file: 'key'`, for messages.
    std::string where(std::size_t array) const;
    /// Integers or text of that key, as texts, from a list or a one-dimensional array; empty when the key does not
    /// exist.
    /// @throws Error{BadInput} when their number differs from `rows`; Cancelled
    std::optional<std::vector<std::string>> texts(const std::string& key, std::uint64_t rows,
                                                  const JobContext& job) const;

    /// Elements of an array, in the order of their header.
    struct Elements {
        NpyHeader header;
        std::unique_ptr<ByteSource> source;
    };
    /// @throws Error{BadInput}
    Elements open(std::size_t array) const;

private:
    struct Tensor {
        std::string storage; ///< name of the entry in the archive
        std::uint64_t storageItems = 0;
        std::uint64_t offset = 0; ///< in elements
        std::vector<std::uint64_t> strides;
    };

    void add(const std::string& key, PickleValue value);
    void addTensor(const std::string& key, PickleValue call);
    void requireInside(std::size_t array) const;
    std::unique_ptr<ByteSource> openItems(std::size_t array, std::uint64_t first, std::uint64_t count) const;
    std::vector<std::byte> gather(std::size_t array) const;

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

} // namespace assay
