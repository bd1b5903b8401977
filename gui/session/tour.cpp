#include "gui/session/tour.h"

#include "gui/session/audit_session.h"
#include "widgets/link/sample_selection.h"

#include "engine/audit/result/audit_result.h"

namespace assay {
std::vector<TourStep> tourOf(const AuditResult& audit) {
    std::vector<TourStep> steps;
    std::vector<TourStep> good; // last: there is the least to see
    for (std::size_t m = 0; m < audit.models.size(); ++m) {
        const ModelAudit& model = *audit.models[m];
        constexpr std::size_t kMost = 3;
        std::size_t shown = 0;
        for (const Finding& finding : model.findings) {
            if (!finding.marksModel || shown == kMost)
                continue;
            const SetId set = finding.side == Side::Real ? SetId::Real : syntheticSet(m);
            steps.push_back(
                {m, QString::fromStdString(finding.sentence), QString::fromStdString(finding.advice),
                 SampleSet(set, finding.rows),
                 finding.examples.empty() ? std::nullopt : std::optional(SampleId{set, finding.examples.front().row})});
            ++shown;
        }
        if (shown == 0)
            good.push_back({m, QString::fromStdString(model.summary), QString()});
    }
    steps.insert(steps.end(), good.begin(), good.end());
    return steps;
}

Tour::Tour(AuditSession* session, QObject* parent) : QObject(parent), session_(session) {
    connect(session_->document(), &Document::stateChanged, this, &Tour::follow);
}

bool Tour::canStart() const {
    return session_->state().hasModel();
}

void Tour::start() {
    if (!canStart())
        return;
    audit_ = session_->state().audit;
    steps_ = tourOf(*audit_);
    at_ = 0;
    show();
}

void Tour::next() {
    if (at_ + 1 >= steps_.size()) {
        end();
        return;
    }
    ++at_;
    show();
}

void Tour::back() {
    if (at_ == 0 || !isOn())
        return;
    --at_;
    show();
}

void Tour::end() {
    if (!isOn())
        return;
    steps_.clear();
    audit_.reset();
    emit changed();
}

void Tour::show() {
    const TourStep& now = step();
    session_->editor()->setModel(now.model);
    if (now.samples.empty())
        session_->selection()->clear();
    else
        session_->selection()->replace(now.samples, now.example);
    emit changed();
}

void Tour::follow() {
    if (isOn() && session_->state().audit != audit_) // its steps are of models that may be gone
        end();
}

} // namespace assay
