#include "engine/metrics/verdicts/verdicts.h"

#include "engine/math/statistics/quantile.h"
#include "engine/math/statistics/significance_tests.h"
#include "engine/metrics/held_out/membership.h"
#include "engine/metrics/verdicts/sample_statistics.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <span>
#include <string_view>
#include <utility>

namespace assay {
namespace {

enum Test { Far, Dense, Near };
constexpr std::size_t kTests = 3;

/// The statistics of some samples, which the three tests compare with those of good samples. High values are
/// suspicious.
struct Statistics {
    std::array<std::vector<double>, kTests> value; ///< log distance, log density ratio, -log copy ratio; finite
    std::vector<double> densityRatio;              ///< as defined: may be infinite
    std::vector<double> copyRatio;
    std::vector<std::uint8_t> equalsReal; ///< whether the sample equals a real row of another unit
};

/// How one set of samples sees both sets.
struct Seen {
    const UnitDistances& toReal;
    std::vector<double> toSynthetic; ///< to the k'-th nearest synthetic sample
    const EqualCounts& equal;
    std::size_t real;      ///< real samples without the sample itself
    std::size_t synthetic; ///< synthetic samples without the sample itself
};

/// Ties stay ties, whatever the order of operations.
double rounded(double value) {
    constexpr double kDigits = 1e9;
    return std::round(value * kDigits) / kDigits;
}

Statistics statisticsOf(const Seen& seen, std::size_t dim) {
    Statistics of;
    of.densityRatio = logDensityRatios({seen.toReal.density, seen.equal.inReal, seen.real},
                                       {seen.toSynthetic, seen.equal.inSynthetic, seen.synthetic}, dim);
    const std::size_t samples = seen.toReal.nearest.size();
    of.copyRatio.resize(samples);
    of.equalsReal.resize(samples);
    for (std::vector<double>& values : of.value)
        values.resize(samples);
    constexpr double kMinDistance = 1e-12;
    constexpr double kMinRatio = 1e-9;
    for (std::size_t i = 0; i < samples; ++i) {
        const double nearest = seen.toReal.nearest[i];
        of.copyRatio[i] = nearest == 0.0 ? 0.0 : nearest / seen.toReal.secondThing[i];
        of.equalsReal[i] = nearest == 0.0 ? 1 : 0;
        of.value[Far][i] = rounded(std::log(std::max(seen.toReal.kth[i], kMinDistance)));
        of.value[Dense][i] = rounded(of.densityRatio[i]);
        of.value[Near][i] = rounded(-std::log(std::max(of.copyRatio[i], kMinRatio)));
    }
    return of;
}

/// Moves infinite values a little beyond the largest finite one of all.
void makeFinite(std::initializer_list<std::vector<double>*> all) {
    double low = 0.0;
    double high = 0.0;
    bool any = false;
    for (const std::vector<double>* values : all)
        for (const double value : *values)
            if (std::isfinite(value)) {
                low = any ? std::min(low, value) : value;
                high = any ? std::max(high, value) : value;
                any = true;
            }
    constexpr double kBeyondFinite = 10.0;
    for (std::vector<double>* values : all)
        for (double& value : *values)
            value = std::isnan(value) ? 0.0 : std::clamp(value, low - kBeyondFinite, high + kBeyondFinite);
}

/// The samples that calibrate the tests: real ones, then held-out ones.
class Calibration {
public:
    /// @param heldOutRows the held-out samples that calibrate
    Calibration(const RealPartition& partition, const Statistics& real, const Statistics& heldOut,
                const std::vector<bool>& heldOutRows, bool heldOutAlone, bool testsDensity)
        : equalityIsNatural_(partition.equalityIsNatural()), testsDensity_(testsDensity) {
        if (!heldOutAlone)
            for (const std::uint32_t row : partition.rows)
                add(real, row);
        for (std::size_t row = 0; row < heldOutRows.size(); ++row)
            if (heldOutRows[row])
                add(heldOut, row);
        scores_.assign(size(), 0.0);
        for (std::size_t test = 0; test < kTests; ++test) {
            const std::vector<std::size_t> places = placesIn(test);
            if (places.size() < kFewest)
                continue;
            values_[test] = gathered(test, places);
            const std::vector<double> scores = tailScoresLeftOut(values_[test]);
            for (std::size_t i = 0; i < places.size(); ++i)
                scores_[places[i]] = std::max(scores_[places[i]], scores[i]);
        }
    }

    std::size_t size() const { return equalsReal_.size(); }
    /// Largest tail score of each calibration sample.
    const std::vector<double>& scores() const { return scores_; }
    /// Values of all samples in a test, those that it leaves out included.
    const std::vector<double>& all(Test test) const { return all_[test]; }
    bool takesPart(Test test, std::uint8_t equalsReal) const {
        return test == Dense ? testsDensity_ : test != Near || !equalityIsNatural_ || equalsReal == 0;
    }

    /// Tail score of each sample in one test; 0 where the test leaves it out.
    std::vector<double> scoresOf(const Statistics& samples, Test test) const {
        if (values_[test].empty())
            return std::vector<double>(samples.value[test].size(), 0.0);
        std::vector<double> scores = tailScores(samples.value[test], values_[test]);
        for (std::size_t i = 0; i < scores.size(); ++i)
            if (!takesPart(test, samples.equalsReal[i]))
                scores[i] = 0.0;
        return scores;
    }

    /// Share of calibration samples that are at least as extreme in one test; 1 where the test leaves the sample out.
    std::vector<double> pValues(const Statistics& samples, Test test) const {
        const std::vector<std::size_t> places = placesIn(test);
        if (places.empty())
            return std::vector<double>(samples.value[test].size(), 1.0);
        std::vector<double> p = conformalPValues(samples.value[test], gathered(test, places), Extreme::High);
        for (std::size_t i = 0; i < p.size(); ++i)
            if (!takesPart(test, samples.equalsReal[i]))
                p[i] = 1.0;
        return p;
    }

private:
    static constexpr std::size_t kFewest = 10; ///< samples that calibrate a test

    void add(const Statistics& from, std::size_t row) {
        for (std::size_t test = 0; test < kTests; ++test)
            all_[test].push_back(from.value[test][row]);
        equalsReal_.push_back(from.equalsReal[row]);
    }
    std::vector<std::size_t> placesIn(std::size_t test) const {
        std::vector<std::size_t> places;
        for (std::size_t place = 0; place < size(); ++place)
            if (takesPart(static_cast<Test>(test), equalsReal_[place]))
                places.push_back(place);
        return places;
    }
    std::vector<double> gathered(std::size_t test, const std::vector<std::size_t>& places) const {
        std::vector<double> values(places.size());
        std::ranges::transform(places, values.begin(), [&](std::size_t place) { return all_[test][place]; });
        return values;
    }

    bool equalityIsNatural_;
    bool testsDensity_;
    std::array<std::vector<double>, kTests> all_;
    std::array<std::vector<double>, kTests> values_; ///< of samples that take part; empty: too few
    std::vector<std::uint8_t> equalsReal_;
    std::vector<double> scores_;
};

/// Largest tail score of each sample, and the test that it is from.
struct Strongest {
    std::vector<double> score;
    std::vector<std::uint8_t> test;
};

Strongest strongestOf(const Calibration& calibration, const Statistics& samples) {
    Strongest strongest{calibration.scoresOf(samples, Far), std::vector<std::uint8_t>(samples.copyRatio.size(), Far)};
    for (const Test test : {Dense, Near}) {
        const std::vector<double> scores = calibration.scoresOf(samples, test);
        for (std::size_t i = 0; i < scores.size(); ++i)
            if (scores[i] > strongest.score[i]) {
                strongest.score[i] = scores[i];
                strongest.test[i] = test;
            }
    }
    return strongest;
}

/// Distance to the first row of each list that is not of the sample's own unit; to the last one if all are.
std::vector<double> nearestOutside(const NeighborTable& table, std::span<const std::uint32_t> own,
                                   std::span<const std::uint32_t> unitOfRow) {
    std::vector<double> distance = table.distancesAt(1);
    if (own.empty() || unitOfRow.empty())
        return distance;
    for (std::size_t row = 0; row < distance.size(); ++row) {
        std::size_t rank = 0;
        while (rank + 1 < table.k && unitOfRow[table.indexAt(row, rank)] == own[row])
            ++rank;
        distance[row] = table.distanceAt(row, rank);
    }
    return distance;
}

/// Whether nearest neighbours tell real from held-out samples; they cannot where it is not known which belong together.
/// @param fromHeldOut distances of the held-out samples to the real ones
/// @param within distances of the held-out samples to others of theirs
bool areUnlike(const HeldOutTables& heldOut, const RealPartition& partition, const UnitDistances& fromHeldOut,
               const std::vector<double>& within) {
    if (!heldOut.units.areKnown)
        return false;
    std::vector<double> realToReal;
    std::vector<double> realToHeldOut;
    const std::vector<double> toHeldOut = nearestOutside(heldOut.realTo, partition.unit, heldOut.realUnit);
    for (const std::uint32_t row : partition.rows) {
        realToReal.push_back(partition.distances.nearest[row]);
        realToHeldOut.push_back(toHeldOut[row]);
    }
    return heldOutAccuracy({realToReal, realToHeldOut, heldOut.units.of(fromHeldOut.nearest), heldOut.units.of(within)})
        .isUnlike();
}

/// Per synthetic sample: whether most of it and its k' nearest synthetic samples lie in real balls.
std::vector<bool> liesAmongReal(const JudgedSets& sets, std::size_t neighbors) {
    const PairTables& pair = sets.in.pair;
    const NeighborTable& toReal = pair.synthetic.nearest;
    const std::size_t rows = toReal.rows();
    std::vector<std::uint8_t> inside(rows);
    for (std::size_t row = 0; row < rows; ++row) {
        if (sets.partition.isTrivial()) {
            inside[row] = pair.synthetic.holding[row] > 0 ? 1 : 0;
            continue;
        }
        for (std::size_t rank = 0; rank < toReal.k && inside[row] == 0; ++rank)
            inside[row] = toReal.distanceAt(row, rank) <= sets.partition.distances.kth[toReal.indexAt(row, rank)];
    }
    std::vector<bool> among(rows);
    for (std::size_t row = 0; row < rows; ++row) {
        std::size_t count = inside[row];
        for (std::size_t rank = 0; rank < neighbors; ++rank)
            count += inside[pair.syntheticToSynthetic.indexAt(row, rank)];
        among[row] = 2 * count >= 1 + neighbors;
    }
    return among;
}

/// The values of good samples, for the columns of rules that look at them.
std::vector<ColumnValues> goodColumns(const Calibration& calibration, const Statistics& good) {
    std::vector<double> any =
        conformalPValues(strongestOf(calibration, good).score, calibration.scores(), Extreme::High);
    const auto all = static_cast<double>(calibration.size());
    const auto countedOnce = [all](std::vector<double> p) { // each is among those that it is compared with
        return metrics::mapped(std::move(p), [all](double one) {
            return std::clamp((one * (1.0 + all) - 1.0) / all, 1.0 / (1.0 + all), 1.0);
        });
    };
    return {{"p_unrealistic", countedOnce(calibration.pValues(good, Far))},
            {"p_over_represented", countedOnce(calibration.pValues(good, Dense))},
            {"p_copy", countedOnce(calibration.pValues(good, Near))},
            {"p_any", countedOnce(std::move(any))},
            {"log_density_ratio", good.densityRatio},
            {"copy_ratio", good.copyRatio}};
}

/// Whether a sample is rejected. The definition compares p with q rank / P; the tolerance keeps rounding errors from
/// changing the result.
bool rejected(double adjusted, double falseDiscoveryRate) {
    return adjusted <= falseDiscoveryRate * (1.0 + 1e-12);
}

/// Values of one set in a test, one of each unit, without those that it leaves out.
std::vector<double> takingPart(const Calibration& calibration, const Statistics& samples, Test test,
                               const std::vector<bool>& stands) {
    std::vector<double> values;
    for (std::size_t i = 0; i < samples.copyRatio.size(); ++i)
        if (stands[i] && calibration.takesPart(test, samples.equalsReal[i]))
            values.push_back(samples.value[test][i]);
    return values;
}

std::optional<BeyondAll> beyondAllOf(const Calibration& calibration, const Statistics& given, const Statistics& real,
                                     const JudgedSets& sets) {
    const RealPartition& partition = sets.partition;
    const std::vector<bool> stands = sets.units.stands(given.copyRatio.size());
    std::optional<BeyondAll> largest;
    for (const auto& [what, test] : {std::pair{Beyond::Farther, Far}, std::pair{Beyond::MoreCrowded, Dense},
                                     std::pair{Beyond::CloserToOne, Near}}) {
        std::vector<double> ofReal;
        for (const std::uint32_t row : partition.rows)
            if (calibration.takesPart(test, real.equalsReal[row]))
                ofReal.push_back(real.value[test][row]);
        const auto found = testBeyondAll(what, takingPart(calibration, given, test, stands), ofReal);
        if (found && (!largest || found->excess > largest->excess))
            largest = found;
    }
    return largest;
}

double shareNotZero(std::span<const double> values) {
    const auto zeros = std::count(values.begin(), values.end(), 0.0);
    return 1.0 - static_cast<double>(zeros) / static_cast<double>(values.size());
}

} // namespace

double notAuthenticShare(const NeighborTable& real) {
    const std::vector<double> ratios = copyRatiosWithin(real);
    const auto copies = std::count_if(ratios.begin(), ratios.end(), [](double ratio) { return ratio <= 1.0; });
    return static_cast<double>(copies) / static_cast<double>(ratios.size());
}

std::size_t densityNeighbors(std::size_t units, std::size_t syntheticRows) noexcept {
    return std::max<std::size_t>(1,
                                 std::min({kDensityNeighbors, std::max<std::size_t>(units, 3) - 2, syntheticRows - 1}));
}

bool needsEqualCounts(const MetricInputs& in, const HeldOutTables* heldOut) {
    return hasZeroDistance(in.pair.synthetic.nearest, 1) || (heldOut != nullptr && hasZeroDistance(heldOut->toReal, 1));
}

std::vector<std::uint32_t> realUnitsOf(const EmbeddingSet& heldOut, const EmbeddingSet& real,
                                       const RealPartition& partition) {
    if (!heldOut.hasGroups() || !real.hasGroups() || !partition.byGroup)
        return {};
    std::map<std::string_view, std::uint32_t> unitOf;
    for (std::size_t row = 0; row < real.rows(); ++row)
        if (const std::uint32_t group = real.groups().code[row]; real.groups().isClass(group))
            unitOf.emplace(real.groups().names[group], partition.unit[row]);
    std::vector<std::uint32_t> units(heldOut.rows(), ~std::uint32_t{0});
    for (std::size_t row = 0; row < units.size(); ++row)
        if (const auto found = unitOf.find(heldOut.groups().names[heldOut.groups().code[row]]); found != unitOf.end())
            units[row] = found->second;
    return units;
}

std::vector<bool> cleanHeldOut(const HeldOutTables& heldOut, const RealPartition& partition) {
    constexpr std::size_t kInner = 5;
    std::vector<bool> clean(heldOut.toReal.rows());
    for (std::size_t row = 0; row < clean.size(); ++row) {
        const double nearest = heldOut.toReal.distanceAt(row, 0);
        const double fifth = heldOut.toReal.distanceAt(row, std::min(kInner, heldOut.toReal.k) - 1);
        clean[row] = nearest == 0.0 ? partition.equalityIsNatural() : nearest >= partition.reach * fifth;
    }
    return clean;
}

VerdictScores judgeSynthetic(const JudgedSets& sets) {
    const MetricInputs& in = sets.in;
    const RealPartition& partition = sets.partition;
    const EmbeddingSet& realSet = *in.real.set;
    const std::size_t n = in.real.neighbors.rows();
    const std::size_t m = in.pair.syntheticToSynthetic.rows();
    const std::size_t few = densityNeighbors(partition.rows.size(), m);
    const ComputeContext context{in.seed, in.threads, in.job};
    const BaseRows toReal = partition.base(realSet);
    const auto outside = [&](const SeeingRows& from, const BaseRows& base) {
        return distancesOutside(from, base, in.k, few, sets.search, context);
    };
    const NeighborTable& own = in.pair.syntheticToSynthetic;
    const UnitDistances fromSynthetic = outside({sets.synthetic, in.pair.synthetic.nearest, {}}, toReal);
    const std::vector<double> withinSynthetic =
        sets.units.unit.empty()
            ? own.distancesAt(few)
            : outside({sets.synthetic, own, sets.units.unit}, {sets.synthetic, sets.units.unit}).density;
    Statistics given = statisticsOf({fromSynthetic, withinSynthetic, sets.equal.ofSynthetic, n, m - 1}, realSet.dim());
    UnitDistances fewer;
    if (few != partition.densityNeighbors)
        fewer = outside({toReal.matrix, in.real.neighbors, partition.unit}, toReal);
    Statistics real = statisticsOf({few != partition.densityNeighbors ? fewer : partition.distances,
                                    in.pair.real.nearest.distancesAt(few), sets.equal.ofReal, n - 1, m},
                                   realSet.dim());
    VerdictScores scores;
    Statistics heldOut;
    std::vector<bool> clean;
    if (sets.heldOut != nullptr) {
        const HeldOutTables& held = *sets.heldOut;
        const UnitDistances fromHeldOut = outside({held.rows, held.toReal, held.realUnit}, toReal);
        heldOut =
            statisticsOf({fromHeldOut, held.toSynthetic.distancesAt(few), sets.equal.ofHeldOut, n, m}, realSet.dim());
        clean = cleanHeldOut(held, partition);
        scores.heldOutRepeats = static_cast<std::size_t>(std::ranges::count(clean, false));
        const std::vector<double> within =
            held.units.unit.empty()
                ? held.within.distancesAt(1)
                : outside({held.rows, held.within, held.units.unit}, {held.rows, held.units.unit}).nearest;
        scores.heldOutUnlike = areUnlike(held, partition, fromHeldOut, within);
        const std::vector<bool> stands = held.units.stands(clean.size());
        for (std::size_t row = 0; row < clean.size(); ++row)
            clean[row] = clean[row] && stands[row];
    }
    makeFinite({&given.value[Dense], &real.value[Dense], &heldOut.value[Dense]});
    constexpr std::ptrdiff_t kFewestAlone = 50;
    const bool alone = scores.heldOutUnlike && std::ranges::count(clean, true) >= kFewestAlone;
    const Calibration calibration(partition, real, heldOut, clean, alone, sets.units.areKnown);

    const Strongest strongest = strongestOf(calibration, given);
    scores.pAny = conformalPValues(strongest.score, calibration.scores(), Extreme::High);
    scores.qAny = benjaminiHochberg(scores.pAny);
    scores.pUnrealistic = calibration.pValues(given, Far);
    scores.pOverRepresented = calibration.pValues(given, Dense);
    scores.pCopy = calibration.pValues(given, Near);
    scores.equalToReal = testEqualToReal(given.equalsReal, sets.equal, partition, sets.falseDiscoveryRate);
    scores.beyondAll = beyondAllOf(calibration, given, real, sets);

    const double centre = median(calibration.scores());
    const double reach = std::max(*std::ranges::max_element(calibration.scores()) - centre, 1e-12);
    scores.evidence = metrics::mapped(strongest.score, [&](double score) { return (score - centre) / reach; });
    const std::vector<bool> among = liesAmongReal(sets, few);
    // As far as no good sample in 300 is; of fewer good samples as far as none.
    const double isFar = std::max(1.0 / 300.0, 1.001 / (1.0 + static_cast<double>(calibration.size())));
    const auto word = [&](std::size_t row) {
        if (scores.equalToReal.namesSingles && given.equalsReal[row] != 0)
            return Verdict::Copy;
        if (!rejected(scores.qAny[row], sets.falseDiscoveryRate))
            return Verdict::Good;
        if (strongest.test[row] == Near)
            return Verdict::Copy;
        if (scores.pUnrealistic[row] <= isFar)
            return Verdict::Unrealistic;
        if (!among[row])
            return Verdict::Invented;
        return sets.units.areKnown ? Verdict::Crowded : Verdict::Unrealistic; // not tested for crowding
    };
    scores.verdict.resize(m);
    for (std::size_t row = 0; row < m; ++row)
        scores.verdict[row] = static_cast<double>(word(row));
    scores.good = goodColumns(calibration, sets.heldOut != nullptr ? heldOut : real);
    scores.logDensityRatio = std::move(given.densityRatio);
    scores.copyRatio = std::move(given.copyRatio);
    return scores;
}

CoverageVerdicts judgeReal(const MetricInputs& in, const RealPartition& partition, const Relabelling& labels,
                           double falseDiscoveryRate) {
    CoverageVerdicts scores{labels.coverageRatio, labels.pValue, {}, {}};
    // One of each unit, whose false discovery rate is what counts.
    std::vector<double> ofUnits;
    for (const std::uint32_t row : partition.rows)
        ofUnits.push_back(labels.pValue[row]);
    ofUnits = benjaminiHochberg(ofUnits);
    std::vector<double> ofUnit(partition.rows.size());
    for (std::size_t at = 0; at < ofUnits.size(); ++at)
        ofUnit[partition.unit[partition.rows[at]]] = ofUnits[at];
    scores.qUncovered.resize(partition.unit.size());
    scores.coverageVerdict.assign(partition.unit.size(), static_cast<double>(CoverageVerdict::Covered));
    for (std::size_t row = 0; row < partition.unit.size(); ++row) {
        scores.qUncovered[row] = ofUnit[partition.unit[row]];
        if (!labels.missesMore || !rejected(scores.qUncovered[row], falseDiscoveryRate))
            continue;
        const bool isThere = in.pair.real.nearest.distanceAt(row, 0) <= partition.distances.kth[row];
        scores.coverageVerdict[row] = static_cast<double>(isThere ? CoverageVerdict::Thin : CoverageVerdict::Missed);
    }
    return scores;
}

namespace metrics {

std::vector<double> isRejected(const MetricInputs& in) {
    return isNotZero(in.get<VerdictScores>().verdict);
}
std::vector<double> isMissed(const MetricInputs& in) {
    return isNotZero(in.get<CoverageVerdicts>().coverageVerdict);
}

double verdictRejected(const MetricInputs& in) {
    return shareNotZero(in.get<VerdictScores>().verdict);
}
double coverageMissed(const MetricInputs& in) {
    return shareNotZero(in.get<CoverageVerdicts>().coverageVerdict);
}
double estimatedBad(const MetricInputs& in) {
    return shareNotUniform(in.get<VerdictScores>().pAny);
}

} // namespace metrics
} // namespace assay
