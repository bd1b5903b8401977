#include "engine/gpu/backends/backends.h"

#include "engine/base/error.h"
#include "engine/gpu/search/device_search.h"
#include "engine/gpu/search/sampled_search.h"
#include "engine/neighbors/backends/cpu_backends.h"

#include <string>
#include <utility>
#include <vector>

namespace assay {
namespace {

/// Products of two coordinates from which a graphics card is worth its start: getting at it takes some tenths of a
/// second, in which a CPU of a few cores is done with less. Not measured yet: what is known is the CPU's side, 160 to
/// 690 thousand million a second on two cores.
constexpr double kWorthACard = 4e11;

class NoticedSearch : public NeighborSearch {
public:
    NoticedSearch(std::unique_ptr<NeighborSearch> search, const std::string& notice)
        : search_(std::move(search)), notice_(notice) {}

    std::string_view name() const override { return search_->name(); }
    std::string hardware() const override {
        const std::string hardware = search_->hardware();
        return (hardware.empty() ? "CPU" : hardware) + "; " + notice_;
    }
    PairSearch pairSearch() const override { return search_->pairSearch(); }
    const Accelerator* accelerator() const override { return search_->accelerator(); }
    NeighborTable within(MatrixView set, std::size_t k, const JobContext& job) const override {
        return search_->within(set, k, job);
    }
    PassResult between(const SideQuery& a, const SideQuery& b, const JobContext& job) const override {
        return search_->between(a, b, job);
    }

private:
    std::unique_ptr<NeighborSearch> search_;
    std::string notice_;
};

std::unique_ptr<NeighborSearch> makeCuda(unsigned threads) {
    OpenedCards opened =
        openCards(cuda::deviceList(), [&](std::size_t number) { return cuda::openDevice(number, threads); });
    auto cards = std::make_unique<cuda::DeviceSearch>(
        std::move(opened.devices), threads, [](unsigned onCpu) { return std::make_unique<GemmSearch>(onCpu); });
    return withNotice(std::make_unique<cuda::SampledSearch>(std::move(cards), threads), opened.leftOut);
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

std::unique_ptr<NeighborSearch> withNotice(std::unique_ptr<NeighborSearch> search, const std::string& notice) {
    return notice.empty() ? std::move(search) : std::make_unique<NoticedSearch>(std::move(search), notice);
}

OpenedCards openCards(const cuda::DeviceList& list, const CardOpener& open) {
    if (list.usable.empty())
        throw Error(ErrorKind::DeviceFailed, "CUDA: expected a graphics card, found none. " + list.missing);
    OpenedCards opened;
    for (std::size_t number = 0; number < list.usable.size(); ++number)
        try {
            opened.devices.push_back(open(number));
        } catch (const Error& error) {
            opened.leftOut += (opened.leftOut.empty() ? "" : "; ") + cuda::deviceText(list.usable[number]) +
                              " is left out: " + error.what();
        }
    if (opened.devices.empty())
        throw Error(ErrorKind::DeviceFailed, "CUDA: no graphics card can be opened: " + opened.leftOut);
    return opened;
}

std::unique_ptr<NeighborSearch> cardsOr(const SearchOpener& cards, const SearchOpener& onCpu) {
    std::string failure;
    try {
        return cards();
    } catch (const cuda::OutOfDeviceMemory& error) {
        failure = error.what();
    } catch (const Error& error) {
        if (error.kind() != ErrorKind::DeviceFailed)
            throw;
        failure = error.what();
    }
    return withNotice(onCpu(), "graphics cards are left out: " + failure);
}

std::span<const Backend> backendTable() {
    static const Table table;
    return table.backends;
}

std::unique_ptr<NeighborSearch> makeNeighborSearch(BackendChoice choice, MatrixView sample, unsigned threads,
                                                   const JobContext& job) {
    if (choice == BackendChoice::Cuda)
        return makeCuda(threads);
    if (choice == BackendChoice::Auto && worthACard(sample))
        return cardsOr([&] { return makeCuda(threads); },
                       [&] { return makeCpuSearch(BackendChoice::Gemm, sample, threads, job); });
    return makeCpuSearch(choice, sample, threads, job);
}

} // namespace assay
