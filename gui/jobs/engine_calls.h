#pragma once

#include "engine/audit/run/audit.h"
#include "engine/base/job_context.h"
#include "engine/demo/demo.h"
#include "engine/io/preparation/prepare.h"
#include "engine/io/sets/set_files.h"
#include "engine/io/sets/set_preview.h"
#include "engine/subsets/curves/requested_curves.h"
#include "engine/subsets/what_if/kept_audit.h"
#include "engine/subsets/what_if/useful_what_if.h"
#include "engine/subsets/what_if/what_if.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace assay {

/// Scores one model's kept samples, a flag per synthetic row, as WhatIf::evaluate. One thread at a time.
using KeptScoring = std::function<WhatIfResult(const std::vector<bool>& kept, const JobContext&)>;

/// Engine functions that tests replace. Each runs on a worker thread and throws as the function of the same name.
struct EngineCalls {
    using Audit = std::shared_ptr<const AuditResult>;
    /// @param choice how the real set is taken @param preparation the real set's, for any other; null for the real set
    using ReadSet = std::function<std::shared_ptr<const EmbeddingSet>(
        const SetFiles& files, const PreparationChoice& choice, const PreparationPtr& preparation, const JobContext&)>;
    ReadSet readSet;
    std::function<Audit(const AuditRequest&, const JobContext&)> runAudit;
    std::function<Audit(const AuditResult& base, const std::vector<AuditModel>&, const AuditOptions&,
                        const JobContext&)>
        addModels;
    std::function<Demo(const JobContext&)> makeDemo;
    std::function<Audit(const Audit& audit, const CurveRequest&, const AuditOptions&, const JobContext&)> withCurves;
    std::function<Audit(const AuditResult& record, const AuditOptions&, const JobContext&)> judgeAgain;
    using ScoreKept = std::function<KeptScoring(Audit, std::size_t model)>;
    ScoreKept
        scoreKept; ///< may be empty: then nobody asks; called on the window's thread, so it only prepares to score
    std::function<Audit(const std::string& file, const JobContext&)> readAuditFile{};
    using AuditKept =
        std::function<KeptAudit(const Audit&, std::size_t model, const std::vector<bool>& kept, const JobContext&)>;
    AuditKept auditKept{}; ///< may be empty: then what is kept has no intervals
    std::function<SetPreview(const SetFiles&, const JobContext&)>
        previewSet{}; ///< may be empty: then no set is known to hold only pictures, and none is embedded
    std::function<PreparationChoice(const PreparationChoice&, const std::vector<SetFiles>&, const JobContext&)>
        completedChoice{}; ///< may be empty: then the choice is taken as it is
    using UsefulIfKeptCall =
        std::function<UsefulIfKept(const Audit&, std::size_t model, const std::vector<bool>& kept, const JobContext&)>;
    UsefulIfKeptCall usefulIfKept{}; ///< may be empty: then utility of what is kept is not known
    std::function<std::optional<SetFiles>(const SetFiles&, const JobContext&)>
        keptConversion{}; ///< may be empty: then no file was converted by Python
};

/// The real engine.
EngineCalls engineCalls();

} // namespace assay
