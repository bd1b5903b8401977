// Missed real samples in groups, with pictures and what is nearest to them.
#include "tests/support/test_entry.h"
#include "tests/widgets/support/fake_audit.h"
#include "tests/widgets/support/shown_view.h"
#include "widgets/grid/sample_grid.h"
#include "widgets/holes/holes_panel.h"

#include <QtWidgets>

using namespace assay;

namespace {

/// The fake audit, whose models miss the real samples 0 to 19.
std::shared_ptr<const AuditResult> missing() {
    return test::withEveryModel(
        test::fakeAudit(), [rows = test::fakeAudit()->real->set->rows()](ModelAudit& model, std::size_t) {
            std::vector<double> verdicts(rows, 0.0);
            std::fill_n(verdicts.begin(), 20, 1.0);
            std::erase_if(model.columns, [](const ColumnValues& column) { return column.id == "coverage_verdict"; });
            model.columns.push_back({"coverage_verdict", verdicts});
        });
}

std::shared_ptr<const CoverageHoles> twoHoles(const AuditResult& audit, std::size_t model) {
    CoverageHoles holes;
    holes.model = audit.models[model];
    holes.missed = 20;
    holes.holes.push_back({{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, {3, 7}, {{"6", 9}, {"5", 1}}});
    holes.holes.push_back({{10, 11, 12, 13, 14, 15}, {10, 12, 14}, {}});
    holes.apart = {16, 17, 18, 19};
    return std::make_shared<const CoverageHoles>(holes);
}

/// The panel with someone who finds the holes that it asks for.
struct HolesWindow : test::ShownView<HolesPanel> {
    std::vector<std::size_t> asked;

    explicit HolesWindow(const ViewState& state) : ShownView(ViewState(), {640, 520}) {
        host.onRequest = [this](const PanelRequest&) {
            asked.push_back(view.state().model);
            view.showHoles(twoHoles(*view.state().audit, view.state().model));
        };
        view.showState(state);
        QCoreApplication::processEvents();
    }
    QWidget* card(int number) const { return view.findChild<QWidget*>(QStringLiteral("hole_%1").arg(number)); }
    SampleGrid* pictures(int number) const { return card(number)->findChild<SampleGrid*>(); }
    QPushButton* button(int number, const char* name) const { return card(number)->findChild<QPushButton*>(name); }
    QStringList words(int number) const {
        QStringList all;
        for (const QLabel* label : card(number)->findChildren<QLabel*>())
            all << label->text();
        return all;
    }
};

} // namespace

class HolesPanelTest : public QObject {
    Q_OBJECT

private slots:
    void saysWhatWouldBeHere();
    void showsTheLargestHoleFirst();
    void longNamesAreCutAndBroken();
    void ignoresHolesOfAnotherModel();
    void selectsAndFilters();
    void picturesAreSelectedByMouseAndKeys();
    void exportsWhatItShows();
    void namesGroupsThatAreMissedAsAWhole();
};

void HolesPanelTest::longNamesAreCutAndBroken() {
    SampleSelection selection;
    test::TestHost host(&selection);
    HolesPanel view(host);
    auto audit = std::make_shared<AuditResult>(*missing());
    auto model = std::make_shared<ModelAudit>(*audit->models[0]);
    model->name = std::string(70, 'm');
    audit->models[0] = model;
    view.showState({audit, 0, nullptr});
    CoverageHoles none;
    none.model = model;
    view.showHoles(std::make_shared<const CoverageHoles>(none));
    const auto* hint = view.findChild<QLabel*>("panelMessage");
    QVERIFY(hint->text().contains(QString(70, 'm')));
    const QFontMetrics metrics = hint->fontMetrics();
    const int lines = metrics.horizontalAdvance(QString(70, 'm')) / 120; // of a word that is wider than its line
    QVERIFY2(lines >= 4 && hint->heightForWidth(120) >= lines * metrics.lineSpacing() + 2 * hint->margin(),
             qPrintable(QString::number(hint->heightForWidth(120))));
    model->name = std::string(500, 'm');
    view.showHoles(std::make_shared<const CoverageHoles>(none));
    QVERIFY(hint->text().contains(QChar(0x2026)) && hint->text().size() < 130);
}

void HolesPanelTest::saysWhatWouldBeHere() {
    SampleSelection selection;
    test::TestHost host(&selection);
    HolesPanel view(host);
    const auto* hint = view.findChild<QLabel*>("panelMessage");
    host.onRequest = [](const PanelRequest&) {};
    const auto bare = test::withModel(missing(), 0, [](ModelAudit& model) {
        std::erase_if(model.columns, [](const ColumnValues& column) { return column.id == "coverage_verdict"; });
    });
    view.showState({bare, 0, nullptr});
    QVERIFY(hint->text().contains("no verdicts"));
    QVERIFY(host.requests.empty());
    const auto audit = missing();
    view.showState({audit, 1, nullptr});
    QCOMPARE(host.requests.size(), std::size_t{1});
    QVERIFY(hint->text().contains("Grouping"));
    CoverageHoles none;
    none.model = audit->models[1];
    view.showHoles(std::make_shared<const CoverageHoles>(none));
    QVERIFY(hint->text().contains("misses no real sample beyond chance"));
    none.missed = 4;
    none.apart = {1, 2, 3, 4};
    view.showHoles(std::make_shared<const CoverageHoles>(none));
    QVERIFY(hint->text().contains("lie apart"));
}

void HolesPanelTest::showsTheLargestHoleFirst() {
    HolesWindow window({missing(), 0, nullptr});
    QCOMPARE(window.asked, (std::vector<std::size_t>{0}));
    QVERIFY2(window.text("holesSummary").contains("misses 20 of 60 real samples, in 2 holes and 4 apart from these."),
             qPrintable(window.text("holesSummary")));
    QVERIFY(window.words(1).contains("10 real samples (16.7 %)") ||
            window.words(1).first().startsWith("10 real samples"));
    QVERIFY(window.words(1).join(' ').contains("class 6 (90"));
    QVERIFY(!window.words(2).join(' ').contains("class"));
    QCOMPARE(window.pictures(1)->samples().size(), std::size_t{4}); // two real ones, and what is nearest to each
    QCOMPARE(window.pictures(1)->samples()[2], (SampleId{SetId::Real, 7}));
    QCOMPARE(window.pictures(2)->samples()[5].set, syntheticSet(0));
    test::shoot(window.view, "holes");
}

void HolesPanelTest::ignoresHolesOfAnotherModel() {
    HolesWindow window({missing(), 0, nullptr});
    const auto audit = window.view.state().audit;
    window.view.showHoles(twoHoles(*audit, 1));
    QCOMPARE(window.pictures(2)->samples()[5].set, syntheticSet(0));
    window.view.showState({audit, 1, nullptr});
    QCOMPARE(window.asked, (std::vector<std::size_t>{0, 1}));
    QCOMPARE(window.pictures(2)->samples()[5].set, syntheticSet(1));
    ViewState kept = window.view.state();
    kept.kept = std::make_shared<const std::vector<bool>>(80, false);
    const QWidget* before = window.card(1);
    window.view.showState(kept);
    QCOMPARE(window.card(1), before); // nothing is laid out again
}

void HolesPanelTest::selectsAndFilters() {
    HolesWindow window({missing(), 0, nullptr});
    QTest::mouseClick(window.button(2, "holeSelect"), Qt::LeftButton);
    QCOMPARE(window.selection.samples(), SampleSet(SetId::Real, std::vector<std::uint32_t>{10, 11, 12, 13, 14, 15}));
    QTest::mouseClick(window.button(2, "holeOnly"), Qt::LeftButton);
    QVERIFY(window.button(2, "holeOnly")->isChecked() && !window.button(1, "holeOnly")->isChecked());
    QVERIFY(window.view.state().isShown({SetId::Real, 12}) && !window.view.state().isShown({SetId::Real, 3}));
    QTest::mouseClick(window.button(1, "holeOnly"), Qt::LeftButton);
    QVERIFY(window.view.state().isShown({SetId::Real, 3}) && !window.view.state().isShown({SetId::Real, 12}));
    QTest::mouseClick(window.button(1, "holeOnly"), Qt::LeftButton);
    QVERIFY(window.view.state().filter.empty());
    // What else is filtered stays, and keys that are held count.
    ViewState ofText = window.view.state();
    ofText.filter.text = QStringLiteral("1");
    window.view.showState(ofText);
    QTest::mouseClick(window.button(2, "holeOnly"), Qt::LeftButton);
    QCOMPARE(window.view.state().filter.text, QStringLiteral("1"));
    QTest::mouseClick(window.button(2, "holeOnly"), Qt::LeftButton);
    QVERIFY(window.view.state().filter == ofText.filter);
    const std::size_t selected = window.selection.samples().size();
    QTest::mouseClick(window.button(1, "holeSelect"), Qt::LeftButton, Qt::ShiftModifier);
    QVERIFY(window.selection.samples().size() > selected && window.selection.samples().contains({SetId::Real, 12}));
}

void HolesPanelTest::picturesAreSelectedByMouseAndKeys() {
    HolesWindow window({missing(), 0, nullptr});
    SampleGrid* pictures = window.pictures(1);
    QWidget* area = pictures->viewport();
    const auto at = [&](std::size_t hole, std::size_t part) { return pictures->pictureRect({hole, part}).center(); };
    const auto sample = [&](std::size_t hole, std::size_t part) {
        return std::optional(pictures->sampleAt({hole, part}));
    };
    QTest::mouseMove(area, at(1, 0));
    QTRY_COMPARE(window.selection.hovered(), sample(1, 0));
    QTest::mouseClick(area, Qt::LeftButton, {}, at(1, 0));
    QCOMPARE(window.selection.focus(), sample(1, 0));
    QTest::keyClick(pictures, Qt::Key_Down);
    QCOMPARE(window.selection.focus(), sample(1, 1));
    QTest::keyClick(pictures, Qt::Key_Left);
    QTest::keyClick(pictures, Qt::Key_Up);
    QCOMPARE(window.selection.focus(), sample(0, 0));
    QTest::keyClick(pictures, Qt::Key_Up); // there is nothing above
    QCOMPARE(window.selection.focus(), sample(0, 0));
    const auto& inspected = window.host.inspected;
    QTest::keyClick(pictures, Qt::Key_Return);
    QTest::mouseDClick(area, Qt::LeftButton, {}, at(0, 1));
    QCOMPARE(inspected.size(), std::size_t{2});
    QCOMPARE(inspected[1], *sample(0, 1));
}

void HolesPanelTest::exportsWhatItShows() {
    HolesWindow window({missing(), 0, nullptr});
    window.click("holesExport");
    QCOMPARE(window.host.holesExported.at(0)->holes.size(), std::size_t{2});
}

/// Groups of four real samples each: the samples 0 to 19 are missed, of which 16 to 19 are in no hole.
void HolesPanelTest::namesGroupsThatAreMissedAsAWhole() {
    EmbeddingParts parts = test::partsOf(*missing()->real->set);
    std::vector<std::string> names;
    for (std::size_t row = 0; row < parts.rows; ++row)
        names.push_back(row == 13 ? std::string() : "p" + std::to_string(row / 4));
    parts.groups = labelsFromText(names);
    const auto audit = test::withRealSet(missing(), std::make_shared<const EmbeddingSet>(std::move(parts)));
    HolesWindow window({audit, 0, nullptr});
    QVERIFY2(window.text("holesSummary").endsWith("5 of 15 groups are missed as a whole."),
             qPrintable(window.text("holesSummary")));
    QVERIFY2(window.words(1).join(' ').contains("Missed as a whole: p0, p1, p2"),
             qPrintable(window.words(1).join(' ')));
    QVERIFY(window.words(2).join(' ').contains("Missed as a whole: p2, p3"));
    test::shoot(window.view, "holes-groups");
}

ASSAY_TEST(holes_panel_test, HolesPanelTest)
#include "holes_panel_test.moc"
