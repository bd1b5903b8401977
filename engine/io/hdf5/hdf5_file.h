#pragma once

#include "engine/base/job_context.h"
#include "engine/io/files/input_file.h"
#include "engine/io/tensors/tensor_choice.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace assay {

/// The datasets of an HDF5 file. The C library finds them and where their bytes lie; the bytes are read, and unpacked,
/// here. No plugin is loaded. Links to other places are not followed, and datasets that lie in other files are refused.
class Hdf5File {
public:
    /// Lists what hard links lead to, down to 32 groups in each other.
    /// @param input outlives this object
    /// @throws Error{BadInput} for a file that the library cannot open, or one of more than 10,000 objects; Cancelled
    Hdf5File(const InputFile& input, const JobContext& job);
    ~Hdf5File();
    Hdf5File(const Hdf5File&) = delete;
    Hdf5File& operator=(const Hdf5File&) = delete;

    /// Keys are paths without the first slash: "group/embeddings". What is not read has a type without a size.
    const std::vector<NamedArray>& arrays() const noexcept { return arrays_; }
    std::string where(std::size_t array) const;
    /// Why an array of an unknown type, or what a key leads to that is no array, is not read; empty for what is.
    std::string problem(const std::string& key) const;

    /// The elements in C order, as the header's type has them; whatever is not there is refused before room is made.
    /// @param job may stop reading from it
    /// @throws Error{BadInput}
    std::unique_ptr<ByteSource> open(std::size_t array, const JobContext& job) const;

    /// Where the elements lie in the file one after the other. @return nothing where they are packed or in pieces
    std::optional<std::pair<std::uint64_t, std::uint64_t>> place(std::size_t array) const;

    /// Text, or whole numbers as their decimal text, of an array of one axis. @throws Error{BadInput}; Cancelled
    std::vector<std::string> texts(std::size_t array, const JobContext& job) const;

private:
    struct Library;

    const InputFile& input_;
    std::vector<NamedArray> arrays_;
    std::unique_ptr<Library> library_;
};

} // namespace assay
