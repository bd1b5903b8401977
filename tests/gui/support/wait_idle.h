#pragma once

namespace assay {
class AuditSession;
}

namespace assay::test {

/// Waits until nothing runs in the background and no queued change starts anything. @return whether that came about
bool waitIdle(AuditSession& session);

} // namespace assay::test
