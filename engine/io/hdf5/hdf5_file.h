#pragma once

#include "engine/base/job_context.h"
#include "engine/io/files/input_file.h"
#include "engine/io/hdf5/hdf5_process.h"
#include "engine/io/tensors/tensor_choice.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace assay {

/// The datasets of an HDF5 file. The program assay-hdf5 lists them, and reads and unpacks those that are not stored as
/// they are in memory. No plugin is loaded. External links are not followed, and datasets stored in other files are
/// refused.
class Hdf5File {
public:
    /// Lists the objects that hard links lead to, in groups nested up to 32 levels deep, and what soft links lead to
    /// when it has one of the usual names (embeddings, labels, ids, images) or lies at or beside `wanted`.
    /// @param input must outlive this object
    /// @throws Error{BadInput} when the library cannot open the file, or when it has more than 10,000 objects;
    ///         Cancelled
    Hdf5File(const InputFile& input, const std::string& wanted, const JobContext& job);

    /// The datasets. Keys are paths without the leading slash: "group/embeddings". Unsupported datasets have a type
    /// whose size is 0. Those that MATLAB wrote (version 7.3) have its shape, in Fortran order.
    const std::vector<NamedArray>& arrays() const noexcept { return arrays_; }
    /// `file: 'key'`, for messages.
    std::string where(std::size_t array) const;
    /// Why the object of that key cannot be read: an unsupported type, or not an array; empty when it can be read.
    std::string problem(const std::string& key) const;
    /// Keys of objects that cannot be read, ascending.
    std::vector<std::string> unreadable() const;

    /// The elements in the order and with the type of the header.
    /// @param job its stop request also ends later reads from the source, which it must outlive
    /// @throws Error{BadInput}
    std::unique_ptr<ByteSource> open(std::size_t array, const JobContext& job) const;

    /// Offset and size in bytes of the elements when they are stored contiguously; empty when they are compressed or in
    /// chunks.
    /// @throws Error{BadInput} when they lie beyond the end of the file
    std::optional<std::pair<std::uint64_t, std::uint64_t>> place(std::size_t array) const;

    /// A one-dimensional array of text, or of integers as decimal text.
    /// @throws Error{BadInput}; Cancelled
    std::vector<std::string> texts(std::size_t array, const JobContext& job) const;

private:
    const InputFile& input_;
    Descriptor file_;
    std::vector<NamedArray> arrays_;
    std::map<std::string, std::string> problems_;
    std::map<std::string, std::uint64_t> offsets_; ///< of contiguous elements
};

} // namespace assay
