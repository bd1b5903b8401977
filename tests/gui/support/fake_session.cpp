#include "tests/gui/support/fake_session.h"

#include <QtTest>

namespace assay::test {

void FakeSession::begin() {
    engine_ = std::make_unique<FakeEngine>();
    selection_ = std::make_unique<SampleSelection>();
    session_ = std::make_unique<AuditSession>(selection_.get(), engine_->calls());
}

void FakeSession::end() {
    session_.reset(); // its worker uses the others
    selection_.reset();
    engine_.reset();
}

void FakeSession::openAndWait(const AuditFiles& files) {
    session_->open(files);
    waitIdle();
    QVERIFY(session_->state().hasModel());
}

void FakeSession::waitIdle() {
    QVERIFY(test::waitIdle(*session_));
}

AuditFiles FakeSession::twoModels() {
    AuditFiles files;
    files.real = QStringLiteral("/data/real.npz");
    files.models = {{QStringLiteral("gan"), QStringLiteral("/data/gan.npz")},
                    {QStringLiteral("vae"), QStringLiteral("/data/vae.npz")}};
    files.options.k = 3;
    return files;
}

} // namespace assay::test
