#include "engine/report/scores/explain.h"
#include "tests/support/test_entry.h"
#include "tests/widgets/support/fake_audit.h"
#include "tests/widgets/support/screenshot.h"
#include "widgets/common/number_format.h"
#include "widgets/inspector/inspector_view.h"
#include "widgets/inspector/neighbor_strip.h"
#include "widgets/link/sample_selection.h"

#include <QAbstractButton>
#include <QApplication>
#include <QLabel>
#include <QLineEdit>
#include <QScrollArea>
#include <QSignalSpy>
#include <QToolButton>
#include <QtTest>

using namespace assay;

namespace {

struct InspectorWindow {
    SampleSelection selection;
    InspectorView view{&selection, nullptr};
    std::shared_ptr<const AuditResult> audit;

    explicit InspectorWindow(std::shared_ptr<const AuditResult> shown, std::size_t model = 0)
        : audit(std::move(shown)) {
        view.resize(320, 820);
        view.showState({audit, model, nullptr});
        view.show();
        QVERIFY(QTest::qWaitForWindowExposed(&view));
    }
    QString label(const char* name) const { return view.findChild<QLabel*>(name)->text(); }
    QAbstractButton* button(const QString& name) const { return view.findChild<QAbstractButton*>(name); }
};

} // namespace

class InspectorViewTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates)); }
    void explainsASyntheticSample();
    void explainsARealSample();
    void clickOnANeighborInspectsIt();
    void walksBackAndForth();
    void historyEndsWithItsSets();
    void hoverOnANeighborPreviewsIt();
    void teachesWhenEmpty();
    void tellsDecisionsAndNames();
    void aNoteIsReadAndWritten();
    void aLongNameHidesNothing();
    void emitsNothingOnTheSameState();
};

void InspectorViewTest::explainsASyntheticSample() {
    InspectorWindow window(test::fakeAudit(), 2);
    const SampleId sample{syntheticSet(2), 79}; // noise
    window.selection.select(sample);
    const ModelAudit& model = *window.audit->models[2];
    QCOMPARE(window.label("inspectorName"), QString("noise30-0079"));
    QVERIFY(window.label("inspectorOrigin").contains("synthetic set noise30"));
    QCOMPARE(window.label("inspectorReason"), QString::fromStdString(explainSample(*window.audit, 2, sample)));
    QCOMPARE(window.label("score_fidelity"), formatNumber(model.column("fidelity")[79]));
    QCOMPARE(window.label("score_pce"), formatWithUnit(model.column("pce")[79], Unit::Nats));
    QVERIFY(window.label("score_nearest_real").startsWith("real-"));
    QVERIFY(!window.view.findChild<QLabel*>("score_coverage"));
    QVERIFY(window.view.findChild<QLabel*>("score_pce")->toolTip().contains("unrealistic"));
    QVERIFY(window.button("nearestRealTile0") && window.button("nearestSyntheticTile7"));
    test::shoot(window.view, "inspector-noise");
}

void InspectorViewTest::explainsARealSample() {
    InspectorWindow window(test::fakeAudit(), 1);
    window.selection.select({SetId::Real, 4});
    QCOMPARE(window.label("inspectorName"), QString("real-0004"));
    QVERIFY(window.label("inspectorOrigin").contains("real set"));
    QVERIFY(window.view.findChild<QLabel*>("score_coverage"));
    QVERIFY(!window.view.findChild<QLabel*>("score_fidelity"));
    const QString before = window.label("inspectorReason");
    window.view.showState({window.audit, 2, nullptr}); // another model covers it differently
    QVERIFY(window.label("inspectorReason") != before ||
            explainSample(*window.audit, 1, {SetId::Real, 4}) == explainSample(*window.audit, 2, {SetId::Real, 4}));
    test::shoot(window.view, "inspector-real");
}

void InspectorViewTest::clickOnANeighborInspectsIt() {
    InspectorWindow window(test::fakeAudit(), 1);
    window.selection.select({syntheticSet(1), 3});
    const SampleId expected{SetId::Real, window.audit->models[1]->tables->syntheticToReal.indexAt(3, 0)};
    QTest::mouseClick(window.button("nearestRealTile0"), Qt::LeftButton);
    QCOMPARE(window.selection.focus(), std::optional(expected));
    QVERIFY(window.label("inspectorOrigin").contains("real set"));
    QTRY_VERIFY(window.button("nearestSyntheticTile1"));
    const SampleId next{syntheticSet(1), window.audit->models[1]->tables->realToSynthetic.indexAt(expected.row, 1)};
    window.button("nearestSyntheticTile1")->setFocus();
    QTest::keyClick(window.button("nearestSyntheticTile1"), Qt::Key_Space);
    QCOMPARE(window.selection.focus(), std::optional(next));
    test::shoot(window.view, "inspector-copy");
}

void InspectorViewTest::walksBackAndForth() {
    InspectorWindow window(test::fakeAudit());
    const SampleId a{syntheticSet(0), 1};
    const SampleId b{syntheticSet(0), 2};
    const SampleId c{SetId::Real, 3};
    QVERIFY(!window.button("inspectorBack")->isEnabled());
    for (SampleId id : {a, b, c})
        window.selection.select(id);
    QTest::mouseClick(window.button("inspectorBack"), Qt::LeftButton);
    QCOMPARE(window.selection.focus(), std::optional(b));
    QApplication::setActiveWindow(&window.view); // there may be no window manager to do it
    QTest::keyClick(&window.view, Qt::Key_Left, Qt::AltModifier);
    QCOMPARE(window.selection.focus(), std::optional(a));
    QTest::keyClick(&window.view, Qt::Key_Left, Qt::AltModifier);
    QCOMPARE(window.selection.focus(), std::optional(a));
    QTest::keyClick(&window.view, Qt::Key_Right, Qt::AltModifier);
    QTest::mouseClick(window.button("inspectorForward"), Qt::LeftButton);
    QCOMPARE(window.selection.focus(), std::optional(c));
    QVERIFY(!window.button("inspectorForward")->isEnabled());
    window.view.goBack();
    window.selection.select(a); // a new branch drops what lay ahead
    QVERIFY(!window.button("inspectorForward")->isEnabled());
    window.view.goBack();
    QCOMPARE(window.selection.focus(), std::optional(b));
    window.selection.clear();
    window.view.goBack(); // from nothing back to what was there
    QCOMPARE(window.selection.focus(), std::optional(b));
}

void InspectorViewTest::historyEndsWithItsSets() {
    InspectorWindow window(test::fakeAudit());
    window.selection.select({syntheticSet(0), 1});
    window.selection.select({syntheticSet(0), 2});
    auto grown = std::make_shared<AuditResult>(*window.audit);
    grown->models.push_back(grown->models[0]);
    window.view.showState({grown, 0, nullptr});
    QVERIFY2(window.button("inspectorBack")->isEnabled(), "a model more leaves the samples as they are");
    window.view.showState({test::fakeAudit({.seed = 99}), 0, nullptr});
    QVERIFY(!window.button("inspectorBack")->isEnabled());
    window.view.showState({test::fakeAudit({.synthetic = 10, .models = 1}), 0, nullptr});
    window.selection.select({syntheticSet(2), 70}); // gone
    QCOMPARE(window.label("inspectorName"), QString("faithful-0002"));
}

void InspectorViewTest::hoverOnANeighborPreviewsIt() {
    InspectorWindow window(test::fakeAudit());
    window.selection.select({syntheticSet(0), 1});
    QWidget* tile = window.button("nearestRealTile2");
    QTest::mouseMove(&window.view, QPoint(2, 2));
    QTest::mouseMove(tile, tile->rect().center());
    const SampleId expected{SetId::Real, window.audit->models[0]->tables->syntheticToReal.indexAt(1, 2)};
    QTRY_COMPARE(window.selection.hovered(), std::optional(expected));
}

void InspectorViewTest::teachesWhenEmpty() {
    InspectorWindow window(nullptr);
    auto* hint = window.view.findChild<QLabel*>("inspectorHint");
    QVERIFY(hint->isVisible() && hint->text().contains("Open"));
    window.view.showState({test::fakeAudit({.pictures = false}), 0, nullptr});
    QVERIFY(hint->isVisible() && hint->text().contains("Click"));
    window.selection.select({syntheticSet(0), 1});
    QVERIFY(!hint->isVisible());
    test::shoot(window.view, "inspector-nopictures");
}

void InspectorViewTest::tellsDecisionsAndNames() {
    InspectorWindow window(test::fakeAudit(), 2);
    const SampleId sample{syntheticSet(2), 79};
    window.selection.select(sample);
    ViewState state = window.view.state();
    QVERIFY(window.label("inspectorOrigin").endsWith("synthetic set noise30"));
    state.accepted = std::make_shared<SampleSet>(SampleSet{sample});
    window.view.showState(state);
    QVERIFY(window.label("inspectorOrigin").endsWith("noise30, kept by hand"));
    state.accepted.reset();
    state.unsure = std::make_shared<SampleSet>(SampleSet{sample});
    state.kept = std::make_shared<std::vector<bool>>(window.audit->models[2]->set->rows(), false);
    window.view.showState(state);
    QVERIFY(window.label("inspectorOrigin").endsWith("noise30, unsure, rejected by the rules"));
    auto tags = std::make_shared<SampleTags>();
    tags->give(2, {sample});
    tags->give(3, {sample});
    state.tags = tags;
    state.tagNames = std::make_shared<TagNames>(TagNames{"", "blurred"});
    window.view.showState(state);
    QVERIFY(window.label("inspectorOrigin").endsWith("; tags: blurred 3"));
}

void InspectorViewTest::aNoteIsReadAndWritten() {
    InspectorWindow window(test::fakeAudit(), 2);
    const SampleId first{syntheticSet(2), 79};
    const SampleId second{SetId::Real, 3};
    ViewState state = window.view.state();
    state.notes = std::make_shared<SampleNotes>(SampleNotes{{first, "<b>odd</b>"}});
    window.view.showState(state);
    auto* note = window.view.findChild<QLineEdit*>("inspectorNote");
    QSignalSpy written(&window.view, &InspectorView::noteWritten);
    window.view.editNote(); // of nothing
    QVERIFY(!note->hasFocus());
    window.selection.select(first);
    QCOMPARE(note->text(), QString("<b>odd</b>"));
    QVERIFY(note->toolTip().contains("&lt;b&gt;odd"));
    window.view.activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(&window.view));
    window.view.editNote();
    QVERIFY(note->hasFocus());
    QTest::keyClicks(note, "!");
    window.view.showState(state); // something else has changed
    QCOMPARE(note->text(), QString("<b>odd</b>!"));
    QTest::keyClick(note, Qt::Key_Return);
    QCOMPARE(written.size(), 1);
    QCOMPARE(written[0][0].value<SampleId>(), first);
    QCOMPARE(written[0][1].toString(), QString("<b>odd</b>!"));
    QVERIFY(!note->hasFocus());
    window.view.editNote();
    QTest::keyClicks(note, "?");
    QTest::keyClick(note, Qt::Key_Escape);
    QCOMPARE(written.size(), 1);
    window.view.editNote();
    QTest::keyClick(note, Qt::Key_Return); // as it was
    QCOMPARE(written.size(), 1);
    window.view.editNote();
    QTest::keyClicks(note, "x");
    window.selection.select(second); // what was typed is about the first one
    QCOMPARE(written.size(), 2);
    QCOMPARE(written[1][0].value<SampleId>(), first);
    QCOMPARE(note->text(), QString());
    window.selection.clear();
    QCOMPARE(written.size(), 2);
}

void InspectorViewTest::aLongNameHidesNothing() {
    auto audit = std::make_shared<AuditResult>(*test::fakeAudit());
    auto model = std::make_shared<ModelAudit>(*audit->models[2]);
    model->name = std::string(110, 'W');
    audit->models[2] = model;
    InspectorWindow window(audit, 2);
    window.selection.select({syntheticSet(2), 79});
    window.view.resize(210, 820);
    QTest::qWait(0);
    const auto* area = window.view.findChild<QScrollArea*>();
    QCOMPARE(area->widget()->width(), area->viewport()->width());
    const auto* origin = window.view.findChild<QLabel*>("inspectorOrigin");
    QVERIFY(origin->height() > 5 * origin->fontMetrics().height()); // all of the name
    test::shoot(window.view, "inspector-long-name");
}

void InspectorViewTest::emitsNothingOnTheSameState() {
    InspectorWindow window(test::fakeAudit());
    window.selection.select({syntheticSet(0), 1});
    const QSignalSpy changed(&window.selection, &SampleSelection::changed);
    window.view.showState({window.audit, 0, nullptr});
    window.view.showState({window.audit, 1, nullptr});
    QCOMPARE(changed.count(), 0);
}

ASSAY_TEST(inspector_view_test, InspectorViewTest)
#include "inspector_view_test.moc"
