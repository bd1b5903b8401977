#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

// Builds pickles and files of PyTorch byte by byte, independently of the program's reader. All pieces are opcodes
// without the pickle's first and last.
namespace assay::test {

std::string pickleText(const std::string& text);
std::string pickleNumber(std::uint64_t number);
std::string pickleList(const std::vector<std::string>& items);
std::string pickleDict(const std::vector<std::pair<std::string, std::string>>& items);

/// torch._utils._rebuild_tensor_v2 of a storage `torch.<storage>` with that name and number of items.
std::string torchTensor(const std::string& storage, const std::string& name, std::uint64_t items,
                        const std::vector<std::uint64_t>& shape, const std::vector<std::uint64_t>& strides,
                        std::uint64_t offset = 0);

/// What torch.save makes of the value that the opcodes leave, in protocol 2, with these storages 0, 1, ...
std::string torchFile(const std::string& opcodes, const std::vector<std::string>& storages);

/// A NumPy array as Python 2 pickled it. @param type as in "u1"
std::string pickledArray(const std::string& type, const std::vector<std::uint64_t>& shape, const std::string& bytes);

/// The same as NumPy 2 pickles it in protocol 5.
std::string pickledArray5(const std::string& type, const std::vector<std::uint64_t>& shape, const std::string& bytes);

/// Bytes below 128 as Python 3 pickles them in protocol 2.
std::string pickleEncoded(const std::string& bytes);

} // namespace assay::test
