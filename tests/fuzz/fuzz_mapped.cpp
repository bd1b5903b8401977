#include "engine/data/embedding_set.h"
#include "engine/io/read_embeddings.h"
#include "engine/job/error.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <string>

namespace {

/// A file in memory, by a name that it can be opened by.
std::string nameOf(int descriptor) {
    return "/proc/self/fd/" + std::to_string(descriptor);
}

} // namespace

/// The input is a file of any format, read where it lies in the mapped file, and the same with every choice of what is
/// done to its values. Whatever it holds, that either succeeds or throws assay::Error.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const int descriptor = memfd_create("fuzz", MFD_CLOEXEC);
    if (descriptor < 0 || write(descriptor, data, size) != static_cast<ssize_t>(size))
        std::abort();
    for (const assay::Scaling scaling : {assay::Scaling::None, assay::Scaling::ZScore, assay::Scaling::L2}) {
        assay::ReadOptions options;
        options.mapFrom = 0;
        options.threads = 1;
        options.choice = {scaling, scaling != assay::Scaling::None, scaling == assay::Scaling::ZScore};
        try {
            assay::readEmbeddings(nameOf(descriptor), {}, options)->requireUnchanged();
        } catch (const assay::Error&) {
        }
    }
    close(descriptor);
    return 0;
}
