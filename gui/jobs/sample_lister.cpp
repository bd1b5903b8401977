#include "gui/jobs/sample_lister.h"

#include <utility>

namespace assay {

void SampleLister::list(std::shared_ptr<const ListingRequest> request) {
    jobs_.start<RankingListing>(
        tr("Ranking samples"), [request = std::move(request)](const RunningJob&) { return listSamples(*request); },
        [this](std::shared_ptr<const RankingListing> listing) { emit listed(std::move(listing)); });
}

} // namespace assay
