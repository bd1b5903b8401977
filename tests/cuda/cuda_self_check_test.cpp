// The self check of a card and the sampled rows of an audit, on a simulated card: once right, and once with a wrong
// value from each kernel.
#include "engine/audit/run/audit.h"
#include "engine/base/error.h"
#include "engine/gpu/backends/backends.h"
#include "engine/gpu/backends/checked_devices.h"
#include "engine/gpu/check/checks.h"
#include "engine/gpu/check/sampled_search.h"
#include "engine/gpu/device/cuda_device.h"
#include "engine/gpu/search/device_search.h"
#include "engine/neighbors/backends/kdtree_search.h"
#include "engine/report/parts/report_facts.h"
#include "engine/report/scores/score_output.h"
#include "tests/cuda/simulated/simulator.h"
#include "tests/cuda/support/check.h"
#include "tests/cuda/support/contract.h"
#include "tests/cuda/support/emulated_device.h"
#include "tests/cuda/support/faulty_device.h"

#include <filesystem>
#include <fstream>
#include <string>
#include <unistd.h>

using namespace assay;
using namespace assay::cuda;
using namespace assay::cuda::test;
namespace fs = std::filesystem;

namespace {

/// A simulated card takes half a minute for the whole self check, an emulated one a second.
enum class Card { Simulated, Emulated };

std::unique_ptr<Device> cardWith(Fault fault, Card card) {
    std::unique_ptr<Device> device = std::make_unique<EmulatedDevice>();
    if (card == Card::Simulated)
        device = openCudaDevice(0, 1);
    return std::make_unique<FaultyDevice>(std::move(device), fault);
}

struct FaultCase {
    Fault fault;
    const char* difference; ///< how it begins
    Card card = Card::Emulated;
};

constexpr FaultCase kFaults[] = {
    {Fault::RowResidual, "bounds from integers: residual of row 3: expected ", Card::Simulated},
    {Fault::BallBound, "bounds from integers: outer bound of ball 3: expected ", Card::Simulated},
    {Fault::Product, "bounds from integers: bound on the distance of rows 3 and 0: expected from ", Card::Simulated},
    {Fault::SampledReach, "bounds from integers: reach of row 3: expected ", Card::Simulated},
    {Fault::LongestList, "bounds from integers: longest list: expected 1000, found 999", Card::Simulated},
    {Fault::MissedNeighbor, "neighbours"},
    {Fault::DistanceUlp, "neighbours from floats: row 3, neighbour 1: expected row "},
    {Fault::TieOrder, "neighbours"},
    {Fault::ListReach, "neighbours"},
    {Fault::CertainBallCount, "neighbours and balls, tied distances: row 3 of the first set, rows of the second set "},
    {Fault::UndecidedBallCount,
     "neighbours and balls, tied distances: row 3 of the first set, rows of the second set "},
    {Fault::ListedPair, "pairs within limits: expected row "},
    {Fault::GramProduct, "product of columns 0 and 0: expected "},
    {Fault::LayoutStep, "layout, coordinate "},
};

void passesOnARightCard() {
    for (const Card card : {Card::Emulated, Card::Simulated}) {
        const std::string difference = selfCheckDifference(cardWith(Fault::None, card));
        CHECK_ABOUT(difference.empty(), difference);
    }
    CHECK(simulated::machine().handles.none());
}

void findsTheFaultOfEachKernel() {
    for (const FaultCase& one : kFaults) {
        const std::string difference = selfCheckDifference(cardWith(one.fault, one.card));
        CHECK_ABOUT(difference.starts_with(one.difference), one.difference + (" expected, found " + difference));
    }
    CHECK(simulated::machine().handles.none());
}

/// A folder that is removed again.
struct Folder {
    fs::path path = fs::temp_directory_path() / ("assay_card_checks_" + std::to_string(getpid()));
    Folder() { fs::create_directories(path); }
    ~Folder() { fs::remove_all(path); }
};

/// Counts how often the card is opened: once for each self check.
struct CountedOpening {
    Fault fault = Fault::None;
    Card card = Card::Emulated;
    int count = 0;

    CheckedDevices check(const fs::path& file) {
        PassedChecks remembered(file);
        return checkDevices(
            findCudaDevices(),
            [this](std::size_t /*number*/) {
                ++count;
                return cardWith(fault, card);
            },
            remembered);
    }
};

void remembersThatACardPassed() {
    const Folder folder;
    const fs::path file = folder.path / "not" / "yet" / "there";
    CountedOpening opening;
    CHECK(opening.check(file).passed == std::vector<std::size_t>{0});
    CHECK(opening.check(file).passed == std::vector<std::size_t>{0});
    CHECK(opening.count == 1);
    simulated::machine().driver = 13010; // another driver: checked again
    CHECK(opening.check(file).leftOut.empty());
    CHECK(opening.count == 2);
    simulated::machine().driver = 13000; // the first one is still remembered
    CHECK(opening.check(file).leftOut.empty());
    CHECK(opening.count == 2);
}

void leavesAWrongCardOut() {
    const Folder folder;
    const fs::path file = folder.path / "card-checks";
    CountedOpening wrong{Fault::RowResidual, Card::Simulated};
    for (int start = 1; start <= 2; ++start) { // a failure is not remembered
        const CheckedDevices devices = wrong.check(file);
        CHECK(devices.passed.empty() && wrong.count == start);
        const std::string notice = reasonForNone(findCudaDevices(), devices);
        CHECK_ABOUT(notice.starts_with("simulated card (1 GiB) is left out, its self check differs from the CPU: "
                                       "bounds from integers: residual of row 3: expected "),
                    notice);
        const auto search = withNotice(std::make_unique<KdTreeSearch>(1), notice);
        CHECK(search->hardware() == "CPU; " + notice && search->name() == "kdtree");
    }
    CHECK(!fs::exists(file));
    simulated::machine().largestAllocation = 1000; // a card whose memory others use
    const CheckedDevices full = CountedOpening{Fault::None, Card::Simulated}.check(file);
    CHECK(full.passed.empty() && full.leftOut.size() == 1);
    CHECK_ABOUT(full.leftOut.front().find("its self check failed: simulated card") != std::string::npos,
                full.leftOut.front());
    simulated::machine().largestAllocation = ~std::size_t{0};
}

void aNoticeReachesWhatAnAuditWrites() {
    const std::string notice = "simulated card (1 GiB) is left out, its self check failed.";
    const Matrix real = grid(60, 4, 1, 4);
    const Matrix synthetic = grid(50, 4, 2, 4);
    const auto setOf = [](const Matrix& matrix, const std::string& name) {
        EmbeddingParts parts;
        parts.name = name;
        parts.rows = matrix.rows;
        parts.dim = matrix.dim;
        parts.values = matrix.values;
        return std::make_shared<const EmbeddingSet>(std::move(parts));
    };
    AuditRequest request;
    request.real = setOf(real, "real");
    request.models = {{"gan", setOf(synthetic, "gan")}};
    request.options.makeSearch = [&](BackendChoice, MatrixView, unsigned threads, const JobContext&) {
        return withNotice(std::make_unique<KdTreeSearch>(threads), notice);
    };
    const auto audit = runAudit(request);
    CHECK(scoresAsJson(*audit).find("\"hardware\": \"CPU; " + notice + "\"") != std::string::npos);
    bool reported = false;
    for (const auto& [name, value] : report::parameterFacts(*audit))
        reported = reported || value.find(notice) != std::string::npos;
    CHECK(reported);
}

void surviveDamagedAndUnwritableFiles() {
    const Folder folder;
    const fs::path file = folder.path / "card-checks";
    PassedChecks(file).add("a card");
    CHECK(PassedChecks(file).contains("a card") && !PassedChecks(file).contains("a car"));
    for (const std::string& damage : {std::string(), std::string("\0\xFF nonsense", 10), std::string(100'000, 'x'),
                                      std::string("another heading\na card\n")}) {
        std::ofstream(file, std::ios::binary) << damage;
        PassedChecks damaged(file);
        CHECK(!damaged.contains("a card"));
        damaged.add("a card");
        CHECK(PassedChecks(file).contains("a card"));
    }
    for (int n = 0; n < 40; ++n)
        PassedChecks(file).add("card " + std::to_string(n));
    CHECK(!PassedChecks(file).contains("card 7") && PassedChecks(file).contains("card 8"));
    PassedChecks unwritable(file / "below a file");
    unwritable.add("a card");
    CHECK(unwritable.contains("a card") && !PassedChecks(file / "below a file").contains("a card"));
    PassedChecks({}).add("a card"); // nowhere to remember
}

std::unique_ptr<SampledSearch> sampled(Fault fault, std::uint32_t row, std::size_t blockValues) {
    std::vector<std::unique_ptr<Device>> devices;
    devices.push_back(std::make_unique<FaultyDevice>(std::make_unique<EmulatedDevice>(), fault, row));
    auto cards = std::make_unique<DeviceSearch>(
        std::move(devices), 1, [](unsigned threads) { return std::make_unique<KdTreeSearch>(threads); });
    return std::make_unique<SampledSearch>(std::move(cards), 1, blockValues);
}

void samplesRowsOfTheWholeSet() {
    const std::vector<std::uint32_t> rows = sampledRows(1000, 5);
    CHECK(rows.size() == kSampledRows && rows == sampledRows(1000, 5) && rows != sampledRows(1000, 6));
    for (std::size_t s = 0; s < rows.size(); ++s)
        CHECK(rows[s] >= s * 1000 / kSampledRows && rows[s] < (s + 1) * 1000 / kSampledRows);
    CHECK(sampledRows(3, 5) == (std::vector<std::uint32_t>{0, 1, 2}));
}

void sampledRowsAgree() {
    // Blocks of 40 rows: the lists of the sampled rows come from many of them.
    for (const std::size_t blockValues : {std::size_t{1} << 26, std::size_t{240}})
        checkContract([&] { return sampled(Fault::None, 0, blockValues); }, 90);
}

std::string errorOf(const std::function<void()>& search) {
    try {
        search();
    } catch (const Error& error) {
        return error.kind() == ErrorKind::DeviceFailed ? error.what() : "";
    }
    return {};
}

void sampledRowsEndAWrongAudit() {
    const Matrix a = grid(400, 6, 1, 4);
    const Matrix b = grid(420, 6, 2, 4);
    const std::uint32_t row = sampledRows(a.rows, a.dim)[20];
    const std::string named = "row " + std::to_string(row);
    for (const Fault fault : {Fault::MissedNeighbor, Fault::DistanceUlp, Fault::TieOrder}) {
        const std::string error = errorOf([&] { sampled(fault, row, 1 << 26)->selfNeighbors(a.view(), 12, {}); });
        CHECK_ABOUT(error.starts_with("emulated device (1 GiB) computed a wrong value: " + named + ", neighbour "),
                    error);
        CHECK_ABOUT(error.find("expected row ") != std::string::npos && error.find("found row ") != std::string::npos &&
                        error.find("--backend gemm") != std::string::npos,
                    error);
    }
    const std::vector<double> radius(a.rows, 2.0);
    const CrossQuery query{a.view(), b.view(), 3, 3, radius, {}, {}};
    for (const Fault fault : {Fault::CertainBallCount, Fault::UndecidedBallCount}) {
        const std::string error = errorOf([&] { sampled(fault, row, 1 << 26)->cross(query, {}); });
        CHECK_ABOUT(error.find(named + " of the first set, rows of the second set in its ball: expected ") !=
                        std::string::npos,
                    error);
    }
    CHECK(errorOf([&] { sampled(Fault::None, row, 1 << 26)->cross(query, {}); }).empty());
}

} // namespace

int main() {
    run("passes on a right card", passesOnARightCard);
    run("finds the fault of each kernel", findsTheFaultOfEachKernel);
    run("remembers that a card passed", remembersThatACardPassed);
    run("leaves a wrong card out", leavesAWrongCardOut);
    run("a notice reaches what an audit writes", aNoticeReachesWhatAnAuditWrites);
    run("survives damaged and unwritable files", surviveDamagedAndUnwritableFiles);
    run("samples rows of the whole set", samplesRowsOfTheWholeSet);
    run("sampled rows agree with a right card", sampledRowsAgree);
    run("sampled rows end a wrong audit", sampledRowsEndAWrongAudit);
    return verdict();
}
