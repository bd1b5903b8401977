#include "engine/io/files/refusal.h"
#include "engine/io/readers/formats.h"

namespace assay {

bool recognisesParquet(const InputFile& input) {
    return input.startsWith("PAR1") || input.startsWith("PARE"); // the second begins an encrypted one
}

#ifndef ASSAY_HAVE_PARQUET
namespace {

[[noreturn]] void refuseParquet(const InputFile& input) {
    refuse(
        input.name(), "a format that this build reads",
        "Parquet, which it was built without: install Apache Arrow's C++ library (or pyarrow, see docs/formats.md) and "
        "build Assay again, or save the columns as .npy or .csv");
}

} // namespace

bool readsParquet() noexcept {
    return false;
}

EmbeddingParts readParquet(const InputFile& input, const std::string& /*key*/, const JobContext& /*job*/) {
    refuseParquet(input);
}

std::vector<std::string> parquetChoices(const InputFile& input, const JobContext& /*job*/) {
    refuseParquet(input);
}

std::vector<std::string> readParquetIds(const InputFile& input, std::uint64_t /*rows*/, const JobContext& /*job*/) {
    refuseParquet(input);
}
#endif

} // namespace assay
