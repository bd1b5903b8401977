#pragma once

#include "widgets/charts/figure.h"
#include "widgets/link/panel_host.h"
#include "widgets/link/view_state.h"

#include <QJsonObject>
#include <QWidget>

#include <functional>
#include <optional>

namespace assay {

class ThumbnailCache;
class SampleSelection;
class MessagePage;
class PanelProblem;

/// A panel that shows the audit and takes part in the one selection.
///
/// Intent goes upwards through the host, state comes down through showState(). A panel that receives what it already
/// shows wants nothing. Panels never call each other.
///
/// It shows its content, or a message in its place: that there is nothing to show and what brings it, or that it waits.
/// A panel that nobody watches, behind another tab or closed, works nothing out: what it misses comes at once when it is
/// watched again.
class Panel : public QWidget {
    Q_OBJECT

public:
    /// @param host outlives the panel
    explicit Panel(PanelHost& host);
    ~Panel() override;

    /// Shows a new state; called whenever a part of it changes.
    void showState(const ViewState& state);

    /// The chart that is shown, to be saved; nothing where there is none.
    virtual std::optional<Figure> figure() { return std::nullopt; }

    /// What a person has chosen in the panel, beyond the state of all; kept with the window's layout.
    virtual QJsonObject saveState() const { return {}; }
    /// Takes up what saveState() returned, perhaps of another version of the program; what it does not know stays.
    virtual void restoreState(const QJsonObject& /*state*/) {}

    /// Whether a person can see the panel; true at first.
    void setWatched(bool watched);
    bool isWatched() const noexcept { return watched_; }

    /// Says that what the panel asked for did not come, and offers to try again, until that or another model is shown.
    void showProblem(const QString& problem, std::function<void()> retry);
    void hideProblem();

    /// The shown state; while the panel is hidden, the last shown one.
    const ViewState& state() const noexcept { return state_; }
    PanelHost& host() const noexcept { return host_; }
    SampleSelection* selection() const noexcept { return host_.selection(); }
    ThumbnailCache* pictures() const noexcept { return host_.pictures(); }

signals:
    /// When it is watched again, once it shows what it has missed.
    void watchedChanged(bool watched);
    /// Another audit is shown, or none: nothing of the one before may be kept in memory.
    void auditLeft();
    /// What saveState() returns has changed.
    void choicesChanged();

protected:
    /// The state has changed. Where the model has, content or purpose is shown anew before this.
    virtual void stateChanged(const Changes& changes) = 0;
    /// The selection or its focus has changed.
    virtual void selectionChanged() {}
    /// The hovered sample has changed.
    virtual void hoverChanged() {}

    /// The panel's widgets, shown while there is a model, else a message in their place.
    /// @param purpose what would be there
    /// @param header stays above the content or a message in its place; may be null
    void setContent(QWidget* content, const QString& purpose, QWidget* header = nullptr);
    void showContent();
    /// Shows a message in place of the content, and below it a button, if there is anything that one can do.
    void showMessage(const QString& text, const QString& button = {}, const std::function<void()>& act = {});

    /// Asks for what takes long (PanelHost::request()).
    template <class Work, class Show>
    void ask(std::string_view question, const QString& title, Work work, Show taker) {
        host_.request(this, panelRequest(question, title, std::move(work), std::move(taker)));
    }
    /// Asks for what follows from the current model alone.
    /// @param finder gets the audit, the model and a JobContext @param taker a member function of the panel
    template <class Find, class Shower, class Answer>
    void askOfModel(std::string_view question, const QString& title, Find finder,
                    void (Shower::*taker)(Answer)) {
        ask(
            question, title,
            [finder, audit = state_.audit, model = state_.model](const JobContext& job) {
                return finder(*audit, model, job);
            },
            [this, taker](Answer answer) { (static_cast<Shower*>(this)->*taker)(std::move(answer)); });
    }

private:
    void showPurpose();

    ViewState state_;
    PanelHost& host_;
    QWidget* header_ = nullptr;
    QWidget* content_ = nullptr;
    QString purpose_;
    MessagePage* message_ = nullptr;
    PanelProblem* problem_ = nullptr; ///< made when there is one
    bool watched_ = true;
    std::optional<ViewState> missedState_;
    bool missedSelection_ = false;
    bool missedHover_ = false;
};

} // namespace assay
