#pragma once

#include "engine/audit/audit.h"
#include "engine/demo/demo.h"
#include "engine/job/job_context.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace assay {

/// What the program asks of the engine, so that tests can stand in for it. Each runs on a worker thread and throws as
/// the engine function of the same name.
struct EngineCalls {
    std::function<std::shared_ptr<const EmbeddingSet>(const std::string& fileSpec, const JobContext&)> readEmbeddings;
    std::function<std::shared_ptr<const AuditResult>(const AuditRequest&, const JobContext&)> runAudit;
    std::function<std::shared_ptr<const AuditResult>(const AuditResult& base, const std::vector<AuditModel>&,
                                                     const AuditOptions&, const JobContext&)>
        addModels;
    std::function<Demo(const JobContext&)> makeDemo;
};

/// The real engine.
EngineCalls engineCalls();

} // namespace assay
