#include "engine/metrics/catalog/catalog.h"
#include "engine/metrics/verdicts/verdict.h"
#include "engine/report/glossary/glossary.h"
#include "engine/report/scores/explain.h"
#include "engine/report/scores/sample_comparison.h"
#include "tests/support/test_entry.h"
#include "tests/widgets/support/fake_audit.h"
#include "tests/widgets/support/judged_audit.h"
#include "tests/widgets/support/screenshot.h"
#include "tests/widgets/support/test_host.h"
#include "widgets/common/number_format.h"
#include "widgets/grid/sample_card.h"
#include "widgets/grid/sample_grid.h"
#include "widgets/sample/neighbor_cells.h"
#include "widgets/sample/sample_panel.h"
#include "widgets/sample/verdict_badge.h"

#include <QtWidgets>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <set>

using namespace assay;

namespace {

struct InspectorWindow {
    SampleSelection selection;
    test::TestHost host{&selection};
    SamplePanel view{host};
    std::shared_ptr<const AuditResult> audit;

    explicit InspectorWindow(std::shared_ptr<const AuditResult> shown, std::size_t model = 0)
        : audit(std::move(shown)) {
        view.resize(320, 820);
        view.showState({audit, model, nullptr});
        view.show();
        QVERIFY(QTest::qWaitForWindowExposed(&view));
    }
    void openScores() const { view.findChild<QAbstractButton*>("inspectorScoresToggle")->click(); }
    /// Value of a score in the list of all scores, and its tooltip; nothing while it is not listed.
    QString score(const char* id, int role = Qt::DisplayRole) const {
        const QAbstractItemModel* scores = view.findChild<QTableView*>("inspectorScores")->model();
        for (int row = 0; row < scores->rowCount(); ++row)
            if (scores->index(row, 0).data().toString() == catalogText(findColumn(id)->title))
                return scores->index(row, 1).data(role).toString();
        return {};
    }
    QString label(const char* name) const { return view.findChild<QLabel*>(name)->text(); }
    SampleGrid* grid(const char* name) const { return view.findChild<SampleGrid*>(name); }
    QAbstractButton* button(const QString& name) const { return view.findChild<QAbstractButton*>(name); }
};

} // namespace

class SamplePanelTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates)); }
    void explainsASyntheticSample();
    void explainsARealSample();
    void everyVerdictIsDefined();
    void neighborsExplainRingAndDot();
    void showsTheTriangleOfACopy();
    void comparesRowsOfATable();
    void countsSamplesInTheBallOfARealSample();
    void rememberedScoresAreUnfolded();
    void everyPartIsReachedByKeysAndNamed();
    void keepsNothingOfAnAuditThatIsGone();
    void clickOnANeighborInspectsIt();
    void walksBackAndForth();
    void historyEndsWithItsSets();
    void hoverOnANeighborPreviewsIt();
    void teachesWhenEmpty();
    void beginsWithAnExample();
    void tellsDecisionsAndNames();
    void aNoteIsReadAndWritten();
    void aLongNameHidesNothing();
    void emitsNothingOnTheSameState();
};

void SamplePanelTest::explainsASyntheticSample() {
    InspectorWindow window(test::fakeAudit(), 2);
    const SampleId sample{syntheticSet(2), 79}; // noise
    window.selection.select(sample);
    const ModelAudit& model = *window.audit->models[2];
    QCOMPARE(window.label("inspectorName"), QString("noise30-0079"));
    QVERIFY(window.button("inspectorPicture")->accessibleName().startsWith("noise30: noise30-0079"));
    QVERIFY(window.button("inspectorNearest")->accessibleName().startsWith("nearest real: real-"));
    QCOMPARE(window.label("inspectorVerdict"), QString("GOOD"));
    QCOMPARE(window.label("inspectorReason"), QString::fromStdString(explainSample(*window.audit, 2, sample)));
    QVERIFY2(window.score("fidelity").isEmpty(), "all scores are folded at first");
    window.openScores();
    QCOMPARE(window.score("fidelity"), formatNumber(model.column("fidelity")[79]));
    QCOMPARE(window.score("pce"), formatWithUnit(model.column("pce")[79], Unit::Nats));
    QVERIFY(window.score("nearest_real").startsWith("real-"));
    QVERIFY(window.score("coverage").isEmpty());
    QVERIFY(window.score("pce", Qt::ToolTipRole).contains("unrealistic"));
    QVERIFY(!window.grid("nearestReal")->cellRect(4).isEmpty() &&
            window.grid("nearestSynthetic")->samples().size() > 7);
    test::shoot(window.view, "inspector-noise");
}

void SamplePanelTest::explainsARealSample() {
    InspectorWindow window(test::fakeAudit(), 1);
    window.selection.select({SetId::Real, 4});
    window.openScores();
    QCOMPARE(window.label("inspectorName"), QString("real-0004"));
    QVERIFY(window.button("inspectorPicture")->accessibleName().startsWith("real: real-0004"));
    QVERIFY(window.button("inspectorNearest")->accessibleName().startsWith("nearest in copies: copies-"));
    QVERIFY(!window.score("coverage").isEmpty());
    QVERIFY(window.score("fidelity").isEmpty());
    const QString before = window.label("inspectorReason");
    window.view.showState({window.audit, 2, nullptr}); // another model covers it differently
    QVERIFY(window.label("inspectorReason") != before ||
            explainSample(*window.audit, 1, {SetId::Real, 4}) == explainSample(*window.audit, 2, {SetId::Real, 4}));
    test::shoot(window.view, "inspector-real");
}

void SamplePanelTest::everyVerdictIsDefined() {
    const ViewState state{test::judgedAudit(16), 0, nullptr};
    VerdictBadge badge(nullptr);
    std::set<QString> seen;
    for (const SetId set : {SetId::Real, syntheticSet(0)})
        for (std::uint32_t row = 0; row < state.audit->setOf(set).rows(); ++row) {
            badge.showVerdict(state, {set, row});
            seen.insert(badge.text());
            const GlossaryEntry* word = findGlossaryEntry(definitionKeyIn(badge.toolTip()).toStdString());
            QVERIFY(word != nullptr);
            QCOMPARE(catalogText(word->title).toUpper(), badge.text());
        }
    QCOMPARE(seen, (std::set<QString>{"COPY", "COVERED", "CROWDED", "GOOD", "MISSED", "UNREALISTIC"}));
}

void SamplePanelTest::neighborsExplainRingAndDot() {
    InspectorWindow window(test::fakeAudit(), 2);
    window.selection.select({syntheticSet(2), 79}); // noise
    bool inside = false;
    bool outside = false;
    for (const char* name : {"nearestReal", "nearestSynthetic"}) {
        SampleGrid* grid = window.grid(name);
        for (std::size_t at = 0; !grid->cellRect(at).isEmpty(); ++at) {
            const QPoint point = grid->pictureRect({at, 0}).center();
            QHelpEvent help(QEvent::ToolTip, point, grid->viewport()->mapToGlobal(point));
            QApplication::sendEvent(grid->viewport(), &help);
            const bool in = grid->spokenText(at).endsWith("inside");
            const QString text = SampleCard::textShownBy(grid);
            QVERIFY2(text.contains(in ? "Dot in the ring" : "Dot beside the ring"), qPrintable(text));
            (in ? inside : outside) = true;
        }
    }
    QVERIFY(inside && outside);
}

void SamplePanelTest::showsTheTriangleOfACopy() {
    InspectorWindow window(test::fakeAudit(), 1);
    const std::vector<double>& verdict = window.audit->models[1]->column("verdict");
    const auto copy =
        static_cast<std::uint32_t>(std::ranges::find(verdict, static_cast<double>(Verdict::Copy)) - verdict.begin());
    const SampleId sample{syntheticSet(1), copy};
    window.selection.select(sample);
    QCOMPARE(window.label("inspectorVerdict"), QString("COPY"));
    const auto triangle = originalTriangle(*window.audit, sample);
    QVERIFY(triangle);
    auto* other = window.button("inspectorOther");
    QVERIFY(other->isVisible());
    const QString name = QString::fromStdString(window.audit->real->set->idText(triangle->other.row));
    QVERIFY2(other->accessibleName().contains(name), qPrintable(other->accessibleName()));
    // All three of equal size, on one line.
    QCOMPARE(other->size(), window.button("inspectorPicture")->size());
    QCOMPARE(other->size(), window.button("inspectorNearest")->size());
    QCOMPARE(other->y(), window.button("inspectorPicture")->y());
    const QString sides = window.view.findChild<QWidget*>("inspectorComparison")->accessibleName();
    for (const double side : {triangle->sampleToOriginal, triangle->originalToOther, triangle->sampleToOther})
        QVERIFY2(sides.contains(formatNumber(side)), qPrintable(sides));
    test::shoot(window.view, "inspector-triangle");
    other->click();
    QCOMPARE(window.selection.focus(), std::optional(triangle->other));
    QVERIFY(other->isHidden());
}

void SamplePanelTest::comparesRowsOfATable() {
    InspectorWindow window(test::wideAudit(20), 0);
    const SampleId sample{syntheticSet(0), 3};
    window.selection.select(sample);
    auto* table = window.view.findChild<QTableView*>("inspectorFeatures");
    QVERIFY(table->isVisible());
    QCOMPARE(table->textElideMode(), Qt::ElideMiddle); // names of columns differ at their ends
    QAbstractItemModel* model = table->model();
    const QAbstractItemModelTester tester(model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    QCOMPARE(model->rowCount(), 8);
    const SampleId nearest{SetId::Real, window.audit->models[0]->tables->synthetic.nearest.indexAt(3, 0)};
    const auto contrasts = contrastFeatures(*window.audit, featureStandards(*window.audit), sample, nearest);
    for (int row = 0; row < 8; ++row) {
        const FeatureContrast& contrast = contrasts[static_cast<std::size_t>(row)];
        QCOMPARE(model->index(row, 0).data().toString(), QString("column %1").arg(contrast.feature));
        QCOMPARE(model->index(row, 1).data().toString(), formatNumber(contrast.first));
        QCOMPARE(model->index(row, 2).data().toString(), formatNumber(contrast.second));
        const QString difference = model->index(row, 3).data().toString();
        QVERIFY2(std::abs(difference.toDouble() - contrast.difference) <= 0.005, qPrintable(difference));
    }
    auto* all = window.button("inspectorAllFeatures");
    QCOMPARE(all->text(), QString("12 more features"));
    all->click();
    QCOMPARE(model->rowCount(), 20);
    all->click();
    QCOMPARE(model->rowCount(), 8);
    for (const char* name : {"nearestReal", "nearestSynthetic"})
        QVERIFY(window.grid(name)->isVisible() && !window.grid(name)->cellRect(4).isEmpty());
    test::shoot(window.view, "inspector-table");
    window.view.showState({test::fakeAudit(), 0, nullptr}); // with pictures
    QVERIFY(table->isHidden() || !table->parentWidget()->isVisible());
}

void SamplePanelTest::countsSamplesInTheBallOfARealSample() {
    InspectorWindow window(test::fakeAudit(), 2);
    const std::vector<std::uint32_t>& inside = window.audit->models[2]->tables->real.inside;
    for (std::uint32_t row = 0; row < inside.size(); ++row) {
        window.selection.select({SetId::Real, row});
        const QString number = inside[row] == 0 ? QString("none of the 80") : QString::number(inside[row]);
        QVERIFY2(window.label("inspectorReason").contains(number + " synthetic sample"),
                 qPrintable(window.label("inspectorReason")));
        // The strip says the same as the sentence.
        std::uint32_t shown = 0;
        const SampleGrid* grid = window.grid("nearestSynthetic");
        for (std::size_t at = 0; at < grid->samples().size(); ++at)
            shown += grid->spokenText(at).endsWith("inside");
        QCOMPARE(shown, std::min<std::uint32_t>(inside[row], kMaxNeighbors));
    }
}

void SamplePanelTest::rememberedScoresAreUnfolded() {
    InspectorWindow window(test::fakeAudit());
    const QSignalSpy opened(&window.view, &Panel::choicesChanged);
    window.view.restoreState({{"scores", true}});
    window.selection.select({syntheticSet(0), 1});
    QVERIFY(!window.score("fidelity").isEmpty());
    QVERIFY(window.view.findChild<QTableView*>("inspectorScores")->isVisible());
    window.openScores(); // folds them
    QVERIFY(window.score("fidelity").isEmpty());
    QCOMPARE(opened.size(), 2);
    QCOMPARE(window.view.saveState().value("scores").toBool(true), false);
}

void SamplePanelTest::everyPartIsReachedByKeysAndNamed() {
    InspectorWindow window(test::fakeAudit(), 1);
    window.selection.select({syntheticSet(1), 0});
    QStringList stops;
    QWidget* first = window.button("inspectorNearest");
    first->setFocus();
    for (QWidget* next = first; stops.size() < 40; next = next->nextInFocusChain()) {
        if (!(next->focusPolicy() & Qt::TabFocus) || !next->isVisible() || !next->isEnabled())
            continue;
        if (!stops.isEmpty() && next == first)
            break;
        stops << next->objectName();
        if (const auto* button = qobject_cast<QAbstractButton*>(next))
            QVERIFY2(!button->accessibleName().isEmpty() || !button->text().isEmpty(), qPrintable(stops.last()));
    }
    const auto place = [&](const char* name) { return stops.indexOf(QString(name)); };
    QVERIFY2(place("nearestReal") > place("inspectorNearest"), qPrintable(stops.join(' ')));
    QVERIFY2(place("nearestSynthetic") > place("nearestReal"), qPrintable(stops.join(' ')));
    QVERIFY2(place("inspectorScoresToggle") > place("nearestSynthetic"), qPrintable(stops.join(' ')));
}

void SamplePanelTest::keepsNothingOfAnAuditThatIsGone() {
    auto audit = std::make_shared<AuditResult>(*test::fakeAudit());
    const std::weak_ptr<const AuditResult> seen = audit;
    InspectorWindow window(std::move(audit));
    window.selection.select({syntheticSet(0), 1});
    window.audit.reset();
    window.view.showState({});
    QVERIFY(seen.expired());
}

void SamplePanelTest::clickOnANeighborInspectsIt() {
    InspectorWindow window(test::fakeAudit(), 1);
    window.selection.select({syntheticSet(1), 3});
    const SampleId expected{SetId::Real, window.audit->models[1]->tables->synthetic.nearest.indexAt(3, 0)};
    SampleGrid* real = window.grid("nearestReal");
    SampleGrid* synthetic = window.grid("nearestSynthetic");
    QTest::mouseClick(real->viewport(), Qt::LeftButton, {}, real->pictureRect({0, 0}).center());
    QCOMPARE(window.selection.focus(), std::optional(expected));
    QVERIFY(window.label("inspectorName").startsWith("real-"));
    QTRY_VERIFY(synthetic->isVisible());
    const SampleId next{syntheticSet(1), window.audit->models[1]->tables->real.nearest.indexAt(expected.row, 1)};
    synthetic->setFocus();
    QTest::keyClick(synthetic, Qt::Key_Right);
    QCOMPARE(window.selection.focus(), std::optional(expected)); // it stays, or nobody would come to the third one
    QTest::keyClick(synthetic, Qt::Key_Space);
    QCOMPARE(window.selection.focus(), std::optional(next));
    test::shoot(window.view, "inspector-copy");
}

void SamplePanelTest::walksBackAndForth() {
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

void SamplePanelTest::historyEndsWithItsSets() {
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

void SamplePanelTest::hoverOnANeighborPreviewsIt() {
    InspectorWindow window(test::fakeAudit());
    window.selection.select({syntheticSet(0), 1});
    const SampleGrid* grid = window.grid("nearestReal");
    QTest::mouseMove(&window.view, QPoint(2, 2));
    QTest::mouseMove(grid->viewport(), grid->pictureRect({2, 0}).center());
    const SampleId expected{SetId::Real, window.audit->models[0]->tables->synthetic.nearest.indexAt(1, 2)};
    QTRY_COMPARE(window.selection.hovered(), std::optional(expected));
}

void SamplePanelTest::teachesWhenEmpty() {
    InspectorWindow window(nullptr);
    auto* hint = window.view.findChild<QLabel*>("panelMessage");
    QVERIFY(hint->isVisible() && hint->text().contains("Open"));
    window.view.showState({test::fakeAudit({.pictures = false}), 0, nullptr});
    QVERIFY(hint->isVisible() && hint->text().contains("Click"));
    window.selection.select({syntheticSet(0), 1});
    QVERIFY(!hint->isVisible());
    test::shoot(window.view, "inspector-nopictures");
}

void SamplePanelTest::beginsWithAnExample() {
    const auto audit = test::judgedAudit(8);
    const auto& findings = audit->models[0]->findings;
    const auto first = std::ranges::find_if(findings, [](const Finding& finding) { return !finding.examples.empty(); });
    QVERIFY(first != findings.end());
    InspectorWindow window(audit);
    const auto* hint = window.view.findChild<QLabel*>("inspectorExample");
    const SampleId example{first->side == Side::Real ? SetId::Real : syntheticSet(0), first->examples.front().row};
    const QString name = QString::fromStdString(audit->setOf(example.set).idText(example.row));
    QVERIFY(hint->isVisible());
    QCOMPARE(window.label("inspectorName"), name);
    QVERIFY2(window.selection.isEmpty(), "an example is not a selection");
    window.selection.select(example); // by now the person's own choice
    QVERIFY(!hint->isVisible());
    QCOMPARE(window.label("inspectorName"), name);
    window.selection.replace(SampleSet{{syntheticSet(0), 1}, {syntheticSet(0), 2}}, std::nullopt);
    QVERIFY(window.view.findChild<QLabel*>("panelMessage")->isVisible());
    window.selection.clear();
    QVERIFY(hint->isVisible());
    QVERIFY2(window.button("inspectorBack")->isEnabled(), "back to the last sample that was looked at");
    QTest::mouseClick(window.button("inspectorBack"), Qt::LeftButton);
    QCOMPARE(window.selection.focus(), std::optional(example));
}

void SamplePanelTest::tellsDecisionsAndNames() {
    InspectorWindow window(test::fakeAudit(), 2);
    const SampleId sample{syntheticSet(2), 79};
    window.selection.select(sample);
    ViewState state = window.view.state();
    QVERIFY(window.view.findChild<QLabel*>("inspectorOrigin")->isHidden());
    state.accepted = std::make_shared<SampleSet>(SampleSet{sample});
    window.view.showState(state);
    QVERIFY(window.label("inspectorOrigin").endsWith("kept by hand"));
    state.accepted.reset();
    state.unsure = std::make_shared<SampleSet>(SampleSet{sample});
    state.kept = std::make_shared<std::vector<bool>>(window.audit->models[2]->set->rows(), false);
    window.view.showState(state);
    QVERIFY(window.label("inspectorOrigin").endsWith("unsure, rejected by the rules"));
    auto tags = std::make_shared<SampleTags>();
    tags->give(2, {sample});
    tags->give(3, {sample});
    state.tags = tags;
    state.tagNames = std::make_shared<TagNames>(TagNames{"", "blurred"});
    window.view.showState(state);
    QVERIFY(window.label("inspectorOrigin").endsWith("; tags: blurred 3"));
}

void SamplePanelTest::aNoteIsReadAndWritten() {
    InspectorWindow window(test::fakeAudit(), 2);
    const SampleId first{syntheticSet(2), 79};
    const SampleId second{SetId::Real, 3};
    ViewState state = window.view.state();
    state.notes = std::make_shared<SampleNotes>(SampleNotes{{first, "<b>odd</b>"}});
    window.view.showState(state);
    auto* note = window.view.findChild<QLineEdit*>("inspectorNote");
    const auto& written = window.host.notes;
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
    QTRY_COMPARE(written.size(), std::size_t{1});
    QCOMPARE(written[0].first, first);
    QCOMPARE(written[0].second, QString("<b>odd</b>!"));
    QVERIFY(!note->hasFocus());
    window.view.editNote();
    QTest::keyClicks(note, "?");
    QTest::keyClick(note, Qt::Key_Escape);
    QTRY_COMPARE(written.size(), std::size_t{1});
    window.view.editNote();
    QTest::keyClick(note, Qt::Key_Return); // as it was
    QTRY_COMPARE(written.size(), std::size_t{1});
    window.view.editNote();
    QTest::keyClicks(note, "x");
    window.selection.select(second); // what was typed is about the first one
    QTRY_COMPARE(written.size(), std::size_t{2});
    QCOMPARE(written[1].first, first);
    QCOMPARE(note->text(), QString());
    window.selection.clear();
    QTRY_COMPARE(written.size(), std::size_t{2});
}

void SamplePanelTest::aLongNameHidesNothing() {
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
    for (const char* part : {"inspectorPicture", "inspectorNearest", "nearestReal", "inspectorReason"}) {
        const auto* widget = window.view.findChild<QWidget*>(part);
        QVERIFY2(widget->isVisible() &&
                     widget->mapTo(area->widget(), QPoint(widget->width(), 0)).x() <= area->viewport()->width(),
                 part);
    }
    // The caption is cut off, but what a screen reader says is not.
    QVERIFY(window.button("inspectorPicture")->accessibleName().contains(QString::fromStdString(model->name)));
    test::shoot(window.view, "inspector-long-name");
}

void SamplePanelTest::emitsNothingOnTheSameState() {
    InspectorWindow window(test::fakeAudit());
    window.selection.select({syntheticSet(0), 1});
    const QSignalSpy changed(&window.selection, &SampleSelection::changed);
    window.view.showState({window.audit, 0, nullptr});
    window.view.showState({window.audit, 1, nullptr});
    QCOMPARE(changed.count(), 0);
}

ASSAY_TEST(sample_panel_test, SamplePanelTest)
#include "sample_panel_test.moc"
