#include "engine/io/readers/format_table.h"

#include "engine/base/error.h"
#include "engine/base/find_by.h"
#include "engine/io/archives/zip_archive.h"
#include "engine/io/files/refusal.h"
#include "engine/io/pictures/picture_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <exception>
#include <filesystem>
#include <system_error>

namespace assay {
namespace {

constexpr std::array table = {
    Format{"a NumPy array (.npy)", "*.npy", recognisesNpy, readNpy, nullptr, picturesOfNpy},
    Format{"tensors of PyTorch (.pt, .pth)", "*.pt *.pth", recognisesTorch, readTorch, torchChoices},
    Format{"a zip archive of pictures", "*.zip", recognisesPictureZip, readPictureZip},
    Format{"a NumPy archive (.npz)", "*.npz", recognisesNpz, readNpz, npzChoices, picturesOfNpz},
    Format{"a file of tensors (.safetensors)", "*.safetensors", recognisesSafetensors, readSafetensors,
           safetensorsChoices},
    Format{"an HDF5 file (.h5)", "*.h5 *.hdf5 *.hdf *.mat", recognisesHdf5, readHdf5, hdf5Choices, picturesOfHdf5},
    Format{"a binary batch of CIFAR (.bin)", "*.bin", recognisesCifar, readCifar},
    Format{"a batch of CIFAR for Python", "data_batch_* test_batch", recognisesPickle, readCifarPickle},
    Format{"pictures in IDX (idx3-ubyte)", "*-ubyte *-ubyte.gz *.idx3", recognisesIdx, readIdx},
    Format{"a table (.csv, .tsv)", "*.csv *.tsv *.txt", recognisesTable, readTable},
    Format{"a folder of parts that clip-retrieval writes (img_emb_0.npy)", "", recognisesClipParts, readClipParts,
           nullptr, picturesOfFolder},
    Format{"a folder of arrays (.npy), one per clip", "", recognisesClipFolder, readClipFolder, clipFolderChoices,
           picturesOfFolder, false, true},
    Format{"a folder of pictures", "", recognisesPictureFolder, readPictureFolder, nullptr, picturesOfFolder, true},
};

} // namespace

std::span<const Format> formatTable() {
    return table;
}

const Format& formatOf(const InputFile& input) {
    if (const Format* row = findBy(
            table, [&](const Format& format) { return format.recognises(input); }, true))
        return *row;
    refuseUnknown(input);
}

std::vector<std::string_view> endingsWithKeys() {
    std::vector<std::string_view> endings;
    for (const Format& format : table) {
        std::string_view rest = format.choices != nullptr ? format.patterns : "";
        while (!rest.empty()) {
            const std::size_t end = std::min(rest.find(' '), rest.size());
            endings.push_back(rest.substr(1, end - 1));
            rest.remove_prefix(std::min(end + 1, rest.size()));
        }
    }
    return endings;
}

EmbeddingParts readPictureParts(const std::string& spec, PictureOrder order, const JobContext& job) {
    const FileSpec parsed = parseFileSpec(spec);
    const InputFile input = InputFile::onDisk(parsed.file);
    const Format& format = formatOf(input);
    if (format.pictures != nullptr)
        return format.pictures(input, parsed.key, order, job);
    EmbeddingParts parts = format.read(input, parsed.key, job);
    if (!parts.images)
        refuse(input.name(), "pictures", std::string(format.description) + " without any");
    parts.values = {};
    parts.source.notes.clear(); // about the embeddings
    return parts;
}

namespace {

using namespace std::string_view_literals;

/// Bytes at an offset that tell a kind of file, and what to say of it.
struct Signature {
    std::size_t at;
    std::string_view bytes;
    std::string_view look;
};

constexpr std::string_view kSinglePicture = "a single picture: open the folder that it is in";
constexpr std::string_view kParquet =
    "a Parquet file, which a Python with pyarrow reads: assay-convert FILE.parquet FILE.npz, or FILE.csv for a table";
constexpr std::string_view kArrow =
    "an Arrow or Feather file, which a Python with pyarrow reads: assay-convert FILE FILE.npz, or FILE.csv for a table";
constexpr std::string_view kMatlab =
    "a MATLAB file of version 7 or older; save it with -v7.3, or as .npz by: "
    "python3 -c \"import numpy, scipy.io; numpy.savez('FILE.npz', **scipy.io.loadmat('FILE.mat'))\"";
constexpr std::string_view kSound = "a sound: embed the sounds with a network, and open its embeddings";
constexpr std::string_view kVideo = "a video: embed the videos with a network, and open its embeddings";
constexpr std::string_view kLfs = "a pointer of Git LFS in place of the file: 'git lfs pull' brings the file";

// The first that fits is said, so longer ones come before what they begin with.
constexpr std::array kSignatures = {
    Signature{4, "ftypavif", "a picture in AVIF: convert it to PNG"},
    Signature{4, "ftypheic", "a picture in HEIC: convert it to PNG"},
    Signature{0, "\0\0\0\x0cjP  "sv, "a picture in JPEG 2000: convert it to PNG"},
    Signature{0, "8BPS", "a Photoshop document: save it as PNG"},
    Signature{128, "DICM", "a DICOM file: save its pictures as PNG"},
    Signature{0, "PAR1", kParquet},
    Signature{0, "PARE", kParquet},
    Signature{0, "ARROW1", kArrow},
    Signature{0, "FEA1", kArrow},
    Signature{0, "MATLAB 5.0 MAT-file", kMatlab},
    Signature{0, "\x1f\x8b", "a gzip archive: unpack it first"},
    Signature{0, "BZh", "a bzip2 archive: unpack it first"},
    Signature{0,
              "\xfd"
              "7zXZ",
              "an xz archive: unpack it first"},
    Signature{0, "\x28\xb5\x2f\xfd", "a zstd archive: unpack it first"},
    Signature{0, "7z\xbc\xaf", "a 7-Zip archive: unpack it first"},
    Signature{0, "Rar!\x1a", "a RAR archive: unpack it first"},
    Signature{257, "ustar", "a tar archive: unpack it first"},
    Signature{0, "%PDF", "a PDF document"},
    Signature{0, "\xd0\xcf\x11\xe0", "an old Office document (.doc, .xls): save a table as .csv"},
    Signature{0, "{\\rtf", "an RTF document"},
    Signature{0, "%!PS", "a PostScript document"},
    Signature{8, "WAVE", kSound},
    Signature{0, "ID3", kSound},
    Signature{0, "fLaC", kSound},
    Signature{0, "OggS", kSound},
    Signature{8, "AVI ", kVideo},
    Signature{4, "ftyp", kVideo},
    Signature{0, "\x1a\x45\xdf\xa3", kVideo},
    Signature{0, "SQLite format 3\0"sv, "an SQLite database; an audit is opened with --open"},
    Signature{0, "GGUF", "the weights of a network (GGUF)"},
    Signature{0,
              "\x7f"
              "ELF",
              "a program"},
    Signature{0, "MZ\x90", "a program of Windows"},
    Signature{0, "#!", "a script"},
    Signature{0, "version https://git-lfs", kLfs},
};

std::string_view headText(const InputFile& input) {
    return {reinterpret_cast<const char*>(input.head().data()), input.head().size()};
}

/// Kind of an archive by the names of its entries; an Office document is an archive, too.
std::string lookOfZip(const InputFile& input) {
    try {
        const ZipFile zip(input, "an archive");
        for (std::uint64_t i = 0; i < zip.count(); ++i) {
            const std::string name = zip.name(i);
            if (name.starts_with("xl/"))
                return "an Excel workbook: save its sheet as .csv";
            if (name.starts_with("word/") || name.starts_with("ppt/"))
                return "an Office document";
            if (name == "META-INF/manifest.xml")
                return "an OpenDocument file: save a table as .csv";
        }
        return zip.count() == 0 ? "an empty zip archive" : "a zip archive without arrays or pictures";
    } catch (const std::exception&) {
        return "a damaged zip archive";
    }
}

bool isText(std::string_view head) {
    return std::ranges::all_of(
        head, [](unsigned char c) { return c >= 0x80 || std::isprint(c) != 0 || c == '\n' || c == '\r' || c == '\t'; });
}

std::string lookOfText(std::string_view head) {
    const std::size_t begin = head.find_first_not_of(" \t\r\n");
    const std::string_view text = head.substr(std::min(begin, head.size()));
    const auto startsWith = [&](std::string_view word) {
        return std::ranges::equal(text.substr(0, word.size()), word,
                                  [](unsigned char a, unsigned char b) { return std::tolower(a) == b; });
    };
    if (startsWith("<!doctype html") || startsWith("<html"))
        return "an HTML page";
    if (startsWith("<?xml") || startsWith("<svg"))
        return "XML";
    if (startsWith("{") || startsWith("["))
        return "JSON; a table of JSON Lines is made by: assay-convert FILE.jsonl FILE.csv";
    return "text without a table of numbers";
}

void requireFolder(const InputFile& folder) {
    std::error_code failure;
    const std::filesystem::directory_iterator listed(folder.name(), failure);
    if (failure)
        refuse(folder.name(), "a folder that can be read", failure.message());
}

/// Description of a folder that holds neither pictures nor `.npy` clips.
std::string lookOfFolder(const std::string& folder) {
    const std::vector<std::string_view> archives = endingsWithKeys();
    constexpr std::size_t kLookedAt = 10'000;
    std::size_t count = 0;
    std::string ending;
    std::error_code failure;
    std::filesystem::recursive_directory_iterator at(folder, failure);
    const std::filesystem::recursive_directory_iterator end;
    for (std::size_t files = 0; !failure && at != end && files < kLookedAt; at.increment(failure), ++files) {
        const std::string found = at->path().extension().string();
        if (std::ranges::find(archives, found) == archives.end())
            continue;
        ending = count == 0 ? found : ending;
        ++count;
    }
    if (count == 0 && std::filesystem::is_regular_file(std::filesystem::path(folder) / "dataset_info.json", failure))
        return "a data set of Hugging Face, which a Python with pyarrow reads: assay-convert FOLDER FILE.npz";
    if (count == 0)
        return "a folder without pictures or arrays";
    return fmt::format("a folder of {} in {}: open one of them, or save each clip as one array in .npy",
                       count == 1 ? "one archive" : std::to_string(count) + " archives", ending);
}

/// Likely kind of a file or folder that no reader recognises, judged by its first bytes, with a way out where there
/// is one: "a PDF document", "a gzip archive: unpack it first". Completes "found ..." in messages. Never throws Error.
std::string lookOf(const InputFile& input) {
    if (input.isDirectory())
        return lookOfFolder(input.name());
    if (input.size() == 0)
        return "an empty file";
    const std::string_view head = headText(input);
    if (head.starts_with("PK"))
        return lookOfZip(input);
    if (isPictureHead(input.head()) && !isText(head))
        return std::string(kSinglePicture);
    for (const Signature& known : kSignatures)
        if (head.size() > known.at && head.substr(known.at).starts_with(known.bytes))
            return std::string(known.look);
    if (isText(head))
        return lookOfText(head);
    if (std::ranges::all_of(head, [](char c) { return c == '\0'; }))
        return "nothing but zeros";
    constexpr std::size_t kShown = 8;
    const auto* bytes = reinterpret_cast<const unsigned char*>(head.data());
    return fmt::format("data of an unknown kind, which begin with {:02x}",
                       fmt::join(bytes, bytes + std::min(head.size(), kShown), " "));
}

} // namespace

void refuseUnknown(const InputFile& input) {
    if (input.isDirectory())
        requireFolder(input);
    refuse(input.name(), "samples in one of the formats of docs/formats.md", lookOf(input));
}

namespace {

bool exists(const std::string& file) {
    std::error_code ignored;
    return !file.empty() && std::filesystem::exists(file, ignored);
}

} // namespace

FileSpec parseFileSpec(const std::string& text) {
    if (exists(text)) // a folder may end with a slash
        return {text.substr(0, std::max<std::size_t>(text.find_last_not_of('/') + 1, 1)), {}};
    for (std::size_t colon = text.rfind(':'); colon != std::string::npos && colon > 0;
         colon = text.rfind(':', colon - 1))
        if (exists(text.substr(0, colon)))
            return {text.substr(0, colon), text.substr(colon + 1)};
    for (const std::string_view ending : endingsWithKeys())
        if (const std::size_t at = text.rfind(std::string(ending) + ':'); at != std::string::npos)
            return {text.substr(0, at + ending.size()), text.substr(at + ending.size() + 1)};
    return {text, {}};
}

} // namespace assay
