// Whether training samples are given away, and which: each beside its nearest synthetic sample.
#include "engine/audit/findings/findings.h"
#include "tests/support/test_entry.h"
#include "tests/widgets/support/shown_view.h"
#include "tests/widgets/support/useful_audit.h"
#include "widgets/charts/interval_chart.h"
#include "widgets/grid/pair_cells.h"
#include "widgets/link/useful_of_kept.h"
#include "widgets/private/private_panel.h"

#include <QtWidgets>

#include <cmath>

using namespace assay;

namespace {

constexpr std::size_t kHonest = 0;
constexpr std::size_t kCopies = 1;

/// The panel with someone who ranks the real samples when it asks.
struct PrivateWindow : test::ShownView<PrivatePanel> {
    SampleGrid* gallery = view.findChild<SampleGrid*>("privateGallery");

    explicit PrivateWindow(const ViewState& state, QSize size = {780, 420}) : ShownView(ViewState(), size) {
        view.showState(state);
        QCoreApplication::processEvents();
    }
    const IntervalChart& chart(const char* name) const { return *view.findChild<IntervalChart*>(name); }
    void click(GridPlace place, Qt::KeyboardModifiers modifiers = {}) const {
        QTest::mouseClick(gallery->viewport(), Qt::LeftButton, modifiers, gallery->pictureRect(place).center());
    }
};

ViewState withoutModelScores(bool complete) {
    const auto audit = test::withModel(test::usefulAudit(), 0, [&](ModelAudit& model) {
        std::erase_if(model.metrics, [](const MetricValue& value) { return value.id == "membership_auc"; });
        model.complete = complete;
    });
    return {audit, 0, nullptr};
}

} // namespace

class PrivatePanelTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates)); }
    void saysWhatWouldBeHere();
    void copiesLeak();
    void exposedSamplesStandBesideTheirCopies();
    void anHonestModelDoesNotLeak();
    void selectsAndInspects();
    void distancesStandBesideHeldOutOnes();
    void keptStandsBesideRandom();
    void showsWhatTheFilterLeaves();
    void tellsItsNumbers();
    void staysInside_data();
    void staysInside();
};

void PrivatePanelTest::saysWhatWouldBeHere() {
    PrivateWindow window{ViewState()};
    QVERIFY(window.hint->isVisible() && window.text("panelMessage").contains("Open a real"));
    auto* open = window.view.findChild<QPushButton*>("panelMessageButton");
    QVERIFY(!open->isVisible());
    window.view.showState({test::usefulAudit({.heldOut = false}), 0, nullptr});
    QVERIFY2(window.hint->isVisible() && window.text("panelMessage").contains("needs a held-out set"),
             qPrintable(window.text("panelMessage")));
    QVERIFY(!PrivatePanel::whyNothing(window.view.state()).isEmpty()); // of its tab
    test::shoot(window.view, QStringLiteral("private-hint"));
    QTest::mouseClick(open, Qt::LeftButton);
    QCOMPARE(window.host.count(PanelCommand::OpenSets), 1);
    window.view.showState(withoutModelScores(true));
    QVERIFY2(window.text("panelMessage").contains("a quick audit leaves it out"),
             qPrintable(window.text("panelMessage")));
    QVERIFY(!open->isVisible());
    window.view.showState(withoutModelScores(false));
    QVERIFY(window.text("panelMessage").contains("Measuring"));
    QVERIFY(window.host.requests.empty() && !window.view.figure());
}

void PrivatePanelTest::copiesLeak() {
    const auto audit = test::usefulAudit();
    PrivateWindow window({audit, kCopies, nullptr});
    QCOMPARE(window.text("privateSentence"), QString::fromStdString(privateSentence(*audit, *audit->models[kCopies])));
    QVERIFY(window.text("privateSentence").startsWith("Leaks: "));
    const IntervalRow& auc = window.chart("privateAuc").rows()[0];
    QCOMPARE(auc.value, audit->models[kCopies]->metric("membership_auc"));
    QVERIFY(auc.low > 0.5 && window.chart("privateAuc").xOf(0.5) < window.chart("privateAuc").xOf(auc.low));
    const double found = audit->models[kCopies]->metric("membership_tpr_1");
    QVERIFY(found > 0.3);
    QCOMPARE(static_cast<double>(window.view.exposed().remarkable()), std::round(240.0 * found));
    QVERIFY2(window.text("privateSummary")
                 .startsWith(QString::number(window.view.exposed().remarkable()) + " of 240 real samples"),
             qPrintable(window.text("privateSummary")));
    QVERIFY(window.text("privateSummary").contains("guessing finds 2"));
    test::shoot(window.view, "private");
}

void PrivatePanelTest::exposedSamplesStandBesideTheirCopies() {
    const auto audit = test::usefulAudit();
    PrivateWindow window({audit, kCopies, nullptr});
    const ListedPairs& pairs = window.view.exposed();
    const std::vector<double>& rank = audit->models[kCopies]->column("membership_rank");
    QCOMPARE(pairs.size(), std::size_t{240});
    for (std::size_t at = 0; at < 100; ++at) {
        const SampleId real = pairs.sampleAt({at, PairSide::Left});
        const SampleId copy = pairs.sampleAt({at, PairSide::Right});
        QCOMPARE(real.set, SetId::Real);
        QCOMPARE(copy, (SampleId{syntheticSet(kCopies), real.row})); // the copies' rows are their originals'
        QVERIFY(at == 0 || rank[real.row] <= rank[pairs.sampleAt({at - 1, PairSide::Left}).row]);
    }
    QVERIFY(window.gallery->lastPainted() > 0);
}

void PrivatePanelTest::anHonestModelDoesNotLeak() {
    const auto audit = test::usefulAudit();
    PrivateWindow window({audit, kHonest, nullptr});
    QVERIFY2(window.text("privateSentence").startsWith("No leak found"), qPrintable(window.text("privateSentence")));
    const IntervalRow& auc = window.chart("privateAuc").rows()[0];
    QVERIFY(auc.low < 0.5 && auc.high > 0.5); // with this confidence
    QVERIFY(auc.toolTip.contains("95 % interval"));
    QVERIFY(window.view.exposed().remarkable() < 12);
}

void PrivatePanelTest::selectsAndInspects() {
    PrivateWindow window({test::usefulAudit(), kCopies, nullptr});
    const ListedPairs& pairs = window.view.exposed();
    QTest::mouseClick(window.view.findChild<QPushButton*>("privateSelect"), Qt::LeftButton);
    QCOMPARE(window.selection.samples(), pairs.remarkableSamples(PairSide::Left));
    QCOMPARE(window.selection.samples().size(), pairs.remarkable());
    window.click({0, 0});
    QCOMPARE(window.selection.focus(), std::optional(pairs.sampleAt({0, PairSide::Left})));
    QTest::keyClick(window.gallery, Qt::Key_Right);
    QCOMPARE(window.selection.samples(), (SampleSet{pairs.sampleAt({0, PairSide::Right})}));
    window.click({0, 0}, Qt::ShiftModifier);
    QCOMPARE(window.selection.samples().size(), std::size_t{2});
    const auto& inspected = window.host.inspected;
    QTest::mouseDClick(window.gallery->viewport(), Qt::LeftButton, {}, window.gallery->pictureRect({0, 1}).center());
    QTest::keyClick(window.gallery, Qt::Key_Return);
    QCOMPARE(inspected.size(), std::size_t{2});
    QCOMPARE(inspected[0], pairs.sampleAt({0, PairSide::Right}));
}

void PrivatePanelTest::distancesStandBesideHeldOutOnes() {
    const auto audit = test::usefulAudit();
    PrivateWindow window({audit, kCopies, nullptr});
    const std::vector<IntervalRow>& rows = window.chart("privateClosest").rows();
    QCOMPARE(rows[0].low, audit->models[kCopies]->metric("dcr_5"));
    QCOMPARE(rows[1].value, audit->models[kCopies]->metric("dcr_median_held_out"));
    QVERIFY(rows[0].low < rows[1].low);
    QCOMPARE(window.chart("privateRatio").rows()[1].low, audit->models[kCopies]->metric("nndr_5_held_out"));
}

void PrivatePanelTest::keptStandsBesideRandom() {
    const auto audit = test::usefulAudit();
    PrivateWindow window({audit, kCopies, nullptr});
    auto kept = std::make_shared<std::vector<bool>>(240, false);
    std::fill(kept->begin() + 120, kept->end(), true); // without the copies
    ViewState state{audit, kCopies, kept};
    window.view.showState(state);
    QCOMPARE(window.host.count(PanelCommand::ScoreUsefulness), 1);
    QVERIFY(window.text("privateKept").contains("as many at random\u2026"));
    const UsefulIfKept scores = UsefulWhatIf(audit, kCopies).evaluate(*kept);
    state.computed.usefulOfKept = std::make_shared<const UsefulOfKept>(UsefulOfKept{state.kept, scores});
    window.view.showState(state);
    const std::vector<IntervalRow>& rows = window.chart("privateAuc").rows();
    QCOMPARE(rows.size(), std::size_t{3});
    QCOMPARE(rows[1].value, *scores.kept.membershipAuc);
    QVERIFY(rows[1].value < rows[2].value); // what is kept gives less away than as many at random
    QCOMPARE(window.chart("privateFound").rows()[2].value, *scores.random.membershipTpr);
    QVERIFY(window.text("privateKept").contains("120 kept samples"));
    QCOMPARE(window.host.requests.size(), std::size_t{1}); // the list stays
}

void PrivatePanelTest::showsWhatTheFilterLeaves() {
    PrivateWindow window({test::usefulAudit(), kCopies, nullptr});
    ViewFilter filter;
    filter.className = "1";
    window.showFiltered(filter);
    QVERIFY(window.view.exposed().size() > 0 && window.view.exposed().size() <= 80);
    for (std::size_t at = 0; at < window.view.exposed().size(); ++at)
        QCOMPARE(window.view.exposed().sampleAt({at, PairSide::Left}).row % 3, std::uint32_t{1});
}

void PrivatePanelTest::tellsItsNumbers() {
    const auto audit = test::usefulAudit();
    PrivateWindow window({audit, kCopies, nullptr});
    const auto figure = window.view.figure();
    QVERIFY(figure && figure->chart);
    QStringList measures;
    for (const QStringList& row : figure->data) {
        QCOMPARE(row.size(), figure->data[0].size());
        measures << row[0];
    }
    for (const char* id : {"membership_auc", "membership_tpr_1", "dcr_5", "nndr_median"})
        QVERIFY2(measures.contains(id), id);
    QCOMPARE(figure->data[1][2].toDouble(), audit->models[kCopies]->metric("membership_auc"));
}

void PrivatePanelTest::staysInside_data() {
    QTest::addColumn<QSize>("size");
    QTest::newRow("wide") << QSize(1100, 400);
    QTest::newRow("usual") << QSize(780, 330);
    QTest::newRow("narrow") << QSize(320, 420);
}

void PrivatePanelTest::staysInside() {
    QFETCH(QSize, size);
    PrivateWindow window({test::usefulAudit(), kCopies, nullptr}, size);
    QCOMPARE(window.view.size(), size);
    QVERIFY(window.gallery->viewport()->height() >= 60);
    QVERIFY(window.gallery->viewport()->width() >= 2 * PairCells::kPicture);
    test::shoot(window.view, QStringLiteral("private-%1").arg(QTest::currentDataTag()));
}

ASSAY_TEST(private_panel_test, PrivatePanelTest)
#include "private_panel_test.moc"
