#include "engine/base/error.h"
#include "engine/data/embedding_set.h"
#include "engine/io/sets/read_embeddings.h"
#include "tests/fuzz/named_bytes.h"

/// The input is a file of any format, read where it lies in the mapped file, and the same with every choice of what is
/// done to its values. Whatever it holds, that either succeeds or throws assay::Error.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const assay::test::NamedBytes file(data, size);
    for (const assay::Scaling scaling : {assay::Scaling::None, assay::Scaling::ZScore, assay::Scaling::L2}) {
        assay::ReadOptions options;
        options.mapFrom = 0;
        options.threads = 1;
        options.choice.scaling = scaling;
        options.choice.missing = scaling == assay::Scaling::None     ? assay::Missing::Refuse
                                 : scaling == assay::Scaling::ZScore ? assay::Missing::Indicate
                                                                     : assay::Missing::Drop;
        options.choice.oneHot = scaling == assay::Scaling::ZScore;
        try {
            assay::readEmbeddings(file.name(), {}, options)->requireUnchanged();
        } catch (const assay::Error&) {
        }
    }
    return 0;
}
