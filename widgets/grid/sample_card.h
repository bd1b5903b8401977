#pragma once

#include "widgets/link/view_state.h"

#include <QFrame>
#include <QPointer>
#include <QString>

class QLabel;

namespace assay {

class ThumbnailCache;

/// A sample under the pointer, and what the view under the pointer says of it.
struct HoveredSample {
    const ViewState& state;
    SampleId sample;
    ThumbnailCache* pictures = nullptr; ///< null: without a picture
    QString above{}, below{};           ///< rich text before and after the sample's own lines
};

/// The card beside the pointer: a sample's picture, enlarged, id, class, decision and headline scores; one per window.
///
/// Pictures come from the cache of the views. One that has to be read from a file is requested there and joins the card
/// once it has come: nothing is read or decoded for the card itself, so that it follows the pointer.
class SampleCard : public QFrame {
    Q_OBJECT

public:
    /// Shows the card of the owner's window until the pointer leaves the owner, or a button or key is pressed.
    /// @param at of the pointer, on the screen
    static void show(QWidget* owner, QPoint at, const HoveredSample& hovered);
    /// Hides it if it is this owner's.
    static void hide(const QWidget* owner);
    /// The visible card of a widget's window; null for none.
    static const SampleCard* shownBy(const QWidget* owner);

    /// What it says, as rich text; empty while no card is shown.
    static QString textShownBy(const QWidget* owner);
    SampleId sample() const noexcept { return sample_; }
    bool hasPicture() const;

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void hideEvent(QHideEvent* event) override;

private:
    explicit SampleCard(QWidget* window);
    void showAt(QWidget* owner, QPoint at, const HoveredSample& hovered);
    void showPicture();

    QPointer<QWidget> owner_;
    QPointer<ThumbnailCache> pictures_;
    SampleId sample_;
    QLabel* picture_;
    QLabel* text_;
};

} // namespace assay
