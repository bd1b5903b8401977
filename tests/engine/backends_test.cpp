// A graphics card that fails to open gives way to the others or to the CPU, which says so; other failures are passed
// on.
#include "engine/audit/run/audit.h"
#include "engine/base/error.h"
#include "engine/gpu/backends/backends.h"
#include "engine/neighbors/backends/cpu_backends.h"
#include "engine/report/parts/report_facts.h"
#include "engine/report/scores/score_output.h"
#include "tests/engine/support/sample_sets.h"
#include "tests/support/matrices.h"
#include "tests/support/test_entry.h"

#include <QtTest>

#include <algorithm>
#include <functional>
#include <new>

using namespace assay;

namespace {

struct OpeningFailure {
    const char* name;
    std::function<void()> happens;
    bool isOfACard;
};

const std::vector<OpeningFailure>& openingFailures() {
    static const std::vector<OpeningFailure> all{
        {"busy card", [] { throw Error(ErrorKind::DeviceFailed, "card 0 is busy"); }, true},
        {"full card", [] { throw cuda::OutOfDeviceMemory("card 0 is full"); }, true},
        {"full machine", [] { throw Error(ErrorKind::NotEnoughMemory, "4 GB are missing"); }, false},
        {"wrong argument", [] { throw Error(ErrorKind::InvalidArgument, "k = 0"); }, false},
        {"stop request", [] { throw Cancelled(); }, false},
        {"no memory", [] { throw std::bad_alloc(); }, false},
    };
    return all;
}

std::unique_ptr<NeighborSearch> searchOnCpu() {
    return std::make_unique<GemmSearch>(1);
}

} // namespace

class BackendsTest : public QObject {
    Q_OBJECT

private slots:
    void onlyACardsFailureGivesWay_data();
    void onlyACardsFailureGivesWay();
    void aCardThatOpensIsUsed();
    void cardsThatOpenAreUsedWithoutTheOthers();
    void aNoticeReachesWhatAnAuditWrites();
};

void BackendsTest::onlyACardsFailureGivesWay_data() {
    QTest::addColumn<int>("number");
    for (int number = 0; number < static_cast<int>(openingFailures().size()); ++number)
        QTest::newRow(openingFailures()[static_cast<std::size_t>(number)].name) << number;
}

void BackendsTest::onlyACardsFailureGivesWay() {
    QFETCH(int, number);
    const OpeningFailure& failure = openingFailures()[static_cast<std::size_t>(number)];
    const auto open = [&]() -> std::unique_ptr<NeighborSearch> {
        failure.happens();
        return nullptr;
    };
    if (!failure.isOfACard) {
        bool isPassedOn = false;
        try {
            cardsOr(open, searchOnCpu);
        } catch (...) {
            isPassedOn = true;
        }
        QVERIFY(isPassedOn);
        return;
    }
    const auto search = cardsOr(open, searchOnCpu);
    QCOMPARE(search->name(), "gemm");
    const QString hardware = QString::fromStdString(search->hardware());
    QVERIFY2(hardware.startsWith("CPU; graphics cards are left out: card 0 is"), qPrintable(hardware));
}

void BackendsTest::aCardThatOpensIsUsed() {
    const auto search = cardsOr([] { return std::make_unique<KdTreeSearch>(1); }, searchOnCpu);
    QCOMPARE(search->name(), "kdtree");
    QVERIFY(search->hardware().empty());
}

void BackendsTest::cardsThatOpenAreUsedWithoutTheOthers() {
    const cuda::DeviceList list{{{"A", std::size_t{8} << 30}, {"B", std::size_t{4} << 30}}, {}};
    const auto opener = [](const std::vector<std::size_t>& broken) {
        return [broken](std::size_t number) -> std::unique_ptr<cuda::Device> {
            if (std::ranges::count(broken, number) > 0)
                throw cuda::OutOfDeviceMemory("card is full");
            return nullptr;
        };
    };
    QVERIFY(openCards(list, opener({})).leftOut.empty());
    const OpenedCards one = openCards(list, opener({1}));
    QCOMPARE(one.devices.size(), std::size_t{1});
    QCOMPARE(one.leftOut, std::string("B (4 GiB) is left out: card is full"));
    const auto errorOf = [](const cuda::DeviceList& cards, const CardOpener& open) {
        try {
            openCards(cards, open);
        } catch (const Error& error) {
            return error.kind() == ErrorKind::DeviceFailed ? std::string(error.what()) : std::string();
        }
        return std::string();
    };
    QCOMPARE(errorOf(list, opener({0, 1})),
             std::string("CUDA: no graphics card can be opened: A (8 GiB) is left out: card is full; "
                         "B (4 GiB) is left out: card is full"));
    QCOMPARE(errorOf({{}, "There is none."}, opener({})),
             std::string("CUDA: expected a graphics card, found none. There is none."));
}

void BackendsTest::aNoticeReachesWhatAnAuditWrites() {
    const std::string notice = "NVIDIA H200 (140 GiB) is left out: card is full";
    AuditRequest request;
    request.real = test::asSet(test::grid(60, 4, 1, 4), "real");
    request.models = {{"gan", test::asSet(test::grid(50, 4, 2, 4), "gan")}};
    request.options.makeSearch = [&](BackendChoice, MatrixView, unsigned threads, const JobContext&) {
        return withNotice(std::make_unique<KdTreeSearch>(threads), notice);
    };
    const auto audit = runAudit(request);
    QVERIFY(scoresAsJson(*audit).find("\"hardware\": \"CPU; " + notice + "\"") != std::string::npos);
    QVERIFY(std::ranges::any_of(report::parameterFacts(*audit),
                                [&](const auto& fact) { return fact.second.find(notice) != std::string::npos; }));
}

ASSAY_TEST(backends_test, BackendsTest)
#include "backends_test.moc"
