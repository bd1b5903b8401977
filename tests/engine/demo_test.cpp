#include "engine/base/error.h"
#include "engine/data/embedding_set.h"
#include "engine/demo/demo.h"
#include "engine/demo/drawing.h"
#include "engine/demo/recipe.h"
#include "tests/engine/support/naive_audit.h"
#include "tests/support/test_entry.h"

#include <QtTest>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <span>
#include <string>

using namespace assay;
using namespace assay::demo;

namespace {

/// FNV-1a, 64 bits.
quint64 hashOf(std::span<const std::byte> bytes) {
    quint64 hash = 0xCBF29CE484222325ULL;
    for (const std::byte byte : bytes)
        hash = (hash ^ static_cast<quint64>(byte)) * 0x100000001B3ULL;
    return hash;
}

quint64 pixelHash(const EmbeddingSet& set) {
    const ImageStore& images = *set.images();
    return hashOf(std::as_bytes(std::span(images.image(0).data(), images.rows() * images.bytesPerImage())));
}

quint64 matrixHash(const EmbeddingSet& set) {
    return hashOf(std::as_bytes(std::span(set.matrix().data, set.rows() * set.dim())));
}

QString hex(quint64 value) {
    return QString::number(value, 16);
}

std::map<std::string, std::size_t> classCounts(const EmbeddingSet& set) {
    std::map<std::string, std::size_t> counts;
    for (std::size_t row = 0; row < set.rows(); ++row)
        ++counts[set.labelText(row)];
    return counts;
}

} // namespace

class DemoTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void isTheSameEverywhere_data();
    void isTheSameEverywhere();
    void everySetIsComplete();
    void classesAreBalanced();
    void idsAreUnique();
    void embeddingComesFromThePixels();
    void copiesNameTheirOriginal();
    void stopsWhenAsked();
    void faithfulScoresHighest();
    void droppedModesLowerCoverageOnly();
    void copiesAreUnauthentic();
    void blurLowersFidelity();
    void noiseShareIsFound();
    void shrunkenAvoidsTheUnusual();

private:
    const EmbeddingSet& model(std::string_view name) const;
    const test::NaiveAudit& auditOf(std::string_view name);

    Demo demo_;
    std::map<std::string, test::NaiveAudit, std::less<>> audits_;
};

void DemoTest::initTestCase() {
    demo_ = makeDemo();
}

const EmbeddingSet& DemoTest::model(std::string_view name) const {
    const auto found =
        std::find_if(demo_.models.begin(), demo_.models.end(), [name](const auto& set) { return set->name() == name; });
    if (found == demo_.models.end())
        qFatal("no model %s in the demo", std::string(name).c_str());
    return **found;
}

const test::NaiveAudit& DemoTest::auditOf(std::string_view name) {
    auto found = audits_.find(name);
    if (found == audits_.end())
        found = audits_.emplace(name, test::naiveAudit(demo_.real->matrix(), model(name).matrix(), 5)).first;
    return found->second;
}

void DemoTest::isTheSameEverywhere_data() {
    QTest::addColumn<QString>("pixels");
    QTest::addColumn<QString>("matrix");
    QTest::newRow("shapes") << "9985f33c901d1a21"
                            << "5a16b1871823161";
    QTest::newRow("faithful") << "f1ac03cd29dc68a4"
                              << "7cb1598376099176";
    QTest::newRow("dropped modes") << "d3b7a85bbc4c600e"
                                   << "b10d57b6268b6a41";
    QTest::newRow("copycat") << "f762209d1b276807"
                             << "19a764997c6365d9";
    QTest::newRow("blurry") << "68c7c84a3bf623f0"
                            << "70b42f442dacb5e2";
    QTest::newRow("mixed") << "e7f288a8f368c78d"
                           << "f7eda7f1a898fba9";
    QTest::newRow("shrunken") << "83cceb3d1a15bf87"
                              << "fb6de6a72e0c20a9";
}

void DemoTest::isTheSameEverywhere() {
    QFETCH(QString, pixels);
    QFETCH(QString, matrix);
    const std::string name = QTest::currentDataTag();
    const EmbeddingSet& set = name == demo_.real->name() ? *demo_.real : model(name);
    QCOMPARE(hex(pixelHash(set)), pixels);
    QCOMPARE(hex(matrixHash(set)), matrix);
}

void DemoTest::everySetIsComplete() {
    QCOMPARE(demo_.real->rows(), kRealRows);
    QCOMPARE(demo_.models.size(), kDemoGenerators.size());
    for (std::size_t m = 0; m < kDemoGenerators.size(); ++m) {
        const EmbeddingSet& set = *demo_.models[m];
        QCOMPARE(set.name(), std::string(kDemoGenerators[m].name));
        QCOMPARE(set.rows(), kDemoGenerators[m].rows);
        QCOMPARE(set.dim(), demo_.real->dim());
        QVERIFY(set.hasLabels());
        QCOMPARE(set.images()->rows(), set.rows());
        QCOMPARE(set.images()->channels(), std::size_t{3});
        const std::span<const float> values(set.matrix().data, set.rows() * set.dim());
        QVERIFY(std::all_of(values.begin(), values.end(), [](float v) { return v >= 0.0F && v <= 2.0F; }));
    }
}

void DemoTest::classesAreBalanced() {
    const auto real = classCounts(*demo_.real);
    QCOMPARE(real.size(), kShapeCount);
    for (const ClassRecipe& recipe : kClasses)
        QCOMPARE(real.at(std::string(recipe.name)), kRealRows / kShapeCount);

    const auto dropped = classCounts(model("dropped modes"));
    QCOMPARE(dropped.size(), kShapeCount - 3);
    QVERIFY(!dropped.contains("star") && !dropped.contains("crescent") && !dropped.contains("heart"));

    const EmbeddingSet& mixed = model("mixed");
    QCOMPARE(classCounts(mixed).at("noise"), mixed.rows() * 3 / 10);
    for (std::size_t row = 0; row < mixed.rows(); ++row)
        QCOMPARE(mixed.idText(row).starts_with("noise-"), mixed.labelText(row) == "noise");
}

void DemoTest::idsAreUnique() {
    QCOMPARE(demo_.real->idText(42), std::string("real-0042"));
    for (const auto& set : demo_.models) {
        std::set<std::string> ids;
        for (std::size_t row = 0; row < set->rows(); ++row)
            ids.insert(set->idText(row));
        QCOMPARE(ids.size(), set->rows());
    }
}

void DemoTest::embeddingComesFromThePixels() {
    for (const auto& set : demo_.models) {
        Picture picture{};
        const auto pixels = set->images()->image(7);
        std::copy(pixels.begin(), pixels.end(), picture.begin());
        const auto expected = embedPicture(picture);
        QVERIFY(std::equal(expected.begin(), expected.end(), set->matrix().rowData(7)));
    }
    Picture grey{};
    grey.fill(51);
    const auto flat = embedPicture(grey);
    for (std::size_t i = 0; i < flat.size(); ++i)
        QCOMPARE(flat[i], i % 4 == 3 ? 0.0F : 0.2F);
}

void DemoTest::copiesNameTheirOriginal() {
    const EmbeddingSet& copies = model("copycat");
    for (std::size_t row = 0; row < copies.rows(); ++row) {
        const std::string id = copies.idText(row);
        const std::size_t original = std::stoul(id.substr(id.rfind('-') + 1));
        QCOMPARE(copies.labelText(row), demo_.real->labelText(original));
        const auto pixels = copies.images()->image(row);
        const auto originalPixels = demo_.real->images()->image(original);
        for (std::size_t i = 0; i < pixels.size(); ++i)
            QVERIFY(std::abs(pixels[i] - originalPixels[i]) <= kCopyNoise);
        QCOMPARE(auditOf("copycat").columns.at("nearest_real")[row], static_cast<double>(original));
    }
}

void DemoTest::stopsWhenAsked() {
    std::stop_source source;
    source.request_stop();
    QVERIFY_EXCEPTION_THROWN(makeDemo(JobContext(source.get_token())), Cancelled);
}

void DemoTest::faithfulScoresHighest() {
    const auto& metrics = auditOf("faithful").metrics;
    QVERIFY2(metrics.at("clipped_density") >= 0.97, QByteArray::number(metrics.at("clipped_density")));
    QVERIFY2(metrics.at("clipped_coverage") >= 0.97, QByteArray::number(metrics.at("clipped_coverage")));
    QVERIFY2(std::abs(metrics.at("pce")) < 0.5, QByteArray::number(metrics.at("pce")));
    QVERIFY2(metrics.at("authenticity") > 0.45, QByteArray::number(metrics.at("authenticity")));
}

void DemoTest::droppedModesLowerCoverageOnly() {
    const auto& metrics = auditOf("dropped modes").metrics;
    QVERIFY2(metrics.at("clipped_density") >= 0.97, QByteArray::number(metrics.at("clipped_density")));
    // 3 of 8 classes are missing.
    QVERIFY2(std::abs(metrics.at("clipped_coverage") - 0.625) < 0.05,
             QByteArray::number(metrics.at("clipped_coverage")));
    const auto& coverage = auditOf("dropped modes").columns.at("coverage");
    double missing = 0.0;
    for (std::size_t row = 0; row < coverage.size(); ++row) {
        const std::string label = demo_.real->labelText(row);
        missing += label == "star" || label == "crescent" || label == "heart" ? coverage[row] : 0.0;
    }
    QVERIFY2(missing < 5.0, QByteArray::number(missing));
}

void DemoTest::copiesAreUnauthentic() {
    const auto& metrics = auditOf("copycat").metrics;
    QVERIFY2(metrics.at("authenticity") < 0.02, QByteArray::number(metrics.at("authenticity")));
    QVERIFY2(metrics.at("clipped_density") >= 0.97, QByteArray::number(metrics.at("clipped_density")));
    QVERIFY2(metrics.at("clipped_coverage") >= 0.97, QByteArray::number(metrics.at("clipped_coverage")));
}

void DemoTest::blurLowersFidelity() {
    const auto& metrics = auditOf("blurry").metrics;
    QVERIFY2(metrics.at("clipped_density") < 0.5, QByteArray::number(metrics.at("clipped_density")));
    QVERIFY2(metrics.at("pce") > 5.0, QByteArray::number(metrics.at("pce")));
}

void DemoTest::noiseShareIsFound() {
    const auto& audit = auditOf("mixed");
    QVERIFY2(std::abs(audit.metrics.at("clipped_density") - 0.7) < 0.02,
             QByteArray::number(audit.metrics.at("clipped_density")));
    QVERIFY2(std::abs(audit.metrics.at("clipped_coverage") - 0.7) < 0.05,
             QByteArray::number(audit.metrics.at("clipped_coverage")));
    const EmbeddingSet& mixed = model("mixed");
    double leastNoise = HUGE_VAL;
    double mostGood = -HUGE_VAL;
    for (std::size_t row = 0; row < mixed.rows(); ++row) {
        const double pce = audit.columns.at("pce")[row];
        if (mixed.labelText(row) == "noise") {
            QCOMPARE(audit.columns.at("fidelity")[row], 0.0);
            leastNoise = std::min(leastNoise, pce);
        } else {
            mostGood = std::max(mostGood, pce);
        }
    }
    // Every noise picture ranks above every good one.
    QVERIFY2(leastNoise > mostGood,
             qPrintable(QString("least of the noise %1, most of the good %2").arg(leastNoise).arg(mostGood)));
}

void DemoTest::shrunkenAvoidsTheUnusual() {
    const auto& metrics = auditOf("shrunken").metrics;
    QVERIFY2(metrics.at("clipped_density_unclipped") > 1.4,
             QByteArray::number(metrics.at("clipped_density_unclipped")));
    QVERIFY2(metrics.at("clipped_coverage") < 0.75, QByteArray::number(metrics.at("clipped_coverage")));
    QVERIFY2(metrics.at("pce") < -5.0, QByteArray::number(metrics.at("pce")));
}

ASSAY_TEST(demo_test, DemoTest)
#include "demo_test.moc"
