// Samples that belong together: how a person says which ones they are, selects and shows them, and sees which of them a
// model draws from.
#include "engine/report/scores/explain.h"
#include "gui/pages/open_dialog.h"
#include "gui/session/session_edit.h"
#include "tests/gui/support/demo_window.h"
#include "tests/support/test_entry.h"
#include "widgets/link/view_filter.h"
#include "widgets/private/private_panel.h"
#include "widgets/tables/table_view.h"

#include <QtWidgets>

using namespace assay;

namespace {

constexpr int kPatients = 60;
constexpr int kSlices = 5;
constexpr SampleId kSlice{SetId::Real, 7};

/// The patients one after the other, each at a place of its own.
QByteArray scans(bool stems, int shift, int patients = kPatients) {
    QByteArray text = stems ? "id,x,y,z\n" : "id,patient,x,y,z\n";
    for (int i = 0; i < patients * kSlices; ++i) {
        const int patient = i / kSlices;
        const QByteArray name = "anna" + QByteArray::number(patient);
        text += stems ? name + "_slice" + QByteArray::number(i % kSlices) : "s" + QByteArray::number(i) + "," + name;
        for (const int step : {37, 59, 83})
            text += "," + QByteArray::number(100 * (patient * step % 101) + (i + shift) * step % 97);
        text += "\n";
    }
    return text;
}

} // namespace

class GroupsWindowTest : public QObject, protected test::DemoTest {
    Q_OBJECT

private slots:
    void init();
    void theIdsOfferGroups();
    void aColumnIsTakenOverForTheOtherSets();
    void aFindingAsksForGroups();
    void theWholeGroupIsSelectedAndUndone();
    void onlyAGroupIsShown();
    void theTextOfTheFilterFindsGroups();
    void theMenuOfASampleOffersItsGroup();
    void aGroupAndWhatIsNearestToItAreSelected();

private:
    AuditFiles files(const char* real, const char* model, const QString& groups) const {
        AuditFiles files = setsOf(file(real), namedModels({file(model)}));
        files.realBeside.groups = files.models.front().beside.groups = groups;
        return files;
    }
    bool openGrouped() { return openAndWait(files("real.csv", "made.csv", QStringLiteral("patient"))); }
    void chord(Qt::Key key, Qt::KeyboardModifiers modifiers) const { press(window_, key, modifiers); }
};

void GroupsWindowTest::init() {
    QVERIFY(makeWindow());
    test::writeFile(file("stems.csv"), scans(true, 0));
    test::writeFile(file("real.csv"), scans(false, 0));
    test::writeFile(file("drawn.csv"), scans(true, 3, kPatients / 2));
    test::writeFile(file("made.csv"), scans(false, 3, kPatients / 2));
}

void GroupsWindowTest::theIdsOfferGroups() {
    OpenDialog dialog(filePrompts());
    dialog.setFiles(files("stems.csv", "drawn.csv", {}));
    dialog.show();
    dialog.askForGroups();
    auto* fromIds = dialog.findChild<QPushButton*>(QStringLiteral("groupsFromIds"));
    QTRY_VERIFY(fromIds->isVisible());
    QCOMPARE(fromIds->text(), QStringLiteral("From the ids (60)"));
    test::shoot(dialog, "groups-from-ids");
    QTest::mouseClick(fromIds, Qt::LeftButton);
    QVERIFY(says(&dialog, "setFound", "60 groups"));
    QVERIFY(!fromIds->isVisible());
    QCOMPARE(dialog.files().realBeside.groups, QStringLiteral("ids"));
    QCOMPARE(dialog.files().models.front().beside.groups, QString()); // a model's ids say nothing by themselves
    QVERIFY(openAndWait(dialog.files()));
    QCOMPARE(state().audit->real->set->groupText(7), std::string("anna1"));
    QCOMPARE(Settings().recentAudits().front().realBeside.groups, QStringLiteral("ids"));
}

void GroupsWindowTest::aColumnIsTakenOverForTheOtherSets() {
    OpenDialog dialog(filePrompts());
    AuditFiles chosen = files("real.csv", "made.csv", {});
    chosen.models.push_back({QStringLiteral("other"), file("stems.csv")});
    chosen.heldOut = file("drawn.csv");
    dialog.setFiles(chosen);
    dialog.show();
    dialog.activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(&dialog));
    dialog.askForGroups();
    auto* groups = dialog.findChild<QLineEdit*>(QStringLiteral("setGroups"));
    QTRY_VERIFY(groups->hasFocus());
    QTest::keyClicks(groups, QStringLiteral("patient"));
    QTest::keyClick(groups, Qt::Key_Tab);
    QVERIFY(says(&dialog, "setFound", "60 groups"));
    QTRY_VERIFY(dialog.findChild<QComboBox*>(QStringLiteral("kindOf patient")) != nullptr);
    QCOMPARE(dialog.findChild<QComboBox*>(QStringLiteral("kindOf patient"))->currentText(), QStringLiteral("group"));
    QCOMPARE(dialog.files().models[0].beside.groups, QStringLiteral("patient"));
    QCOMPARE(dialog.files().models[1].beside.groups, QString()); // which has no such column
    test::shoot(dialog, "groups-column");
    // A set that comes later takes it over as well.
    auto* heldOut = dialog.findChild<QLineEdit*>(QStringLiteral("heldOutFile"));
    QCOMPARE(dialog.files().heldOutBeside.groups, QString());
    heldOut->setText(file("made.csv"));
    emit heldOut->editingFinished();
    QCOMPARE(dialog.files().heldOutBeside.groups, QStringLiteral("patient"));
    dialog.askForGroups();
    groups->clear();
    emit groups->editingFinished();
    QCOMPARE(dialog.files().models[0].beside.groups, QString());
    QCOMPARE(dialog.files().heldOutBeside.groups, QString());
}

void GroupsWindowTest::aFindingAsksForGroups() {
    QVERIFY(openAndWait(files("stems.csv", "drawn.csv", {})));
    dock("findings")->raise();
    QPushButton* ask = nullptr;
    for (auto* button : window_->findChildren<QPushButton*>(QRegularExpression(QStringLiteral("^findingGroups_"))))
        ask = button;
    QVERIFY(ask != nullptr);
    ask->click();
    QTRY_VERIFY(window_->findChild<OpenDialog*>() != nullptr);
    auto* dialog = window_->findChild<OpenDialog*>();
    QTRY_VERIFY(dialog->findChild<QLineEdit*>(QStringLiteral("setGroups"))->hasFocus());
    QCOMPARE(dialog->files().real, file("stems.csv"));
    dialog->reject();
}

void GroupsWindowTest::theWholeGroupIsSelectedAndUndone() {
    QVERIFY(openGrouped());
    QVERIFY(!action("actionSelectGroup")->isEnabled());
    selection_->select(kSlice);
    QCOMPARE(text("inspectorGroup"), QStringLiteral("Group anna1: 5 real, 5 synthetic samples"));
    chord(Qt::Key_G, Qt::ControlModifier);
    QCOMPARE(selection_->samples().countIn(SetId::Real), std::size_t{kSlices});
    QCOMPARE(selection_->samples().countIn(state().currentSet()), std::size_t{kSlices});
    for (const SampleId sample : selection_->samples())
        QCOMPARE(state().audit->setOf(sample.set).groupText(sample.row), std::string("anna1"));
    QVERIFY(selection_->focus() == kSlice);
    action("actionUndo")->trigger();
    QCOMPARE(selection_->samples(), SampleSet{kSlice});
    // Of several groups all are selected.
    selection_->replace({kSlice, {SetId::Real, 299}});
    chord(Qt::Key_G, Qt::ControlModifier);
    QCOMPARE(selection_->samples().countIn(SetId::Real), std::size_t{2 * kSlices});
    QCOMPARE(selection_->samples().countIn(state().currentSet()), std::size_t{kSlices}); // which lacks anna59
}

void GroupsWindowTest::onlyAGroupIsShown() {
    QVERIFY(openGrouped());
    selection_->select(kSlice);
    chord(Qt::Key_G, Qt::ControlModifier | Qt::ShiftModifier);
    QVERIFY(state().filter.groupName == std::optional<std::string>("anna1"));
    QCOMPARE(state().shown->size(), std::size_t{2 * kSlices});
    QVERIFY(editsOf(decisionsOf(session_->document()->edits())).filter == state().filter); // as it is saved
    QVERIFY2(text("filterText").contains(QStringLiteral("group anna1")), qPrintable(text("filterText")));
    chord(Qt::Key_G, Qt::ControlModifier | Qt::ShiftModifier);
    QVERIFY(state().shown == nullptr);
    selection_->replace({kSlice, {SetId::Real, 299}});
    QVERIFY(!action("actionShowGroup")->isEnabled()); // of two groups
}

void GroupsWindowTest::theTextOfTheFilterFindsGroups() {
    QVERIFY(openGrouped());
    dock("ranking")->raise();
    QTest::keyClicks(child<QLineEdit>("rankingSearch"), QStringLiteral("ANNA17"));
    QTRY_VERIFY(state().shown != nullptr);
    QCOMPARE(state().shown->size(), std::size_t{2 * kSlices});
    QVERIFY(state().isShown({SetId::Real, 17 * kSlices}));
}

void GroupsWindowTest::theMenuOfASampleOffersItsGroup() {
    QVERIFY(openGrouped());
    selection_->select(kSlice);
    QContextMenuEvent event(QContextMenuEvent::Keyboard, {}, gallery()->viewport()->mapToGlobal(QPoint(5, 5)));
    QCoreApplication::sendEvent(gallery()->viewport(), &event);
    QTRY_VERIFY(child<QMenu>("panelMenu") != nullptr);
    auto* menu = child<QMenu>("panelMenu");
    QVERIFY(menu->actions().contains(action("actionSelectGroup")) &&
            menu->actions().contains(action("actionShowGroup")));
    menu->close();
}

void GroupsWindowTest::aGroupAndWhatIsNearestToItAreSelected() {
    QVERIFY(openGrouped());
    dock("private")->raise();
    QTRY_VERIFY(child<TableView>("privateGroups")->isVisible());
    auto* table = child<TableView>("privateGroups");
    QCOMPARE(table->rows().rowCount(), kPatients);
    test::shoot(*window_->findChild<PrivatePanel*>(), "groups-private");
    const TableContent& content = table->content();
    QVERIFY(content.column(1).cell(0).sort.toDouble() >= content.column(1).cell(1).sort.toDouble());
    const QModelIndex first = table->rows().index(0, table->firstColumn());
    QTest::mouseClick(table->viewport(), Qt::LeftButton, {}, table->visualRect(first).center());
    const SampleSet& chosen = selection_->samples();
    const std::string name = content.names.cell(0).text.toStdString();
    QCOMPARE(static_cast<double>(chosen.countIn(SetId::Real)), content.column(0).cell(0).sort.toDouble());
    QCOMPARE(static_cast<double>(chosen.countIn(state().currentSet())), content.column(1).cell(0).sort.toDouble());
    for (const SampleId sample : chosen) {
        const SampleId real = isReal(sample.set) ? sample : *nearestOther(*state().audit, state().model, sample);
        QCOMPARE(state().audit->real->set->groupText(real.row), name);
    }
    QCOMPARE(table->selectedRows().size(), std::size_t{1});
    const SampleSet before = chosen;
    selection_->select(kSlice); // elsewhere
    QVERIFY(table->selectedRows().empty());
    QTest::mouseClick(table->viewport(), Qt::LeftButton, {}, table->visualRect(first).center());
    QCOMPARE(selection_->samples(), before);
}

ASSAY_TEST(groups_window_test, GroupsWindowTest)
#include "groups_window_test.moc"
