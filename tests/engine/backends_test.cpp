// A graphics card that fails to open gives way to the CPU, which says so; other failures are passed on.
#include "engine/base/error.h"
#include "engine/gpu/backends/backends.h"
#include "engine/gpu/device/device.h"
#include "engine/neighbors/backends/gemm_search.h"
#include "engine/neighbors/backends/kdtree_search.h"
#include "tests/support/test_entry.h"

#include <QtTest>

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

ASSAY_TEST(backends_test, BackendsTest)
#include "backends_test.moc"
