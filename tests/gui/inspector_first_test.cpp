// What one click shows in the inspector of the whole window at 1440 x 900, without scrolling: for pictures, for vectors
// without pictures and for a table, on synthetic and on real samples, and on the demo.
#include "engine/base/random.h"
#include "tests/gui/support/demo_window.h"
#include "tests/gui/support/small_demo.h"
#include "tests/support/test_entry.h"
#include "widgets/ranking/ranking_model.h"
#include "widgets/sample/sample_panel.h"
#include "widgets/sample/sample_picture.h"

#include <QtWidgets>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

using namespace assay;

namespace {

constexpr std::size_t kRows = 200;
constexpr std::size_t kFewestNeighbors = 5;

enum class Kind { Pictures, Vectors, Table };

/// Drawn pictures of the demo's classes, or rows of bell-shaped values in units that differ.
EmbeddingParts drawSet(Kind kind, const std::string& name, std::uint64_t seed) {
    if (kind == Kind::Pictures)
        return test::drawnPictures(name, seed);
    const std::size_t dim = kind == Kind::Table ? 12 : 24;
    std::vector<float> values;
    for (std::size_t row = 0; row < kRows; ++row) {
        Random random = Random::forItem(seed, row);
        for (std::size_t c = 0; c < dim; ++c)
            values.push_back(static_cast<float>(random.bell() * (kind == Kind::Table && c == 3 ? 2.0 : 1.0)));
    }
    EmbeddingParts parts = EmbeddingParts::of(std::move(values), dim, name);
    if (kind == Kind::Table) {
        parts.fileFacts.isTable = true;
        for (std::size_t c = 0; c < dim; ++c)
            parts.source.columnNames.push_back("measurement " + std::to_string(c + 1));
    }
    return parts;
}

/// The real engine on a real set and two models: a faithful one, and one of the real samples with a trace of noise.
EngineCalls callsFor(Kind kind) {
    EngineCalls calls = engineCalls();
    calls.makeDemo = [kind](const JobContext&) {
        EmbeddingParts real = drawSet(kind, "real", 1);
        EmbeddingParts copies = drawSet(kind, "copycat", 1);
        std::vector<float> values(copies.values.data(), copies.values.data() + copies.values.size());
        Random random = Random::forItem(5, 0);
        for (float& value : values)
            value += static_cast<float>(1e-3 * random.bell());
        copies.values = FloatStorage(std::move(values));
        const auto made = [](EmbeddingParts parts) { return std::make_shared<const EmbeddingSet>(std::move(parts)); };
        return Demo{made(std::move(real)), {made(drawSet(kind, "faithful", 2)), made(std::move(copies))}};
    };
    return calls;
}

} // namespace

class InspectorFirstTest : public QObject, protected test::DemoTest {
    Q_OBJECT

private slots:
    void cleanup() {
        QSettings(QStringLiteral("Assay"), QStringLiteral("Assay")).clear();
        closeWindow();
    }

    void oneClickShowsWhy_data();
    void oneClickShowsWhy();
    void oneClickShowsWhyInTheDemo();
    void unfoldedScoresAreRemembered();

private:
    void open(const EngineCalls& calls, std::size_t model);
    /// Clicks the first tile of the gallery that shows this side. @return the sample
    SampleId clickFirstTile(Side side, const std::string& column);
    template <class T>
    T* part(const QString& name) const {
        return window_->findChild<SamplePanel*>()->findChild<T*>(name);
    }
    /// Whether a part of the inspector is whole in sight, without scrolling; else what is wrong.
    QString hidden(const QString& name) const;
    void checkNeighbors();
    void checkPictures(SampleId sample);
    void checkFeatures();

    QTemporaryDir home_; ///< of the settings: a test may start the program twice
};

void InspectorFirstTest::open(const EngineCalls& calls, std::size_t model) {
    QVERIFY(makeWindow(calls, home_.path()));
    session_->openDemo();
    QVERIFY(waitOpen());
    session_->editor()->setModel(model);
    QVERIFY(test::waitIdle(*session_));
    QCOMPARE(window_->size(), QSize(1440, 900));
}

SampleId InspectorFirstTest::clickFirstTile(Side side, const std::string& column) {
    window_->findChild<RankingModel*>()->setOrder({column, Qt::AscendingOrder, side});
    test::settle();
    QTest::mouseClick(gallery()->viewport(), Qt::LeftButton, {}, gallery()->cellRect(0).center());
    test::settle();
    return selection_->focus().value_or(SampleId{});
}

QString InspectorFirstTest::hidden(const QString& name) const {
    const auto* widget = part<QWidget>(name);
    if (widget == nullptr || !widget->isVisible())
        return name + QStringLiteral(" is not shown");
    const auto* area = window_->findChild<SamplePanel*>()->findChild<QScrollArea*>();
    if (area->isAncestorOf(widget)) {
        const QRect place(widget->mapTo(area->viewport(), QPoint()), widget->size());
        if (!area->viewport()->rect().contains(place))
            return QStringLiteral("%1 ends at %2 of %3 pixels")
                .arg(name)
                .arg(place.bottom())
                .arg(area->viewport()->height());
    }
    const QWidget* onTop = window_->childAt(widget->mapTo(window_, widget->rect().center()));
    return onTop == widget || widget->isAncestorOf(onTop) ? QString() : name + QStringLiteral(" is covered");
}

void InspectorFirstTest::checkNeighbors() {
    for (const char* part : {"inspectorName", "inspectorVerdict", "inspectorReason"})
        QVERIFY2(hidden(part).isEmpty(), qPrintable(hidden(part)));
    for (const char* name : {"nearestReal", "nearestSynthetic"}) {
        QVERIFY2(hidden(QLatin1String(name)).isEmpty(), qPrintable(hidden(QLatin1String(name))));
        const auto* grid = part<SampleGrid>(QLatin1String(name));
        for (std::size_t i = 0; i < kFewestNeighbors; ++i)
            QVERIFY(grid->viewport()->rect().contains(grid->cellRect(i)));
    }
}

void InspectorFirstTest::checkPictures(SampleId sample) {
    const bool copy = part<QLabel>(QStringLiteral("inspectorVerdict"))->text() == QStringLiteral("COPY");
    QList<SamplePicture*> shown;
    for (const char* name : {"inspectorPicture", "inspectorNearest", "inspectorOther"}) {
        if (!copy && QLatin1String(name) == QLatin1String("inspectorOther")) {
            QVERIFY(part<QWidget>(name)->isHidden());
            continue;
        }
        QVERIFY2(hidden(name).isEmpty(), qPrintable(hidden(name)));
        shown << part<SamplePicture>(name);
        QVERIFY2(shown.last()->picture().width() >= 90, "a picture that can be looked at");
        QCOMPARE(shown.last()->picture().size(), shown.first()->picture().size());
    }
    QCOMPARE(shown[0]->sample(), std::optional(sample));
    QVERIFY(isReal(shown[1]->sample()->set) != isReal(sample.set));
    QVERIFY(part<QWidget>(QStringLiteral("inspectorFeatures"))->isHidden() ||
            !part<QWidget>(QStringLiteral("inspectorFeatures"))->isVisible());
}

void InspectorFirstTest::checkFeatures() {
    const QString name = QStringLiteral("inspectorFeatures");
    QVERIFY2(hidden(name).isEmpty(), qPrintable(hidden(name)));
    const auto* table = part<QTableView>(name);
    QCOMPARE(table->model()->rowCount(), 8);
    QVERIFY(table->viewport()->rect().contains(table->visualRect(table->model()->index(7, 0))));
}

void InspectorFirstTest::oneClickShowsWhy_data() {
    QTest::addColumn<Kind>("kind");
    QTest::newRow("pictures") << Kind::Pictures;
    QTest::newRow("vectors without pictures") << Kind::Vectors;
    QTest::newRow("table") << Kind::Table;
}

void InspectorFirstTest::oneClickShowsWhy() {
    QFETCH(Kind, kind);
    open(callsFor(kind), 1);
    for (const Side side : {Side::Synthetic, Side::Real}) {
        const bool real = side == Side::Real;
        const SampleId sample = clickFirstTile(side, real ? "coverage" : "copy_ratio");
        QCOMPARE(isReal(sample.set), real);
        QCOMPARE(part<QLabel>(QStringLiteral("inspectorVerdict"))->text(),
                 real ? QStringLiteral("COVERED") : QStringLiteral("COPY"));
        test::shoot(*window_, QStringLiteral("inspector-first-%1-%2").arg(static_cast<int>(kind)).arg(real));
        checkNeighbors();
        if (kind == Kind::Pictures)
            checkPictures(sample);
        else
            checkFeatures();
    }
}

void InspectorFirstTest::oneClickShowsWhyInTheDemo() {
    EngineCalls calls = engineCalls();
    open(calls, 0);
    const auto& models = state().audit->models;
    for (std::size_t model = 0; model < models.size(); ++model) {
        session_->editor()->setModel(model);
        QVERIFY(test::waitIdle(*session_));
        const SampleId synthetic = clickFirstTile(Side::Synthetic, "p_any");
        QVERIFY(!isReal(synthetic.set));
        checkNeighbors();
        checkPictures(synthetic);
        const SampleId real = clickFirstTile(Side::Real, "p_uncovered");
        QVERIFY(isReal(real.set));
        checkNeighbors();
        checkPictures(real);
        if (models[model]->name == "copycat")
            test::shoot(*window_, "inspector-first-demo");
    }
}

void InspectorFirstTest::unfoldedScoresAreRemembered() {
    open(callsFor(Kind::Vectors), 1);
    clickFirstTile(Side::Synthetic, "copy_ratio");
    QCOMPARE(part<QTableView>(QStringLiteral("inspectorScores"))->model()->rowCount(), 0);
    QTest::mouseClick(part<QToolButton>(QStringLiteral("inspectorScoresToggle")), Qt::LeftButton);
    QVERIFY(part<QTableView>(QStringLiteral("inspectorScores"))->model()->rowCount() > 0);
    open(callsFor(Kind::Vectors), 1); // the program is started again
    clickFirstTile(Side::Synthetic, "copy_ratio");
    QVERIFY(part<QTableView>(QStringLiteral("inspectorScores"))->model()->rowCount() > 0);
}

ASSAY_TEST(inspector_first_test, InspectorFirstTest)
#include "inspector_first_test.moc"
