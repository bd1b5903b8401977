#include "engine/gpu/search/backends.h"

#include "engine/base/error.h"
#include "engine/gpu/device/devices.h"
#include "engine/gpu/search/device_search.h"
#include "engine/neighbors/backends/cpu_backends.h"
#include "engine/neighbors/products/gemm_search.h"

#include <string>
#include <vector>

namespace assay {
namespace {

/// Products of two coordinates from which a graphics card is worth its start: getting at it takes some tenths of a
/// second, in which a CPU of a few cores is done with less. Not measured yet: what is known is the CPU's side, 160 to
/// 690 thousand million a second on two cores.
constexpr double kWorthACard = 4e11;

std::unique_ptr<NeighborSearch> makeGemm(unsigned threads) {
    return std::make_unique<GemmSearch>(threads);
}

std::unique_ptr<NeighborSearch> makeCuda(unsigned threads) {
    return std::make_unique<cuda::DeviceSearch>(cuda::openDevices(threads), threads, makeGemm);
}

struct Table {
    std::vector<Backend> backends{cpuBackends().begin(), cpuBackends().end()};
    std::string cards; ///< that the description of the last one points to

    Table() {
        const std::vector<cuda::DeviceInfo>& usable = cuda::deviceList().usable;
        for (const cuda::DeviceInfo& info : usable)
            cards += (cards.empty() ? "" : ", ") + cuda::deviceText(info);
        if (!usable.empty())
            backends.push_back({BackendChoice::Cuda, "cuda", cards, makeCuda});
    }
};

bool worthACard(MatrixView set) {
    const double products =
        static_cast<double>(set.rows) * static_cast<double>(set.rows) * static_cast<double>(set.dim) / 2.0;
    return set.dim > kAlwaysTree && products >= kWorthACard && !cuda::deviceList().usable.empty();
}

} // namespace

std::span<const Backend> backendTable() {
    static const Table table;
    return table.backends;
}

std::unique_ptr<NeighborSearch> makeNeighborSearch(BackendChoice choice, MatrixView sample, unsigned threads,
                                                   const JobContext& job) {
    if (choice == BackendChoice::Cuda)
        return makeCuda(threads);
    if (choice == BackendChoice::Auto && worthACard(sample)) {
        // Nobody asked for the card: one that cannot be opened (lent to another program, say) is no failure.
        try {
            return makeCuda(threads);
        } catch (const Error&) {
            choice = BackendChoice::Gemm;
        }
    }
    return makeCpuSearch(choice, sample, threads, job);
}

} // namespace assay
