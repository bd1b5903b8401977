#include "engine/audit/run/audit_search.h"

#include "engine/audit/run/audit.h"
#include "engine/data/matrix_view.h"
#include "engine/neighbors/backends/gemm_search.h"
#include "engine/neighbors/backends/thinned_search.h"

#include <algorithm>
#include <utility>

namespace assay {
namespace {

class LocalSearch : public AuditSearch {
public:
    explicit LocalSearch(std::unique_ptr<NeighborSearch> search) : search_(std::move(search)) {}

    std::string_view backend() const override { return search_->name(); }

    std::string hardware() const override { return search_->hardware(); }

    PairSearch pairSearch() const override { return search_->pairSearch(); }

    const Accelerator* accelerator() const override { return search_->accelerator(); }

    const NeighborSearch* local() const override { return search_.get(); }

    NeighborTable selfNeighbors(const EmbeddingSet& set, std::size_t k, const JobContext& job) const override {
        return search_->selfNeighbors(set.matrix(), k, job);
    }

    CrossResult cross(const PairQuery& query, const JobContext& job) const override {
        return search_->cross({query.real.matrix(), query.synthetic.matrix(), query.kRealToSynthetic,
                               query.kSyntheticToReal, query.realRadius, query.realInnerRadius, query.syntheticRadius},
                              job);
    }

    std::vector<std::uint32_t> ballsHolding(const EmbeddingSet& set, std::span<const std::uint32_t> centres,
                                            std::span<const double> radius, const JobContext& job) const override {
        const MatrixView rows = set.matrix();
        std::vector<std::uint32_t> holding(rows.rows, 0);
        // In chunks, so that the copies stay small when nearly every row is a centre.
        constexpr std::size_t kChunk = 4096;
        for (std::size_t first = 0; first < centres.size(); first += kChunk) {
            const std::size_t count = std::min(centres.size() - first, kChunk);
            const std::vector<float> copies = gatherRows(rows, centres.subspan(first, count));
            const CrossResult counted = search_->cross(
                {{copies.data(), count, rows.dim}, rows, 0, 0, radius.subspan(first, count), {}, {}}, job);
            for (std::size_t i = 0; i < holding.size(); ++i)
                holding[i] += counted.ballsAHolding[i];
        }
        for (const std::uint32_t centre : centres)
            --holding[centre];
        return holding;
    }

private:
    std::unique_ptr<NeighborSearch> search_;
};

} // namespace

std::unique_ptr<AuditSearch> makeLocalSearch(std::unique_ptr<NeighborSearch> search) {
    return std::make_unique<LocalSearch>(std::move(search));
}

const EmbeddingSet& largerOf(const EmbeddingSet& a, const EmbeddingSet& b) {
    return a.rows() > b.rows() ? a : b;
}

std::unique_ptr<AuditSearch> makeLocalSearch(const EmbeddingSet& sample, const AuditOptions& options,
                                             const JobContext& job) {
    if (options.lean && options.backend != BackendChoice::Cuda)
        return makeLocalSearch(makeThinnedSearch(std::make_unique<GemmSearch>(options.threads, true), options.threads));
    return makeLocalSearch(options.makeSearch(options.backend, sample.matrix(), options.threads, job));
}

} // namespace assay
