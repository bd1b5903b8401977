// Two ranks under mpirun: what an interrupted wait for messages leaves behind. Each rank prints what went wrong, and
// ends with 1. With "threads" as its argument a rank alone, whose MPI library says that it allows no threads.
#include "engine/base/error.h"
#include "engine/cluster/communicator.h"

#define OMPI_SKIP_MPICXX 1
#define MPICH_SKIP_MPICXX 1
#include <mpi.h>

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <span>
#include <stop_token>
#include <thread>
#include <vector>

using namespace assay;

namespace {

bool allowsThreads = true;

/// Everything or nothing of a message of sevens.
bool isWhole(const std::vector<int>& values, int first) {
    return std::ranges::all_of(values, [&](int value) { return value == first; }) && (first == 0 || first == 7);
}

/// Waits for a message, and is stopped meanwhile. @return whether the buffer is left alone afterwards
bool interruptedReceive(std::vector<int>& buffer) {
    std::stop_source source;
    source.request_stop();
    bool stopped = false;
    try {
        Messages messages;
        messages.receiveAll(0, std::span(buffer));
        messages.wait(JobContext(source.get_token()));
    } catch (const Cancelled&) {
        stopped = true;
    }
    const std::vector<int> before = buffer;
    for (int i = 0; i < 100; ++i) { // MPI goes on with what is open
        int found = 0;
        MPI_Iprobe(MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, &found, MPI_STATUS_IGNORE);
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    return buffer == before && isWhole(buffer, buffer.front()) && (stopped || buffer.front() == 7);
}

/// A message sent after the wait was stopped goes to who waits next. @param early it is sent before
bool stopsBetween(const Communicator& communicator, std::size_t count, bool early) {
    int ready = 1;
    if (communicator.rank() == 0) {
        const std::vector<int> sevens(count, 7);
        Messages messages;
        if (early)
            messages.sendAll(1, std::span(sevens));
        Messages answer;
        answer.receiveAll(1, std::span(&ready, 1));
        answer.wait({});
        if (!early)
            messages.sendAll(1, std::span(sevens));
        messages.wait({});
        return true;
    }
    std::vector<int> first(count, 0);
    if (early)
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
    if (!interruptedReceive(first))
        return false;
    Messages answer;
    answer.sendAll(0, std::span(&ready, 1));
    answer.wait({});
    if (first.front() == 7)
        return true;
    std::vector<int> second(count, 0);
    Messages messages;
    messages.receiveAll(0, std::span(second));
    messages.wait({});
    return isWhole(first, 0) && isWhole(second, 7);
}

} // namespace

/// Stands before the library's own function, which it calls.
extern "C" int MPI_Init_thread(int* argc, char*** argv, int required, int* provided) {
    const int result = PMPI_Init_thread(argc, argv, required, provided);
    if (!allowsThreads)
        *provided = MPI_THREAD_SINGLE;
    return result;
}

int main(int argc, char** argv) {
    alarm(60); // where a message has gone astray
    allowsThreads = argc < 2 || std::strcmp(argv[1], "threads") != 0;
    try {
        const Communicator communicator;
        bool right = true;
        for (const std::size_t count : {std::size_t{4}, std::size_t{1} << 22})
            for (const bool early : {false, true})
                if (!stopsBetween(communicator, count, early)) {
                    std::printf("rank %zu: %zu values, sent %s\n", communicator.rank(), count,
                                early ? "before" : "after");
                    right = false;
                }
        return right ? 0 : 1;
    } catch (const Error& error) {
        std::printf("%s\n", error.what());
        return 3;
    }
}
