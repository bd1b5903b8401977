#pragma once

#include "gui/session/audit_session.h"
#include "tests/gui/support/fake_engine.h"
#include "tests/gui/support/wait_idle.h"
#include "tests/widgets/support/file_content.h"
#include "tests/widgets/support/test_rows.h"
#include "widgets/link/sample_selection.h"

#include <memory>

namespace assay::test {

/// A session of an engine that is made up: a base of tests, begun anew for each function.
class FakeSession {
protected:
    void begin();
    void end();
    void openAndWait(const AuditFiles& files = twoModels());
    void waitIdle();

    static AuditFiles twoModels();
    static SampleId sample(std::size_t model, std::uint32_t row) { return {syntheticSet(model), row}; }

    std::unique_ptr<FakeEngine> engine_;
    std::unique_ptr<SampleSelection> selection_;
    std::unique_ptr<AuditSession> session_;
};

} // namespace assay::test
