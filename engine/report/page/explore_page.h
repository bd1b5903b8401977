#pragma once

#include "engine/base/job_context.h"

#include <cstddef>
#include <string>

namespace assay {

struct AuditResult;

/// Contents of a page that can be explored.
struct PageOptions {
    static constexpr std::size_t kSamples = 20'000;
    /// Layouts of the plane: that of nearest neighbours takes seconds.
    enum class Plane { All, Components };

    /// Samples that the page holds at most, of all sets together: examples and flagged ones first, then random ones.
    std::size_t samples = kSamples;
    Plane plane = Plane::All;
};

/// Writes an audit as one HTML file that is explored in a browser: models, plane, ranking, distributions, findings and
/// single samples, linked by one selection. The file makes no request to anywhere; texts of the data are never markup.
/// The file appears either complete or not at all, and is written piece by piece. The plane is left out where the
/// embeddings are not in memory.
/// @throws Error{WriteFailed}; Cancelled
void writeExplorePage(const AuditResult& audit, const PageOptions& options, const std::string& file,
                      const JobContext& job = {});

} // namespace assay
