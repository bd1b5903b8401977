#pragma once

#include "engine/audit/run/audit.h"
#include "engine/base/job_context.h"
#include "engine/report/pages/report.h"
#include "engine/store/decisions.h"
#include "engine/subsets/what_if/kept_audit.h"

#include <QString>

#include <memory>
#include <string>

namespace assay {

struct AuditResult;
struct WhatIfResult;

/// An audit and the decisions when the report was requested: a plain value, for the thread that writes it.
struct ReportContent {
    std::shared_ptr<const AuditResult> audit;
    Decisions decisions;
    AuditOptions options;  ///< backend, threads and memory for what is scored for the report
    std::string auditFile; ///< that the audit is kept in; empty for none
    Appendix appendix = Appendix::LeftOut;
    std::shared_ptr<const WhatIfResult> scores =
        {};                                     ///< of the current model's kept samples; null where they are not known
    std::shared_ptr<const KeptAudit> kept = {}; ///< of the current model; null: worked out where it is reported
};

/// Writes the report in the format of the file's extension: .html or .htm, .pdf, .md, .json. All but JSON have the
/// decisions about every model and the scores of the kept samples. The file appears whole or not at all.
/// @throws Error{InvalidArgument} for any other extension; Error{WriteFailed}; Cancelled
void writeReportFile(const ReportContent& content, const QString& file, const JobContext& job);

} // namespace assay
