#pragma once

#include "gui/session/document.h"

#include "widgets/link/decision_text.h"

#include <QObject>

#include <functional>
#include <optional>

namespace assay {

/// What the commands on the selected samples depend on.
struct SelectedSamples {
    bool canDecide = false; ///< there are synthetic samples of the current model
    /// Verdicts that all of these have.
    bool rejected = false, accepted = false, unsure = false;
    bool canTag = false; ///< there are samples of the real set or of the current model
    TagSet tags{0};      ///< that all of these have
};

/// What a person can change about the open audit: current model, rules, verdicts by hand, tags, notes and the view
/// filter. Everything can be undone; nothing happens while no audit is open.
class Editor : public QObject {
    Q_OBJECT

public:
    /// @param document outlives the editor
    explicit Editor(Document* document, QObject* parent = nullptr);

    /// Whether synthetic samples of the current model are selected, and whether all of them have this verdict by hand.
    bool canDecide() const;
    bool isSelectionJudged(HandVerdict verdict) const;
    SelectedSamples selected() const;
    /// Whether a sample of the real set or the current model's has the tag.
    bool isTagged(int tag) const;

public slots:
    void setModel(std::size_t model);
    /// The next (+1) or previous (-1) model, round and round.
    void stepModel(int step);
    /// Replaces the rules. Refused with `failed` when one does not fit the catalogue.
    void setRules(const assay::FilterRules& rules);
    /// Puts further rules into force, in place of those on the same columns.
    void addRules(const assay::FilterRules& rules);

    /// Gives the selected samples of the current model a verdict by hand; when all have it, takes it back.
    void toggleByHand(HandVerdict verdict);
    /// Gives synthetic samples a verdict, in place of the one that they have; None takes it back.
    /// @param then what is selected next, in the same step of the history
    void judge(const SampleSet& samples, HandVerdict verdict,
               const std::optional<SelectionSnapshot>& then = std::nullopt);
    /// Writes about a sample; nothing drops what was written.
    void setNote(SampleId sample, const QString& note);
    /// @param tag in [1, kTags] @param name empty: it goes by its number
    void nameTag(int tag, const QString& name);
    /// Puts figures of models from elsewhere in place of those that are there; empty ones take these away.
    void setExternal(const assay::ExternalScores& scores);
    /// Adds figures of samples from elsewhere as columns; those of the same name are replaced.
    void addSampleScores(const assay::SampleScores& scores);
    /// Takes them all away, and the rules and the filter on them.
    void removeSampleScores();
    /// Names all tags in one step of the history.
    void nameTags(const TagNames& names);
    /// Gives the selected samples a tag; when all of them have it, takes it away.
    /// @param tag in [1, kTags]
    void toggleTag(int tag);
    void clearTags();

    /// Shows what the filter leaves, everywhere. Changes of its text in a row are one step of the history.
    void setFilter(const assay::ViewFilter& filter);
    /// Shows the selected samples only, among those that are shown.
    void showOnlySelected();
    void showAll() { setFilter({}); }

signals:
    /// @param title what was tried; "failed" goes after it
    void failed(const QString& title, const QString& message);

private:
    SampleSet selectedOfModel() const;
    SampleSet selectedOnShow() const;
    /// One step of the history. Precondition: an audit is open.
    void edit(EditKind kind, const QString& text, const std::function<void(EditState& next)>& apply);
    void changeTags(const QString& text, const std::function<void(SampleTags& tags, const SampleSet& samples)>& change);
    const ViewState& state() const { return document_->state(); }

    Document* document_;
};

} // namespace assay
