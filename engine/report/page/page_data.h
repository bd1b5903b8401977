#pragma once

#include "engine/base/job_context.h"
#include "engine/report/page/explore_page.h"
#include "engine/report/page/page_samples.h"

#include <cstddef>
#include <memory>
#include <span>
#include <string>

namespace assay {

struct AuditResult;
struct PlacedSamples;

} // namespace assay

namespace assay::report {

class PageFile;

/// Writes the data of a page, a set or a model at a time.
class PageData {
public:
    /// @param rows by set, the real one first; they outlive this
    PageData(PageFile& file, const AuditResult& audit, std::span<const PageRows> rows)
        : file_(file), audit_(audit), rows_(rows) {}

    /// Writes ids, classes and pictures. @param set 0 for the real one, else the model's number from 1
    void writeSet(std::size_t set, const JobContext& job);
    /// Writes columns, neighbours and reasons of one model, and places where the embeddings are in memory.
    void writeModel(std::size_t model, PageOptions::Plane plane, const JobContext& job);

private:
    PageFile& file_;
    const AuditResult& audit_;
    std::span<const PageRows> rows_;
    std::shared_ptr<const PlacedSamples> placed_; ///< of the model before
};

/// What the page says of the audit and its models, as JSON.
std::string pageSummary(const AuditResult& audit, std::span<const PageRows> rows, const JobContext& job);

} // namespace assay::report
