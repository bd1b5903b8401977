// What every stage of an audit is expected to need in memory, beside what it took.
#include "engine/audit/run/audit_cost.h"
#include "engine/audit/run/stages.h"
#include "tests/engine/support/sample_sets.h"
#include "tests/support/test_entry.h"

#include <QtTest>

#include <fstream>
#include <malloc.h>
#include <set>
#include <sstream>

using namespace assay;

namespace {

constexpr std::size_t kSlack = std::size_t{12}
                               << 20; // stacks, tiles of every thread, pages that an allocator rounds up

/// A figure of this process in bytes: "VmRSS:", "VmHWM:".
std::size_t statusBytes(const std::string& key) {
    std::ifstream status("/proc/self/status");
    for (std::string line; std::getline(status, line);)
        if (line.starts_with(key))
            return std::stoul(line.substr(key.size())) * 1024;
    return 0;
}

/// From now on the peak is counted anew. @return false where the system does not let us
bool forgetPeak() {
    malloc_trim(0); // else what is free, but not given back, hides what is taken next
    std::ofstream refs("/proc/self/clear_refs");
    refs << "5";
    refs.close();
    return !refs.fail();
}

template <typename State>
const Stage<State>* find(std::span<const Stage<State>> stages, std::string_view id) {
    const auto at = std::ranges::find(stages, id, &Stage<State>::id);
    return at == stages.end() ? nullptr : &*at;
}

StageMemory expectedOf(std::string_view id, const AuditShape& shape) {
    auto memory = [&](const auto* stage) { return stage->memory != nullptr ? stage->memory(shape) : StageMemory{}; };
    if (id == "held_out_basis")
        return {0, heldOutBasisBytes(shape), 0};
    if (const RealStage* stage = find(stagesOf<RealState>(), id))
        return memory(stage);
    return memory(find(stagesOf<ModelState>(), id));
}

} // namespace

class StageMemoryTest : public QObject {
    Q_OBJECT

private slots:
    void noStageTakesMoreThanExpected_data();
    void noStageTakesMoreThanExpected();
};

void StageMemoryTest::noStageTakesMoreThanExpected_data() {
    QTest::addColumn<int>("rows");
    QTest::addColumn<int>("dim");
    QTest::addColumn<bool>("everything");
    QTest::newRow("many dimensions, held-out set, one-class embedding") << 8000 << 512 << true;
    QTest::newRow("more rows") << 20000 << 128 << false;
    QTest::newRow("few dimensions") << 60000 << 4 << false;
}

void StageMemoryTest::noStageTakesMoreThanExpected() {
#ifdef ASSAY_SMALL_TEST_SIZES // under a sanitizer
    QSKIP("Sanitizers keep what is freed.");
#endif
    QFETCH(int, rows);
    QFETCH(int, dim);
    QFETCH(bool, everything);
    const auto setOf = [&](int count, unsigned seed, const char* name) {
        const test::Matrix matrix =
            test::gaussian(static_cast<std::size_t>(count), static_cast<std::size_t>(dim), seed);
        EmbeddingParts parts = EmbeddingParts::of(matrix.values, matrix.dim, name);
        std::vector<std::int64_t> labels;
        for (int row = 0; row < count; ++row)
            labels.push_back(row % 7);
        parts.labels = labelsFromIntegers(labels);
        return std::make_shared<const EmbeddingSet>(std::move(parts));
    };
    const auto requestOf = [&](int count) {
        AuditRequest request;
        request.real = setOf(count, 1, "real");
        request.models = {{"model", setOf(count, 2, "model")}};
        request.options.oneClass = everything;
        request.options.threads = 2;
        if (everything)
            request.heldOut = setOf(count, 3, "held-out");
        return request;
    };
    runAudit(requestOf(rows / 20)); // code of libraries that is touched for the first time counts, too
    AuditRequest request = requestOf(rows);
    const AuditShape shape = shapeOf(request, *request.models.front().set, request.options);
    if (!forgetPeak())
        QSKIP("This system does not count peaks anew.");
    const std::size_t atFirst = statusBytes("VmRSS:");
    std::size_t before = atFirst;
    std::size_t peakOfAll = 0;
    std::set<std::string> seen;
    QStringList tooMuch;
    request.stageDone = [&](std::string_view id, std::string_view) {
        const std::size_t peak = statusBytes("VmHWM:");
        peakOfAll = std::max(peakOfAll, peak - std::min(peak, atFirst));
        const std::size_t taken = peak - std::min(peak, before);
        const StageMemory expected = expectedOf(id, shape);
        seen.emplace(id);
        if (taken > expected.kept + expected.working + kSlack)
            tooMuch << QString("%1 took %2, expected at most %3")
                           .arg(QString::fromUtf8(id.data(), static_cast<qsizetype>(id.size())),
                                QString::fromStdString(bytesText(taken)),
                                QString::fromStdString(bytesText(expected.kept + expected.working)));
        forgetPeak();
        before = statusBytes("VmRSS:");
    };
    request.partial = [&](const auto&) { // the copy that people see meanwhile is no stage's
        peakOfAll = std::max(peakOfAll, statusBytes("VmHWM:") - atFirst);
        forgetPeak();
        before = statusBytes("VmRSS:");
    };
    runAudit(request);
    QVERIFY2(tooMuch.isEmpty(), qPrintable(tooMuch.join("; ")));
    const MemoryNeed need = memoryNeed(request);
    QVERIFY2(peakOfAll <= need.atFullSpeed(),
             qPrintable(QString::fromStdString(bytesText(peakOfAll) + " of " + bytesText(need.atFullSpeed()))));
    if (everything) // none was left out
        QCOMPARE(seen.size(), stagesOf<RealState>().size() + stagesOf<ModelState>().size() + 1);
}

ASSAY_TEST(stage_memory_test, StageMemoryTest)
#include "stage_memory_test.moc"
