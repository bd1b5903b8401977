// What is shown alone is shown alone in every panel.
#include "gui/session/selection_commands.h"
#include "gui/window/info_bars.h"
#include "tests/gui/support/demo_window.h"
#include "tests/gui/support/fake_engine.h"
#include "tests/support/test_entry.h"
#include "widgets/charts/plot.h"
#include "widgets/classes/classes_table.h"
#include "widgets/distribution/distribution_panel.h"
#include "widgets/distribution/histogram_view.h"
#include "widgets/pairs/pairs_panel.h"
#include "widgets/ranking/ranking_model.h"
#include "widgets/space/view/space_view.h"
#include "widgets/tables/sample_table.h"

#include <QtWidgets>

#include <cmath>
#include <memory>

using namespace assay;

class ViewFilterTest : public QObject, protected test::DemoTest {
    Q_OBJECT

private slots:
    void initTestCase();
    void init();
    void reachesEveryPanel_data() { test::addTexts("from", {"class", "text", "selection", "range"}); }
    void reachesEveryPanel();
    void theBarSaysItAndClearsIt();
    void theBarNamesTheFinding();
    void typingIsOneStepOfTheHistory();
    void rangeOfAHistogram();
    void onlyWhatIsShownCanBeSelected();
    void sharesInTheFrechetDistanceRankSamples();
    void realSamplesAreRankedAndTagged();
    void uncoveredSamplesAreSelected();
    void allScoresStay();

private:
    void raiseAll() {
        for (auto* dock : window_->findChildren<QDockWidget*>()) {
            dock->raise();
            QCoreApplication::processEvents();
        }
        dock("ranking")->raise();
        QCoreApplication::processEvents();
    }
    HistogramView* barsOf(const char* column) const {
        window_->findChild<DistributionPanel*>()->setColumn(QString::fromLatin1(column));
        return child<HistogramView>("histogram");
    }
    std::size_t drawnIn(const char* column) const {
        const HistogramView* view = barsOf(column);
        std::size_t sum = 0;
        for (std::size_t bin = 0; bin < view->bins().count(); ++bin)
            sum += view->countIn(bin);
        return sum;
    }
    std::size_t shownOf(SetId set) const { return state().shown->countIn(set); }
};

void ViewFilterTest::initTestCase() {
    QVERIFY(openDemo());
}

void ViewFilterTest::init() {
    QVERIFY(demo_->reset());
    dock("ranking")->raise();
    QCoreApplication::processEvents();
    selection_->clear();
    ranking()->setOrder({});
}

void ViewFilterTest::reachesEveryPanel() {
    QFETCH(QString, from);
    const std::size_t all = state().current().set->rows();
    if (from == QLatin1String("class")) {
        auto* classes = child<QComboBox>("rankingClass");
        classes->setFocus();
        QTest::keyClick(classes, Qt::Key_Down);
        QTest::keyClick(classes, Qt::Key_Down);
        QVERIFY(state().filter.className);
    } else if (from == QLatin1String("text")) {
        QTest::keyClicks(child<QLineEdit>("rankingSearch"), QStringLiteral("7"));
    } else if (from == QLatin1String("selection")) {
        HistogramView* bars = barsOf("fidelity");
        QTest::mouseClick(&bars->plot(), Qt::LeftButton, {}, bars->plot().columnOf({0, 0}).center());
        child<QAction>("actionShowSelected")->trigger();
    } else {
        auto* bars = barsOf("coverage");
        QTest::mouseClick(&bars->plot(), Qt::LeftButton, {}, bars->plot().columnOf({0, 1}).center());
        ViewFilter filter;
        filter.range = bars->chosenRange();
        session_->editor()->setFilter(filter);
    }
    QVERIFY(state().shown);
    raiseAll(); // those behind others catch up
    const SetId set = state().currentSet();
    const bool ofReal = from == QLatin1String("range");
    QVERIFY(ofReal ? shownOf(SetId::Real) < state().audit->real->set->rows() : shownOf(set) < all);
    QVERIFY(shownOf(ofReal ? SetId::Real : set) > 0);

    QCOMPARE(ranking()->size(), shownOf(set));
    QCOMPARE(drawnIn("fidelity"), shownOf(set));
    QCOMPARE(drawnIn("coverage"), shownOf(SetId::Real));
    auto* space = window_->findChild<SpaceView*>();
    dock("space")->raise();
    QTRY_VERIFY(space->message().isEmpty());
    for (const SetId one : {SetId::Real, set})
        for (std::uint32_t row = 0; row < state().audit->setOf(one).rows(); ++row)
            if (!state().isShown({one, row}))
                QVERIFY(!space->screenPosition({one, row}));
    const auto* balls = child<SampleTable>("fullestBalls");
    for (int row = 0; row < balls->rows().rowCount(); ++row)
        QVERIFY(state().isShown(balls->content().sample(row)));
    dock("pairs")->raise(); // nothing is looked for while nobody watches
    const auto* pairs = window_->findChild<PairsPanel*>();
    QTRY_VERIFY(pairs->pairs().hasLists());
    for (std::size_t at = 0; at < pairs->pairs().size(); ++at)
        for (const PairSide side : {PairSide::Left, PairSide::Right})
            QVERIFY(state().isShown(pairs->pairs().sampleAt({at, side})));
    const RowModel* classes = &window_->findChild<ClassesTable*>()->rows();
    std::size_t real = 0;
    std::size_t synthetic = 0;
    for (int row = 0; row < classes->rowCount(); ++row) {
        real += classes->index(row, ClassesTable::RealColumn).data(RowModel::SortRole).toULongLong();
        synthetic += classes->index(row, ClassesTable::SyntheticColumn).data(RowModel::SortRole).toULongLong();
    }
    QCOMPARE(real, shownOf(SetId::Real));
    QCOMPARE(synthetic, shownOf(set));
    ranking()->setOrder({"coverage", Qt::AscendingOrder, Side::Real});
    QCOMPARE(ranking()->size(), shownOf(SetId::Real));
    test::shoot(*window_, QStringLiteral("filtered-by-") + from);
}

void ViewFilterTest::theBarSaysItAndClearsIt() {
    auto* bar = child<QWidget>("filterBar");
    QVERIFY(!bar->isVisible());
    QTest::keyClicks(child<QLineEdit>("rankingSearch"), QStringLiteral("12"));
    QVERIFY(bar->isVisible());
    const QString text = this->text("filterText");
    QVERIFY2(text.contains(QLatin1String("12")) &&
                 text.contains(QLocale().toString(static_cast<qulonglong>(shownOf(state().currentSet())))),
             qPrintable(text));
    QTest::mouseClick(child<QPushButton>("filterClear"), Qt::LeftButton);
    QVERIFY(!bar->isVisible());
    QVERIFY(!state().shown);
    QVERIFY(child<QLineEdit>("rankingSearch")->text().isEmpty());
    child<QAction>("actionUndo")->trigger();
    QCOMPARE(child<QLineEdit>("rankingSearch")->text(), QStringLiteral("12"));
}

void ViewFilterTest::theBarNamesTheFinding() {
    test::FakeEngine engine;
    engine.copying = "copies";
    SampleSelection selection;
    AuditSession session(&selection, engine.calls());
    session.openDemo();
    QVERIFY(test::waitIdle(session));
    const FilterBar bar(&session, nullptr);
    const auto* text = bar.findChild<QLabel*>(QStringLiteral("filterText"));
    QVERIFY(!session.state().current().findings.empty()); // the gravest model is shown
    const Finding& finding = session.state().current().findings.front();
    const QString sentence = QString::fromStdString(finding.sentence);
    ViewFilter filter;
    filter.among = std::make_shared<const SampleSet>(session.state().currentSet(), finding.rows);
    session.editor()->setFilter(filter);
    QVERIFY2(text->text().startsWith(QStringLiteral("Shows 5 synthetic samples")) && text->text().contains(sentence),
             qPrintable(text->text()));
    ViewFilter narrower = filter;
    narrower.text = QStringLiteral("1"); // no longer the finding alone
    session.editor()->setFilter(narrower);
    QVERIFY(!text->text().contains(sentence));
    session.editor()->setFilter(filter);
    session.editor()->setModel(0); // whose samples are not of the finding
    QVERIFY(!text->text().contains(sentence));
}

void ViewFilterTest::typingIsOneStepOfTheHistory() {
    QTest::keyClicks(child<QLineEdit>("rankingSearch"), QStringLiteral("123"));
    QCOMPARE(state().filter.text, QStringLiteral("123"));
    child<QAction>("actionUndo")->trigger();
    QVERIFY(state().filter.empty());
    QVERIFY(child<QLineEdit>("rankingSearch")->text().isEmpty());
}

void ViewFilterTest::rangeOfAHistogram() {
    auto* bars = barsOf("fidelity");
    const std::size_t last = bars->bins().count() - 1;
    const std::size_t wanted = bars->countIn(last);
    QTest::mouseClick(&bars->plot(), Qt::LeftButton, {}, bars->plot().columnOf({0, last}).center());
    QContextMenuEvent event(QContextMenuEvent::Mouse, bars->plot().columnOf({0, last}).center(),
                            bars->mapToGlobal(bars->plot().columnOf({0, last}).center()));
    QCoreApplication::sendEvent(bars, &event);
    auto* menu = child<QMenu>("panelMenu");
    QVERIFY(menu);
    menu->findChild<QAction*>(QStringLiteral("menuShowRange"))->trigger();
    menu->close();
    QCOMPARE(shownOf(state().currentSet()), wanted);
    QCOMPARE(shownOf(SetId::Real), state().audit->real->set->rows()); // their fidelity nobody asked for
    // The bar under the mouse goes before what was chosen.
    child<QAction>("actionShowAll")->trigger();
    QTest::mouseMove(&bars->plot(), bars->plot().columnOf({0, 0}).center());
    QTRY_COMPARE(bars->chosenRange()->low, 0.0);
    QCOMPARE(bars->chosenRange()->high, 0.0);
}

void ViewFilterTest::onlyWhatIsShownCanBeSelected() {
    QTest::keyClicks(child<QLineEdit>("rankingSearch"), QStringLiteral("5"));
    const auto onlyShown = [&] {
        const SampleSet& samples = selection_->samples();
        return !samples.empty() && samples == state().shownOf(samples);
    };
    child<QAction>("actionInvertSelection")->trigger();
    QVERIFY(onlyShown());
    QCOMPARE(selection_->samples().size(), shownOf(state().currentSet()));
    setRules({{"fidelity", Bound::AtLeast, 0.5}});
    SelectionCommands(session_).rejected();
    QVERIFY(onlyShown());
    auto* bars = barsOf("fidelity");
    QTest::mouseClick(&bars->plot(), Qt::LeftButton, {}, bars->plot().columnOf({0, 0}).center());
    QVERIFY(onlyShown());
    gallery()->setFocus();
    QTest::keyClick(gallery(), Qt::Key_A, Qt::ControlModifier);
    QVERIFY(onlyShown());
}

void ViewFilterTest::sharesInTheFrechetDistanceRankSamples() {
    auto* orders = child<QComboBox>("rankingOrder");
    const int at = orders->findText(QStringLiteral("largest share in the Fréchet distance first"));
    QVERIFY(at >= 0);
    orders->setCurrentIndex(at);
    const std::vector<double>& share = state().current().column("frechet_influence");
    QCOMPARE(ranking()->size(), share.size());
    for (std::size_t i = 1; i < ranking()->size(); ++i)
        QVERIFY(share[ranking()->sampleAt(i - 1).row] >= share[ranking()->sampleAt(i).row]);
}

void ViewFilterTest::realSamplesAreRankedAndTagged() {
    auto* orders = child<QComboBox>("rankingOrder");
    const int at = orders->findText(QStringLiteral("real: least covered first"));
    QVERIFY(at >= 0);
    orders->setCurrentIndex(at);
    const std::vector<double>& coverage = state().current().column("coverage");
    QCOMPARE(ranking()->size(), state().audit->real->set->rows());
    for (std::size_t i = 1; i < ranking()->size(); ++i)
        QVERIFY(coverage[ranking()->sampleAt(i - 1).row] <= coverage[ranking()->sampleAt(i).row]);
    QTest::mouseClick(gallery()->viewport(), Qt::LeftButton, {}, gallery()->cellRect(0).center());
    const SampleId chosen = ranking()->sampleAt(0);
    QVERIFY(isReal(chosen.set));
    QCOMPARE(selection_->focus(), std::optional(chosen));
    gallery()->setFocus();
    QTest::keyClick(gallery(), Qt::Key_4);
    QCOMPARE(state().tagsOf(chosen), tagSet(4));
    QVERIFY(!child<QAction>("actionRejectByHand")->isEnabled()); // that is for synthetic ones
    selection_->clear();
    child<QAction>("actionSelectTag4")->trigger();
    QCOMPARE(selection_->samples(), (SampleSet{chosen}));
    test::shoot(*window_, "real-ranked");
}

void ViewFilterTest::uncoveredSamplesAreSelected() {
    child<QAction>("actionSelectUncovered")->trigger();
    const double uncovered =
        (1.0 - state().current().metric("coverage")) * static_cast<double>(state().audit->real->set->rows());
    QVERIFY(uncovered > 0.5);
    QCOMPARE(selection_->samples().countIn(SetId::Real), static_cast<std::size_t>(std::lround(uncovered)));
    QCOMPARE(selection_->samples().size(), selection_->samples().countIn(SetId::Real));
}

void ViewFilterTest::allScoresStay() {
    setRules({{"fidelity", Bound::AtLeast, 0.5}});
    const std::size_t kept = session_->document()->keptCount();
    const auto before = state().kept;
    QTest::keyClicks(child<QLineEdit>("rankingSearch"), QStringLiteral("3"));
    QCOMPARE(session_->document()->keptCount(), kept);
    QCOMPARE(state().kept, before);
}

ASSAY_TEST(view_filter_test, ViewFilterTest)
#include "view_filter_test.moc"
