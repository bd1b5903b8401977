// Reads HDF5 files by the C library for Assay's programs, one request per run (protocol.h). A process of its own,
// because over damaged files the library crashes, hangs, or takes as much memory as they claim to need.
#include "engine/io/hdf5_program/handle.h"
#include "engine/io/hdf5_program/listing.h"
#include "engine/io/hdf5_program/protocol.h"
#include "engine/io/hdf5_program/values.h"

#define H5_USE_110_API
#include <hdf5.h>

#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <new>
#include <string>
#include <string_view>

using namespace assay::hdf5;

namespace {

constexpr unsigned kSecondsToList = 20;

/// Ends with the process that called, also when that is killed.
void endWith(const char* parent) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (std::to_string(getppid()) != parent) // it had ended before
        _exit(1);
}

bool isMatlab() {
    constexpr std::string_view kHeader = "MATLAB 7.3";
    std::array<char, kHeader.size()> head{};
    return pread(STDIN_FILENO, head.data(), head.size(), 0) == static_cast<ssize_t>(head.size()) &&
           std::string_view(head.data(), head.size()) == kHeader;
}

void run(std::string_view request, const std::string& key, std::uint64_t memory) {
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
    H5PLset_loading_state(0); // no plugins: code that a file asks for
    const Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
    struct stat status {};
    if (fstat(STDIN_FILENO, &status) == 0 && status.st_nlink == 0) // the library asks for a file's name, but in memory
        H5Pset_fapl_core(access, std::size_t{1} << 16, false);
    const Handle file(H5Fopen("/proc/self/fd/0", H5F_ACC_RDONLY, access), H5Fclose);
    if (!file)
        refuseUnlessMemoryRanOut(
            {"an HDF5 file", "one that the HDF5 library cannot open: it is damaged, open for writing, or newer"});
    if (request == kList) {
        const std::vector<std::uint8_t> reply = listing(file, key, isMatlab());
        writeOut(reply.data(), reply.size());
    } else {
        writeElements(file, key, request == kTexts ? Elements::Texts : Elements::Values, memory);
    }
}

} // namespace

int main(int count, char** arguments) {
    if (count != 5) {
        std::cerr << "assay-hdf5 reads HDF5 files for assay and assay-score, and is called by them alone.\n";
        return 1;
    }
    endWith(arguments[4]);
    const rlimit noCore{0, 0};
    setrlimit(RLIMIT_CORE, &noCore);
    limit(kBaseMemory, kSecondsToList);
    int code = 0;
    try {
        run(arguments[1], arguments[2], std::strtoull(arguments[3], nullptr, 10));
    } catch (const Refusal& refusal) {
        std::cerr << refusal.expected << '\0' << refusal.found << std::flush;
        code = kRefused;
    } catch (const std::bad_alloc&) {
        code = kNoMemory;
    }
    _exit(code); // without the library's own clearing up, which a damaged file can crash, too
}
