#include "gui/session/selection_commands.h"

#include "gui/session/audit_session.h"
#include "widgets/link/decision_text.h"
#include "widgets/link/sample_groups.h"
#include "widgets/link/sample_selection.h"

#include <functional>

namespace assay {
namespace {

void selectShown(AuditSession& session, const SampleSet& samples) {
    session.selection()->replace(session.state().shownOf(samples));
}

void selectRows(AuditSession& session, const std::function<bool(std::size_t row)>& wanted) {
    const ViewState& state = session.state();
    if (state.hasModel())
        selectShown(session, SampleSet::where(state.currentSet(), state.current().set->rows(), wanted));
}

/// Those of the current model. @param samples null: nothing happens
void selectOfModel(AuditSession& session, const std::shared_ptr<const SampleSet>& samples) {
    if (samples)
        selectShown(session, samples->in(session.state().currentSet()));
}

} // namespace

void SelectionCommands::rejected() const {
    selectRows(*session_, [this](std::size_t row) { return !session_->state().isKept(row); });
}

void SelectionCommands::rejectedByHand() const {
    selectRows(*session_, [this](std::size_t row) { return session_->state().isRejectedByHand(row); });
}

void SelectionCommands::acceptedByHand() const {
    selectOfModel(*session_, session_->state().accepted);
}

void SelectionCommands::unsure() const {
    selectOfModel(*session_, session_->state().unsure);
}

void SelectionCommands::undecided() const {
    const ViewState& state = session_->state();
    selectRows(*session_, [&state](std::size_t row) {
        return !isReviewed(state, {state.currentSet(), static_cast<std::uint32_t>(row)});
    });
}

void SelectionCommands::tagged(int tag) const {
    const ViewState& state = session_->state();
    if (state.tags)
        selectShown(*session_,
                    state.tags->having(tag).in(SetId::Real) | state.tags->having(tag).in(state.currentSet()));
}

void SelectionCommands::accused() const {
    const ViewState& state = session_->state();
    if (!state.hasModel() || !state.current().hasColumn("verdict"))
        return;
    const std::vector<double>& verdict = state.current().column("verdict");
    selectRows(*session_, [&](std::size_t row) { return verdict[row] != 0.0; });
}

void SelectionCommands::uncovered() const {
    const ViewState& state = session_->state();
    if (!state.hasModel())
        return;
    const std::vector<double>& coverage = state.current().column("coverage");
    selectShown(*session_,
                SampleSet::where(SetId::Real, coverage.size(), [&](std::size_t row) { return coverage[row] == 0.0; }));
}

void SelectionCommands::wholeGroups() const {
    session_->selection()->replace(
        session_->state().shownOf(assay::wholeGroups(session_->state(), session_->selection()->samples())),
        session_->selection()->focus());
}

void SelectionCommands::others() const {
    const SampleSet& selected = session_->selection()->samples();
    selectRows(*session_, [this, &selected](std::size_t row) {
        return !selected.contains({session_->state().currentSet(), static_cast<std::uint32_t>(row)});
    });
}

} // namespace assay
