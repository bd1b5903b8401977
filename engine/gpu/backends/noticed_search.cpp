#include "engine/gpu/backends/noticed_search.h"

#include <utility>

namespace assay {
namespace {

class NoticedSearch : public NeighborSearch {
public:
    NoticedSearch(std::unique_ptr<NeighborSearch> search, const std::string& notice)
        : search_(std::move(search)), notice_(notice) {}

    std::string_view name() const override { return search_->name(); }
    std::string hardware() const override {
        const std::string hardware = search_->hardware();
        return (hardware.empty() ? "CPU" : hardware) + "; " + notice_;
    }
    const Accelerator* accelerator() const override { return search_->accelerator(); }
    NeighborTable selfNeighbors(MatrixView set, std::size_t k, const JobContext& job) const override {
        return search_->selfNeighbors(set, k, job);
    }
    CrossResult cross(const CrossQuery& query, const JobContext& job) const override {
        return search_->cross(query, job);
    }

private:
    std::unique_ptr<NeighborSearch> search_;
    std::string notice_;
};

} // namespace

std::unique_ptr<NeighborSearch> withNotice(std::unique_ptr<NeighborSearch> search, const std::string& notice) {
    return notice.empty() ? std::move(search) : std::make_unique<NoticedSearch>(std::move(search), notice);
}

} // namespace assay
