// What is done to an audit is remembered with its time, in its file and in the window that lists it; a copy with all
// inputs in it opens without them.
#include "engine/data/embedding_set.h"
#include "engine/io/numpy/npy_writer.h"
#include "engine/store/audit_file.h"
#include "gui/pages/side_windows.h"
#include "gui/session/open_audit.h"
#include "tests/gui/support/demo_window.h"
#include "tests/support/matrices.h"
#include "tests/support/test_entry.h"

#include <QtWidgets>

#include <memory>

using namespace assay;

class SessionHistoryTest : public QObject, protected test::DemoTest {
    Q_OBJECT

private slots:
    void initTestCase() { qputenv("TZ", "Asia/Tokyo"); } // nine hours ahead, all year
    void init();
    void oneEntryPerGestureAndSecond();
    void whatIsDoneIsRemembered();
    void editsNameTheirSamples();
    void anEarlierHistoryGoesOn();
    void aSelectionIsNoEntry();
    void openingChangesNoDecision();
    void theWindowListsTheNewestFirst();
    void aCopyNeedsNoInputs();
    void whatIsComplete_staysComplete();

private:
    QString written(const char* name, const test::Matrix& matrix) const {
        writeNpy(file(name).toStdString(), npyView<float>(matrix.values, {matrix.rows, matrix.dim}));
        return file(name);
    }
    void passes(qint64 milliseconds) { now_ = now_.addMSecs(milliseconds); }
    bool exports(const std::function<void()>& act) const {
        const QSignalSpy exported(session_, &AuditSession::exported);
        act();
        return QTest::qWaitFor([&] { return exported.count() == 1; }, 30000);
    }
    QStringList entries() const {
        QStringList all;
        for (const HistoryEntry& entry : *session_->document()->history())
            all << QString::fromStdString(entry.at.substr(11) + " " + entry.what);
        return all;
    }
    QStringList entriesOf(const char* name) const {
        QStringList all;
        for (const HistoryEntry& entry : readHistory(file(name).toStdString()))
            all << QString::fromStdString(entry.at.substr(11) + " " + entry.what);
        return all;
    }
    bool open(const AuditFiles& files) const {
        const QSignalSpy opened(session_, &AuditSession::opened);
        session_->open(files);
        return QTest::qWaitFor([&] { return opened.count() == 1; }, 30000) && test::waitIdle(*session_);
    }

    QDateTime now_;
};

void SessionHistoryTest::init() {
    QVERIFY(makeWindow());
    now_ = QDateTime(QDate(2026, 3, 1), QTime(18, 0), Qt::UTC);
    session_->document()->setClock([this] { return now_; });
    AuditFiles files;
    files.real = written("real.npy", test::gaussian(120, 5, 1));
    files.models = {{"first", written("first.npy", test::gaussian(110, 5, 2))}};
    QVERIFY(open(files));
}

void SessionHistoryTest::oneEntryPerGestureAndSecond() {
    AuditHistory history;
    QVERIFY(history.addEdit("change rules", 1, now_));
    QVERIFY(!history.addEdit("change rules", 1, now_.addSecs(60))); // one long drag
    QVERIFY(history.addEdit("change rules", 2, now_.addSecs(61)));
    QVERIFY(!history.addEdit("change rules", {}, now_.addMSecs(61'999)));
    QVERIFY(history.addEdit("give tag 1", {}, now_.addMSecs(61'999))); // another kind
    QVERIFY(history.addEdit("change rules", {}, now_.addMSecs(62'000)));
    QVERIFY(history.addEdit("change rules", {}, now_.addMSecs(63'000)));
    history.add("saved", now_.addMSecs(63'001));
    QVERIFY(history.addEdit("change rules", {}, now_.addMSecs(63'002)));
    QVERIFY(history.addEdit("change rules", {}, now_.addSecs(-5))); // the clock was set back
    QCOMPARE(history.entries()->size(), std::size_t{8});
    QCOMPARE(history.entries()->front(), (HistoryEntry{1, "2026-03-01T18:00:00Z", "Change rules"}));
}

void SessionHistoryTest::editsNameTheirSamples() {
    const auto last = [&] { return session_->document()->history()->back().what; };
    selection_->replace({{syntheticSet(0), 3}, {syntheticSet(0), 17}});
    session_->editor()->toggleByHand(HandVerdict::Accepted);
    QCOMPARE(last(), std::string("Keep 2 samples of first by hand"));
    QCOMPARE(session_->document()->undoGroup()->undoText(), QStringLiteral("keep 2 samples of first by hand"));
    session_->editor()->toggleByHand(HandVerdict::Accepted);
    QCOMPARE(last(), std::string("Take back what was decided on 2 samples of first"));
    session_->editor()->toggleTag(2);
    QCOMPARE(last(), std::string("Give tag 2 to 2 samples of first"));
    selection_->replace({{SetId::Real, 5}, {syntheticSet(0), 17}});
    session_->editor()->toggleTag(3);
    QCOMPARE(last(), std::string("Give tag 3 to 2 samples"));
    session_->editor()->setNote({SetId::Real, 5}, QStringLiteral("odd"));
    QCOMPARE(last(), std::string("Write note on real 5"));
}

void SessionHistoryTest::whatIsDoneIsRemembered() {
    passes(1000);
    setRules({{"fidelity", Bound::AtLeast, 0.2}});
    passes(200);
    setRules({{"fidelity", Bound::AtLeast, 0.3}});
    passes(1800);
    session_->document()->undoGroup()->undo();
    passes(1000);
    session_->document()->undoGroup()->redo();
    passes(1000);
    QVERIFY(exports([&] { session_->saveAudit(file("audit.assay")); }));
    passes(1000);
    selection_->replace({{syntheticSet(0), 3}});
    session_->editor()->toggleByHand(HandVerdict::Rejected);
    passes(1000);
    QVERIFY(exports([&] { session_->exportSamples({ExportWhat::Kept, {}, {0}, "csv"}, file("kept.csv")); }));
    passes(1000);
    QVERIFY(exports([&] { session_->exportReport(file("report.json")); }));
    passes(1000);
    session_->saveRules(file("rules.json"));
    passes(1000);
    QVERIFY(exports([&] { session_->addModels({{"second", written("second.npy", test::gaussian(90, 5, 4))}}); }));
    passes(1000);
    CurveRequest curves;
    curves.badFraction.emplace();
    QVERIFY(exports([&] { session_->computeCurves(curves); }));
    session_->keepNow();
    const QStringList expected{"18:00:00Z Opened",
                               "18:00:01Z Change rules",
                               "18:00:03Z Undo: change rules",
                               "18:00:04Z Change rules",
                               "18:00:05Z Saved as audit.assay",
                               "18:00:06Z Reject first 3 by hand",
                               "18:00:07Z Wrote kept.csv: kept samples",
                               "18:00:08Z Wrote report.json: the report",
                               "18:00:09Z Wrote rules.json: the rules",
                               "18:00:10Z Added second",
                               "18:00:11Z Computed curves"};
    QCOMPARE(entries(), expected);
    QCOMPARE(entriesOf("audit.assay"), expected);
}

void SessionHistoryTest::anEarlierHistoryGoesOn() {
    QVERIFY(exports([&] { session_->saveAudit(file("audit.assay")); }));
    passes(60'000);
    QVERIFY(open(savedAudit(file("audit.assay"))));
    QTRY_COMPARE(entriesOf("audit.assay"),
                 (QStringList{"18:00:00Z Opened", "18:00:00Z Saved as audit.assay", "18:01:00Z Opened"}));
}

void SessionHistoryTest::aSelectionIsNoEntry() {
    passes(5000);
    selection_->replace({{syntheticSet(0), 3}});
    ViewFilter filter;
    filter.text = "1";
    session_->editor()->setFilter(filter);
    session_->setWindowState("otherwise");
    QCOMPARE(entries(), QStringList{"18:00:00Z Opened"});
}

void SessionHistoryTest::openingChangesNoDecision() {
    QVERIFY(exports([&] { session_->saveAudit(file("audit.assay")); }));
    Decisions decisions; // as another program might know more
    decisions.filter = "{\"later\": true}";
    session_->openDemo();
    QVERIFY(test::waitIdle(*session_));
    writeDecisions(file("audit.assay").toStdString(), decisions);
    QVERIFY(open(savedAudit(file("audit.assay"))));
    QTRY_COMPARE(entriesOf("audit.assay").size(), 3);
    QCOMPARE(readDecisions(file("audit.assay").toStdString(), *state().audit).filter, decisions.filter);
}

void SessionHistoryTest::theWindowListsTheNewestFirst() {
    child<QAction>("actionHistory")->trigger();
    const auto* window = child<QDialog>("history");
    QVERIFY(window != nullptr && window->isVisible());
    const auto* table = window->findChild<QTableView*>("historyTable");
    const auto cell = [&](int row, int column) { return table->model()->index(row, column).data().toString(); };
    QCOMPARE(table->model()->rowCount(), 1);
    QVERIFY(window->findChild<QLabel*>("historyPlace")->text().contains("once it is saved"));
    passes(90'000);
    setRules({{"fidelity", Bound::AtLeast, 0.2}});
    QCOMPARE(table->model()->rowCount(), 2);
    QCOMPARE(cell(0, 1), QString("Change rules"));
    QCOMPARE(cell(1, 1), QString("Opened"));
    QCOMPARE(cell(0, 0), QString("3/2/26 03:01:30")); // in Tokyo
    QVERIFY(exports([&] { session_->saveAudit(file("audit.assay")); }));
    QTRY_VERIFY(window->findChild<QLabel*>("historyPlace")->text().contains("audit.assay"));
    const QString pictures = qEnvironmentVariable("ASSAY_PICTURES");
    if (!pictures.isEmpty())
        child<QDialog>("history")->grab().save(pictures + "/history.png");
}

void SessionHistoryTest::aCopyNeedsNoInputs() {
    session_->openDemo(); // with pictures
    QVERIFY(test::waitIdle(*session_));
    setRules({{"fidelity", Bound::AtLeast, 0.2}});
    QVERIFY(exports([&] { session_->saveAudit(file("audit.assay")); }));
    QVERIFY(exports([&] { session_->saveSelfContained(file("copy.assay")); }));
    QCOMPARE(session_->document()->auditFile(), file("audit.assay"));
    QCOMPARE(inputDataOf(file("audit.assay").toStdString()), InputData::Referenced);
    QVERIFY(entries().back().endsWith("Wrote copy.assay: a self-contained copy"));
    const auto before = state().audit;
    QVERIFY(open(savedAudit(file("copy.assay"))));
    QCOMPARE(session_->document()->rules(), (FilterRules{{"fidelity", Bound::AtLeast, 0.2}}));
    const EmbeddingSet& set = *state().audit->models[1]->set;
    for (std::size_t row = 0; row < set.rows(); ++row)
        QVERIFY(set.images()->pixels(row) == before->models[1]->set->images()->pixels(row));
}

void SessionHistoryTest::whatIsComplete_staysComplete() {
    QVERIFY(exports([&] { session_->saveSelfContained(file("copy.assay")); }));
    QVERIFY(open(savedAudit(file("copy.assay"))));
    QVERIFY(exports([&] { session_->addModels({{"second", written("second.npy", test::gaussian(90, 5, 4))}}); }));
    session_->keepNow();
    for (const char* input : {"real.npy", "first.npy", "second.npy"})
        QVERIFY(QFile::remove(file(input)));
    QCOMPARE(readAuditFile(file("copy.assay").toStdString())->models.size(), std::size_t{2});
}

ASSAY_TEST(session_history_test, SessionHistoryTest)
#include "session_history_test.moc"
