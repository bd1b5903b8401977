// The published programs' own figures, found by running them (scikit-learn 1.5.2, NumPy 1.24.2, PyTorch 1.13) on the
// data made here.
#include "engine/audit/run/audit.h"
#include "engine/base/error.h"
#include "engine/compat/programs.h"
#include "engine/compat/published_distances.h"
#include "tests/engine/support/sample_sets.h"
#include "tests/support/test_entry.h"

#include <QtTest>

#include <array>
#include <cmath>
#include <limits>

using namespace assay;
using test::Matrix;

namespace {

/// Whole numbers below `levels` from a hash of row and column, as any language can make them.
Matrix made(std::size_t rows, std::size_t dim, std::uint32_t seed, std::uint32_t levels) {
    Matrix matrix{{}, rows, dim};
    for (std::uint32_t i = 0; i < rows; ++i)
        for (std::uint32_t j = 0; j < dim; ++j) {
            std::uint32_t x = i * 2654435761U + j * 40503U * (i + 7U) + seed * 97561U;
            x ^= x >> 15;
            x *= 2246822519U;
            x ^= x >> 13;
            x *= 3266489917U;
            x ^= x >> 16;
            matrix.values.push_back(static_cast<float>(x % levels));
        }
    return matrix;
}

struct Data {
    const char* name;
    std::size_t dim;
    std::uint32_t levels;
    std::size_t realRows = 300;
    std::size_t syntheticRows = 250;
    std::size_t k = 5;
    std::size_t copies = 0; ///< of the first real samples
    std::uint32_t realSeed = 1;
    std::uint32_t syntheticSeed = 2;
};
/// Above 15 dimensions the programs multiply matrices. Below they search trees, but where they ask for half of a set:
/// `half` is searched by products, of `mixed` the synthetic set for k + 1 neighbours but not for k, of `few` all but
/// what `alaa` asks of the synthetic set. The coverage of `even` is a value of its calibration.
constexpr std::array kData{Data{"fine", 20, 4001},
                           Data{"tied", 20, 3},
                           Data{"tree", 6, 4001},
                           Data{"treetied", 6, 5},
                           Data{"half", 4, 4001, 24, 22, 11, 12},
                           Data{"mixed", 4, 4001, 60, 20, 9, 12},
                           Data{"few", 4, 4001, 5, 4, 2, 3},
                           Data{"even", 4, 4001, 12, 9, 7, 0, 45, 1045}};

Matrix realOf(const Data& data) {
    return made(data.realRows, data.dim, data.realSeed, data.levels);
}

Matrix syntheticOf(const Data& data) {
    Matrix synthetic = made(data.syntheticRows, data.dim, data.syntheticSeed, data.levels);
    const Matrix real = realOf(data);
    std::copy_n(real.values.begin(), data.copies * data.dim, synthetic.values.begin());
    return synthetic;
}

struct Expected {
    const char* data;
    const char* program;
    const char* metric;
    double value;
};
/// Left out where the program itself leaves it open which of several equally near samples it takes.
// clang-format off
constexpr Expected kExpected[]{
    {"fine", "prdc", "precision", 0.948},
    {"fine", "prdc", "recall", 0.92},
    {"fine", "prdc", "density", 1.116},
    {"fine", "prdc", "coverage", 0.9766666666666667},
    {"fine", "salvy", "Precision", 0.948},
    {"fine", "salvy", "Recall", 0.92},
    {"fine", "salvy", "Density", 1.116},
    {"fine", "salvy", "Coverage", 0.9766666666666667},
    {"fine", "salvy", "symRecall", 0.92},
    {"fine", "salvy", "symPrecision", 0.948},
    {"fine", "salvy", "PrecisionCover", 0.968},
    {"fine", "salvy", "RecallCover", 0.94},
    {"fine", "salvy", "ClippedDensity", 1.0},
    {"fine", "salvy", "ClippedDensity_can_exceed_one", 1.059884393063584},
    {"fine", "salvy", "ClippedCoverage_without_g", 0.7353333333333333},
    {"fine", "salvy", "ClippedCoverage", 1.0},
    {"fine", "fox", "precision", 0.948},
    {"fine", "fox", "recall", 0.92},
    {"fine", "fox", "density", 1.116},
    {"fine", "fox", "coverage", 0.9766666666666667},
    {"fine", "fox", "precision_cross_entropy", 171.66188119438908},
    {"fine", "fox", "recall_cross_entropy", 171.79397441786054},
    {"fine", "fox", "recall_entropy", 171.85496579413805},
    {"fine", "alaa", "Delta_precision_alpha", 0.9588394744784596},
    {"fine", "alaa", "Delta_coverage_beta", 0.4878160908882474},
    {"fine", "alaa", "authenticity", 0.55},
    {"fine", "dgm-eval", "precision", 0.948},
    {"fine", "dgm-eval", "recall", 0.92},
    {"fine", "dgm-eval", "density", 1.116},
    {"fine", "dgm-eval", "coverage", 0.9766666666666667},
    {"fine", "dgm-eval", "authpct", 60.400001525878906},
    {"tied", "prdc", "precision", 0.944},
    {"tied", "prdc", "recall", 0.9566666666666667},
    {"tied", "prdc", "density", 0.8104},
    {"tied", "prdc", "coverage", 0.9066666666666666},
    {"tied", "salvy", "Precision", 0.96},
    {"tied", "salvy", "Recall", 0.97},
    {"tied", "salvy", "Density", 1.1064},
    {"tied", "salvy", "Coverage", 0.92},
    {"tied", "salvy", "symRecall", 0.92},
    {"tied", "salvy", "symPrecision", 0.956},
    {"tied", "salvy", "PrecisionCover", 0.956},
    {"tied", "salvy", "RecallCover", 0.8833333333333333},
    {"tied", "salvy", "ClippedCoverage_without_g", 0.5946666666666667},
    {"tied", "salvy", "ClippedCoverage", 0.8087649402390438},
    {"tied", "fox", "precision", 0.98},
    {"tied", "fox", "recall", 0.9766666666666667},
    {"tied", "fox", "density", 1.28},
    {"tied", "fox", "coverage", 0.9533333333333334},
    {"tied", "fox", "precision_cross_entropy", 26.716656629327844},
    {"tied", "fox", "recall_cross_entropy", 26.842886947249347},
    {"tied", "fox", "recall_entropy", 26.74038952813127},
    {"tied", "alaa", "Delta_precision_alpha", 0.9625874039917458},
    {"tied", "alaa", "Delta_coverage_beta", 0.5126436736177781},
    {"tied", "alaa", "authenticity", 0.47},
    {"tied", "dgm-eval", "precision", 0.944},
    {"tied", "dgm-eval", "recall", 0.9566666666666667},
    {"tied", "dgm-eval", "density", 0.8104},
    {"tied", "dgm-eval", "coverage", 0.9066666666666666},
    {"tied", "dgm-eval", "authpct", 50.0},
    {"tree", "prdc", "precision", 0.996},
    {"tree", "prdc", "recall", 0.9933333333333333},
    {"tree", "prdc", "density", 1.008},
    {"tree", "prdc", "coverage", 0.96},
    {"tree", "salvy", "Precision", 0.996},
    {"tree", "salvy", "Recall", 0.9933333333333333},
    {"tree", "salvy", "Density", 1.008},
    {"tree", "salvy", "Coverage", 0.96},
    {"tree", "salvy", "symRecall", 0.96},
    {"tree", "salvy", "symPrecision", 0.988},
    {"tree", "salvy", "PrecisionCover", 0.98},
    {"tree", "salvy", "RecallCover", 0.9033333333333333},
    {"tree", "salvy", "ClippedDensity", 0.9876739562624255},
    {"tree", "salvy", "ClippedDensity_can_exceed_one", 0.9876739562624255},
    {"tree", "salvy", "ClippedCoverage_without_g", 0.68},
    {"tree", "salvy", "ClippedCoverage", 0.9880478087649402},
    {"tree", "fox", "precision", 0.996},
    {"tree", "fox", "recall", 0.9933333333333333},
    {"tree", "fox", "density", 1.008},
    {"tree", "fox", "coverage", 0.96},
    {"tree", "fox", "precision_cross_entropy", 50.75559020054865},
    {"tree", "fox", "recall_cross_entropy", 50.81296224642814},
    {"tree", "fox", "recall_entropy", 50.75271687064858},
    {"tree", "alaa", "Delta_precision_alpha", 0.9539405455232535},
    {"tree", "alaa", "Delta_coverage_beta", 0.4657471275342435},
    {"tree", "alaa", "authenticity", 0.5},
    {"tree", "dgm-eval", "precision", 0.996},
    {"tree", "dgm-eval", "recall", 0.9933333333333333},
    {"tree", "dgm-eval", "density", 1.008},
    {"tree", "dgm-eval", "coverage", 0.96},
    {"tree", "dgm-eval", "authpct", 44.0},
    {"treetied", "prdc", "precision", 0.98},
    {"treetied", "prdc", "recall", 0.9733333333333334},
    {"treetied", "prdc", "density", 0.7936000000000001},
    {"treetied", "prdc", "coverage", 0.9033333333333333},
    {"treetied", "salvy", "Precision", 1.0},
    {"treetied", "salvy", "Recall", 1.0},
    {"treetied", "salvy", "Density", 1.3464},
    {"treetied", "salvy", "Coverage", 0.9733333333333334},
    {"treetied", "salvy", "symRecall", 0.9733333333333334},
    {"treetied", "salvy", "symPrecision", 1.0},
    {"treetied", "salvy", "PrecisionCover", 0.996},
    {"treetied", "salvy", "RecallCover", 0.9666666666666667},
    {"treetied", "salvy", "ClippedCoverage_without_g", 0.5926666666666667},
    {"treetied", "salvy", "ClippedCoverage", 0.8047808764940239},
    {"treetied", "fox", "precision", 0.992},
    {"treetied", "fox", "recall", 0.9833333333333333},
    {"treetied", "fox", "density", 1.0728},
    {"treetied", "fox", "coverage", 0.96},
    {"treetied", "fox", "precision_cross_entropy", 10.45056553609161},
    {"treetied", "fox", "recall_cross_entropy", 10.469708381081988},
    {"treetied", "fox", "recall_entropy", 10.543135120985115},
    {"treetied", "alaa", "Delta_precision_alpha", 0.94118429791829},
    {"treetied", "dgm-eval", "precision", 0.98},
    {"treetied", "dgm-eval", "recall", 0.9733333333333334},
    {"treetied", "dgm-eval", "density", 0.7936000000000001},
    {"treetied", "dgm-eval", "coverage", 0.9033333333333333},
    {"treetied", "dgm-eval", "authpct", 36.79999923706055},
    {"half", "prdc", "precision", 1.0},
    {"half", "prdc", "recall", 1.0},
    {"half", "prdc", "density", 1.0206611570247934},
    {"half", "prdc", "coverage", 1.0},
    {"half", "salvy", "ClippedDensity", 1.0},
    {"half", "salvy", "ClippedDensity_can_exceed_one", 1.106873614190687},
    {"half", "salvy", "ClippedCoverage", 1.0},
    {"half", "salvy", "ClippedCoverage_without_g", 0.8901515151515152},
    {"half", "salvy", "Precision", 1.0},
    {"half", "salvy", "Recall", 1.0},
    {"half", "salvy", "Density", 1.053719008264463},
    {"half", "salvy", "Coverage", 1.0},
    {"half", "salvy", "symRecall", 1.0},
    {"half", "salvy", "symPrecision", 1.0},
    {"half", "salvy", "PrecisionCover", 1.0},
    {"half", "salvy", "RecallCover", 1.0},
    {"half", "fox", "precision", 1.0},
    {"half", "fox", "recall", 1.0},
    {"half", "fox", "density", 1.0702479338842976},
    {"half", "fox", "coverage", 1.0},
    {"half", "fox", "precision_cross_entropy", 34.728045012028105},
    {"half", "fox", "recall_cross_entropy", 34.7049714821476},
    {"half", "fox", "recall_entropy", 34.77566757402159},
    {"half", "alaa", "Delta_precision_alpha", 0.8791482011288156},
    {"half", "alaa", "Delta_coverage_beta", 0.7343440391610551},
    {"half", "alaa", "authenticity", 0.25},
    {"half", "dgm-eval", "precision", 1.0},
    {"half", "dgm-eval", "recall", 1.0},
    {"half", "dgm-eval", "density", 1.0206611570247934},
    {"half", "dgm-eval", "coverage", 1.0},
    {"half", "dgm-eval", "authpct", 13.636363983154297},
    {"mixed", "prdc", "precision", 1.0},
    {"mixed", "prdc", "recall", 1.0},
    {"mixed", "prdc", "density", 1.0388888888888888},
    {"mixed", "prdc", "coverage", 0.9833333333333333},
    {"mixed", "salvy", "ClippedDensity", 1.0},
    {"mixed", "salvy", "ClippedDensity_can_exceed_one", 1.1825396825396828},
    {"mixed", "salvy", "ClippedCoverage", 1.0},
    {"mixed", "salvy", "ClippedCoverage_without_g", 0.34629629629629627},
    {"mixed", "salvy", "Precision", 1.0},
    {"mixed", "salvy", "Recall", 1.0},
    {"mixed", "salvy", "Density", 1.1055555555555554},
    {"mixed", "salvy", "Coverage", 0.9833333333333333},
    {"mixed", "salvy", "symRecall", 0.9833333333333333},
    {"mixed", "salvy", "symPrecision", 1.0},
    {"mixed", "salvy", "PrecisionCover", 1.0},
    {"mixed", "salvy", "RecallCover", 0.6},
    {"mixed", "fox", "precision", 1.0},
    {"mixed", "fox", "recall", 1.0},
    {"mixed", "fox", "density", 1.05},
    {"mixed", "fox", "coverage", 0.9833333333333333},
    {"mixed", "fox", "precision_cross_entropy", 34.040903152113074},
    {"mixed", "fox", "recall_cross_entropy", 34.633297373182245},
    {"mixed", "fox", "recall_entropy", 34.24121324015444},
    {"mixed", "alaa", "Delta_precision_alpha", 0.8605231912042525},
    {"mixed", "alaa", "Delta_coverage_beta", 0.38505747503247756},
    {"mixed", "alaa", "authenticity", 0.5666666666666667},
    {"mixed", "dgm-eval", "precision", 1.0},
    {"mixed", "dgm-eval", "recall", 1.0},
    {"mixed", "dgm-eval", "density", 1.0388888888888888},
    {"mixed", "dgm-eval", "coverage", 0.9833333333333333},
    {"mixed", "dgm-eval", "authpct", 5.0},
    {"few", "prdc", "precision", 1.0},
    {"few", "prdc", "recall", 1.0},
    {"few", "prdc", "density", 1.0},
    {"few", "prdc", "coverage", 1.0},
    {"few", "salvy", "ClippedDensity", 1.0},
    {"few", "salvy", "ClippedDensity_can_exceed_one", 1.09375},
    {"few", "salvy", "ClippedCoverage", 1.0},
    {"few", "salvy", "ClippedCoverage_without_g", 0.7},
    {"few", "salvy", "Precision", 1.0},
    {"few", "salvy", "Recall", 1.0},
    {"few", "salvy", "Density", 1.125},
    {"few", "salvy", "Coverage", 1.0},
    {"few", "salvy", "symRecall", 1.0},
    {"few", "salvy", "symPrecision", 1.0},
    {"few", "fox", "precision", 1.0},
    {"few", "fox", "recall", 1.0},
    {"few", "fox", "density", 1.125},
    {"few", "fox", "coverage", 1.0},
    {"few", "fox", "precision_cross_entropy", 32.214515524874585},
    {"few", "fox", "recall_cross_entropy", 33.29763258627362},
    {"few", "fox", "recall_entropy", 34.70649025735133},
    {"few", "alaa", "Delta_precision_alpha", 0.7413793103448276},
    {"few", "alaa", "Delta_coverage_beta", 0.7626634884390905},
    {"few", "alaa", "authenticity", 0.4},
    {"few", "dgm-eval", "precision", 1.0},
    {"few", "dgm-eval", "recall", 1.0},
    {"few", "dgm-eval", "density", 1.0},
    {"few", "dgm-eval", "coverage", 1.0},
    {"few", "dgm-eval", "authpct", 25.0},
    {"even", "prdc", "precision", 1.0},
    {"even", "prdc", "recall", 1.0},
    {"even", "prdc", "density", 0.7777777777777778},
    {"even", "prdc", "coverage", 1.0},
    {"even", "salvy", "ClippedDensity", 0.8125000000000001},
    {"even", "salvy", "ClippedDensity_can_exceed_one", 0.8125000000000001},
    {"even", "salvy", "ClippedCoverage", 0.7},
    {"even", "salvy", "ClippedCoverage_without_g", 0.5833333333333334},
    {"even", "salvy", "Precision", 1.0},
    {"even", "salvy", "Recall", 1.0},
    {"even", "salvy", "Density", 0.7777777777777778},
    {"even", "salvy", "Coverage", 1.0},
    {"even", "salvy", "symRecall", 1.0},
    {"even", "salvy", "symPrecision", 1.0},
    {"even", "salvy", "PrecisionCover", 1.0},
    {"even", "salvy", "RecallCover", 1.0},
    {"even", "fox", "precision", 1.0},
    {"even", "fox", "recall", 1.0},
    {"even", "fox", "density", 0.7777777777777778},
    {"even", "fox", "coverage", 1.0},
    {"even", "fox", "precision_cross_entropy", 34.707103607600885},
    {"even", "fox", "recall_cross_entropy", 35.01458519172654},
    {"even", "fox", "recall_entropy", 34.40600706461564},
    {"even", "alaa", "Delta_precision_alpha", 0.4030915684599372},
    {"even", "alaa", "Delta_coverage_beta", 0.34760206686188866},
    {"even", "alaa", "authenticity", 0.5833333333333334},
    {"even", "dgm-eval", "precision", 1.0},
    {"even", "dgm-eval", "recall", 1.0},
    {"even", "dgm-eval", "density", 0.7777777777777778},
    {"even", "dgm-eval", "coverage", 1.0},
    {"even", "dgm-eval", "authpct", 22.22222137451172},
};
// clang-format on

std::shared_ptr<const AuditResult> audited(const Matrix& real, const Matrix& synthetic, std::size_t k = 5) {
    AuditOptions options;
    options.k = k;
    return runAudit({test::asSet(real, "real"), {{"s", test::asSet(synthetic, "s")}}, options, {}});
}

const CompatValue* find(const CompatResult& result, const std::string& name) {
    const auto at = std::find_if(result.metrics.begin(), result.metrics.end(),
                                 [&](const CompatValue& value) { return value.name == name; });
    return at == result.metrics.end() ? nullptr : &*at;
}

} // namespace

class CompatTest : public QObject {
    Q_OBJECT

private slots:
    void givesThePublishedFigures_data();
    void givesThePublishedFigures();
    void everyBackendGivesTheSame();
    void comparisonsOfWholeSetsFollowTheirDefinitions();
    void openBallsHoldNoCopies();
    void closedBallsHoldCopies();
    void authenticityOfMoreSyntheticThanRealIsNoNumber();
    void aZeroDistanceIsNotReplaced();
    void severalProcessesAreRefused();
    void ballsEndWhereTheComparisonDoes();
    void neighborsAreSearchedAsTheProgramsFitThem();
    void programsAreKnownByName();
};

void CompatTest::givesThePublishedFigures_data() {
    QTest::addColumn<int>("data");
    QTest::addColumn<QString>("program");
    for (std::size_t d = 0; d < kData.size(); ++d)
        for (const CompatProgram& program : compatPrograms())
            if (std::ranges::any_of(kExpected, [&](const Expected& one) { return one.program == program.id; }))
                QTest::addRow("%s %s", kData[d].name, program.id.data())
                    << static_cast<int>(d) << QString::fromUtf8(program.id.data());
}

void CompatTest::givesThePublishedFigures() {
    QFETCH(int, data);
    QFETCH(QString, program);
    const Data& of = kData[static_cast<std::size_t>(data)];
    const auto audit = audited(realOf(of), syntheticOf(of), of.k);
    const auto results = computeCompat(*audit, *findCompatProgram(program.toStdString()), {});
    int compared = 0;
    for (const Expected& expected : kExpected) {
        if (QString(expected.data) != of.name || program != expected.program)
            continue;
        ++compared;
        const CompatValue* found = find(results[0], expected.metric);
        QVERIFY2(found != nullptr, expected.metric);
        // Of sums the last digit depends on their order; counts are exact.
        QVERIFY2(std::abs(found->values[0] - expected.value) <= 1e-14 * std::abs(expected.value),
                 qPrintable(QStringLiteral("%1: found %2, published %3")
                                .arg(expected.metric)
                                .arg(found->values[0], 0, 'g', 17)
                                .arg(expected.value, 0, 'g', 17)));
    }
    QVERIFY(compared > 0);
}

void CompatTest::everyBackendGivesTheSame() {
    const auto audit = audited(made(200, 12, 1, 4), made(150, 12, 2, 4));
    for (const CompatProgram& program : compatPrograms()) {
        AuditOptions gemm;
        gemm.backend = BackendChoice::Gemm;
        AuditOptions tree;
        tree.backend = BackendChoice::KdTree;
        const auto a = computeCompat(*audit, program, gemm)[0].metrics;
        const auto b = computeCompat(*audit, program, tree)[0].metrics;
        for (std::size_t m = 0; m < a.size(); ++m)
            QVERIFY2(a[m].values == b[m].values, a[m].name.c_str());
    }
}

/// torch-fidelity counts balls of the third neighbour whatever k is; CMMD's code takes rows as they are, all pairs.
void CompatTest::comparisonsOfWholeSetsFollowTheirDefinitions() {
    const Matrix real = made(150, 6, 3, 10);
    const Matrix synthetic = made(120, 6, 4, 10);
    const auto audit = audited(real, synthetic, 5);
    const auto square = [](const Matrix& a, std::size_t i, const Matrix& b, std::size_t j) {
        double sum = 0.0;
        for (std::size_t c = 0; c < a.dim; ++c)
            sum += std::pow(static_cast<double>(a.view().row(i)[c]) - static_cast<double>(b.view().row(j)[c]), 2.0);
        return sum;
    };
    const auto inside = [&](const Matrix& points, const Matrix& centres) {
        std::size_t count = 0;
        std::vector<double> radius;
        for (std::size_t i = 0; i < centres.rows; ++i) {
            std::vector<double> squares;
            for (std::size_t j = 0; j < centres.rows; ++j)
                squares.push_back(square(centres, i, centres, j));
            std::ranges::nth_element(squares, squares.begin() + 3); // itself is the first
            radius.push_back(squares[3]);
        }
        for (std::size_t p = 0; p < points.rows; ++p) {
            bool held = false;
            for (std::size_t i = 0; i < centres.rows && !held; ++i)
                held = square(points, p, centres, i) <= radius[i];
            count += held ? 1 : 0;
        }
        return static_cast<double>(count) / static_cast<double>(points.rows);
    };
    const auto kernelMean = [&](const Matrix& a, const Matrix& b) {
        double sum = 0.0;
        for (std::size_t i = 0; i < a.rows; ++i)
            for (std::size_t j = 0; j < b.rows; ++j)
                sum += std::exp(-square(a, i, b, j) / 200.0);
        return sum / static_cast<double>(a.rows * b.rows);
    };
    const auto fidelity = computeCompat(*audit, *findCompatProgram("torch-fidelity"), {});
    QCOMPARE(find(fidelity[0], "precision")->values[0], inside(synthetic, real));
    QCOMPARE(find(fidelity[0], "recall")->values[0], inside(real, synthetic));
    QCOMPARE(find(fidelity[0], "frechet_inception_distance")->values[0], audit->models[0]->metric("frechet_distance"));
    const auto cmmd = computeCompat(*audit, *findCompatProgram("cmmd"), {});
    const double expected =
        1000.0 * (kernelMean(real, real) + kernelMean(synthetic, synthetic) - 2.0 * kernelMean(real, synthetic));
    QVERIFY(std::abs(find(cmmd[0], "cmmd")->values[0] - expected) <= 1e-6 * expected);
    const auto fadtk = computeCompat(*audit, *findCompatProgram("fadtk"), {});
    QCOMPARE(find(fadtk[0], "fad_inf")->values[0], audit->models[0]->metric("frechet_infinity"));
}

void CompatTest::openBallsHoldNoCopies() {
    // Every real sample six times over: all radii are 0, and the synthetic samples lie at the centres.
    const Matrix real = test::repeated(test::gaussian(20, 4, 1), 120);
    const auto audit = audited(real, test::repeated(test::gaussian(20, 4, 1), 120));
    const auto result = computeCompat(*audit, *findCompatProgram("prdc"), {})[0];
    for (const char* name : {"precision", "recall", "density", "coverage"})
        QCOMPARE(find(result, name)->values[0], 0.0);
}

void CompatTest::closedBallsHoldCopies() {
    const Matrix real = test::repeated(test::gaussian(20, 4, 1), 120);
    const auto audit = audited(real, test::repeated(test::gaussian(20, 4, 1), 120));
    const auto result = computeCompat(*audit, *findCompatProgram("fox"), {})[0];
    QCOMPARE(find(result, "precision")->values[0], 1.0);
    QCOMPARE(find(result, "coverage")->values[0], 1.0);
}

void CompatTest::authenticityOfMoreSyntheticThanRealIsNoNumber() {
    const Matrix real = test::gaussian(20, 3, 1);
    const auto audit = audited(real, test::joined(test::gaussian(30, 3, 2, 50.0F), real));
    const auto result = computeCompat(*audit, *findCompatProgram("alaa"), {})[0];
    QVERIFY(std::isnan(find(result, "authenticity")->values[0]));
    QCOMPARE(find(result, "alpha_precision_curve")->values.size(), std::size_t{30});
}

void CompatTest::aZeroDistanceIsNotReplaced() {
    const Matrix real = test::joined(test::gaussian(60, 3, 1), test::repeated(test::gaussian(1, 3, 2), 8));
    const auto audit = audited(real, test::gaussian(50, 3, 3));
    const auto result = computeCompat(*audit, *findCompatProgram("fox"), {})[0];
    QCOMPARE(find(result, "recall_entropy")->values[0], -std::numeric_limits<double>::infinity());
    QVERIFY(std::isfinite(audit->models[0]->metric("real_entropy")));
}

void CompatTest::severalProcessesAreRefused() {
    const auto audit = audited(test::gaussian(20, 3, 1), test::gaussian(20, 3, 2));
    AuditOptions options;
    options.search = [](MatrixView, const JobContext&) { return std::unique_ptr<NeighborSearch>(); };
    QVERIFY_EXCEPTION_THROWN(computeCompat(*audit, *findCompatProgram("prdc"), options), Error);
}

void CompatTest::ballsEndWhereTheComparisonDoes() {
    const double ball = compat::ballOf([](double d) { return d < 0.3; }, 1.0);
    QVERIFY(ball < 0.3);
    QCOMPARE(std::nextafter(ball, 1.0), 0.3);
    QVERIFY(compat::ballOf([](double d) { return d < 0.0; }, 1.0) < 0.0);
    QCOMPARE(compat::ballOf([](double d) { return d <= 0.0; }, 0.0), 0.0);
    // A distance a little above the radius is not above it in float32.
    const double radius = std::sqrt(2.0);
    const std::vector<double> open = compat::strictPairwiseBalls(std::vector{radius});
    QVERIFY(open[0] < radius * (1.0 - 1e-9));
    QVERIFY(compat::pairwiseDistance(std::nextafter(open[0], 2.0)) == compat::pairwiseDistance(radius));
    const std::vector<double> closed = compat::closedPairwiseBalls(std::vector{radius}, compat::FitMethod::Brute);
    QVERIFY(closed[0] > radius * (1.0 + 1e-9));
}

void CompatTest::neighborsAreSearchedAsTheProgramsFitThem() {
    using compat::FitMethod;
    const auto methodOf = [](std::size_t neighbors, std::size_t rows, std::size_t dim) {
        return compat::fitMethod(neighbors, *test::asSet(test::gaussian(rows, dim, 1), "s"));
    };
    QVERIFY(methodOf(6, 100, 15) == FitMethod::Tree);
    QVERIFY(methodOf(6, 100, 16) == FitMethod::Brute);
    QVERIFY(methodOf(6, 12, 4) == FitMethod::Brute);
    QVERIFY(methodOf(5, 12, 4) == FitMethod::Tree);
    QVERIFY(methodOf(6, 13, 4) == FitMethod::Brute);
    QVERIFY(methodOf(6, 14, 4) == FitMethod::Tree);
    // What a tree measures exactly is a float32 otherwise.
    const double distance = std::sqrt(2.0);
    QCOMPARE(compat::neighborDistance(distance, FitMethod::Tree), distance);
    QCOMPARE(compat::neighborDistance(distance, FitMethod::Brute),
             static_cast<double>(compat::pairwiseDistance(distance)));
}

void CompatTest::programsAreKnownByName() {
    QVERIFY(findCompatProgram("nobody") == nullptr);
    for (const char* id : {"salvy", "prdc", "fox", "alaa", "dgm-eval"})
        QVERIFY2(findCompatProgram(id) != nullptr, id);
}

ASSAY_TEST(compat_test, CompatTest)
#include "compat_test.moc"
