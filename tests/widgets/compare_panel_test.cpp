// Two models sample by sample.
#include "engine/report/samples/export_samples.h"
#include "tests/support/test_entry.h"
#include "tests/widgets/support/fake_audit.h"
#include "tests/widgets/support/shown_view.h"
#include "widgets/compare/compare_panel.h"
#include "widgets/compare/differences_table.h"
#include "widgets/compare/distribution_pair.h"
#include "widgets/grid/sample_grid.h"
#include "widgets/tables/table_view.h"

#include <QtWidgets>

#include <algorithm>
#include <cmath>

using namespace assay;

namespace {

/// The fake audit with resamples, so that scores have differences; names with a prefix.
std::shared_ptr<const AuditResult> comparedAudit(std::size_t models = 3, const std::string& prefix = {}) {
    auto result = std::make_shared<AuditResult>(*test::fakeAudit({.models = models}));
    double shift = 0.0;
    for (auto& model : result->models) {
        auto changed = std::make_shared<ModelAudit>(*model);
        changed->name = prefix + changed->name;
        changed->resamples.clear();
        for (const MetricValue& metric : changed->metrics) {
            const bool isTold = metric.id == std::string_view("clipped_density");
            std::vector<double> values;
            for (std::size_t b = 0; b < kResamples; ++b)
                values.push_back((isTold ? shift : 0.0) + 1e-3 * static_cast<double>((b * 37) % 101));
            changed->resamples.push_back({metric.id, std::move(values)});
        }
        shift -= 1.0;
        model = changed;
    }
    return result;
}

/// The panel, and in the place of its job a comparison at once.
struct CompareWindow : test::ShownView<ComparePanel> {
    QComboBox* first = view.findChild<QComboBox*>("compareFirst");
    QComboBox* other = view.findChild<QComboBox*>("compareSecond");
    DistributionPair* spread = view.findChild<DistributionPair*>("distributionPair");
    TableView* table = view.findChild<TableView*>("differencesTable");
    std::vector<std::pair<std::size_t, std::size_t>> wanted;

    explicit CompareWindow(const ViewState& state, QSize size = {1100, 620}) : ShownView({}, size) {
        host.onRequest = [this](const PanelRequest& request) {
            wanted.emplace_back(view.state().model, static_cast<std::size_t>(other->currentIndex()));
            request.show(request.work({}));
        };
        view.showState(state);
        QCoreApplication::processEvents();
    }
    ModelContrast contrast() const {
        return contrastModels(*view.state().audit, wanted.back().first, wanted.back().second);
    }
    QFrame* card(CoveredBy group) const {
        return view.findChild<QFrame*>(QStringLiteral("coverageGroup%1").arg(static_cast<int>(group)));
    }
    template <typename Widget>
    Widget* in(CoveredBy group, const char* name) const {
        return card(group)->findChild<Widget*>(name);
    }
    SampleGrid* strip(int model) const {
        return view.findChild<SampleGrid*>(QStringLiteral("neighborhoodStrip%1").arg(model));
    }
    std::vector<SampleId> real() const { return view.findChild<SampleGrid*>("neighborhoodReal")->samples(); }
};

SampleSet samplesOf(const ModelContrast& contrast, CoveredBy group) {
    return SampleSet(SetId::Real, contrast.group(group).rows);
}

} // namespace

class ComparePanelTest : public QObject {
    Q_OBJECT

private slots:
    void theGroupsAreExported();
    void initTestCase() { QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates)); }
    void groupsAreCountedSelectedAndShown();
    void picturesAreSelectedAndInspected();
    void choosesTwoModels();
    void showsBothDistributions();
    void bothGalleriesAreOfOneRealSample();
    void theFirstSentenceAnswers();
    void differencesHaveIntervals();
    void isAFigure();
    void ignoresWhatIsOfOtherModels();
    void teachesWhenThereIsNothing();
    void looksRight_data();
    void looksRight();
};

void ComparePanelTest::groupsAreCountedSelectedAndShown() {
    CompareWindow window({comparedAudit(), 0, nullptr});
    const ModelContrast contrast = window.contrast();
    for (const CoveredBy group : {CoveredBy::Both, CoveredBy::OnlyFirst, CoveredBy::OnlySecond, CoveredBy::Neither}) {
        const std::size_t count = contrast.group(group).rows.size();
        const QString title = window.in<QLabel>(group, "coverageGroupTitle")->text();
        QVERIFY2(title.contains(QStringLiteral(": %1 real").arg(count)), qPrintable(title));
        auto* select = window.in<QPushButton>(group, "coverageGroupSelect");
        auto* only = window.in<QPushButton>(group, "coverageGroupOnly");
        QCOMPARE(select->isEnabled(), count > 0);
        if (count == 0)
            continue;
        QTest::mouseClick(select, Qt::LeftButton);
        QVERIFY(window.selection.samples() == samplesOf(contrast, group));
        QTest::mouseClick(only, Qt::LeftButton);
        QVERIFY(*window.view.state().filter.among == samplesOf(contrast, group));
        QVERIFY(only->isChecked());
        QTest::mouseClick(only, Qt::LeftButton);
        QVERIFY(window.view.state().filter.empty() && !only->isChecked());
        QTest::mouseClick(select, Qt::LeftButton, Qt::ControlModifier); // it toggles
        QVERIFY(window.selection.samples().empty());
    }
    QVERIFY(!contrast.group(CoveredBy::Both).rows.empty());
}

void ComparePanelTest::picturesAreSelectedAndInspected() {
    CompareWindow window({comparedAudit(), 0, nullptr});
    const auto& inspected = window.host.inspected;
    auto* strip = window.in<SampleGrid>(CoveredBy::Both, "coverageGroupExamples");
    QVERIFY(strip->samples().size() >= 3);
    QTest::mouseClick(strip->viewport(), Qt::LeftButton, {}, strip->pictureRect({1, 0}).center());
    QVERIFY(window.selection.samples() == SampleSet({strip->samples()[1]}));
    QCOMPARE(window.selection.focus(), std::optional(strip->samples()[1]));
    QTest::keyClick(strip, Qt::Key_Right);
    QCOMPARE(window.selection.focus(), std::optional(strip->samples()[2]));
    QTest::keyClick(strip, Qt::Key_Left);
    QTest::keyClick(strip, Qt::Key_Return);
    QCOMPARE(inspected.size(), std::size_t{1});
    QCOMPARE(inspected[0], strip->samples()[1]);
    QTest::mouseDClick(strip->viewport(), Qt::LeftButton, {}, strip->pictureRect({0, 0}).center());
    QCOMPARE(inspected.size(), std::size_t{2});
}

void ComparePanelTest::choosesTwoModels() {
    using Pairs = std::vector<std::pair<std::size_t, std::size_t>>;
    CompareWindow window({comparedAudit(), 0, nullptr});
    QCOMPARE(window.wanted, (Pairs{{0, 1}}));
    window.other->setFocus();
    QTest::keyClick(window.other, Qt::Key_Down);
    QCOMPARE(window.wanted.back(), (std::pair<std::size_t, std::size_t>{0, 2}));
    window.first->setFocus();
    QTest::keyClick(window.first, Qt::Key_Down); // the current model, for all panels
    QCOMPARE(window.host.models, (std::vector<std::size_t>{1}));
    QCOMPARE(window.wanted.back(), (std::pair<std::size_t, std::size_t>{1, 2}));
    QTest::keyClick(window.first, Qt::Key_Down); // that is the other one: they swap
    QCOMPARE(window.wanted.back(), (std::pair<std::size_t, std::size_t>{2, 1}));
    const std::size_t asked = window.wanted.size();
    window.view.showState(window.view.state());
    QCOMPARE(window.wanted.size(), asked); // nothing is new
}

void ComparePanelTest::showsBothDistributions() {
    CompareWindow window({comparedAudit(), 0, nullptr});
    const ContrastedColumn fidelity = window.contrast().fidelity;
    for (std::size_t model = 0; model < 2; ++model) {
        const std::vector<QPointF>& line = window.spread->content().series[model].points;
        QCOMPARE(line.size(), 2 * fidelity.bins.count() + 2);
        const auto& shares = model == 0 ? fidelity.first : fidelity.second;
        for (std::size_t bin = 0; bin < fidelity.bins.count(); ++bin)
            QVERIFY(std::abs(line[2 * bin + 1].y() - shares[bin]) < 0.01);
    }
}

void ComparePanelTest::bothGalleriesAreOfOneRealSample() {
    CompareWindow window({comparedAudit(), 0, nullptr});
    const SampleId real{SetId::Real, 7};
    window.selection.select(real);
    QCOMPARE(window.real(), (std::vector<SampleId>{real}));
    const AuditResult& audit = *window.view.state().audit;
    for (const int model : {0, 1}) {
        const auto& table = audit.models[static_cast<std::size_t>(model)]->tables->real.nearest;
        const std::vector<SampleId> samples = window.strip(model)->samples();
        QVERIFY(samples.size() >= 8);
        for (std::size_t rank = 0; rank < samples.size(); ++rank)
            QCOMPARE(samples[rank], (SampleId{syntheticSet(static_cast<std::size_t>(model)), table.indexAt(7, rank)}));
    }
    // Going to one of them keeps the place; another sample leads to the real one nearest to it.
    auto* strip = window.strip(1);
    QTest::mouseClick(strip->viewport(), Qt::LeftButton, {}, strip->pictureRect({2, 0}).center());
    QCOMPARE(window.selection.focus()->set, syntheticSet(1));
    QCOMPARE(window.real(), (std::vector<SampleId>{real}));
    SampleId far{syntheticSet(0), 0};
    const auto isNear = [&] {
        const std::vector<SampleId> shown = window.strip(0)->samples();
        return std::ranges::find(shown, far) != shown.end();
    };
    while (isNear())
        ++far.row;
    window.selection.select(far);
    QCOMPARE(window.real().front().row, audit.models[0]->tables->synthetic.nearest.indexAt(far.row, 0));
}

void ComparePanelTest::theFirstSentenceAnswers() {
    CompareWindow window({comparedAudit(), 0, nullptr});
    const auto* sentence = window.view.findChild<QLabel*>("compareSentence");
    const ModelContrast contrast = window.contrast();
    QVERIFY(sentence->isVisible());
    QVERIFY2(sentence->text().contains(
                 QString("covers %1 real samples that").arg(contrast.group(CoveredBy::OnlyFirst).rows.size())),
             qPrintable(sentence->text()));
    QVERIFY2(sentence->text().contains("faithful"), qPrintable(sentence->text()));
    window.view.showState({comparedAudit(1), 0, nullptr});
    QVERIFY(!sentence->isVisible());
}

void ComparePanelTest::differencesHaveIntervals() {
    CompareWindow window({comparedAudit(), 0, nullptr});
    QAbstractItemModel* model = window.table->model();
    QAbstractItemModelTester tester(model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    const auto& audit = *window.view.state().audit;
    const auto differences = compareModels(*audit.models[0], *audit.models[1]);
    QCOMPARE(model->rowCount(), static_cast<int>(differences.size()));
    QVERIFY(shownDifferences(window.contrast()).front().excludesZero()); // what is told apart comes first
    QCOMPARE(model->index(0, ScoreColumn).data().toString(), QStringLiteral("Clipped density"));
    const QString verdict = model->index(0, VerdictColumn).data().toString();
    QCOMPARE(verdict, QStringLiteral("better"));
    QCOMPARE(model->index(1, VerdictColumn).data().toString(), QStringLiteral("not told apart"));
    QVERIFY(model->index(0, DifferenceColumn).data().toString().contains('['));
    QVERIFY(!model->index(0, 0).data(Qt::ToolTipRole).toString().isEmpty());
}

void ComparePanelTest::isAFigure() {
    CompareWindow window({comparedAudit(), 0, nullptr});
    const auto figure = window.view.figure();
    const ContrastedColumn fidelity = window.contrast().fidelity;
    QVERIFY(figure && figure->legend.size() == 2);
    QCOMPARE(figure->data.size(), fidelity.bins.count() + 1);
    QCOMPARE(figure->data[1][2].toDouble(), fidelity.first[0]);
    QCOMPARE(figure->data[1][3].toDouble(), fidelity.second[0]);
}

void ComparePanelTest::ignoresWhatIsOfOtherModels() {
    CompareWindow window({comparedAudit(), 0, nullptr});
    const QString before = window.in<QLabel>(CoveredBy::Both, "coverageGroupTitle")->text();
    window.view.showContrast(std::make_shared<const ModelContrast>(contrastModels(*window.view.state().audit, 1, 0)));
    QCOMPARE(window.in<QLabel>(CoveredBy::Both, "coverageGroupTitle")->text(), before);
    window.view.showContrast(nullptr);
    QCOMPARE(window.in<QLabel>(CoveredBy::Both, "coverageGroupTitle")->text(), before);
}

void ComparePanelTest::teachesWhenThereIsNothing() {
    CompareWindow window({comparedAudit(1), 0, nullptr});
    QVERIFY(window.hint->isVisible() && window.hint->text().contains("one model"));
    QVERIFY(window.wanted.empty());
    auto* add = window.view.findChild<QPushButton*>("panelMessageButton");
    QTest::mouseClick(add, Qt::LeftButton);
    QCOMPARE(window.host.count(PanelCommand::AddModels), 1);
    window.view.showState({});
    QVERIFY(window.hint->isVisible() && window.hint->text().contains("Open"));
    QVERIFY(!add->isVisible()); // without an audit there is nothing to add to
    QVERIFY(!window.view.figure());
    window.view.showState({comparedAudit(2), 1, nullptr});
    QVERIFY(!window.hint->isVisible());
    QCOMPARE(window.wanted.back(), (std::pair<std::size_t, std::size_t>{1, 0}));
}

void ComparePanelTest::looksRight_data() {
    test::addColumns<QSize, QString>("size", "prefix");
    QTest::newRow("wide") << QSize(1140, 900) << "";
    QTest::newRow("narrow") << QSize(420, 900) << "";
    QTest::newRow("long-names") << QSize(1140, 700) << QString(10'000, QLatin1Char('n'));
}

void ComparePanelTest::looksRight() {
    QFETCH(QSize, size);
    QFETCH(QString, prefix);
    CompareWindow window({comparedAudit(3, prefix.toStdString()), 0, nullptr}, size);
    QCOMPARE(window.view.size(), size); // however long the names
    const auto* scroll = window.view.findChild<QScrollArea*>();
    QVERIFY(scroll->widget()->width() <= scroll->viewport()->width());
    test::shoot(window.view, QStringLiteral("compare-%1").arg(QTest::currentDataTag()));
}

void ComparePanelTest::theGroupsAreExported() {
    CompareWindow window({comparedAudit(), 0, nullptr});
    auto* button = window.view.findChild<QPushButton*>("coverageGroupsExport");
    window.view.findChild<QScrollArea*>()->ensureWidgetVisible(button);
    QTest::mouseClick(button, Qt::LeftButton);
    QCOMPARE(window.host.coverageExported.size(), std::size_t{1});
    const auto contrast = window.host.coverageExported.front();
    QTemporaryDir folder;
    const QString file = folder.filePath("covered.csv");
    exportCoverage(*window.view.state().audit, *contrast, file.toStdString());
    const QList<QByteArray> lines = test::contentOf(file).split('\n');
    QCOMPARE(lines.front(), QByteArray("row,id,label,covered_by"));
    QCOMPARE(lines.size(), static_cast<qsizetype>(window.view.state().audit->real->set->rows()) + 2);
    for (const auto& [group, name] :
         {std::pair(CoveredBy::Both, std::string("both")), std::pair(CoveredBy::OnlyFirst, contrast->first->name),
          std::pair(CoveredBy::OnlySecond, contrast->second->name),
          std::pair(CoveredBy::Neither, std::string("neither"))}) {
        const auto count = std::ranges::count_if(
            lines, [&](const QByteArray& line) { return line.endsWith(QByteArray::fromStdString("," + name)); });
        QCOMPARE(static_cast<std::size_t>(count), contrast->group(group).rows.size());
    }
}

ASSAY_TEST(compare_panel_test, ComparePanelTest)
#include "compare_panel_test.moc"
