#include "tests/engine/support/pickle_bytes.h"

#include "tests/engine/support/array_bytes.h"

namespace assay::test {
namespace {

std::string sized(std::uint64_t size) {
    return bytesOf<std::uint32_t>({static_cast<std::uint32_t>(size)});
}

std::string numbersTuple(const std::vector<std::uint64_t>& numbers) {
    std::string tuple = "(";
    for (const std::uint64_t number : numbers)
        tuple += pickleNumber(number);
    return tuple + "t";
}

} // namespace

std::string pickleText(const std::string& text) {
    return "X" + sized(text.size()) + text;
}

std::string pickleNumber(std::uint64_t number) {
    return number < 256 ? "K" + std::string(1, static_cast<char>(number))
                        : "\x8a\x08" + bytesOf<std::uint64_t>({number});
}

std::string pickleList(const std::vector<std::string>& items) {
    std::string list = "](";
    for (const std::string& item : items)
        list += item;
    return list + "e";
}

std::string pickleDict(const std::vector<std::pair<std::string, std::string>>& items) {
    std::string dictionary = "}(";
    for (const auto& [key, value] : items)
        dictionary += pickleText(key) + value;
    return dictionary + "u";
}

std::string torchTensor(const std::string& storage, const std::string& name, std::uint64_t items,
                        const std::vector<std::uint64_t>& shape, const std::vector<std::uint64_t>& strides,
                        std::uint64_t offset) {
    return "ctorch._utils\n_rebuild_tensor_v2\n((" + pickleText("storage") + "ctorch\n" + storage + "\n" +
           pickleText(name) + pickleText("cpu") + pickleNumber(items) + "tQ" + pickleNumber(offset) +
           numbersTuple(shape) + numbersTuple(strides) +
           "\x89"
           "ccollections\nOrderedDict\n)RtR";
}

std::string torchFile(const std::string& opcodes, const std::vector<std::string>& storages) {
    std::vector<ZipItem> items{{"archive/data.pkl", "\x80\x02" + opcodes + "."}, {"archive/byteorder", "little"}};
    for (std::size_t i = 0; i < storages.size(); ++i)
        items.push_back({"archive/data/" + std::to_string(i), storages[i]});
    items.push_back({"archive/version", "3\n"});
    return zipFile(items);
}

std::string pickledArray5(const std::string& type, const std::vector<std::uint64_t>& shape, const std::string& bytes) {
    return "cnumpy._core.numeric\n_frombuffer\n(\x96" + bytesOf<std::uint64_t>({bytes.size()}) + bytes +
           "cnumpy\ndtype\n(" + pickleText(type) + "\x89\x88tR(K\x03" + pickleText("|") +
           "NNNJ\xff\xff\xff\xffJ\xff\xff\xff\xffK" + std::string(1, '\0') + "tb" + numbersTuple(shape) +
           pickleText("C") + "tR";
}

std::string pickleEncoded(const std::string& bytes) {
    return "c_codecs\nencode\n(" + pickleText(bytes) + pickleText("latin1") + "tR";
}

std::string pickledArray(const std::string& type, const std::vector<std::uint64_t>& shape, const std::string& bytes) {
    const auto narrow = [](const std::string& text) {
        return "U" + std::string(1, static_cast<char>(text.size())) + text;
    };
    return "cnumpy.core.multiarray\n_reconstruct\ncnumpy\nndarray\nK" + std::string(1, '\0') + "\x85" + narrow("b") +
           "\x87R(K\x01" + numbersTuple(shape) + "cnumpy\ndtype\n" + narrow(type) + "K" + std::string(1, '\0') +
           "K\x01\x87R(K\x03" + narrow("|") + "NNNJ\xff\xff\xff\xffJ\xff\xff\xff\xffK" + std::string(1, '\0') +
           "tb\x89T" + sized(bytes.size()) + bytes + "tb";
}

} // namespace assay::test
