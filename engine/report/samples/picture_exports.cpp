// Samples as picture files.
#include "engine/audit/result/audit_result.h"
#include "engine/base/atomic_folder.h"
#include "engine/base/error.h"
#include "engine/data/embedding_set.h"
#include "engine/io/archives/zip_writer.h"
#include "engine/io/pictures/png_writer.h"
#include "engine/report/samples/exported_samples.h"
#include "engine/report/samples/file_names.h"
#include "engine/report/samples/sample_writers.h"

#include <array>

namespace assay {
namespace {

constexpr std::string_view kManifest = "manifest.csv";

void requirePictures(const ExportedSamples& samples) {
    const std::string& name = samples.model().name;
    if (samples.set().images() == nullptr)
        throw Error(ErrorKind::InvalidArgument, name + ": expected a set with pictures, found none to write");
    if (samples.rows().empty())
        throw Error(ErrorKind::InvalidArgument, name + ": expected at least one sample to write, found none");
}

std::string pngOf(const ExportedSamples& samples, std::uint32_t row) {
    const ImageStore& images = *samples.set().images();
    const std::vector<std::uint8_t> pixels = samples.pixels(row);
    return pngBytes({pixels, images.height(), images.width(), images.channels()});
}

std::vector<std::string> pictureNames(const ExportedSamples& samples) {
    return fileNamesOf(samples.ids(), ".png", std::array{kManifest});
}

std::string manifestOf(const ExportedSamples& samples, std::span<const std::string> files, const JobContext& job) {
    std::string text;
    makeCsvTable(
        samples, files, [&text](std::string_view piece) { text += piece; }, job);
    return text;
}

} // namespace

void writePictureFolder(const ExportedSamples& samples, const std::filesystem::path& file, const JobContext& job) {
    requirePictures(samples);
    const std::vector<std::string> names = pictureNames(samples);
    AtomicFolder folder(file);
    folder.write(std::string(kManifest), manifestOf(samples, names, job.part({}, 0.0, 0.1)));
    const JobContext drawing = job.part({}, 0.1, 1.0);
    for (std::size_t place = 0; place < names.size(); ++place) {
        drawing.checkpoint(static_cast<double>(place) / static_cast<double>(names.size()));
        folder.write(names[place], pngOf(samples, samples.rows()[place]));
    }
    folder.commit();
    job.checkpoint(1.0);
}

void writePictureZip(const ExportedSamples& samples, const std::filesystem::path& file, const JobContext& job) {
    requirePictures(samples);
    const std::vector<std::string> names = pictureNames(samples);
    const std::string manifest = manifestOf(samples, names, job.part({}, 0.0, 0.1));
    ZipWriter archive(file.string());
    archive.add(std::string(kManifest), std::as_bytes(std::span(manifest)), {}, ZipPacking::Deflated);
    std::size_t place = 0;
    for (const std::string& name : names)
        archive.add(
            name, [&samples, row = samples.rows()[place++]] { return pngOf(samples, row); }, ZipPacking::Stored);
    archive.commit(job.part({}, 0.1, 1.0));
}

} // namespace assay
