// Draws of labels against an oracle that measures every distance; who is missed, and that neither threads, backends nor
// the order of rows change a figure.
#include "engine/base/random.h"
#include "engine/math/statistics/bootstrap.h"
#include "engine/math/statistics/quantile.h"
#include "engine/math/statistics/significance_tests.h"
#include "engine/metrics/tables/compared_rows.h"
#include "engine/metrics/tables/metric_inputs.h"
#include "engine/metrics/verdicts/relabelling.h"
#include "engine/metrics/verdicts/verdicts.h"
#include "engine/neighbors/backends/cpu_backends.h"
#include "tests/engine/support/sample_sets.h"
#include "tests/support/direct_search.h"
#include "tests/support/test_entry.h"
#include "tests/support/tied_sets.h"

#include <QtTest>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <map>
#include <numeric>
#include <random>
#include <string>
#include <vector>

using namespace assay;
using test::Matrix;
using Values = std::vector<double>;
using Numbers = std::vector<std::uint32_t>;

namespace {

struct GivenDistances {
    std::size_t k = 5;
    std::size_t listed = 32;
    BackendChoice backend = BackendChoice::Gemm;
    unsigned threads = 1;
};

struct Drawn {
    Relabelling labels;
    CoverageVerdicts verdicts;

    double share(CoverageVerdict verdict) const {
        const Values& all = verdicts.coverageVerdict;
        return static_cast<double>(std::ranges::count(all, static_cast<double>(verdict))) /
               static_cast<double>(all.size());
    }
    double notCovered() const { return share(CoverageVerdict::Missed) + share(CoverageVerdict::Thin); }
};

Drawn drawn(const Matrix& real, const Matrix& synthetic, const GivenDistances& given = {}) {
    const auto search = makeCpuSearch(given.backend, real.view(), given.threads, {});
    const ComputeContext context{.threads = given.threads};
    const auto listed = [&](std::size_t rows) { return std::min(given.listed, rows); };
    RealAnalysis analysis;
    analysis.set = test::asSet(real, "real");
    analysis.k = given.k;
    analysis.neighbors = test::directNeighbors(real.view(), real.view(), listed(real.rows - 1), true);
    PairTables tables;
    tables.syntheticToSynthetic =
        test::directNeighbors(synthetic.view(), synthetic.view(), listed(synthetic.rows - 1), true);
    tables.synthetic.nearest = test::directNeighbors(real.view(), synthetic.view(), listed(real.rows), false);
    tables.real.nearest = test::directNeighbors(synthetic.view(), real.view(), listed(synthetic.rows), false);
    const RealPartition partition = partitionReal(*analysis.set, analysis.neighbors, given.k, search.get(), context);
    Drawn result;
    result.labels = drawLabels(analysis, partition, synthetic.view(), tables, *search, context);
    if (!result.labels.coverageRatio.empty())
        result.verdicts = judgeReal({.real = analysis, .pair = tables, .k = given.k}, partition, result.labels, 0.05);
    return result;
}

Matrix rowsOfMatrix(const Matrix& from, const Numbers& rows) {
    Matrix made{{}, rows.size(), from.dim};
    for (const std::uint32_t row : rows)
        made.values.insert(made.values.end(), from.view().row(row).begin(), from.view().row(row).end());
    return made;
}

/// Equal shares of the modes from `first` on, of ten.
Matrix modes(std::size_t rows, unsigned seed, std::size_t first = 0) {
    const Matrix centres = test::gaussian(10, 8, 77, 0.0F, 6.0F);
    Matrix made = test::gaussian(rows, 8, seed);
    for (std::size_t row = 0; row < rows; ++row)
        for (std::size_t c = 0; c < 8; ++c)
            made.values[row * 8 + c] += centres.values[(first + row % (10 - first)) * 8 + c];
    return made;
}

/// All distances among the pooled rows, and what labels make of them.
class Oracle {
public:
    Oracle(const Matrix& real, const Matrix& synthetic, std::size_t k)
        : real_(real.rows), all_(real.rows + synthetic.rows), dim_(real.dim), k_(k), distance_(all_ * all_) {
        const Matrix pooled = test::joined(real, synthetic);
        for (std::size_t i = 0; i < all_; ++i)
            for (std::size_t j = 0; j < all_; ++j) {
                double sum = 0.0;
                for (std::size_t c = 0; c < dim_; ++c)
                    sum += std::pow(static_cast<double>(pooled.values[i * dim_ + c]) -
                                        static_cast<double>(pooled.values[j * dim_ + c]),
                                    2.0);
                distance_[i * all_ + j] = std::sqrt(sum);
            }
        Values least;
        for (std::size_t i = 0; i < all_; ++i)
            for (const bool ofReal : {true, false}) {
                const Values near = to(i, [&](std::size_t j) { return (j < real_) == ofReal; });
                for (std::size_t rank = 0; rank < std::min(near.size(), 2 * k + 8); ++rank)
                    if (near[rank] > 0.0)
                        least.push_back(near[rank]);
            }
        least_ = quantile(std::span(least), 0.01);
    }

    /// Of a labelling: d log(b / a) of the rows labelled real, and the difference of mean logarithms of own distances.
    struct Labelled {
        Values ratios;
        double spread = 0.0;
    };
    Labelled of(const std::vector<bool>& isReal) const {
        Labelled found;
        double own[2] = {0.0, 0.0};
        for (std::size_t i = 0; i < all_; ++i) {
            const Values toReal = to(i, [&](std::size_t j) { return isReal[j]; });
            const Values toSynthetic = to(i, [&](std::size_t j) { return !isReal[j]; });
            const double a = toReal[k_ - 1];
            const double b = toSynthetic[k_ - 1];
            own[isReal[i] ? 1 : 0] += std::log(std::max(isReal[i] ? a : b, least_));
            if (!isReal[i])
                continue;
            const auto zeros = [](const Values& values) {
                return static_cast<double>(std::ranges::count(values, 0.0));
            };
            double value = static_cast<double>(dim_) * (std::log(b) - std::log(a));
            if (a == 0.0 && b == 0.0)
                value = std::log(zeros(toReal) / static_cast<double>(real_ - 1)) -
                        std::log(zeros(toSynthetic) / static_cast<double>(all_ - real_));
            found.ratios.push_back(std::clamp(std::round(value * 1e9) / 1e9, -1e9, 1e9));
        }
        found.spread = own[0] / static_cast<double>(all_ - real_) - own[1] / static_cast<double>(real_);
        return found;
    }
    Labelled given() const {
        std::vector<bool> isReal(all_, false);
        std::fill_n(isReal.begin(), real_, true);
        return of(isReal);
    }
    /// @param order the pooled rows in the order in which labels are handed out
    Labelled draw(const Numbers& order, std::size_t number) const {
        std::vector<bool> isReal(all_, false);
        Random random = Random::forItem(streamSeed(0, "labels"), number);
        std::size_t left = real_;
        for (std::size_t at = 0; at < all_; ++at)
            if (random.below(all_ - at) < left) {
                isReal[order[at]] = true;
                --left;
            }
        return of(isReal);
    }

private:
    template <typename Members>
    Values to(std::size_t i, const Members& isMember) const {
        Values found;
        for (std::size_t j = 0; j < all_; ++j)
            if (j != i && isMember(j))
                found.push_back(distance_[i * all_ + j]);
        std::ranges::sort(found);
        return found;
    }

    std::size_t real_, all_, dim_, k_;
    Values distance_;
    double least_ = 0.0;
};

/// d log of the ratio of the k-th distances, of real rows to the other set and to their own.
Values ratiosByDefinition(const Matrix& real, const Matrix& synthetic, std::size_t k) {
    const Values own = test::directNeighbors(real.view(), real.view(), k, true).distancesAt(k);
    const Values other = test::directNeighbors(synthetic.view(), real.view(), k, false).distancesAt(k);
    Values ratios;
    for (std::size_t i = 0; i < own.size(); ++i)
        ratios.push_back(static_cast<double>(real.dim) * (std::log(other[i]) - std::log(own[i])));
    return ratios;
}

bool same(double a, double b) {
    return a == b || std::abs(a - b) <= 2e-9 * std::max(1.0, std::abs(b));
}

/// Bit for bit.
bool equal(const Values& a, const Values& b) {
    return std::ranges::equal(
        a, b, {}, [](double v) { return std::bit_cast<std::uint64_t>(v); },
        [](double v) { return std::bit_cast<std::uint64_t>(v); });
}
bool equal(const Relabelling& a, const Relabelling& b) {
    return equal(a.coverageRatio, b.coverageRatio) && equal(a.pValue, b.pValue) && a.missesMore == b.missesMore &&
           a.missesSurely == b.missesSurely &&
           equal({a.spreadRatio, a.spreadDeviations}, {b.spreadRatio, b.spreadDeviations});
}

struct Pair {
    Matrix real, synthetic;
};

std::map<std::string, Pair> pairs() {
    std::map<std::string, Pair> all;
    all["Gaussian"] = {test::gaussian(90, 4, 1), test::gaussian(70, 4, 2)};
    all["a third as wide"] = {test::gaussian(80, 4, 1), test::gaussian(80, 4, 2, 0.0F, 0.3F)};
    all["modes lost"] = {modes(100, 1), modes(80, 2, 4)};
    all["few combinations"] = {test::grid(90, 2, 1, 3), test::grid(90, 2, 2, 3)};
    all["questions"] = {test::oneHot(90, 3, 4, 1), test::oneHot(60, 3, 4, 2)};
    return all;
}

} // namespace

class RelabellingTest : public QObject {
    Q_OBJECT

private slots:
    void areThoseOfTheDefinitions_data();
    void areThoseOfTheDefinitions();
    void goodModelsMissNothing_data();
    void goodModelsMissNothing();
    void lostModesAreFound();
    void rareModesAreThin();
    void spreadOfGoodModelsIsWithinTheDraws();
    void narrowModelsAreShrunken();
    void unequalSizesAreExact_data();
    void unequalSizesAreExact();
    void threadsDoNotMatter();
    void backendsDoNotMatter();
    void lengthOfListsDoesNotMatter();
    void orderOfRowsDoesNotMatter();
    void rowsOfOneUnitHaveOneValue();
    void setsThatAreTooSmallHaveNone();
};

void RelabellingTest::areThoseOfTheDefinitions_data() {
    QTest::addColumn<QString>("name");
    for (const auto& [name, unused] : pairs())
        QTest::newRow(name.c_str()) << QString::fromStdString(name);
}

void RelabellingTest::areThoseOfTheDefinitions() {
    QFETCH(QString, name);
    const auto [real, synthetic] = pairs().at(name.toStdString());
    const Relabelling found = drawn(real, synthetic).labels;
    const Oracle oracle(real, synthetic, 5);
    Numbers order = inContentOrder(real.view(), {}, 0, 1).rows;
    for (const std::uint32_t row : inContentOrder(synthetic.view(), {}, 0, 1).rows)
        order.push_back(static_cast<std::uint32_t>(real.rows) + row);
    const Oracle::Labelled given = oracle.given();
    std::vector<Oracle::Labelled> draws;
    Values all = given.ratios;
    for (std::size_t draw = 0; draw < 200; ++draw) {
        draws.push_back(oracle.draw(order, draw));
        all.insert(all.end(), draws.back().ratios.begin(), draws.back().ratios.end());
    }
    for (std::size_t i = 0; i < real.rows; ++i)
        QVERIFY2(same(found.coverageRatio[i], given.ratios[i]),
                 qPrintable(QString("%1: %2, not %3").arg(i).arg(found.coverageRatio[i]).arg(given.ratios[i])));
    const Values p = conformalPValues(given.ratios, all, Extreme::High);
    for (std::size_t i = 0; i < real.rows; ++i) // a value may round to either side of another one
        QVERIFY2(std::abs(found.pValue[i] - p[i]) <= 2.0 / static_cast<double>(all.size()),
                 qPrintable(QString("%1: %2, not %3").arg(i).arg(found.pValue[i]).arg(p[i])));
    const double limit = quantile(std::span(all), 0.975);
    const auto beyond = [limit](const Values& values) {
        return std::ranges::count_if(values, [limit](double value) { return value > limit; });
    };
    const auto asMany =
        std::ranges::count_if(draws, [&](const auto& draw) { return beyond(draw.ratios) >= beyond(given.ratios); });
    QCOMPARE(found.missesMore, asMany <= 1);
    QCOMPARE(found.missesSurely, asMany == 0);
    double mean = 0.0;
    double squares = 0.0;
    for (const auto& draw : draws)
        mean += draw.spread / 200.0;
    for (const auto& draw : draws)
        squares += std::pow(draw.spread - mean, 2.0) / 200.0;
    QVERIFY(same(std::log(found.spreadRatio), given.spread - mean));
    QVERIFY(std::abs(found.spreadDeviations - (given.spread - mean) / std::max(std::sqrt(squares), 1e-9)) < 1e-5);
}

void RelabellingTest::goodModelsMissNothing_data() {
    QTest::addColumn<QString>("law");
    for (const char* law : {"Gaussian", "modes", "heavy", "questions", "flags", "mostly zeros"})
        QTest::newRow(law) << QString(law);
}

void RelabellingTest::goodModelsMissNothing() {
    QFETCH(QString, law);
    const auto draw = [&](std::size_t rows, unsigned seed) {
        if (law == "modes")
            return modes(rows, seed);
        if (law == "questions")
            return test::oneHot(rows, 4, 4, seed);
        if (law == "flags")
            return test::flags(rows, 20, 0.2F, seed);
        Matrix made = test::gaussian(rows, 8, seed);
        if (law == "heavy")
            for (float& value : made.values)
                value = std::exp(2.0F * value);
        if (law == "mostly zeros")
            for (std::size_t row = 0; row < rows; ++row)
                if (row % 5 < 3)
                    std::fill_n(made.values.begin() + static_cast<std::ptrdiff_t>(row * 8), 8, 0.0F);
        return made;
    };
    unsigned wrong = 0;
    for (unsigned seed = 1; seed <= 5; ++seed)
        for (const auto& [n, m] : {std::pair<std::size_t, std::size_t>{100, 100}, {300, 200}, {150, 400}})
            wrong += drawn(draw(n, 10 * seed), draw(m, 10 * seed + 5)).notCovered() > 0.0 ? 1 : 0;
    QVERIFY2(wrong <= 1, qPrintable(QString::number(wrong)));
}

void RelabellingTest::lostModesAreFound() {
    const Matrix real = modes(400, 1);
    const Drawn found = drawn(real, modes(400, 2, 3));
    QVERIFY(found.labels.missesMore && found.labels.missesSurely);
    std::size_t lost = 0;
    std::size_t wrong = 0;
    for (std::size_t row = 0; row < real.rows; ++row) {
        const bool isMissed = found.verdicts.coverageVerdict[row] == static_cast<double>(CoverageVerdict::Missed);
        lost += row % 10 < 3 && isMissed ? 1 : 0;
        wrong += row % 10 >= 3 && isMissed ? 1 : 0;
    }
    QVERIFY2(lost >= 114, qPrintable(QString::number(lost))); // of 120
    QVERIFY2(wrong <= 6, qPrintable(QString::number(wrong)));
    // One of ten modes, of 100 rows on each side, is found in part of the sets only; three of ten nearly always.
    unsigned found3 = 0;
    for (unsigned seed = 1; seed <= 10; ++seed)
        found3 += drawn(modes(100, 2 * seed), modes(100, 2 * seed + 1, 3)).notCovered() > 0.0 ? 1 : 0;
    QVERIFY2(found3 >= 8, qPrintable(QString::number(found3)));
}

/// Three of ten modes have a tenth of their rows: samples are there, too few.
void RelabellingTest::rareModesAreThin() {
    const Matrix real = modes(1000, 1);
    const Matrix synthetic = test::joined(modes(100, 2), modes(900, 3, 3));
    const Drawn found = drawn(real, synthetic);
    QVERIFY2(found.share(CoverageVerdict::Thin) > 0.03,
             qPrintable(QString::number(found.share(CoverageVerdict::Thin))));
    for (std::size_t row = 0; row < real.rows; ++row)
        if (row % 10 >= 3)
            QVERIFY(found.verdicts.coverageVerdict[row] != static_cast<double>(CoverageVerdict::Missed));
}

void RelabellingTest::spreadOfGoodModelsIsWithinTheDraws() {
    double squares = 0.0;
    constexpr unsigned kTrials = 30;
    for (unsigned seed = 1; seed <= kTrials; ++seed) {
        const Relabelling good = drawn(test::gaussian(120, 6, 2 * seed), test::gaussian(90, 6, 2 * seed + 1)).labels;
        QVERIFY2(std::abs(good.spreadDeviations) < 4.0, qPrintable(QString::number(good.spreadDeviations)));
        squares += std::pow(good.spreadDeviations, 2.0) / kTrials;
    }
    QVERIFY2(squares > 0.4 && squares < 2.0, qPrintable(QString::number(squares)));
}

void RelabellingTest::narrowModelsAreShrunken() {
    const Relabelling narrow = drawn(test::gaussian(300, 16, 1), test::gaussian(300, 16, 2, 0.0F, 0.7F)).labels;
    QVERIFY2(std::abs(narrow.spreadRatio - 0.7) < 0.08, qPrintable(QString::number(narrow.spreadRatio)));
    QVERIFY(narrow.spreadDeviations < -4.0);
    const Relabelling wide = drawn(test::gaussian(300, 16, 1), test::gaussian(300, 16, 2, 0.0F, 1.5F)).labels;
    QVERIFY(wide.spreadRatio > 1.25 && wide.spreadDeviations > 4.0);
}

void RelabellingTest::unequalSizesAreExact_data() {
    QTest::addColumn<std::size_t>("real");
    QTest::addColumn<std::size_t>("synthetic");
    QTest::newRow("200 against 2,000") << std::size_t{200} << std::size_t{2000};
    QTest::newRow("2,000 against 200") << std::size_t{2000} << std::size_t{200};
    QTest::newRow("10 against 3,000") << std::size_t{10} << std::size_t{3000};
}

void RelabellingTest::unequalSizesAreExact() {
    QFETCH(std::size_t, real);
    QFETCH(std::size_t, synthetic);
    const Matrix first = test::gaussian(real, 5, 1);
    const Matrix second = test::gaussian(synthetic, 5, 2);
    const Drawn found = drawn(first, second);
    const Values expected = ratiosByDefinition(first, second, 5);
    QCOMPARE(found.labels.coverageRatio.size(), expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i)
        QVERIFY(same(found.labels.coverageRatio[i], expected[i]));
    QCOMPARE(found.notCovered(), 0.0);
    QVERIFY(std::abs(found.labels.spreadDeviations) < 4.0);
    // Whatever lists are stored, the draws see the same.
    QVERIFY(equal(found.labels, drawn(first, second, {.listed = 300}).labels));
}

void RelabellingTest::threadsDoNotMatter() {
    for (const auto& [name, pair] : pairs())
        QVERIFY2(
            equal(drawn(pair.real, pair.synthetic).labels, drawn(pair.real, pair.synthetic, {.threads = 4}).labels),
            name.c_str());
    const Matrix real = test::gaussian(200, 5, 1);
    const Matrix synthetic = test::gaussian(1500, 5, 2);
    QVERIFY(equal(drawn(real, synthetic).labels, drawn(real, synthetic, {.threads = 4}).labels));
}

void RelabellingTest::backendsDoNotMatter() {
    const auto byTree = GivenDistances{.backend = BackendChoice::KdTree};
    for (const auto& [name, pair] : pairs())
        QVERIFY2(equal(drawn(pair.real, pair.synthetic).labels, drawn(pair.real, pair.synthetic, byTree).labels),
                 name.c_str());
    const Matrix real = test::gaussian(200, 5, 1);
    const Matrix synthetic = test::gaussian(1500, 5, 2);
    QVERIFY(equal(drawn(real, synthetic).labels, drawn(real, synthetic, byTree).labels));
}

void RelabellingTest::lengthOfListsDoesNotMatter() {
    for (const auto& [name, pair] : pairs()) {
        const Relabelling whole = drawn(pair.real, pair.synthetic, {.listed = 1000}).labels;
        for (const std::size_t listed : {20, 32})
            QVERIFY2(equal(whole, drawn(pair.real, pair.synthetic, {.listed = listed}).labels), name.c_str());
    }
}

void RelabellingTest::orderOfRowsDoesNotMatter() {
    std::map<std::string, Pair> all = pairs();
    all["200 against 1,500"] = {test::gaussian(200, 5, 1), test::gaussian(1500, 5, 2)};
    all["three times"] = {test::repeated(test::gaussian(100, 12, 1), 300), test::gaussian(150, 12, 2)};
    for (const auto& [name, pair] : all) {
        std::array<Numbers, 2> order{Numbers(pair.real.rows), Numbers(pair.synthetic.rows)};
        for (Numbers& rows : order) {
            std::iota(rows.begin(), rows.end(), 0U);
            std::shuffle(rows.begin(), rows.end(), std::mt19937(5));
        }
        const Relabelling given = drawn(pair.real, pair.synthetic).labels;
        const Relabelling shuffled =
            drawn(rowsOfMatrix(pair.real, order[0]), rowsOfMatrix(pair.synthetic, order[1])).labels;
        Relabelling expected = given;
        for (std::size_t at = 0; at < order[0].size(); ++at) {
            expected.coverageRatio[at] = given.coverageRatio[order[0][at]];
            expected.pValue[at] = given.pValue[order[0][at]];
        }
        QVERIFY2(equal(shuffled, expected), name.c_str());
    }
}

void RelabellingTest::rowsOfOneUnitHaveOneValue() {
    const Matrix once = test::gaussian(120, 12, 1);
    const Matrix synthetic = test::gaussian(100, 12, 2);
    const Relabelling three = drawn(test::repeated(once, 360), synthetic).labels;
    const Relabelling one = drawn(once, synthetic).labels;
    QCOMPARE(three.coverageRatio.size(), std::size_t{360});
    for (std::size_t row = 0; row < 360; ++row) {
        QCOMPARE(three.coverageRatio[row], one.coverageRatio[row % 120]);
        QCOMPARE(three.pValue[row], one.pValue[row % 120]);
    }
}

void RelabellingTest::setsThatAreTooSmallHaveNone() {
    QVERIFY(drawn(test::gaussian(6, 3, 1), test::gaussian(50, 3, 2)).labels.coverageRatio.empty());
    QVERIFY(drawn(test::gaussian(50, 3, 1), test::gaussian(5, 3, 2)).labels.coverageRatio.empty());
    QVERIFY(!drawn(test::gaussian(7, 3, 1), test::gaussian(6, 3, 2)).labels.coverageRatio.empty());
}

ASSAY_TEST(relabelling_test, RelabellingTest)
#include "relabelling_test.moc"
