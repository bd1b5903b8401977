#pragma once

#include "widgets/samples/sample_evidence.h"

#include <QString>

#include <cstddef>
#include <cstdint>

namespace assay {

class RankingModel;

/// What the tile of a sample says about its place in the ranking, in a few words that differ from tile to tile: the
/// evidence where the order is about verdicts ("12.0x closer", "3.15x the usual distance"), else the ranked value with
/// three significant digits, and the evidence beside it where that value repeats.
///
/// A number has three digits, and more where it takes them to differ from the tiles near it (kNear on each side). Where
/// the numbers are equal, or there are none, the id tells samples apart: "exact copy of 1550 (77)".
class TileCaptions {
public:
    static constexpr std::size_t kNear = 20;

    /// @param model outlives this
    explicit TileCaptions(const RankingModel* model) : model_(model) {}

    /// @param position in [0, model.size())
    QString at(std::size_t position) const;
    /// Says in a sentence what the evidence of the tile means; empty where there is none, or the caption is an id.
    QString definition(std::size_t position) const;

private:
    Evidence ranked(std::uint32_t row) const;
    bool ranksByEvidence() const;
    QString evidenceAt(std::size_t position) const;
    QString valueAt(std::size_t position) const;
    QString valueOf(std::uint32_t row) const;
    QString idOf(std::uint32_t row) const;

    const RankingModel* model_;
};

} // namespace assay
