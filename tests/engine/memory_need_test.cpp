#include "engine/audit/run/audit_cost.h"
#include "engine/base/atomic_file.h"
#include "engine/base/available_memory.h"
#include "engine/base/error.h"
#include "tests/engine/support/sample_sets.h"
#include "tests/support/test_entry.h"

#include <QDir>
#include <QFileInfo>
#include <QTemporaryDir>
#include <QtTest>

#include <limits>

using namespace assay;

namespace {

AuditRequest requestOf(std::size_t rows, std::size_t dim) {
    AuditRequest request;
    request.real = test::asSet(test::gaussian(rows, dim, 1), "real");
    request.models = {{"synthetic", test::asSet(test::gaussian(rows, dim, 2), "synthetic")}};
    return request;
}

MemoryNeed needOf(const AuditRequest& request) {
    return memoryNeed(request);
}

QString messageOf(const AuditRequest& request) {
    try {
        runAudit(request);
    } catch (const Error& error) {
        return error.kind() == ErrorKind::NotEnoughMemory ? QString::fromUtf8(error.what()) : QStringLiteral("other");
    }
    return {};
}

} // namespace

class MemoryNeedTest : public QObject {
    Q_OBJECT

private slots:
    void growsLinearlyWithTheRows();
    void leanNeedsLess();
    void addedModelsNeedNothingForWhatIsThere();
    void refusesBeforeItStarts();
    void littleMemoryGivesTheSameAnswers();
    void knowsWhatTheMachineHas();
    void theLeastOfAllControlGroupsHolds();
    void readsNumbersOfBytes_data();
    void readsNumbersOfBytes();
    void refusesWhatIsNoNumberOfBytes();
    void writesNumbersOfBytes();
};

void MemoryNeedTest::growsLinearlyWithTheRows() {
    const MemoryNeed one = needOf(requestOf(1000, 64));
    const MemoryNeed two = needOf(requestOf(2000, 64));
    const MemoryNeed four = needOf(requestOf(4000, 64));
    QCOMPARE(four.results - two.results, 2 * (two.results - one.results));
    QCOMPARE(four.lean - two.lean, 2 * (two.lean - one.lean));
}

void MemoryNeedTest::leanNeedsLess() {
    const MemoryNeed need = needOf(requestOf(1000, 512));
    QVERIFY(need.atLeast() < need.atFullSpeed());
}

void MemoryNeedTest::addedModelsNeedNothingForWhatIsThere() {
    AuditRequest request = requestOf(300, 8);
    request.heldOut = test::asSet(test::gaussian(300, 8, 3), "held out");
    const auto audit = runAudit(request);
    const MemoryNeed anew = memoryNeed(request);
    const MemoryNeed added = memoryNeed(request, audit.get());
    request.heldOut = nullptr;
    QVERIFY(added.results < memoryNeed(request).results);
    QVERIFY(memoryNeed(request).results < anew.results);
}

void MemoryNeedTest::refusesBeforeItStarts() {
    AuditRequest request = requestOf(3000, 64);
    request.options.memoryLimit = 10 << 20;
    const QString message = messageOf(request);
    QVERIFY2(message.contains("10 MiB"), qPrintable(message));
    QVERIFY2(message.contains("3000"), qPrintable(message));
}

void MemoryNeedTest::littleMemoryGivesTheSameAnswers() {
    AuditRequest request = requestOf(3000, 64);
    request.options.backend = BackendChoice::Gemm;
    const auto plenty = runAudit(request);
    const MemoryNeed need = needOf(request);
    request.options.memoryLimit = (need.atLeast() + need.atFullSpeed()) / 2;
    const auto lean = runAudit(request);
    for (std::size_t m = 0; m < plenty->models[0]->metrics.size(); ++m)
        QCOMPARE(lean->models[0]->metrics[m].value, plenty->models[0]->metrics[m].value);
    QVERIFY(lean->models[0]->tables->real.nearest == plenty->models[0]->tables->real.nearest);
    QVERIFY(lean->real->neighbors == plenty->real->neighbors);
}

void MemoryNeedTest::knowsWhatTheMachineHas() {
    QVERIFY(availableMemory() > (std::size_t{16} << 20));
}

/// Slurm sets its limit on a group above that of the process.
void MemoryNeedTest::theLeastOfAllControlGroupsHolds() {
    const QTemporaryDir root;
    const auto write = [&](const QString& name, const char* text) {
        const QFileInfo file(root.filePath(name));
        QVERIFY(QDir().mkpath(file.absolutePath()));
        writeFileAtomically(file.filePath().toStdString(), text);
    };
    const auto left = [&] { return memoryLeftByGroups(root.path().toStdString()); };
    constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();
    QCOMPARE(left(), kNone);
    write("proc/self/cgroup", "0::/slurm/job_7/step_0/task_0\n");
    QCOMPARE(left(), kNone);
    const QString groups = "sys/fs/cgroup/slurm/job_7/";
    write(groups + "step_0/task_0/memory.max", "max\n");
    write(groups + "step_0/task_0/memory.current", "100\n");
    write(groups + "memory.max", "8000\n");
    write(groups + "memory.current", "3000\n");
    QCOMPARE(left(), std::size_t{5000});
    write(groups + "memory.stat", "anon 1000\nfile 2000\n");
    QCOMPARE(left(), std::size_t{7000}); // the cache of files is given back when it is needed
    write("sys/fs/cgroup/slurm/memory.max", "4000\n");
    write("sys/fs/cgroup/slurm/memory.current", "5000\n");
    QCOMPARE(left(), std::size_t{0});

    write("proc/self/cgroup", "12:cpu,cpuacct:/job\n5:memory:/job/step\n");
    QCOMPARE(left(), kNone);
    write("sys/fs/cgroup/memory/job/memory.limit_in_bytes", "900\n");
    write("sys/fs/cgroup/memory/job/memory.usage_in_bytes", "500\n");
    write("sys/fs/cgroup/memory/job/memory.stat", "cache 1\ntotal_cache 100\n");
    QCOMPARE(left(), std::size_t{500});
}

void MemoryNeedTest::readsNumbersOfBytes_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<qulonglong>("bytes");
    QTest::newRow("plain") << "4096" << 4096ULL;
    QTest::newRow("k") << "2k" << 2048ULL;
    QTest::newRow("M") << "800M" << (800ULL << 20);
    QTest::newRow("GiB") << "1.5GiB" << (3ULL << 29);
    QTest::newRow("gb") << "2gb" << (2ULL << 30);
    QTest::newRow("half a G") << "0.5G" << (1ULL << 29);
    QTest::newRow("T") << "1T" << (1ULL << 40);
}

void MemoryNeedTest::readsNumbersOfBytes() {
    QFETCH(QString, text);
    QFETCH(qulonglong, bytes);
    QCOMPARE(static_cast<qulonglong>(parseBytes(text.toStdString())), bytes);
}

void MemoryNeedTest::refusesWhatIsNoNumberOfBytes() {
    for (const char* text : {"", "G", "-1G", "1X", "nan", "1 G", "1e30G", "12GG", "inf", "0", "0G"})
        QVERIFY_EXCEPTION_THROWN(parseBytes(text), Error);
}

void MemoryNeedTest::writesNumbersOfBytes() {
    QCOMPARE(QString::fromStdString(bytesText(512)), QStringLiteral("512 bytes"));
    QCOMPARE(QString::fromStdString(bytesText(std::size_t{10} << 20)), QStringLiteral("10 MiB"));
    QCOMPARE(QString::fromStdString(bytesText(3 * (std::size_t{1} << 29))), QStringLiteral("1.5 GiB"));
}

ASSAY_TEST(memory_need_test, MemoryNeedTest)
#include "memory_need_test.moc"
