// Groups of the ranking and its second row of pictures, driven with mouse and keys.
#include "tests/support/test_entry.h"
#include "tests/widgets/support/fake_audit.h"
#include "tests/widgets/support/judged_audit.h"
#include "tests/widgets/support/shown_view.h"
#include "widgets/grid/sample_card.h"
#include "widgets/grid/sample_grid.h"
#include "widgets/ranking/ranking_cells.h"
#include "widgets/ranking/ranking_model.h"
#include "widgets/ranking/ranking_picker.h"
#include "widgets/ranking/ranking_table.h"
#include "widgets/ranking/ranking_view.h"

#include <QtWidgets>

#include <algorithm>
#include <map>
#include <set>
#include <vector>

using namespace assay;

namespace {

/// A ranking view in a window of its own.
struct GroupWindow : test::ShownView<RankingView> {
    SampleGrid* gallery = view.findChild<SampleGrid*>(QStringLiteral("rankingGallery"));
    RankingModel* model = view.model();

    explicit GroupWindow(const std::shared_ptr<const AuditResult>& audit, QSize size = {900, 420})
        : ShownView({audit, 0, nullptr}, size) {}

    void group(RankingGrouping grouping) {
        auto* combo = view.findChild<QComboBox*>("rankingGroup");
        combo->setCurrentIndex(combo->findData(static_cast<int>(grouping)));
    }
    void clickHeader(std::size_t group, Qt::KeyboardModifiers modifiers = {}) {
        const QRect header = gallery->headingRect(group);
        QTest::mouseClick(gallery->viewport(), Qt::LeftButton, modifiers,
                          QPoint(header.left() + 60, header.center().y()));
    }
    void click(std::size_t position, Qt::KeyboardModifiers modifiers = {}) {
        QTest::mouseClick(gallery->viewport(), Qt::LeftButton, modifiers, gallery->cellRect(position).center());
    }
    void press(Qt::Key key, Qt::KeyboardModifiers modifiers = {}) { QTest::keyClick(gallery, key, modifiers); }
    std::optional<std::size_t> focus() const {
        const auto sample = selection.focus();
        return sample ? model->positionOf(*sample) : std::nullopt;
    }
    std::size_t visible(std::size_t group) const { return gallery->layoutOfCells().visible(group); }
};

} // namespace

class RankingGroupsTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates)); }
    void ordersGroupsBySizeThenByTheirBest_data();
    void ordersGroupsBySizeThenByTheirBest();
    void groupsWhatTheFilterLeaves();
    void copiesOfOneOriginalAreOneRow();
    void headersNameTheirGroups_data();
    void headersNameTheirGroups();
    void aHeaderSelectsItsGroup();
    void spaceOpensAndClosesAGroup();
    void arrowsCrossHeaders();
    void enterAtAHeaderOpensTheGroup();
    void rangesTakeWhatIsSeen();
    void whatIsSelectedElsewhereComesUp();
    void walkingTheSelectedKeepsThem();
    void keyWalksThroughTheGroupings();
    void listHasNoGroups();
    void offersWhatTheAuditKnows();
    void showsTheNearestSampleUnderEachPicture();
    void badgesOfRealSamples();
    void tilesAndHeadersAreAccessible();
    void layoutFindsEveryTileAgain();
    void manyAreListedLater();
    void groupsKeepTheirNamesUntilOthersCome();
};

void RankingGroupsTest::ordersGroupsBySizeThenByTheirBest_data() {
    test::addColumns<RankingGrouping, Side>("grouping", "side");
    QTest::newRow("verdict") << RankingGrouping::Verdict << Side::Synthetic;
    QTest::newRow("class") << RankingGrouping::Class << Side::Synthetic;
    QTest::newRow("nearest") << RankingGrouping::Nearest << Side::Synthetic;
    QTest::newRow("verdict of real samples") << RankingGrouping::Verdict << Side::Real;
    QTest::newRow("nearest of real samples") << RankingGrouping::Nearest << Side::Real;
}

void RankingGroupsTest::ordersGroupsBySizeThenByTheirBest() {
    QFETCH(RankingGrouping, grouping);
    QFETCH(Side, side);
    const auto audit = test::judgedAudit(16);
    SampleSelection selection;
    RankingModel model(&selection);
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    model.setState({audit, 0, nullptr});
    model.setOrder({side == Side::Real ? "coverage" : "p_any", Qt::AscendingOrder, side});
    std::map<std::uint32_t, std::size_t> rank; // by row
    for (std::size_t at = 0; at < model.size(); ++at)
        rank[model.sampleAt(at).row] = at;
    const std::size_t all = model.size();
    model.setGrouping(grouping);
    QCOMPARE(model.size(), all);
    const auto keyOf = [&](std::uint32_t row) -> double {
        const ModelAudit& of = *audit->models[0];
        if (grouping == RankingGrouping::Class)
            return model.listed().labels().code[row];
        if (grouping == RankingGrouping::Verdict)
            return of.column(side == Side::Real ? "coverage_verdict" : "verdict")[row];
        return side == Side::Real ? of.tables->real.nearest.indexAt(row, 0) : of.column("nearest_real")[row];
    };
    std::set<double> keys;
    std::size_t next = 0;
    for (std::size_t group = 0; group < model.groups().size(); ++group) {
        const SampleGroup& of = model.groups()[group];
        QCOMPARE(of.first, next);
        next += of.count;
        QVERIFY(keys.insert(of.key).second);
        for (std::size_t at = of.first; at < next; ++at) {
            QCOMPARE(keyOf(model.sampleAt(at).row), static_cast<double>(of.key));
            QCOMPARE(model.positionOf(model.sampleAt(at)), std::optional(at));
            if (at > of.first) // as ranked
                QVERIFY(rank[model.sampleAt(at - 1).row] < rank[model.sampleAt(at).row]);
        }
        if (group == 0)
            continue;
        const SampleGroup& before = model.groups()[group - 1];
        QVERIFY(before.count > of.count || (before.count == of.count && rank[model.sampleAt(before.first).row] <
                                                                            rank[model.sampleAt(of.first).row]));
    }
    QCOMPARE(next, all);
    QVERIFY(keys.size() > 1);
    model.setGrouping(RankingGrouping::None);
    QVERIFY(model.groups().empty());
}

void RankingGroupsTest::groupsWhatTheFilterLeaves() {
    GroupWindow window(test::judgedAudit(16));
    window.group(RankingGrouping::Nearest);
    ViewFilter filter;
    filter.className = "1";
    window.showFiltered(filter);
    std::size_t listed = 0;
    for (const SampleGroup& group : window.model->groups())
        listed += group.count;
    QCOMPARE(listed, window.model->size());
    QVERIFY(listed < 200);
    window.group(RankingGrouping::Class);
    QCOMPARE(window.model->groups().size(), 1U);
    QCOMPARE(window.visible(0), listed); // the only group is not folded
    QVERIFY(window.gallery->foldRect(0).isEmpty());
}

void RankingGroupsTest::copiesOfOneOriginalAreOneRow() {
    GroupWindow window(test::judgedAudit(16));
    window.group(RankingGrouping::Nearest);
    // The copies of sample 7 are one of the groups, a row long.
    const auto& groups = window.model->groups();
    const auto at = std::ranges::find(groups, 7U, &SampleGroup::key);
    QVERIFY(at != groups.end() && at->count >= test::JudgedRows::kNearCopies);
    const auto group = static_cast<std::size_t>(at - groups.begin());
    window.gallery->scrollNear(at->first);
    const auto columns = static_cast<std::size_t>(window.gallery->columns());
    QCOMPARE(window.visible(group), columns);
    QCOMPARE(window.view.cells().headingText(group), QString("%1 near real 7 (class 1)").arg(at->count));
    QVERIFY(window.gallery->cellRect(at->first + columns).isEmpty());
    QVERIFY(!window.gallery->cellRect(at->first + columns - 1).isEmpty());
    test::shoot(window.view, "ranking-groups");
    QTest::mouseClick(window.gallery->viewport(), Qt::LeftButton, {}, window.gallery->foldRect(group).center());
    QCOMPARE(window.visible(group), at->count);
    QVERIFY(window.selection.isEmpty()); // the link only opens
    QTest::mouseClick(window.gallery->viewport(), Qt::LeftButton, {}, window.gallery->foldRect(group).center());
    QCOMPARE(window.visible(group), columns);
    const QPoint onHeader(60, window.gallery->headingRect(group).center().y());
    QTest::mouseDClick(window.gallery->viewport(), Qt::LeftButton, {}, onHeader);
    QCOMPARE(window.visible(group), at->count);
}

void RankingGroupsTest::headersNameTheirGroups_data() {
    test::addColumns<RankingGrouping, QString>("grouping", "pattern");
    QTest::newRow("verdict") << RankingGrouping::Verdict << "^\\d+ (copies|copy|crowded|invented|unrealistic|good)$";
    QTest::newRow("class") << RankingGrouping::Class << "^\\d+ of class [012]$";
    QTest::newRow("nearest") << RankingGrouping::Nearest << "^\\d+ near real \\d+ \\(class [012]\\)$";
}

void RankingGroupsTest::headersNameTheirGroups() {
    QFETCH(RankingGrouping, grouping);
    QFETCH(QString, pattern);
    GroupWindow window(test::judgedAudit(16));
    window.group(grouping);
    QVERIFY(window.model->groups().size() > 1);
    for (std::size_t group = 0; group < window.model->groups().size(); ++group) {
        const QString text = window.view.cells().headingText(group);
        QVERIFY2(QRegularExpression(pattern).match(text).hasMatch(), qPrintable(text));
    }
}

void RankingGroupsTest::aHeaderSelectsItsGroup() {
    GroupWindow window(test::judgedAudit(16));
    window.group(RankingGrouping::Verdict);
    window.clickHeader(0);
    QCOMPARE(window.selection.samples(), window.model->samplesOf(0));
    QCOMPARE(window.selection.samples().size(), window.model->groups()[0].count);
    window.clickHeader(1, Qt::ShiftModifier);
    QCOMPARE(window.selection.samples(), window.model->samplesOf(0) | window.model->samplesOf(1));
    window.clickHeader(0, Qt::ControlModifier);
    QCOMPARE(window.selection.samples(), window.model->samplesOf(1));
    window.click(window.model->groups()[0].first);
    QCOMPARE(window.selection.samples().size(), 1U);
    QVERIFY(!window.gallery->currentHeading());
}

void RankingGroupsTest::spaceOpensAndClosesAGroup() {
    GroupWindow window(test::judgedAudit(16));
    window.group(RankingGrouping::Verdict);
    window.clickHeader(0);
    const SampleSet selected = window.selection.samples();
    const auto isOpen = [&window] { return window.gallery->layoutOfCells().isOpen(0); };
    const bool before = isOpen();
    // A shortcut of the window, such as Space that rejects, asks the gallery first.
    const auto takesSpace = [&window](Qt::KeyboardModifiers modifiers) {
        QKeyEvent override(QEvent::ShortcutOverride, Qt::Key_Space, modifiers);
        override.ignore();
        QApplication::sendEvent(window.gallery, &override);
        return override.isAccepted();
    };
    QVERIFY(takesSpace(Qt::NoModifier));
    QVERIFY(!takesSpace(Qt::ControlModifier));
    window.press(Qt::Key_Space);
    QCOMPARE(isOpen(), !before);
    window.press(Qt::Key_Space);
    QCOMPARE(isOpen(), before);
    QCOMPARE(window.selection.samples(), selected);
    window.click(0);
    QVERIFY(!takesSpace(Qt::NoModifier)); // at a picture it rejects
}

void RankingGroupsTest::arrowsCrossHeaders() {
    GroupWindow window(test::judgedAudit(16));
    window.group(RankingGrouping::Verdict);
    const auto& groups = window.model->groups();
    const std::size_t second = groups[1].first;
    window.click(2);
    window.press(Qt::Key_Down); // to the header of the next group, which is selected
    QCOMPARE(window.gallery->currentHeading(), std::optional<std::size_t>(1));
    QCOMPARE(window.selection.samples(), window.model->samplesOf(1));
    QVERIFY(window.gallery->viewport()->rect().contains(window.gallery->headingRect(1)));
    window.press(Qt::Key_Down); // and on, in the same column
    QVERIFY(!window.gallery->currentHeading());
    QCOMPARE(window.focus(), std::optional(second + 2));
    window.press(Qt::Key_Up);
    QCOMPARE(window.gallery->currentHeading(), std::optional<std::size_t>(1));
    window.press(Qt::Key_Up);
    QCOMPARE(window.focus(), std::optional<std::size_t>(2));
    // Sideways from the last tile that is seen to the first of the next group, and back.
    window.click(window.visible(0) - 1);
    window.press(Qt::Key_Right);
    QCOMPARE(window.focus(), std::optional(second));
    window.press(Qt::Key_Left);
    QCOMPARE(window.focus(), std::optional(window.visible(0) - 1));
    window.press(Qt::Key_Home);
    QCOMPARE(window.focus(), std::optional<std::size_t>(0));
    window.press(Qt::Key_Up);
    QCOMPARE(window.gallery->currentHeading(), std::optional<std::size_t>(0));
    window.press(Qt::Key_Up); // there is nothing above
    QCOMPARE(window.gallery->currentHeading(), std::optional<std::size_t>(0));
    window.press(Qt::Key_Right);
    QCOMPARE(window.focus(), std::optional<std::size_t>(0));
    window.press(Qt::Key_End);
    QCOMPARE(window.focus(), std::optional(groups.back().first + window.visible(groups.size() - 1) - 1));
    QVERIFY(window.gallery->viewport()->rect().contains(window.gallery->cellRect(*window.focus())));
    const std::size_t last = *window.focus();
    window.press(Qt::Key_PageUp);
    const std::size_t up = *window.focus();
    QVERIFY(up < groups.back().first);
    window.press(Qt::Key_PageDown);
    QVERIFY(*window.focus() > up && *window.focus() <= last);
}

void RankingGroupsTest::enterAtAHeaderOpensTheGroup() {
    GroupWindow window(test::judgedAudit(16));
    window.group(RankingGrouping::Verdict);
    const auto& inspected = window.host.inspected;
    window.clickHeader(0);
    window.press(Qt::Key_Return);
    QCOMPARE(window.visible(0), window.model->groups()[0].count);
    window.press(Qt::Key_Return);
    QCOMPARE(window.visible(0), static_cast<std::size_t>(window.gallery->columns()));
    QVERIFY(inspected.empty());
    window.press(Qt::Key_Down);
    window.press(Qt::Key_Return); // at a tile it inspects
    QCOMPARE(inspected.size(), std::size_t{1});
}

void RankingGroupsTest::rangesTakeWhatIsSeen() {
    GroupWindow window(test::judgedAudit(16));
    window.group(RankingGrouping::Verdict);
    const std::size_t second = window.model->groups()[1].first;
    const std::size_t line = window.visible(0);
    QVERIFY(line < window.model->groups()[0].count);
    window.click(line - 2);
    window.click(second + 1, Qt::ShiftModifier);
    QCOMPARE(window.selection.samples().size(), 4U); // nothing of what is folded away
    window.press(Qt::Key_A, Qt::ControlModifier);
    QCOMPARE(window.selection.samples().size(), window.model->size());
}

void RankingGroupsTest::whatIsSelectedElsewhereComesUp() {
    GroupWindow window(test::judgedAudit(16));
    window.group(RankingGrouping::Verdict);
    const std::size_t hidden = window.model->groups()[0].count - 1;
    QVERIFY(window.gallery->cellRect(hidden).isEmpty());
    window.selection.select(window.model->sampleAt(hidden));
    QVERIFY(window.gallery->viewport()->rect().contains(window.gallery->cellRect(hidden)));
    // Of many the header is enough.
    const std::size_t other = window.model->groups()[1].first + window.model->groups()[1].count - 1;
    window.selection.replace({window.model->sampleAt(other), window.model->sampleAt(other - 1)});
    QVERIFY(window.gallery->cellRect(other).isEmpty());
    QVERIFY(window.gallery->viewport()->rect().contains(window.gallery->headingRect(1)));
}

void RankingGroupsTest::walkingTheSelectedKeepsThem() {
    GroupWindow window(test::judgedAudit(16));
    window.group(RankingGrouping::Verdict);
    window.clickHeader(0);
    window.clickHeader(1, Qt::ShiftModifier);
    const SampleSet both = window.selection.samples();
    window.model->setShow(RankingShow::Selected);
    QCOMPARE(window.model->groups().size(), 2U);
    window.click(0);
    window.press(Qt::Key_Down);
    QCOMPARE(window.gallery->currentHeading(), std::optional<std::size_t>(1));
    QCOMPARE(window.selection.samples(), both);
}

void RankingGroupsTest::keyWalksThroughTheGroupings() {
    GroupWindow window(test::judgedAudit(16));
    const QSignalSpy changes(&window.view, &Panel::choicesChanged);
    window.gallery->setFocus();
    for (const RankingGrouping grouping :
         {RankingGrouping::Verdict, RankingGrouping::Class, RankingGrouping::Nearest, RankingGrouping::None}) {
        window.press(Qt::Key_G);
        QCOMPARE(window.view.grouping(), grouping);
        QCOMPARE(window.model->grouping(), grouping);
    }
    QCOMPARE(changes.count(), 4);
}

void RankingGroupsTest::listHasNoGroups() {
    GroupWindow window(test::judgedAudit(16));
    window.group(RankingGrouping::Verdict);
    QTest::mouseClick(window.view.findChild<QToolButton*>("rankingAsTable"), Qt::LeftButton);
    QVERIFY(window.model->groups().empty());
    QVERIFY(!window.view.findChild<QComboBox*>("rankingGroup")->isVisible());
    QTest::mouseClick(window.view.findChild<QToolButton*>("rankingAsGallery"), Qt::LeftButton);
    QVERIFY(!window.model->groups().empty());
}

void RankingGroupsTest::offersWhatTheAuditKnows() {
    test::FakeOptions options;
    options.labels = false;
    GroupWindow window(test::fakeAudit(options));
    auto* combo = window.view.findChild<QComboBox*>("rankingGroup");
    const auto* items = qobject_cast<const QStandardItemModel*>(combo->model());
    const auto offered = [&](RankingGrouping grouping) {
        return items->item(combo->findData(static_cast<int>(grouping)))->isEnabled();
    };
    QVERIFY(offered(RankingGrouping::None) && offered(RankingGrouping::Verdict) && offered(RankingGrouping::Nearest));
    QVERIFY(!offered(RankingGrouping::Class));
    window.view.setGrouping(RankingGrouping::Class); // kept for a set that has classes
    QVERIFY(window.model->groups().empty());
    window.view.showState({test::fakeAudit(), 0, nullptr});
    QCOMPARE(window.model->groups().size(), 3U);
}

void RankingGroupsTest::showsTheNearestSampleUnderEachPicture() {
    const auto audit = test::fakeAudit();
    GroupWindow window(audit);
    auto* button = window.view.findChild<QToolButton*>("rankingNearest");
    const int alone = window.gallery->cellRect(0).height();
    QVERIFY(window.gallery->pictureRect({0, 1}).isEmpty());
    QTest::mouseClick(button, Qt::LeftButton);
    QVERIFY(window.view.isNearestShown());
    const QRect tile = window.gallery->cellRect(0);
    const QRect nearest = window.gallery->pictureRect({0, 1});
    QVERIFY(tile.height() >= alone + window.gallery->edge() && tile.contains(nearest));
    QCOMPARE(nearest.width(), window.gallery->edge());
    test::shoot(window.view, "ranking-nearest");
    // It belongs to the tile, and its tooltip is the real sample's.
    QCOMPARE(window.gallery->cellAt(nearest.center()), std::optional<std::size_t>(0));
    const std::uint32_t row = window.model->sampleAt(0).row;
    const auto original = static_cast<std::size_t>(audit->models[0]->column("nearest_real")[row]);
    QHelpEvent help(QEvent::ToolTip, nearest.center(), window.gallery->viewport()->mapToGlobal(nearest.center()));
    QCoreApplication::sendEvent(window.gallery->viewport(), &help);
    QVERIFY(
        SampleCard::textShownBy(window.gallery).contains(QString::fromStdString(audit->real->set->idText(original))));
    // What is painted is the original's picture.
    const QImage before = window.gallery->viewport()->grab(nearest.adjusted(20, 30, -20, -20)).toImage();
    window.gallery->setFocus();
    window.press(Qt::Key_O);
    QVERIFY(!button->isChecked());
    QCOMPARE(window.gallery->cellRect(0).height(), alone);
    QVERIFY(window.gallery->viewport()->grab(nearest.adjusted(20, 30, -20, -20)).toImage() != before);
    // Real samples have their nearest synthetic one.
    window.press(Qt::Key_O);
    window.model->setOrder({"coverage", Qt::AscendingOrder, Side::Real});
    QVERIFY(!window.gallery->pictureRect({0, 1}).isEmpty());
    const auto synthetic = audit->models[0]->tables->real.nearest.indexAt(window.model->sampleAt(0).row, 0);
    QCOMPARE(nearestOther(*audit, 0, window.model->sampleAt(0)), std::optional(SampleId{syntheticSet(0), synthetic}));
}

void RankingGroupsTest::badgesOfRealSamples() {
    const auto audit = test::judgedAudit(16);
    GroupWindow window(audit);
    QCOMPARE(window.gallery->badgeText(RankingCells::badge(CoverageVerdict::Missed, window.view.palette())),
             QString("missed"));
    QCOMPARE(window.gallery->badgeText(RankingCells::badge(CoverageVerdict::Thin, window.view.palette())),
             QString("thin"));
    QCOMPARE(window.gallery->badgeText(RankingCells::badge(CoverageVerdict::Covered, window.view.palette())),
             QString());
    window.model->setOrder({"coverage", Qt::AscendingOrder, Side::Real});
    const auto& verdict = audit->models[0]->column("coverage_verdict");
    for (std::uint32_t row = 0; row < verdict.size(); ++row)
        QCOMPARE(window.model->coverageVerdictOf(row), static_cast<CoverageVerdict>(verdict[row]));
    window.model->setShow(RankingShow::Accused);
    QCOMPARE(window.model->size(), verdict.size() - static_cast<std::size_t>(std::ranges::count(verdict, 0.0)));
}

void RankingGroupsTest::tilesAndHeadersAreAccessible() {
    const auto audit = test::judgedAudit(16);
    GroupWindow window(audit);
    QAccessibleInterface* gallery = QAccessible::queryAccessibleInterface(window.gallery);
    QVERIFY(gallery != nullptr);
    QCOMPARE(gallery->role(), QAccessible::List);
    QCOMPARE(gallery->childCount(), static_cast<int>(window.model->size()));
    const QAccessibleInterface* tile = gallery->child(2);
    const QString name = tile->text(QAccessible::Name);
    const std::uint32_t row = window.model->sampleAt(2).row;
    QVERIFY2(name.startsWith(QString("%1, class %2, ").arg(row).arg(row % 3)), qPrintable(name));
    QVERIFY2(name.contains(window.view.cells().caption(2)), qPrintable(name));
    QCOMPARE(gallery->indexOfChild(tile), 2);
    QCOMPARE(gallery->childAt(tile->rect().center().x(), tile->rect().center().y()), tile);
    QVERIFY(!tile->state().selected);
    window.click(2);
    QVERIFY(tile->state().selected && tile->state().focused);
    QCOMPARE(gallery->focusChild(), tile);
    window.group(RankingGrouping::Verdict);
    QCOMPARE(gallery->childCount(), static_cast<int>(window.model->size() + window.model->groups().size()));
    const QAccessibleInterface* header = gallery->child(static_cast<int>(window.model->size()));
    QCOMPARE(header->role(), QAccessible::Heading);
    QCOMPARE(header->text(QAccessible::Name), window.view.cells().headingText(0));
    window.clickHeader(0);
    QVERIFY(header->state().focused);
    window.group(RankingGrouping::None);
    QVERIFY(!header->isValid());
}

void RankingGroupsTest::layoutFindsEveryTileAgain() {
    // Groups of 1 to 100 tiles, every third one open.
    std::vector<SampleGroup> groups;
    std::size_t tiles = 0;
    for (std::uint32_t key = 0; key < 100; ++key) {
        groups.push_back({key, tiles, 100 - key});
        tiles += 100 - key;
    }
    GridLayout layout;
    layout.set(groups, tiles, {7, 90, 30});
    for (std::size_t group = 0; group < 100; group += 3)
        layout.setOpen(group, true);
    std::size_t seen = 0;
    std::int64_t top = 0;
    for (std::size_t group = 0; group < 100; ++group) {
        QCOMPARE(layout.headerTop(group), top);
        QCOMPARE(layout.visible(group),
                 group % 3 == 0 ? groups[group].count : std::min<std::size_t>(7, groups[group].count));
        QCOMPARE(layout.groupAt(top), std::optional(group));
        top += 30 + 90 * static_cast<std::int64_t>((layout.visible(group) + 6) / 7);
        seen += layout.visible(group);
    }
    QCOMPARE(layout.height(), top);
    QVERIFY(!layout.groupAt(top) && !layout.groupAt(-1));
    // After goes over all that are seen, and before comes back.
    std::vector<std::size_t> walked{*layout.firstVisible()};
    while (const auto next = layout.after(walked.back())) {
        QCOMPARE(layout.before(*next), std::optional(walked.back()));
        walked.push_back(*next);
    }
    QCOMPARE(walked.size(), seen);
    QCOMPARE(std::optional(walked.back()), layout.lastVisible());
}

void RankingGroupsTest::manyAreListedLater() {
    const auto audit = test::judgedAudit(16);
    SampleSelection selection;
    RankingModel model(&selection);
    std::vector<std::shared_ptr<const ListingRequest>> requests;
    connect(&model, &RankingModel::listingWanted, this, [&](auto request) { requests.push_back(std::move(request)); });
    model.listLater(100);
    model.setState({audit, 0, nullptr});
    QVERIFY(model.isListing());
    QCOMPARE(model.size(), 0U);
    QCOMPARE(model.total(), test::JudgedRows::kAll);
    QCOMPARE(requests.size(), 1U);
    model.showListing(listSamples(*requests.back()));
    QVERIFY(!model.isListing());
    QCOMPARE(model.size(), test::JudgedRows::kAll);
    // The list stays until another one of the same samples has come.
    const SampleId first = model.sampleAt(0);
    model.setOrder({"pce", Qt::AscendingOrder});
    model.setShow(RankingShow::Accused);
    QCOMPARE(requests.size(), 3U);
    QCOMPARE(model.sampleAt(0), first);
    model.showListing(listSamples(*requests[1])); // has been superseded
    QCOMPARE(model.sampleAt(0), first);
    model.showListing(listSamples(*requests[2]));
    QVERIFY(model.size() < test::JudgedRows::kAll);
    const auto& pce = audit->models[0]->column("pce");
    for (std::size_t at = 1; at < model.size(); ++at)
        QVERIFY(pce[model.sampleAt(at - 1).row] <= pce[model.sampleAt(at).row]);
    // Other samples are not listed as if they were those before.
    model.setOrder({"coverage", Qt::AscendingOrder, Side::Real});
    QCOMPARE(model.size(), 0U);
    QVERIFY(!model.positionOf({SetId::Real, 0}));
    model.setState({});
    QVERIFY(!model.isListing());
    model.showListing(listSamples(*requests.back()));
    QCOMPARE(model.size(), 0U);
}

void RankingGroupsTest::groupsKeepTheirNamesUntilOthersCome() {
    SampleSelection selection;
    RankingModel model(&selection);
    RankingPicker picker(&model, nullptr);
    const RankingCells cells(&model, &picker);
    std::shared_ptr<const ListingRequest> last;
    connect(&model, &RankingModel::listingWanted, this, [&](auto request) { last = std::move(request); });
    model.listLater(100);
    model.setGrouping(RankingGrouping::Nearest);
    model.setState({test::judgedAudit(16), 0, nullptr});
    model.showListing(listSamples(*last));
    QVERIFY(!model.groups().empty());
    const QString name = cells.headingText(0);
    // They are painted again before the new listing is there.
    for (const RankingGrouping next : {RankingGrouping::None, RankingGrouping::Verdict}) {
        model.setGrouping(next);
        QCOMPARE(cells.headingText(0), name);
    }
    model.showListing(listSamples(*last));
    QVERIFY(cells.headingText(0) != name);
}

ASSAY_TEST(ranking_groups_test, RankingGroupsTest)
#include "ranking_groups_test.moc"
