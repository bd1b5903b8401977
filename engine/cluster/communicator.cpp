#include "engine/cluster/communicator.h"

#include "engine/base/error.h"
#include "engine/base/parallel.h"

// The C interface is enough.
#define OMPI_SKIP_MPICXX 1
#define MPICH_SKIP_MPICXX 1
#include <mpi.h>

#include <fmt/format.h>
#include <sched.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <thread>
#include <utility>

namespace assay {
namespace {

/// MPI counts are ints: longer messages are split.
constexpr std::size_t kPiece = std::size_t{1} << 28;

int asRank(std::size_t rank) {
    return static_cast<int>(rank);
}

/// Calls use(first byte, size) for each piece of a message.
template <typename Byte, typename Use>
void forPieces(std::span<Byte> bytes, const Use& use) {
    for (std::size_t at = 0; at < bytes.size(); at += kPiece)
        use(bytes.data() + at, static_cast<int>(std::min(kPiece, bytes.size() - at)));
}

} // namespace

// MPI's default error handler aborts all ranks with a message.
Communicator::Communicator() {
    int provided = 0;
    MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided);
    if (provided < MPI_THREAD_FUNNELED) {
        MPI_Finalize();
        throw Error(ErrorKind::InvalidArgument,
                    fmt::format("MPI: expected a library that allows threads beside the one that sends messages "
                                "(MPI_THREAD_FUNNELED, level {}), found level {}. Start one process without mpirun, or "
                                "build with another MPI library",
                                MPI_THREAD_FUNNELED, provided));
    }
    int rank = 0;
    int ranks = 1;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    rank_ = static_cast<std::size_t>(rank);
    ranks_ = static_cast<std::size_t>(ranks);
}

Communicator::~Communicator() {
    MPI_Finalize();
}

std::string Communicator::description() const {
    std::array<char, MPI_MAX_PROCESSOR_NAME> host{};
    int length = 0;
    MPI_Get_processor_name(host.data(), &length);
    return "rank " + std::to_string(rank_) + " (" + std::string(host.data(), static_cast<std::size_t>(length)) + ")";
}

unsigned Communicator::threads(unsigned wanted) const {
    MPI_Comm node = MPI_COMM_NULL;
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
    int neighbors = 1;
    MPI_Comm_size(node, &neighbors);
    cpu_set_t allowed;
    CPU_ZERO(&allowed);
    sched_getaffinity(0, sizeof allowed, &allowed);
    std::vector<cpu_set_t> all(static_cast<std::size_t>(neighbors));
    MPI_Allgather(&allowed, sizeof allowed, MPI_BYTE, all.data(), sizeof allowed, MPI_BYTE, node);
    MPI_Comm_free(&node);
    if (wanted > 0)
        return wanted;
    // A core that mpirun has bound to one process counts for it alone, a free one is shared by all that may use it.
    double share = 0.0;
    for (int core = 0; core < CPU_SETSIZE; ++core)
        if (CPU_ISSET(core, &allowed))
            share += 1.0 / static_cast<double>(std::count_if(
                               all.begin(), all.end(), [&](const cpu_set_t& one) { return CPU_ISSET(core, &one); }));
    return std::max(1U, static_cast<unsigned>(std::floor(share + 1e-6)));
}

void Communicator::progressMessages() const {
    int found = 0;
    MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &found, MPI_STATUS_IGNORE);
}

void Communicator::abort(int exitCode) const {
    MPI_Abort(MPI_COMM_WORLD, exitCode);
    std::_Exit(exitCode);
}

struct Messages::Requests {
    /// MPI cannot cancel a reduction, so it works on a copy.
    struct Reduction {
        std::span<double> target;
        std::vector<double> values;
    };
    std::vector<MPI_Request> open;
    std::vector<std::size_t> receives; ///< places in `open`
    std::vector<Reduction> reductions;

    void reduce(std::span<double> values, MPI_Op how) {
        reductions.push_back({values, {values.begin(), values.end()}});
        std::vector<double>& copy = reductions.back().values;
        MPI_Iallreduce(MPI_IN_PLACE, copy.data(), static_cast<int>(copy.size()), MPI_DOUBLE, how, MPI_COMM_WORLD,
                       &open.emplace_back());
    }

    /// Returns when nothing is written into the callers' memory any more. A message that has begun to arrive cannot be
    /// cancelled: it is received to its end, or ends the processes where that takes too long.
    void endReceives() {
        constexpr std::chrono::seconds kLongest{5};
        std::vector<MPI_Request> pending;
        for (const std::size_t place : receives) {
            MPI_Cancel(&open[place]);
            pending.push_back(std::exchange(open[place], MPI_REQUEST_NULL));
        }
        receives.clear();
        const auto start = std::chrono::steady_clock::now();
        for (int done = 0; done == 0;) {
            MPI_Testall(static_cast<int>(pending.size()), pending.data(), &done, MPI_STATUSES_IGNORE);
            if (done == 0 && std::chrono::steady_clock::now() - start > kLongest)
                MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
        }
    }
};

Messages::Messages() : requests_(std::make_unique<Requests>()) {}

Messages::~Messages() {
    if (requests_->open.empty())
        return;
    requests_->endReceives();
    // An exception ends the work, and with it the process: until then MPI may reduce copies that are kept in here.
    static_cast<void>(requests_.release());
}

void Messages::send(std::size_t to, std::span<const std::byte> bytes) {
    forPieces(bytes, [&](const std::byte* piece, int size) {
        MPI_Isend(piece, size, MPI_BYTE, asRank(to), 0, MPI_COMM_WORLD, &requests_->open.emplace_back());
    });
}

void Messages::receive(std::size_t from, std::span<std::byte> bytes) {
    forPieces(bytes, [&](std::byte* piece, int size) {
        requests_->receives.push_back(requests_->open.size());
        MPI_Irecv(piece, size, MPI_BYTE, asRank(from), 0, MPI_COMM_WORLD, &requests_->open.emplace_back());
    });
}

void Messages::sum(std::span<double> values) {
    requests_->reduce(values, MPI_SUM);
}

void Messages::minimum(std::span<double> values) {
    requests_->reduce(values, MPI_MIN);
}

void Messages::wait(const JobContext& job) {
    // Blocking calls would not see a stop request, and would keep the core busy while they wait.
    constexpr std::chrono::microseconds kLongest{1000};
    std::chrono::microseconds pause{0};
    std::vector<MPI_Request>& open = requests_->open;
    for (int done = 0;;) {
        MPI_Testall(static_cast<int>(open.size()), open.data(), &done, MPI_STATUSES_IGNORE);
        if (done != 0)
            break;
        try {
            job.throwIfStopped();
        } catch (...) {
            requests_->endReceives(); // before the caller's buffers are gone
            throw;
        }
        std::this_thread::sleep_for(pause);
        pause = std::min(kLongest, pause + std::chrono::microseconds(10));
    }
    open.clear();
    requests_->receives.clear();
    for (const Requests::Reduction& reduction : requests_->reductions)
        std::ranges::copy(reduction.values, reduction.target.begin());
    requests_->reductions.clear();
}

} // namespace assay
