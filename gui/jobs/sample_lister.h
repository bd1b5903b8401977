#pragma once

#include "gui/jobs/job_runner.h"

#include "widgets/ranking/ranking_listing.h"

#include <QObject>

#include <memory>

namespace assay {

/// Sorts, filters and groups the samples of a ranking in the background. The last request is the one that is listed.
class SampleLister : public QObject {
    Q_OBJECT

public:
    explicit SampleLister(QObject* parent = nullptr) : QObject(parent) {}

public slots:
    void list(std::shared_ptr<const assay::ListingRequest> request);

signals:
    void listed(std::shared_ptr<const assay::RankingListing> listing);

private:
    JobRunner jobs_; // last: its thread ends first
};

} // namespace assay
