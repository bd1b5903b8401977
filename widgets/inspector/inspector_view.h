#pragma once

#include "widgets/link/linked_view.h"
#include "widgets/samples/thumbnail_cache.h"

#include <array>
#include <optional>
#include <vector>

class QGridLayout;
class QLabel;
class QScrollArea;
class QStackedWidget;
class QToolButton;

namespace assay {

class NeighborStrip;
class NoteEdit;
class PictureWidget;
struct Column;

/// The focused sample: its picture, its scores with their standing in the set, why it scored so, and its neighbours.
class InspectorView : public LinkedView {
    Q_OBJECT

public:
    /// @param pictures outlives the view; null: the view keeps its own
    InspectorView(SampleSelection* selection, QWidget* parent, ThumbnailCache* pictures = nullptr);

    static QString title() { return tr("Why did this sample score so?"); }

public slots:
    /// Walk through the samples inspected so far.
    void goBack();
    void goForward();
    /// Gives the keyboard to the note of the shown sample, if there is one.
    void editNote();

signals:
    /// The person wrote about a sample; empty text drops the note.
    void noteWritten(assay::SampleId sample, const QString& text);

protected:
    void resizeEvent(QResizeEvent* event) override;
    void stateChanged(const ViewState& previous) override;
    void selectionChanged() override;

private:
    QWidget* makeHeader();
    QWidget* makeBody();
    QLabel* makeCaption(const QString& text, const QString& toolTip);
    void visit(SampleId sample);
    void go(std::ptrdiff_t to);
    void showSample();
    void showNames(SampleId sample);
    void showScores(SampleId sample);
    void addScore(int line, const Column& column, const std::vector<double>& values, std::size_t row);
    void addCells(int line, const std::array<QString, 3>& texts, const std::array<QString, 3>& hints,
                  const QString& name);
    void showNeighbors(SampleId sample);
    const ModelAudit* modelOf(SampleId sample) const;

    std::unique_ptr<ThumbnailCache> own_;
    ThumbnailCache* pictures_;
    QStackedWidget* pages_;
    QLabel* hint_;
    QScrollArea* scroll_;
    PictureWidget* picture_;
    QLabel* name_;
    QLabel* origin_;
    NoteEdit* note_;
    QLabel* reason_;
    QWidget* scores_;
    QGridLayout* scoreGrid_;
    QLabel* realCaption_;
    QLabel* syntheticCaption_;
    NeighborStrip* nearestReal_;
    NeighborStrip* nearestSynthetic_;
    QToolButton* back_;
    QToolButton* forward_;
    std::optional<SampleId> shown_;
    std::vector<SampleId> visited_; ///< in the order of inspection
    std::ptrdiff_t place_ = -1;     ///< of the shown sample in visited_
    bool walking_ = false;
};

} // namespace assay
