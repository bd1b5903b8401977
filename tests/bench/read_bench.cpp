// Reading a float32 .npy file, looked at where it lies and copied, beside the hash that both need. The file is in the
// page cache: what a disk adds is the disk's.
#include "engine/io/files/input_file.h"
#include "engine/io/numpy/npy_writer.h"
#include "engine/io/sets/read_embeddings.h"
#include "tests/bench/bench_data.h"
#include "tests/bench/bench_options.h"

#include <cstdio>
#include <filesystem>
#include <string>
#include <unistd.h>
#include <vector>

using namespace assay;
using namespace assay::bench;

int main(int argc, char** argv) {
    std::size_t rows = 50000;
    std::size_t dim = 1024;
    int repeats = 5;
    bench::BenchOptions app("Reading an input, mapped and copied");
    app.add("-n", rows, "Rows");
    app.add("-d", dim, "Dimensions");
    app.add("--repeats", repeats);
    if (!app.parse(argc, argv))
        return app.exitCode();

    const std::string file =
        (std::filesystem::temp_directory_path() / ("assay_bench_" + std::to_string(getpid()) + ".npy")).string();
    writeNpy(file, npyView<float>(sample(rows, dim, 0, 1), {rows, dim}));
    std::vector<double> hashing, mapping, copying;
    for (int r = 0; r < repeats; ++r) {
        hashing.push_back(secondsOf([&] { sha256OfFile(file); }));
        mapping.push_back(secondsOf([&] { readEmbeddings(file, {}, {.mapFrom = 0}); }));
        copying.push_back(secondsOf([&] { readEmbeddings(file); }));
    }
    std::filesystem::remove(file);
    std::printf("| rows | dimensions | MiB | hash alone s | mapped s | copied s |\n|---|---|---|---|---|---|\n");
    std::printf("| %zu | %zu | %.0f | %.3f | %.3f | %.3f |\n", rows, dim,
                static_cast<double>(rows * dim) * sizeof(float) / 1048576.0, median(hashing), median(mapping),
                median(copying));
    return 0;
}
