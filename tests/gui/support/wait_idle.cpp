#include "tests/gui/support/wait_idle.h"

#include "gui/session/audit_session.h"
#include "tests/widgets/support/settle.h"

#include <QSignalSpy>
#include <QtTest>

namespace assay::test {

bool waitIdle(AuditSession& session) {
    constexpr int kSilentMs = 60000; // a job that says nothing for so long hangs
    QSignalSpy changed(&session, &AuditSession::busyChanged);
    do {
        while (session.isBusy())
            if (!changed.wait(kSilentMs))
                return false;
        settle();
    } while (session.isBusy());
    return true;
}

} // namespace assay::test
