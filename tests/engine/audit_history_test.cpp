// What was done to an audit, and when, is written with its decisions and stays when the file is written anew.
#include "engine/audit/run/audit.h"
#include "engine/store/audit_file.h"
#include "engine/store/database.h"
#include "engine/store/decisions.h"
#include "tests/engine/support/program_run.h"
#include "tests/engine/support/sample_sets.h"
#include "tests/support/matrices.h"
#include "tests/support/test_entry.h"

#include <QtTest>

#include <chrono>

using namespace assay;

class AuditHistoryTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void writesMomentsInUtc();
    void numbersEntriesAndDropsTheOldest();
    void comesBackWithTheDecisions();
    void keepsTheNewestTenThousand();
    void aFailedWriteAddsNothing();
    void anOlderFileHasNone();

private:
    static HistoryEntry entry(std::int64_t number) {
        return {number, "2026-03-01T12:00:00Z", "edit " + std::to_string(number)};
    }
    std::string fresh(const History& history = {}) const {
        const std::string file = folder_.path("audit.assay").toStdString();
        writeAuditFile(*audit_, file, {}, nullptr, {InputData::Referenced, history});
        return file;
    }

    test::InputFolder folder_;
    std::shared_ptr<const AuditResult> audit_;
};

void AuditHistoryTest::initTestCase() {
    AuditRequest request;
    request.real = test::asSet(test::gaussian(60, 4, 1), "real");
    request.models = {{"model", test::asSet(test::gaussian(50, 4, 2), "model")}};
    request.options.tablesOnly = true;
    audit_ = runAudit(request);
}

void AuditHistoryTest::writesMomentsInUtc() {
    using namespace std::chrono;
    QCOMPARE(utcText(sys_days(year(2026) / 2 / 28) + 23h + 59min + 7s), std::string("2026-02-28T23:59:07Z"));
}

void AuditHistoryTest::numbersEntriesAndDropsTheOldest() {
    History history;
    for (int i = 0; i < 10'005; ++i)
        append(history, "2026-03-01T12:00:00Z", std::to_string(i));
    QCOMPARE(history.size(), kMaxHistory);
    QCOMPARE(history.front().number, 6);
    QCOMPARE(history.back().number, 10'005);
    QCOMPARE(history.back().what, std::string("10004"));
}

void AuditHistoryTest::comesBackWithTheDecisions() {
    const std::string file = fresh({entry(1)});
    Decisions decisions;
    decisions.window = "{\"arranged\": true}";
    writeDecisions(file, decisions, {entry(1), entry(2)});
    writeDecisions(file, decisions, {entry(1), entry(2)}); // as after a write of which nobody knows how it ended
    writeDecisions(file, decisions, {entry(1), entry(2), entry(3)});
    QCOMPARE(readHistory(file), (History{entry(1), entry(2), entry(3)}));
    QCOMPARE(readDecisions(file, *audit_).window, decisions.window);
    writeDecisions(file, Decisions{});
    QCOMPARE(readHistory(file).size(), std::size_t{3});
    QVERIFY(readDecisions(file, *audit_).window.empty());
    Database database(file, Database::Mode::Read);
    Statement row = database.prepare("SELECT at, what FROM history ORDER BY id DESC LIMIT 1");
    QVERIFY(row.step());
    QCOMPARE(row.text(0), std::string("2026-03-01T12:00:00Z"));
    QCOMPARE(row.text(1), std::string("edit 3"));
}

void AuditHistoryTest::keepsTheNewestTenThousand() {
    History history;
    for (std::int64_t number = 1; number <= 10'000; ++number)
        history.push_back(entry(number));
    const std::string file = fresh(history);
    QCOMPARE(readHistory(file).size(), std::size_t{10'000});
    writeDecisions(file, {}, {entry(10'001), entry(10'002)});
    const History kept = readHistory(file);
    QCOMPARE(kept.size(), std::size_t{10'000});
    QCOMPARE(kept.front().number, 3);
    QCOMPARE(kept.back().number, 10'002);
}

void AuditHistoryTest::aFailedWriteAddsNothing() {
    const std::string file = fresh({entry(1)});
    {
        Database database(file, Database::Mode::Write);
        database.run(
            "CREATE TRIGGER full BEFORE INSERT ON history WHEN new.id = 3 BEGIN SELECT RAISE(ABORT, 'full'); END");
    }
    Decisions decisions;
    decisions.filter = "new";
    QVERIFY_EXCEPTION_THROWN(writeDecisions(file, decisions, {entry(2), entry(3)}), std::exception);
    QCOMPARE(readHistory(file), History{entry(1)});
    QVERIFY(readDecisions(file, *audit_).filter.empty());
}

void AuditHistoryTest::anOlderFileHasNone() {
    const std::string file = fresh();
    {
        Database database(file, Database::Mode::Write);
        database.run("DROP TABLE history");
    }
    QVERIFY(readHistory(file).empty());
    writeDecisions(file, {}, {entry(4)});
    QCOMPARE(readHistory(file), History{entry(4)});
}

ASSAY_TEST(audit_history_test, AuditHistoryTest)
#include "audit_history_test.moc"
