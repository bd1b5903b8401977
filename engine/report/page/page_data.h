#pragma once

#include "engine/base/job_context.h"
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

/// Writes ids, classes and pictures of one set. @param set 0 for the real one, else the model's number from 1
void writePageSet(PageFile& file, const AuditResult& audit, std::size_t set, const PageRows& rows,
                  const JobContext& job);

/// Writes the columns, neighbours, reasons and places of one model.
/// @param rows by set, the real one first @param before of an earlier model; may be null
/// @return places of this model; null where the embeddings are not in memory
std::shared_ptr<const PlacedSamples> writePageModel(PageFile& file, const AuditResult& audit, std::size_t model,
                                                    std::span<const PageRows> rows,
                                                    const std::shared_ptr<const PlacedSamples>& before,
                                                    const JobContext& job);

/// What the page says of the audit and its models, as JSON.
std::string pageSummary(const AuditResult& audit, std::span<const PageRows> rows, const JobContext& job);

} // namespace assay::report
