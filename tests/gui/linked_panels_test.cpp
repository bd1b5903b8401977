#include "gui/window/command_box.h"
#include "tests/gui/support/demo_window.h"
#include "tests/support/test_entry.h"
#include "widgets/charts/plot.h"
#include "widgets/common/eliding_combo_box.h"
#include "widgets/common/labels.h"
#include "widgets/common/number_format.h"
#include "widgets/curves/curve_view.h"
#include "widgets/diagnostics/diagnostics_panel.h"
#include "widgets/distribution/histogram_view.h"
#include "widgets/pairs/pairs_panel.h"
#include "widgets/sample/sample_panel.h"
#include "widgets/scatter/scatter_panel.h"
#include "widgets/scores/scores_panel.h"
#include "widgets/space/view/space_view.h"
#include "widgets/tables/sample_table.h"

#include "engine/data/embedding_set.h"
#include "engine/metrics/catalog/catalog.h"

#include <QtWidgets>

#include <algorithm>
#include <limits>

using namespace assay;

namespace {

/// The bound of the only rule on a column; NaN without one.
double valueOf(const FilterRules& rules, std::string_view column) {
    for (const FilterRule& rule : rules.list)
        if (rule.column == column)
            return rule.value;
    return std::numeric_limits<double>::quiet_NaN();
}

/// A label or button of a view that has less room than its text; empty where there is none.
QString cutOff(const QWidget* view) {
    for (const QWidget* part : view->findChildren<QWidget*>()) {
        const auto* label = qobject_cast<const QLabel*>(part);
        const bool text =
            (label && !label->wordWrap() && !label->pixmap()) || qobject_cast<const QAbstractButton*>(part);
        if (!text || !part->isVisible() || qobject_cast<const ElidingLabel*>(part))
            continue;
        const bool beyond = part->mapTo(view, QPoint(part->width(), 0)).x() > view->width();
        if (beyond || part->width() < part->minimumSizeHint().width())
            return QStringLiteral("%1 '%2'").arg(
                part->objectName(), label ? label->text() : static_cast<const QAbstractButton*>(part)->text());
    }
    return {};
}

} // namespace

/// The whole program on the demo: what is done in one panel shows in the others.
class LinkedPanelsTest : public QObject, protected test::DemoTest {
    Q_OBJECT

private slots:
    void initTestCase();
    void init();

    void progressIsToldInPlainWords();
    void clickInTheGalleryIsInspectedAndShownInSpace();
    void arrowKeysWalkTheRanking();
    void clickOnABarSelectsItsSamplesEverywhere();
    void clickOnAModelsMarkChoosesItEverywhere();
    void escapeLeavesTheSearchBeforeItClearsTheSelection();
    void tableOfAllScoresIsAKeyAway();
    void curvesOfTheAuditAreDrawn();
    void diagnosticsAreFoundByTheirWords_data() { test::addTexts("words", {"diagnostics", "occupancy", "ball"}); }
    void diagnosticsAreFoundByTheirWords();
    void aCommonNameOfAScoreFindsTheScores();
    void nearPairsLoseOneSide();
    void fullBallIsInspected();
    void throwingNoiseOutRaisesFidelityBeforeOnesEyes();
    void undoBringsTheRowsOfRulesBack();
    void undoFromInsideTheNumberOfARule();
    void everyPanelFitsASmallWindow();
    void curvesAreOfferedWhenNoJobRunsAndShownWhenDone(); // last: the audit keeps them

private:
    template <class T>
    T* panel(const char* id) const {
        return dynamic_cast<T*>(window_->findChild<QDockWidget*>(QString::fromUtf8(id))->widget());
    }
    /// Whether the inspector shows the sample.
    bool inspectorNames(SampleId sample) const {
        const QString id = QString::fromStdString(state().audit->setOf(sample.set).idText(sample.row));
        const auto* name = child<QLabel>("inspectorName");
        return name->isVisible() && name->text().contains(id);
    }

    QStringList stages_; ///< told in the status bar while the demo was opened
};

void LinkedPanelsTest::initTestCase() {
    QVERIFY(makeWindow(engineCalls()));
    session_->openDemo();
    const auto* stage = child<QLabel>("jobStage");
    connect(session_->jobs(), &JobRunner::progressChanged, this, [this, stage] {
        if (stage->isVisible() && !stages_.contains(stage->text()))
            stages_ << stage->text();
    });
    QVERIFY(waitOpen());
}

void LinkedPanelsTest::progressIsToldInPlainWords() {
    QVERIFY2(stages_.contains(QStringLiteral("Drawing the demo")), qPrintable(stages_.join(u';')));
    QVERIFY2(stages_.contains(QStringLiteral("Finding nearest neighbours of the real set")),
             qPrintable(stages_.join(u';')));
    QVERIFY2(stages_.contains(QStringLiteral("Scoring copycat")), qPrintable(stages_.join(u';')));
    for (const QString& stage : std::as_const(stages_))
        for (const char* inner : {"proposing", "measuring", "preparing", "tree", "backend"})
            QVERIFY2(!stage.contains(QLatin1String(inner)), qPrintable(stage));
}

void LinkedPanelsTest::init() {
    session_->editor()->setModel(0);
    selection_->clear();
    dock("ranking")->raise();
    test::settle();
}

void LinkedPanelsTest::clickInTheGalleryIsInspectedAndShownInSpace() {
    QVERIFY(gallery() && gallery()->isVisible());
    QTest::mouseClick(gallery()->viewport(), Qt::LeftButton, {}, QPoint(40, 40));
    QCOMPARE(selection_->samples().size(), std::size_t{1});
    const SampleId sample = selection_->samples().front();
    QCOMPARE(sample.set, syntheticSet(0));
    QCOMPARE(selection_->focus(), std::optional(sample));
    QTRY_VERIFY(inspectorNames(sample));
    const auto* fidelity = window_->findChild<HistogramView*>();
    std::size_t marked = 0;
    for (std::size_t bin = 0; bin < fidelity->bins().count(); ++bin)
        marked += fidelity->selectedIn(bin);
    QCOMPARE(marked, std::size_t{1});

    auto* space = panel<SpaceView>("space");
    dock("space")->raise();
    QTRY_VERIFY(!space->visibleRegion().isEmpty());
    if (!space->hasOpenGl())
        QSKIP("no OpenGL here");
    QVERIFY(test::waitForFrame(space->focusProxy()));
    QVERIFY(space->screenPosition(sample));
}

void LinkedPanelsTest::escapeLeavesTheSearchBeforeItClearsTheSelection() {
    QTest::mouseClick(gallery()->viewport(), Qt::LeftButton, {}, QPoint(40, 40));
    QVERIFY(!selection_->isEmpty());
    auto* search = child<QLineEdit>("rankingSearch");
    search->setFocus();
    QTest::keyClicks(search, "faithful");
    QTest::keyClick(search, Qt::Key_Escape);
    QCOMPARE(search->text(), QString());
    QVERIFY(!selection_->isEmpty());
    QTest::keyClick(search, Qt::Key_Escape);
    QVERIFY(selection_->isEmpty());
}

void LinkedPanelsTest::arrowKeysWalkTheRanking() {
    QTRY_VERIFY(gallery()->isVisible());
    QTest::mouseClick(gallery()->viewport(), Qt::LeftButton, {}, QPoint(40, 40));
    const SampleId first = selection_->samples().front();
    QTest::keyClick(gallery(), Qt::Key_Right);
    QCOMPARE(selection_->samples().size(), std::size_t{1});
    QVERIFY(selection_->samples().front() != first);
    QTRY_VERIFY(inspectorNames(selection_->samples().front()));
    QTest::keyClick(gallery(), Qt::Key_Left);
    QCOMPARE(selection_->samples(), (std::vector<SampleId>{first}));
    QTRY_VERIFY(inspectorNames(first));
}

void LinkedPanelsTest::clickOnABarSelectsItsSamplesEverywhere() {
    auto* fidelity = window_->findChild<HistogramView*>();
    QTest::mouseClick(&fidelity->plot(), Qt::LeftButton, {}, fidelity->plot().columnOf({0, 0}).center());
    QVERIFY(!selection_->isEmpty());
    const std::vector<double>& values = state().current().column("fidelity");
    for (const SampleId sample : selection_->samples()) {
        QCOMPARE(sample.set, syntheticSet(0));
        QCOMPARE(values[sample.row], 0.0);
    }
    QCOMPARE(selection_->samples().size(), static_cast<std::size_t>(std::count(values.begin(), values.end(), 0.0)));
    QVERIFY(text("status").contains(QStringLiteral("selected")));
    QTest::keyClick(window_, Qt::Key_Escape);
    QVERIFY(selection_->isEmpty());
    QCOMPARE(fidelity->selectedIn(0), std::size_t{0});
}

void LinkedPanelsTest::clickOnAModelsMarkChoosesItEverywhere() {
    auto* chart = panel<ScatterPanel>("scatter");
    const auto& models = state().audit->models;
    const auto blurry = static_cast<std::size_t>(
        std::find_if(models.begin(), models.end(), [](const auto& model) { return model->name == "blurry"; }) -
        models.begin());
    QVERIFY(blurry < models.size());
    const Plot& plot = chart->plot();
    QTest::mouseClick(&chart->plot(), Qt::LeftButton, {}, plot.positionOf(*plot.pointWithId(blurry)).toPoint());
    QTRY_COMPARE(state().model, blurry);
    QCOMPARE(child<QComboBox>("modelCombo")->currentText(), QStringLiteral("blurry"));
    QCOMPARE(panel<SamplePanel>("sample")->state().model, blurry);
}

void LinkedPanelsTest::tableOfAllScoresIsAKeyAway() {
    QTest::keyClick(window_, Qt::Key_9, Qt::AltModifier);
    auto* table = child<TableView>("scoresTable");
    QTRY_VERIFY(!dock("scores")->visibleRegion().isEmpty());
    QVERIFY(table->isVisible());
    QVERIFY(panel<ScoresPanel>("scores")->isAncestorOf(QApplication::focusWidget()));
    QCOMPARE(table->model()->columnCount(), static_cast<int>(state().audit->models.size()));
    QVERIFY(table->model()->rowCount() > 20);
    // Click on another model's name, and every panel follows.
    QHeaderView* header = table->horizontalHeader();
    QTest::mouseClick(header->viewport(), Qt::LeftButton, {},
                      QPoint(header->sectionViewportPosition(2) + 10, header->height() / 2));
    QCOMPARE(state().model, std::size_t{2});
    QCOMPARE(panel<ScatterPanel>("scatter")->state().model, std::size_t{2});
    // Escape empties the search first.
    auto* search = child<QLineEdit>("scoresSearch");
    selection_->select({syntheticSet(2), 1});
    search->setFocus();
    QTest::keyClicks(search, "recall");
    QVERIFY(table->model()->rowCount() < 20);
    QTest::keyClick(search, Qt::Key_Escape);
    QVERIFY(search->text().isEmpty());
    QVERIFY(!selection_->isEmpty());
    test::shoot(*window_, "window-scores");
}

void LinkedPanelsTest::curvesOfTheAuditAreDrawn() {
    QTest::keyClick(window_, Qt::Key_0, Qt::AltModifier);
    auto* chart = child<Plot>("curveChart");
    QTRY_VERIFY(!dock("curves")->visibleRegion().isEmpty());
    QVERIFY(chart->isVisible());
    auto* picker = child<QComboBox>("curvePicker");
    QCOMPARE(static_cast<std::size_t>(picker->count()), state().current().curves.size());
    picker->setFocus();
    for (int curve = 0; curve < picker->count(); ++curve) {
        QVERIFY2(chart->lineCount() > 0, qPrintable(picker->currentText()));
        QTest::keyClick(picker, Qt::Key_Down);
    }
    test::shoot(*window_, "window-curves");
}

void LinkedPanelsTest::diagnosticsAreFoundByTheirWords() {
    QFETCH(QString, words);
    const auto* dock = this->dock("diagnostics");
    QTRY_VERIFY(dock->visibleRegion().isEmpty());
    auto* box = window_->findChild<CommandBox*>();
    box->open();
    QTRY_VERIFY(box->hasFocus());
    QTest::keyClicks(box, words);
    QTest::keyClick(box, Qt::Key_Return);
    QTRY_VERIFY(!dock->visibleRegion().isEmpty());
    QVERIFY(panel<DiagnosticsPanel>("diagnostics")->isAncestorOf(QApplication::focusWidget()));
    QVERIFY(selection_->isEmpty());
}

void LinkedPanelsTest::aCommonNameOfAScoreFindsTheScores() {
    auto* box = window_->findChild<CommandBox*>();
    box->open();
    QTRY_VERIFY(box->hasFocus());
    QTest::keyClicks(box, QStringLiteral("Frechet Inception"));
    QTest::keyClick(box, Qt::Key_Return);
    QTRY_VERIFY(!dock("scores")->visibleRegion().isEmpty());
}

void LinkedPanelsTest::nearPairsLoseOneSide() {
    dock("pairs")->raise();
    auto* pairs = panel<PairsPanel>("pairs");
    QTRY_VERIFY(pairs->pairs().size() > 0);
    session_->editor()->setModel(2);
    QCOMPARE(state().current().name, std::string("copycat"));
    QTRY_VERIFY(pairs->pairs().size() > 0 && pairs->pairs().sampleAt({}).set == syntheticSet(2));
    auto* kinds = pairs->findChild<QComboBox*>(QStringLiteral("pairKinds"));
    kinds->setFocus();
    QTest::keyClick(kinds, Qt::Key_Down);
    QCOMPARE(pairs->pairs().kind(), PairKind::Copies);
    QVERIFY(pairs->pairs().remarkable() > 0);
    QTest::mouseClick(pairs->findChild<QPushButton*>(QStringLiteral("pairsSelectLeft")), Qt::LeftButton);
    const SampleSet chosen = selection_->samples();
    QCOMPARE(chosen.size(), pairs->pairs().remarkable());
    test::shoot(*window_, "window-pairs");
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_Space);
    QCOMPARE(session_->document()->rejectedCount(), chosen.size());
    for (std::size_t at = 0; at < pairs->pairs().remarkable(); ++at)
        QVERIFY(!state().isKept(pairs->pairs().sampleAt({at, PairSide::Left}).row));
    QTest::keyClick(window_, Qt::Key_Z, Qt::ControlModifier);
    QCOMPARE(session_->document()->rejectedCount(), std::size_t{0});
}

void LinkedPanelsTest::fullBallIsInspected() {
    dock("diagnostics")->raise();
    auto* balls = panel<DiagnosticsPanel>("diagnostics")->findChild<SampleTable*>();
    QTRY_VERIFY(!balls->visibleRegion().isEmpty());
    const SampleId sample{SetId::Real, state().current().diagnostics.fullestBalls[1].row};
    QTest::mouseClick(balls->viewport(), Qt::LeftButton, {}, balls->visualRect(balls->model()->index(1, 0)).center());
    QCOMPARE(selection_->focus(), std::optional(sample));
    QTRY_VERIFY(inspectorNames(sample));
    auto* inspector = dock("sample");
    inspector->hide();
    QTest::keyClick(balls, Qt::Key_Return);
    QVERIFY(inspector->isVisible());
}

void LinkedPanelsTest::throwingNoiseOutRaisesFidelityBeforeOnesEyes() {
    const auto& models = state().audit->models;
    const auto mixed = std::ranges::find_if(models, [](const auto& model) { return model->name == "mixed"; });
    QVERIFY(mixed != models.end());
    session_->editor()->setModel(static_cast<std::size_t>(mixed - models.begin()));
    auto* kept = child<QLabel>("scoreOfKept_clipped_density");
    const QString before = kept->text();
    QCOMPARE(before, formatNumber((*mixed)->metric("clipped_density")));
    auto* slider = child<QSlider>("ruleSlider_fidelity");
    slider->setFocus();
    QTest::keyClick(slider, Qt::Key_Right);
    QTest::keyClick(slider, Qt::Key_Right);
    QVERIFY(test::waitIdle(*session_) && session_->keptScorer()->scores());
    QCOMPARE(session_->keptScorer()->scores()->keptCount, session_->document()->keptCount());
    const double after = session_->keptScorer()->scores()->metric("clipped_density");
    QVERIFY(after > (*mixed)->metric("clipped_density") + 0.2); // three tenths are noise
    QTRY_VERIFY(kept->text().contains(formatNumber(after)));
    QVERIFY(panel<ScatterPanel>("scatter")->plot().pointWithId(ScatterPanel::kKept));
    test::shoot(*window_, "noise-thrown-out");
    QTest::keyClick(window_, Qt::Key_Z, Qt::ControlModifier);
    QTest::keyClick(window_, Qt::Key_Z, Qt::ControlModifier);
    QTRY_COMPARE(kept->text(), before);
    QVERIFY(!panel<ScatterPanel>("scatter")->plot().pointWithId(ScatterPanel::kKept));
}

void LinkedPanelsTest::undoBringsTheRowsOfRulesBack() {
    auto* check = child<QCheckBox>("ruleCheck_fidelity");
    auto* slider = child<QSlider>("ruleSlider_fidelity");
    auto* spin = child<QDoubleSpinBox>("ruleSpin_fidelity");
    const int open = slider->value();
    const double openValue = spin->value();
    slider->setFocus();
    QTest::keyClick(slider, Qt::Key_Right);
    QTest::keyClick(slider, Qt::Key_Right);
    const double first = valueOf(session_->document()->rules(), "fidelity");
    QCOMPARE(spin->value(), first);
    QTest::keyClick(slider, Qt::Key_Z, Qt::ControlModifier);
    QCOMPARE(slider->value(), open + 1);
    QCOMPARE(spin->value(), valueOf(session_->document()->rules(), "fidelity"));
    QTest::keyClick(slider, Qt::Key_Z, Qt::ControlModifier);
    QVERIFY(session_->document()->rules().empty());
    QVERIFY(!check->isChecked());
    QCOMPARE(slider->value(), open);
    QCOMPARE(spin->value(), openValue);
    QTest::keyClick(slider, Qt::Key_Y, Qt::ControlModifier);
    QTest::keyClick(slider, Qt::Key_Y, Qt::ControlModifier);
    QVERIFY(check->isChecked());
    QCOMPARE(slider->value(), open + 2);
    QCOMPARE(spin->value(), first);

    // Switched off by hand, the value stays for another try; once it is undone as well, it is gone.
    QTest::mouseClick(check, Qt::LeftButton, {}, QPoint(8, check->height() / 2));
    QVERIFY(session_->document()->rules().empty());
    QCOMPARE(spin->value(), first);
    for (int i = 0; i < 3; ++i)
        QTest::keyClick(slider, Qt::Key_Z, Qt::ControlModifier);
    QVERIFY(session_->document()->rules().empty());
    QCOMPARE(slider->value(), open);
    QCOMPARE(spin->value(), openValue);
}

void LinkedPanelsTest::undoFromInsideTheNumberOfARule() {
    auto* spin = child<QDoubleSpinBox>("ruleSpin_fidelity");
    const double open = spin->value();
    const auto type = [spin](double value) {
        spin->setFocus();
        spin->selectAll();
        QTest::keyClicks(spin, spin->textFromValue(value)); // as the field writes it: it has no reason to write it anew
        QTest::keyClick(spin, Qt::Key_Return);
    };
    type(0.25);
    type(0.5);
    QCOMPARE(valueOf(session_->document()->rules(), "fidelity"), 0.5);
    QVERIFY(spin->hasFocus());
    QTest::keyClick(spin, Qt::Key_Z, Qt::ControlModifier);
    QCOMPARE(valueOf(session_->document()->rules(), "fidelity"), 0.25);
    QCOMPARE(spin->value(), 0.25);
    QCOMPARE(spin->text(), spin->textFromValue(0.25));
    QTest::keyClick(spin, Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
    QCOMPARE(spin->text(), spin->textFromValue(0.5));
    // A number being typed is taken back first.
    QTest::keyClick(spin, Qt::Key_End);
    QTest::keyClick(spin, Qt::Key_Backspace);
    QTest::keyClick(spin, Qt::Key_Backspace);
    QTest::keyClicks(spin, QStringLiteral("7"));
    QTest::keyClick(spin, Qt::Key_Z, Qt::ControlModifier);
    QCOMPARE(valueOf(session_->document()->rules(), "fidelity"), 0.5);
    QVERIFY(!spin->text().contains(QLatin1Char('7')));
    QTest::keyClick(spin, Qt::Key_Escape);
    for (int i = 0; i < 2; ++i)
        QTest::keyClick(window_, Qt::Key_Z, Qt::ControlModifier);
    QVERIFY(session_->document()->rules().empty());
    QCOMPARE(spin->value(), open);
}

void LinkedPanelsTest::everyPanelFitsASmallWindow() {
    const QSize before = window_->size();
    setRules({{"fidelity", Bound::AtLeast, 0.4}, {"nearest_real_distance", Bound::AtMost, 9.0}});
    QTest::mouseClick(gallery()->viewport(), Qt::LeftButton, {}, QPoint(40, 40));
    window_->resize(900, 600);
    for (const char* id : {"ranking", "space", "scores", "curves", "classes", "pairs", "diagnostics"}) {
        window_->findChild<QDockWidget*>(QLatin1String(id))->raise();
        test::settle();
        QCOMPARE(window_->size(), QSize(900, 600));
        test::shoot(*window_, QStringLiteral("small-%1").arg(QLatin1String(id)));
        for (auto* dock : window_->findChildren<QDockWidget*>()) {
            if (dock->visibleRegion().isEmpty())
                continue;
            QVERIFY2(window_->rect().contains(QRect(dock->mapTo(window_, QPoint()), dock->size())),
                     qPrintable(dock->objectName()));
            // Scores of what is kept may just have come in, and their labels be laid out in a moment.
            QTRY_VERIFY2(cutOff(dock->widget()).isEmpty(),
                         qPrintable(dock->objectName() + ": " + cutOff(dock->widget())));
        }
    }
    auto* order = child<ElidingComboBox>("rankingOrder");
    QVERIFY(order->shownText().endsWith(QChar(0x2026)));
    QHelpEvent help(QEvent::ToolTip, order->rect().center(), order->mapToGlobal(order->rect().center()));
    QApplication::sendEvent(order, &help);
    QVERIFY(QToolTip::text().contains(order->currentText()));
    Plot* chart = &panel<ScatterPanel>("scatter")->plot();
    QHelpEvent below(QEvent::ToolTip, QPoint(chart->width() / 2, chart->height() - 8), QPoint());
    QApplication::sendEvent(chart, &below);
    QCOMPARE(QToolTip::text(), metricToolTip(*findMetric("clipped_density")));
    auto* question = dock("distribution")->findChild<ElidingLabel*>(QStringLiteral("question"));
    QHelpEvent title(QEvent::ToolTip, QPoint(20, 8), QPoint(10, 10));
    QApplication::sendEvent(question, &title);
    QCOMPARE(QToolTip::text(), question->text());
    QToolTip::hideText();
    window_->resize(before);
    setRules({});
}

void LinkedPanelsTest::curvesAreOfferedWhenNoJobRunsAndShownWhenDone() {
    dock("curves")->raise();
    const auto* picker = child<QComboBox>("curvePicker");
    auto* menu = child<QMenu>("curveMoreMenu");
    const auto isOffered = [&](int at) {
        emit menu->aboutToShow();
        return menu->actions()[at]->isEnabled();
    };
    QVERIFY(isOffered(0) && isOffered(1) && isOffered(2));
    menu->actions()[0]->trigger();
    QVERIFY(session_->jobs()->isRunning());
    for (int at = 0; at < menu->actions().size(); ++at)
        QVERIFY(!isOffered(at));
    QVERIFY(test::waitIdle(*session_));
    QCOMPARE(picker->currentText(), QStringLiteral("Bad fraction"));
    QVERIFY(!isOffered(0) && isOffered(1) && isOffered(2));
    // Every mark lies at its model's score.
    const auto* chart = window_->findChild<CurveView*>();
    const CurveValues& curve = state().audit->curves.front().values;
    QCOMPARE(curve.id, std::string_view("bad_fraction"));
    QVERIFY(!chart->marks().empty());
    for (const ChartMark& mark : chart->marks()) {
        const std::string& metric = curve.lines[*mark.line - 1].name; // the first line is the ideal one
        QCOMPARE(mark.y, state().audit->models[*mark.model]->metric(metric));
    }
    test::shoot(*window_, "window-bad-fraction");
}

ASSAY_TEST(linked_panels_test, LinkedPanelsTest)
#include "linked_panels_test.moc"
