// What-if against audits of the kept rows alone: every metric has to be the same to the last bit.
#include "engine/base/error.h"
#include "engine/metrics/balls/ball_scores.h"
#include "engine/metrics/catalog/catalog.h"
#include "engine/subsets/what_if/what_if.h"
#include "tests/engine/support/refusals.h"
#include "tests/engine/support/sample_sets.h"
#include "tests/engine/support/stopping.h"
#include "tests/support/test_entry.h"
#include "tests/support/test_size.h"

#include <QtTest>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <numeric>
#include <random>

using namespace assay;
using test::Matrix;

namespace {

using Mask = std::vector<bool>;

constexpr unsigned kSeed = 20261120;

/// Rows with a single one in a column: distances are 0 or the root of 2.
Matrix oneHot(std::size_t rows, std::size_t dim, unsigned seed) {
    std::mt19937 random(seed);
    std::uniform_int_distribution<std::size_t> column(0, dim - 1);
    Matrix matrix{std::vector<float>(rows * dim, 0.0F), rows, dim};
    for (std::size_t r = 0; r < rows; ++r)
        matrix.values[r * dim + column(random)] = 1.0F;
    return matrix;
}

/// Modes at the corners of a simplex; `shifted` of every ten modes lie beside where they should.
Matrix modes(std::size_t rows, std::size_t dim, unsigned seed, unsigned shifted = 0, float sigma = 1.0F) {
    Matrix matrix = test::gaussian(rows, dim, seed, 0.0F, sigma);
    for (std::size_t r = 0; r < rows; ++r) {
        const std::size_t mode = r % 10;
        matrix.values[r * dim + mode % dim] += 6.0F + static_cast<float>(mode);
        if (mode < shifted)
            matrix.values[r * dim + (mode + 1) % dim] += 4.0F;
    }
    return matrix;
}

Matrix rowsOf(const Matrix& matrix, const Mask& kept) {
    Matrix part{{}, 0, matrix.dim};
    for (std::size_t r = 0; r < matrix.rows; ++r)
        if (kept[r]) {
            const auto row = matrix.view().row(r);
            part.values.insert(part.values.end(), row.begin(), row.end());
            ++part.rows;
        }
    return part;
}

std::size_t countOf(const Mask& mask) {
    return static_cast<std::size_t>(std::count(mask.begin(), mask.end(), true));
}

struct Case {
    const char* name;
    std::function<Matrix()> real, synthetic;
    std::size_t k;
};

const std::vector<Case>& cases() {
    using namespace test;
    static const std::vector<Case> all{
        {"same distribution, few dimensions", [] { return gaussian(300, 3, 1); }, [] { return gaussian(260, 3, 2); },
         5},
        {"same distribution, more dimensions", [] { return gaussian(220, 24, 3); }, [] { return gaussian(300, 24, 4); },
         5},
        {"k = 1", [] { return gaussian(200, 6, 5); }, [] { return gaussian(240, 6, 6); }, 1},
        {"k above the stored neighbours", [] { return gaussian(150, 4, 7); }, [] { return gaussian(170, 4, 8); }, 40},
        {"shifted modes", [] { return modes(300, 12, 9); }, [] { return modes(330, 12, 10, 4); }, 5},
        {"collapsed", [] { return modes(300, 12, 11); }, [] { return modes(250, 12, 12, 0, 0.05F); }, 5},
        {"far noise among good samples", [] { return gaussian(200, 8, 13); },
         [] { return joined(gaussian(120, 8, 14), gaussian(120, 8, 15, 0.0F, 10.0F)); }, 3},
        {"whole-number grid", [] { return grid(240, 3, 16, 4); }, [] { return grid(260, 3, 17, 4); }, 5},
        {"one-hot rows", [] { return oneHot(160, 12, 18); }, [] { return oneHot(200, 12, 19); }, 4},
        {"duplicates beyond the stored neighbours",
         [] { return joined(repeated(gaussian(4, 4, 20), 200), gaussian(50, 4, 21)); },
         [] { return joined(repeated(gaussian(5, 4, 20), 190), gaussian(60, 4, 22)); }, 5},
        {"copies", [] { return gaussian(200, 5, 23); }, [] { return gaussian(200, 5, 23); }, 5},
        {"all the same point", [] { return repeated(gaussian(1, 3, 24), 60); },
         [] { return repeated(gaussian(1, 3, 24), 70); }, 5},
        {"one real mode far away", [] { return joined(gaussian(150, 4, 25), gaussian(100, 4, 26, 40.0F)); },
         [] { return joined(gaussian(200, 4, 27), gaussian(9, 4, 28, 40.0F)); }, 5},
    };
    return all;
}

AuditOptions optionsOf(std::size_t k, BackendChoice backend = BackendChoice::Gemm) {
    AuditOptions options;
    options.k = k;
    options.backend = backend;
    options.threads = 2;
    return options;
}

std::shared_ptr<const AuditResult> auditOf(const Matrix& real, const Matrix& synthetic, const AuditOptions& options) {
    return runAudit({test::asSet(real, "real"), {{"model", test::asSet(synthetic, "model")}}, options, {}});
}

Mask thresholdMask(const std::vector<double>& score, Bound bound, double threshold) {
    Mask kept(score.size());
    for (std::size_t row = 0; row < score.size(); ++row)
        kept[row] = bound == Bound::AtLeast ? score[row] >= threshold : score[row] <= threshold;
    return kept;
}

/// The thresholds that keep all, nine tenths, .. of the samples, and the last few.
std::vector<Mask> thresholdMasks(const std::vector<double>& score, Bound bound, std::size_t k) {
    std::vector<double> sorted = score;
    std::sort(sorted.begin(), sorted.end());
    if (bound == Bound::AtMost)
        std::reverse(sorted.begin(), sorted.end());
    std::vector<Mask> masks;
    for (std::size_t part = 0; part <= 12; ++part) {
        const std::size_t rejected = part < 10 ? sorted.size() * part / 10 : sorted.size() - k - (13 - part);
        masks.push_back(thresholdMask(score, bound, sorted[rejected]));
    }
    std::erase_if(masks, [k](const Mask& mask) { return countOf(mask) <= k; });
    return masks;
}

Mask randomMask(std::size_t rows, std::size_t count, std::mt19937& random) {
    std::vector<std::size_t> order(rows);
    std::iota(order.begin(), order.end(), 0U);
    std::shuffle(order.begin(), order.end(), random);
    Mask mask(rows, false);
    for (std::size_t r = 0; r < count; ++r)
        mask[order[r]] = true;
    return mask;
}

/// Random subsets, each of the one before: they part duplicates, which thresholds never do.
std::vector<Mask> nestedRandomMasks(std::size_t rows, std::size_t k, std::mt19937& random) {
    std::vector<std::size_t> order(rows);
    std::iota(order.begin(), order.end(), 0U);
    std::shuffle(order.begin(), order.end(), random);
    std::vector<Mask> masks;
    for (std::size_t count = rows - rows / 8; count > k; count -= std::max<std::size_t>(count / 4, 1)) {
        Mask mask(rows, false);
        for (std::size_t r = 0; r < count; ++r)
            mask[order[r]] = true;
        masks.push_back(std::move(mask));
    }
    return masks;
}

bool sameBits(double a, double b) {
    return a == b || (std::isnan(a) && std::isnan(b));
}

/// What an audit of the kept rows says.
std::vector<MetricValue> expectedMetrics(const Matrix& real, const Matrix& synthetic, const Mask& kept,
                                         AuditOptions options) {
    options.tablesOnly = true; // nothing else follows a change
    std::vector<MetricValue> metrics = auditOf(real, rowsOf(synthetic, kept), options)->models[0]->metrics;
    std::erase_if(metrics, [](const MetricValue& value) { return findMetric(value.id)->needs != needs::kTables; });
    return metrics;
}

/// @return what differs, empty when nothing does
QString differences(const WhatIfResult& found, const std::vector<MetricValue>& expected, const Mask& kept) {
    QString text;
    if (found.keptCount != countOf(kept))
        text += QString("kept %1 of %2; ").arg(found.keptCount).arg(countOf(kept));
    if (expected.empty() || found.metrics.size() != expected.size())
        return text + "not every metric";
    for (std::size_t m = 0; m < expected.size(); ++m)
        if (found.metrics[m].id != expected[m].id || !sameBits(found.metrics[m].value, expected[m].value))
            text += QString("%1: found %2, expected %3 (kept %4); ")
                        .arg(QString::fromUtf8(expected[m].id.data()))
                        .arg(found.metrics[m].value, 0, 'g', 17)
                        .arg(expected[m].value, 0, 'g', 17)
                        .arg(countOf(kept));
    return text;
}

QString differences(const WhatIfResult& found, const Matrix& real, const Matrix& synthetic, const Mask& kept,
                    const AuditOptions& options) {
    return differences(found, expectedMetrics(real, synthetic, kept, options), kept);
}

} // namespace

class WhatIfTest : public QObject {
    Q_OBJECT

private slots:
    void equalsAnAuditOfTheKeptRows_data();
    void equalsAnAuditOfTheKeptRows();
    void largerSetsSweepExactly_data();
    void largerSetsSweepExactly();
    void outgrownMemberListsAreDeepened();
    void keepingAllEqualsTheAudit();
    void heldMemoryStaysBounded();
    void refusesBadMasks();
    void refusesBadArguments();
    void stopsWhenAsked();
    void answersAfterAStop();
    void calibrationBySearchEqualsTheScan();
};

void WhatIfTest::equalsAnAuditOfTheKeptRows_data() {
    QTest::addColumn<int>("index");
    QTest::addColumn<int>("backend");
    QTest::addColumn<quint64>("bytesPerSample");
    for (std::size_t c = 0; c < cases().size(); ++c) {
        const auto add = [&](const char* how, BackendChoice backend, std::size_t bytes) {
            QTest::addRow("%s, %s", cases()[c].name, how)
                << static_cast<int>(c) << static_cast<int>(backend) << static_cast<quint64>(bytes);
        };
        const std::size_t enough = 64 * WhatIf::kBytesPerSample; // small sets need more per sample
        add("enough memory", BackendChoice::Gemm, enough);
        add("little memory, nanoflann", BackendChoice::Nanoflann, 512);
        add("no memory, tree", BackendChoice::KdTree, 0);
    }
}

void WhatIfTest::equalsAnAuditOfTheKeptRows() {
    QFETCH(int, index);
    QFETCH(int, backend);
    QFETCH(quint64, bytesPerSample);
    const Case& c = cases()[static_cast<std::size_t>(index)];
    const Matrix real = c.real();
    const Matrix synthetic = c.synthetic();
    const AuditOptions options = optionsOf(c.k, static_cast<BackendChoice>(backend));
    const auto audit = auditOf(real, synthetic, options);
    const ModelAudit& model = *audit->models[0];
    std::mt19937 random(kSeed);

    std::vector<Mask> masks;
    const auto append = [&](const std::vector<Mask>& more) { masks.insert(masks.end(), more.begin(), more.end()); };
    append(thresholdMasks(model.column("pce"), Bound::AtMost, c.k)); // downwards
    std::vector<Mask> upwards = thresholdMasks(model.column("pce"), Bound::AtMost, c.k);
    std::reverse(upwards.begin(), upwards.end());
    append(upwards);
    append(thresholdMasks(model.column("pce"), Bound::AtLeast, c.k));
    append(thresholdMasks(model.column("fidelity"), Bound::AtLeast, c.k));
    append(thresholdMasks(model.column("ball_count"), Bound::AtMost, c.k));
    for (const std::size_t count : {synthetic.rows - 1, synthetic.rows / 2, synthetic.rows / 5, c.k + 1, c.k + 2})
        if (count > c.k)
            masks.push_back(randomMask(synthetic.rows, count, random));
    append(nestedRandomMasks(synthetic.rows, c.k, random));
    if (test::takesSmallSizes()) // a few of each kind
        for (std::size_t kept = 0; kept < masks.size(); ++kept)
            masks.erase(masks.begin() + static_cast<std::ptrdiff_t>(kept) + 1,
                        masks.begin() + static_cast<std::ptrdiff_t>(std::min(kept + 24, masks.size())));
    const std::size_t ordered = masks.size();
    for (std::size_t jump = 0; jump < 12; ++jump) // and across
        masks.push_back(masks[random() % ordered]);

    WhatIf whatIf(audit, 0, options, bytesPerSample);
    // The same changes for every way: audited once, by whichever backend came first.
    static std::map<int, std::vector<std::vector<MetricValue>>> expected;
    if (expected[index].empty())
        for (const Mask& mask : masks)
            expected[index].push_back(expectedMetrics(real, synthetic, mask, options));
    for (std::size_t m = 0; m < masks.size(); ++m) {
        const QString wrong = differences(whatIf.evaluate(masks[m]), expected[index][m], masks[m]);
        QVERIFY2(wrong.isEmpty(), qPrintable(QString("seed %1, change %2: %3").arg(kSeed).arg(m).arg(wrong)));
    }
}

void WhatIfTest::largerSetsSweepExactly_data() {
    QTest::addColumn<bool>("shifted");
    QTest::newRow("shifted modes") << true;
    QTest::newRow("same distribution") << false;
}

void WhatIfTest::largerSetsSweepExactly() {
    QFETCH(bool, shifted);
    const std::size_t realRows = test::sized(2500, 300);
    const std::size_t rows = test::sized(3000, 700);
    const Matrix real = shifted ? modes(realRows, 16, 31) : test::gaussian(realRows, 16, 31);
    const Matrix synthetic = shifted ? modes(rows, 16, 32, 4) : test::gaussian(rows, 16, 32);
    const AuditOptions options = optionsOf(5);
    const auto audit = auditOf(real, synthetic, options);
    std::vector<Mask> masks = thresholdMasks(audit->models[0]->column("pce"), Bound::AtMost, 5);
    std::mt19937 random(kSeed);
    masks.push_back(randomMask(synthetic.rows, synthetic.rows / 3, random));
    masks.push_back(randomMask(synthetic.rows, 50, random));
    std::shuffle(masks.begin(), masks.end(), random);
    WhatIf whatIf(audit, 0, options);
    for (const Mask& mask : masks) {
        const QString wrong = differences(whatIf.evaluate(mask), real, synthetic, mask, options);
        QVERIFY2(wrong.isEmpty(), qPrintable(QString("seed %1: %2").arg(kSeed).arg(wrong)));
    }
}

void WhatIfTest::outgrownMemberListsAreDeepened() {
    // Many balls that outgrow their lists and many real samples that none of them holds, in many dimensions: neither
    // measuring nor counting the pairs is cheap.
    const std::size_t dim = test::sized(512, 48);
    const Matrix real = test::gaussian(test::sized(6000, 1200), dim, 33);
    const Matrix synthetic = test::gaussian(test::sized(5000, 1000), dim, 34);
    const AuditOptions options = optionsOf(5);
    const auto audit = auditOf(real, synthetic, options);
    WhatIf whatIf(audit, 0, options);
    std::mt19937 random(kSeed);
    Mask kept = randomMask(synthetic.rows, 600, random);
    for (const std::size_t left : {600, 500, 80}) {
        for (std::size_t row = 0; countOf(kept) > left; ++row)
            kept[row] = false;
        const QString wrong = differences(whatIf.evaluate(kept), real, synthetic, kept, options);
        QVERIFY2(wrong.isEmpty(), qPrintable(QString("seed %1, %2 kept: %3").arg(kSeed).arg(left).arg(wrong)));
    }
}

void WhatIfTest::keepingAllEqualsTheAudit() {
    const AuditOptions options = optionsOf(5);
    const auto audit = auditOf(test::gaussian(300, 6, 41), test::gaussian(310, 6, 42), options);
    WhatIf whatIf(audit, 0, options);
    const WhatIfResult all = whatIf.evaluate(Mask(310, true));
    for (const MetricValue& value : audit->models[0]->metrics)
        if (findMetric(value.id)->needs == needs::kTables)
            QVERIFY2(sameBits(all.metric(value.id), value.value), value.id.data());
    QCOMPARE(whatIf.bytes(), std::size_t{0}); // the audit's tables answer it
    QVERIFY(test::saysAll(test::refusalOf([&] { all.metric("beauty"); }, ErrorKind::InvalidArgument), "'beauty'"));
}

void WhatIfTest::heldMemoryStaysBounded() {
    const std::size_t rows = 4000;
    const Matrix real = test::gaussian(rows, 8, 43);
    const AuditOptions options = optionsOf(5);
    const auto audit = auditOf(real, test::gaussian(rows, 8, 44), options);
    const ModelAudit& model = *audit->models[0];
    WhatIf whatIf(audit, 0, options);
    const std::size_t limit = WhatIf::kBytesPerSample * 2 * rows;
    for (const char* column : {"pce", "re", "nearest_real_distance"}) {
        for (const Mask& mask : thresholdMasks(model.column(column), Bound::AtLeast, 5)) {
            whatIf.evaluate(mask);
            QVERIFY(whatIf.bytes() <= limit);
        }
        QVERIFY(whatIf.bytes() > 0);
    }
}

void WhatIfTest::refusesBadMasks() {
    const AuditOptions options = optionsOf(5);
    const auto audit = auditOf(test::gaussian(60, 4, 45), test::gaussian(50, 4, 46), options);
    WhatIf whatIf(audit, 0, options);
    std::mt19937 random(kSeed);
    const auto refusal = [&](const Mask& mask) {
        return test::refusalOf([&] { whatIf.evaluate(mask); }, ErrorKind::InvalidArgument);
    };
    QVERIFY(test::saysAll(refusal(Mask(49, true)), "model|expected 50 flags|found 49"));
    QVERIFY(test::saysAll(refusal({}), "expected 50 flags|found 0"));
    QVERIFY(test::saysAll(refusal(Mask(50, false)), "model|more than k = 5|found 0 of 50"));
    QVERIFY(test::saysAll(refusal(randomMask(50, 5, random)), "more than k = 5|found 5 of 50"));
    QCOMPARE(whatIf.evaluate(randomMask(50, 6, random)).keptCount, std::size_t{6});
}

void WhatIfTest::refusesBadArguments() {
    const AuditOptions options = optionsOf(5);
    const auto audit = auditOf(test::gaussian(60, 4, 45), test::gaussian(50, 4, 46), options);
    const auto refusal = [](auto action) { return test::refusalOf(action, ErrorKind::InvalidArgument); };
    QVERIFY(test::saysAll(refusal([&] { WhatIf(audit, 1, options); }), "below 1|found 1"));
}

void WhatIfTest::stopsWhenAsked() {
    const std::size_t rows = 1500;
    static const AuditOptions options = optionsOf(5);
    static const auto audit = auditOf(test::gaussian(rows, 16, 47), test::gaussian(rows, 16, 48), options);
    std::mt19937 random(kSeed);
    const Mask few = randomMask(rows, rows / 4, random);
    const std::string failure = test::stopFailure(
        [&](const JobContext& job) {
            WhatIf(audit, 0, options, 0).evaluate(few, job); // holds nothing, so that it searches again
        },
        20);
    QVERIFY2(failure.empty(), failure.c_str());
}

void WhatIfTest::answersAfterAStop() {
    const Matrix real = test::gaussian(1500, 12, 49);
    const Matrix synthetic = test::gaussian(1400, 12, 50);
    const AuditOptions options = optionsOf(5);
    const auto audit = auditOf(real, synthetic, options);
    const std::vector<double>& pce = audit->models[0]->column("pce");
    const std::vector<Mask> masks = thresholdMasks(pce, Bound::AtMost, 5);
    WhatIf whatIf(audit, 0, options);
    // Stops at one checkpoint after another, so that every stage is left half done at some time.
    for (int stopAt = 1; stopAt < 60; stopAt += test::sized(2, 6)) {
        std::stop_source source;
        int seen = 0;
        const JobContext job(source.get_token(), [&](const Progress&) {
            if (++seen == stopAt)
                source.request_stop();
        });
        try {
            whatIf.evaluate(masks[static_cast<std::size_t>(stopAt) % masks.size()], job);
        } catch (const Cancelled&) {
        }
    }
    for (std::size_t m = 0; m < masks.size(); m += test::sized<std::size_t>(1, 3)) {
        const QString wrong = differences(whatIf.evaluate(masks[m]), real, synthetic, masks[m], options);
        QVERIFY2(wrong.isEmpty(), qPrintable(wrong));
    }
}

void WhatIfTest::calibrationBySearchEqualsTheScan() {
    std::mt19937 random(kSeed);
    for (const auto& [real, synthetic, k] : std::vector<std::array<std::size_t, 3>>{{6, 6, 5},
                                                                                    {50, 30, 1},
                                                                                    {300, 2000, 5},
                                                                                    {3000, 700, 5},
                                                                                    {400, 1500, 150},
                                                                                    {20000, 30000, 5},
                                                                                    {10, 900, 9}}) {
        const std::vector<double> shortfall = metrics::coverageShortfall(real, synthetic, k);
        std::vector<double> bounds{0.0, 1.0, 0.5, 1e-9, 0.999999};
        for (int b = 0; b < 200; ++b) { // ties with a value and next to one, and shares as mean coverage takes them
            const double tie = shortfall[random() % shortfall.size()];
            const std::array<double, 3> near{tie, std::nextafter(tie, 0.0), std::nextafter(tie, 1.0)};
            bounds.push_back(b % 2 == 0 ? near[random() % near.size()]
                                        : static_cast<double>(random() % (k * real)) / static_cast<double>(k * real));
        }
        for (const double bound : bounds)
            QCOMPARE(metrics::coverageShortfallsAbove(bound, real, synthetic, k),
                     static_cast<std::size_t>(
                         std::count_if(shortfall.begin(), shortfall.end(), [bound](double s) { return s > bound; })));
    }
}

ASSAY_TEST(what_if_test, WhatIfTest)
#include "what_if_test.moc"
