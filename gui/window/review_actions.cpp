// Actions on single samples: verdicts by hand, the review, notes and tags.
#include "gui/commands/commands.h"
#include "gui/session/review.h"
#include "gui/session/selection_commands.h"
#include "gui/window/panel_docks.h"
#include "gui/window/window_actions.h"
#include "widgets/inspector/inspector_view.h"
#include "widgets/link/sample_selection.h"

#include <QMainWindow>

#include "engine/subsets/rules/tags.h"

namespace assay {
namespace {

QKeySequence key(const char* text) {
    return QKeySequence(QString::fromLatin1(text));
}

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
    const QString id = QStringLiteral("inspector");
    docks->showPanel(id);
    if (auto* inspector = qobject_cast<InspectorView*>(docks->panel(id)))
        inspector->editNote();
}

} // namespace

void WindowActions::appendReviewRows(std::vector<ActionRow>& rows) {
    AuditSession* session = session_;
    Review* review = review_;
    // In a review each verdict moves on; else a second time takes it back.
    const auto row = [this, session, review](const char* id, const QString& text, HandVerdict verdict,
                                             bool SelectedSamples::*judged) {
        return ActionRow{.menu = MenuId::Edit,
                         .id = QString::fromLatin1(id),
                         .text = text,
                         .does =
                             [session, review, verdict] {
                                 if (review->isOn())
                                     review->judge(verdict);
                                 else
                                     session->editor()->toggleByHand(verdict);
                             },
                         .enabled = [this] { return selected_.canDecide; },
                         .checked = [this, judged] { return selected_.*judged; },
                         .repeats = false}; // a key held down would decide and take back in turn
    };
    ActionRow reject =
        row("actionRejectByHand", tr("Re&ject by hand"), HandVerdict::Rejected, &SelectedSamples::rejected);
    reject.icon = QStringLiteral("reject");
    reject.keys = {Qt::Key_Space, key("X")};
    reject.tip = tr("Reject the selected samples whatever the rules say, or take that back");
    reject.separated = true;
    ActionRow accept =
        row("actionAcceptByHand", tr("&Keep by hand"), HandVerdict::Accepted, &SelectedSamples::accepted);
    accept.keys = {key("A")};
    accept.tip = tr("Keep the selected samples whatever the rules say, or take that back");
    accept.searchWords = tr("accept");
    ActionRow unsure = row("actionUnsureByHand", tr("Uns&ure"), HandVerdict::Unsure, &SelectedSamples::unsure);
    unsure.keys = {key("U")};
    unsure.tip = tr("Mark the selected samples as looked at and leave them to the rules, or take that back");
    rows.insert(rows.end(), {reject, accept, unsure});
    const auto canReview = [review] { return review->canStart(); };
    rows.push_back(
        {.menu = MenuId::Edit,
         .id = "actionReview",
         .text = tr("Re&view one by one"),
         .keys = {key("V")},
         .tip = tr("Go over the ranking as it is listed: each verdict moves on to the next undecided sample"),
         .searchWords = tr("review queue by hand"),
         .does =
             [review, docks = docks_] {
                 if (review->isOn()) {
                     review->end();
                     return;
                 }
                 docks->showPanel(QStringLiteral("ranking"));
                 review->start();
             },
         .enabled = canReview,
         .checked = [review] { return review->isOn(); },
         .repeats = false,
         .separated = true});
    rows.push_back({.menu = MenuId::Edit,
                    .id = "actionNextUndecided",
                    .text = tr("Ne&xt undecided sample"),
                    .keys = {key("F3")},
                    .tip = tr("Select the next sample of the ranking that nobody has judged by hand"),
                    .does = [review] { review->skip(); },
                    .enabled = canReview});
    rows.push_back({.menu = MenuId::Edit,
                    .id = "actionReviewBack",
                    .text = tr("&Back in the review"),
                    .keys = {Qt::Key_Backspace},
                    .tip = tr("Go back to the sample before, whatever its verdict"),
                    .does = [review] { review->back(); },
                    .enabled = [review] { return review->isOn(); }});
    rows.push_back({.menu = MenuId::Edit,
                    .id = "actionNote",
                    .text = tr("&Note\u2026"),
                    .keys = {key("N")},
                    .tip = tr("Write a note on the focused sample"),
                    .does = [docks = docks_] { writeNote(docks); },
                    .enabled = [session] { return session->isOpen() && session->selection()->focus().has_value(); },
                    .repeats = false,
                    .separated = true});
    rows.push_back({.menu = MenuId::Edit, .id = "menuTag", .text = tr("&Tags"), .opens = MenuId::Tags});
}

void WindowActions::appendTagRows(std::vector<ActionRow>& rows) {
    AuditSession* session = session_;
    const auto canTag = [this] { return selected_.canTag; };
    for (int tag = 1; tag <= kTags; ++tag) {
        const auto named = [session, tag] { return tagText(session->state(), tag); };
        rows.push_back({.menu = MenuId::Tags,
                        .id = QStringLiteral("actionTag%1").arg(tag),
                        .text = tr("Tag &%1").arg(tag),
                        .keys = {Qt::Key_0 + tag},
                        .tip = tr("Give the selected samples tag %1, or take it away").arg(tag),
                        .does = [session, tag] { session->editor()->toggleTag(tag); },
                        .enabled = canTag,
                        .checked = [this, tag] { return (selected_.tags & tagSet(tag)) != 0; },
                        .named = named,
                        .repeats = false});
        rows.push_back({.menu = MenuId::Tagged,
                        .id = QStringLiteral("actionSelectTag%1").arg(tag),
                        .text = tr("Tag &%1").arg(tag),
                        .tip = tr("Select the samples of this model and the real ones that have tag %1").arg(tag),
                        .does = [session, tag] { SelectionCommands(session).tagged(tag); },
                        .enabled = [session, tag] { return session->editor()->isTagged(tag); },
                        .named = named});
    }
    rows.push_back({.menu = MenuId::Tags,
                    .id = "actionClearTags",
                    .text = tr("&Clear all tags"),
                    .keys = {Qt::Key_0},
                    .tip = tr("Take every tag of the selected samples away"),
                    .does = [session] { session->editor()->clearTags(); },
                    .enabled = canTag,
                    .separated = true});
    rows.push_back({.menu = MenuId::Tags,
                    .id = "actionNameTags",
                    .text = tr("&Name the tags\u2026"),
                    .tip = tr("Give the tags names of your own"),
                    .does = [commands = commands_] { commands->nameTags(); },
                    .enabled = [session] { return session->isOpen(); }});
}

} // namespace assay
