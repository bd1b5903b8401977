// Actions on single samples: verdicts by hand, the review, notes and tags.
#include "gui/commands/commands.h"
#include "gui/session/review.h"
#include "gui/session/selection_commands.h"
#include "gui/window/panel_docks.h"
#include "gui/window/window_actions.h"
#include "widgets/link/sample_selection.h"
#include "widgets/sample/sample_panel.h"

#include <QMainWindow>

#include "engine/subsets/rules/tags.h"

namespace assay {
namespace {

/// "Tag 1: blurred", with the key that opens it in the menu.
QString tagText(const ViewState& state, int tag) {
    const QString text = WindowActions::tr("Tag &%1").arg(tag);
    const std::string name = state.tagNames ? state.tagNames->at(static_cast<std::size_t>(tag - 1)) : std::string();
    if (name.empty())
        return text;
    return WindowActions::tr("%1: %2").arg(text,
                                           QString::fromStdString(name).replace(QLatin1Char('&'), QLatin1String("&&")));
}

/// In the inspector, which comes to the front.
void writeNote(PanelDocks* docks) {
    const QString id = QStringLiteral("sample");
    docks->showPanel(id);
    if (auto* inspector = qobject_cast<SamplePanel*>(docks->panel(id)))
        inspector->editNote();
}

} // namespace

void WindowActions::addReviewActions() {
    using enum MenuId;
    AuditSession* session = session_;
    Review* review = review_;
    // In a review each verdict moves on; else a second time takes it back.
    const auto addVerdict = [&](const QString& id, const QString& text, HandVerdict verdict,
                                bool SelectedSamples::*judged, ActionTraits traits) {
        traits.enabled = [this] { return selected_.canDecide; };
        traits.checked = [this, judged] { return selected_.*judged; };
        traits.repeats = false; // a key held down would decide and take back in turn
        add(
            Edit, id, text,
            [session, review, verdict] {
                review->isOn() ? review->judge(verdict) : session->editor()->toggleByHand(verdict);
            },
            traits);
    };
    addVerdict("actionRejectByHand", tr("Re&ject by hand"), HandVerdict::Rejected, &SelectedSamples::rejected,
               {.icon = "reject",
                .keys = {Qt::Key_Space, key("X")},
                .tip = tr("Reject the selected samples whatever the rules say, or take that back"),
                .separated = true});
    addVerdict("actionAcceptByHand", tr("&Keep by hand"), HandVerdict::Accepted, &SelectedSamples::accepted,
               {.keys = {key("A")},
                .tip = tr("Keep the selected samples whatever the rules say, or take that back"),
                .searchWords = tr("accept")});
    addVerdict("actionUnsureByHand", tr("Uns&ure"), HandVerdict::Unsure, &SelectedSamples::unsure,
               {.keys = {key("U")},
                .tip = tr("Mark the selected samples as looked at and leave them to the rules, or take that back")});
    const auto canReview = [review] { return review->canStart(); };
    add(Edit, "actionReview", tr("Re&view one by one"),
        [review, docks = docks_] {
            if (review->isOn()) {
                review->end();
                return;
            }
            docks->showPanel(QStringLiteral("ranking"));
            review->start();
        },
        {.keys = {key("V")},
         .tip = tr("Go over the ranking as it is listed: each verdict moves on to the next undecided sample"),
         .searchWords = tr("review queue by hand"),
         .enabled = canReview,
         .checked = [review] { return review->isOn(); },
         .repeats = false,
         .separated = true});
    add(Edit, "actionNextUndecided", tr("Ne&xt undecided sample"), [review] { review->skip(); },
        {.keys = {key("F3")},
         .tip = tr("Select the next sample of the ranking that nobody has judged by hand"),
         .enabled = canReview});
    add(Edit, "actionReviewBack", tr("&Back in the review"), [review] { review->back(); },
        {.keys = {Qt::Key_Backspace},
         .tip = tr("Go back to the sample before, whatever its verdict"),
         .enabled = [review] { return review->isOn(); }});
    add(Edit, "actionNote", tr("&Note\u2026"), [docks = docks_] { writeNote(docks); },
        {.keys = {key("N")},
         .tip = tr("Write a note on the focused sample"),
         .enabled = [session] { return session->isOpen() && session->selection()->focus().has_value(); },
         .repeats = false,
         .separated = true});
    addMenu(Edit, Tags, "menuTag", tr("&Tags"), {.anytime = true});
}

void WindowActions::addTagActions() {
    using enum MenuId;
    AuditSession* session = session_;
    const auto canTag = [this] { return selected_.canTag; };
    for (int tag = 1; tag <= kTags; ++tag) {
        const auto named = [session, tag] { return tagText(session->state(), tag); };
        add(Tags, QStringLiteral("actionTag%1").arg(tag), tr("Tag &%1").arg(tag),
            [session, tag] { session->editor()->toggleTag(tag); },
            {.keys = {Qt::Key_0 + tag},
             .tip = tr("Give the selected samples tag %1, or take it away").arg(tag),
             .enabled = canTag,
             .checked = [this, tag] { return (selected_.tags & tagSet(tag)) != 0; },
             .named = named,
             .repeats = false});
        add(Tagged, QStringLiteral("actionSelectTag%1").arg(tag), tr("Tag &%1").arg(tag),
            [session, tag] { SelectionCommands(session).tagged(tag); },
            {.tip = tr("Select the samples of this model and the real ones that have tag %1").arg(tag),
             .enabled = [session, tag] { return session->editor()->isTagged(tag); },
             .named = named});
    }
    add(Tags, "actionClearTags", tr("&Clear all tags"), [session] { session->editor()->clearTags(); },
        {.keys = {Qt::Key_0},
         .tip = tr("Take every tag of the selected samples away"),
         .enabled = canTag,
         .separated = true});
    add(Tags, "actionNameTags", tr("&Name the tags\u2026"), [commands = commands_] { commands->nameTags(); },
        {.tip = tr("Give the tags names of your own"), .enabled = [session] { return session->isOpen(); }});
}

} // namespace assay
