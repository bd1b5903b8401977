#include "engine/report/page/page_samples.h"

#include "engine/audit/result/audit_result.h"
#include "engine/base/random.h"
#include "engine/report/pages/sections.h"

#include <algorithm>
#include <numeric>
#include <span>

namespace assay::report {
namespace {

constexpr std::size_t kRanked = 60; ///< of each ranking that the page holds in any case

/// Takes rows of a set until its share of the page is used up.
class RowChoice {
public:
    RowChoice(std::size_t rows, std::size_t share) : isTaken_(rows, false), share_(std::min(rows, share)) {}

    /// @param upTo number of taken rows at which to stop
    void take(std::span<const std::uint32_t> rows, std::size_t upTo) {
        for (const std::uint32_t row : rows)
            if (taken_.size() < std::min(upTo, share_) && !isTaken_[row]) {
                isTaken_[row] = true;
                taken_.push_back(row);
            }
    }
    void take(std::span<const std::uint32_t> rows) { take(rows, share_); }
    void take(std::uint32_t row) { take({&row, 1}); }
    void takeFlagged(std::vector<std::uint32_t> rows) {
        Random(PageRows::kSeed).shuffle(rows);
        take(rows, share_ * 3 / 4);
    }
    const std::vector<std::uint32_t>& taken() const { return taken_; }

    PageRows finished() {
        const std::size_t wanted = taken_.size();
        if (wanted < share_)
            take(Random(PageRows::kSeed).order(isTaken_.size()));
        PageRows chosen{.rows = std::move(taken_),
                        .position = std::vector<std::uint32_t>(isTaken_.size(), PageRows::kAbsent),
                        .random = share_ - wanted};
        std::ranges::sort(chosen.rows);
        for (std::uint32_t at = 0; at < chosen.rows.size(); ++at)
            chosen.position[chosen.rows[at]] = at;
        return chosen;
    }

private:
    std::vector<bool> isTaken_;
    std::size_t share_;
    std::vector<std::uint32_t> taken_;
};

/// Shares of the limit by set: equal ones, and what small sets leave is divided among the others.
std::vector<std::size_t> sharesOf(std::vector<std::size_t> sizes, std::size_t limit) {
    std::vector<std::size_t> shares(sizes.size(), 0);
    std::vector<std::size_t> bySize(sizes.size());
    std::iota(bySize.begin(), bySize.end(), 0U);
    std::ranges::stable_sort(bySize, {}, [&](std::size_t set) { return sizes[set]; });
    std::size_t left = bySize.size();
    for (const std::size_t set : bySize) {
        shares[set] = std::min(sizes[set], limit / left--);
        limit -= shares[set];
    }
    return shares;
}

std::vector<std::uint32_t> flaggedRows(const ModelAudit& model, std::string_view column) {
    std::vector<std::uint32_t> rows;
    if (!model.hasColumn(column))
        return rows;
    const std::vector<double>& verdicts = model.column(column);
    for (std::uint32_t row = 0; row < verdicts.size(); ++row)
        if (verdicts[row] > 0.0)
            rows.push_back(row);
    return rows;
}

} // namespace

std::vector<std::uint32_t> PageRows::positionsOf(const std::vector<std::uint32_t>& wanted) const {
    std::vector<std::uint32_t> found;
    for (const std::uint32_t row : wanted)
        if (position[row] != kAbsent)
            found.push_back(position[row]);
    return found;
}

std::vector<PageRows> choosePageSamples(const AuditResult& audit, std::size_t limit) {
    std::vector<std::size_t> sizes{audit.real->set->rows()};
    for (const auto& model : audit.models)
        sizes.push_back(model->set->rows());
    const std::vector<std::size_t> shares = sharesOf(sizes, limit);
    RowChoice real(sizes[0], shares[0]);
    std::vector<PageRows> chosen(1);
    std::vector<std::uint32_t> nearest; // real samples beside which the page shows synthetic ones
    for (std::size_t m = 0; m < audit.models.size(); ++m) {
        const ModelAudit& model = *audit.models[m];
        RowChoice synthetic(sizes[m + 1], shares[m + 1]);
        for (const Finding& finding : model.findings)
            for (const FindingExample& example : finding.examples) {
                (finding.side == Side::Real ? real : synthetic).take(example.row);
                if (example.original)
                    real.take(*example.original);
            }
        for (const SampleRanking& ranking : sampleRankings(model, kRanked))
            synthetic.take(ranking.rows);
        synthetic.takeFlagged(flaggedRows(model, "verdict"));
        const NeighborTable& table = model.tables->synthetic.nearest;
        for (const std::uint32_t row : synthetic.taken())
            if (row < table.rows())
                nearest.push_back(table.indexAt(row, 0));
        chosen.push_back(synthetic.finished());
    }
    real.take(nearest, shares[0] / 2);
    for (const auto& model : audit.models)
        real.takeFlagged(flaggedRows(*model, "coverage_verdict"));
    chosen[0] = real.finished();
    return chosen;
}

} // namespace assay::report
