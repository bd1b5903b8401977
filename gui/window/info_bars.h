#pragma once

#include <QToolBar>

#include <cstddef>
#include <functional>

class QHBoxLayout;
class QLabel;
class QToolButton;

namespace assay {

class AuditSession;
class Review;
class Tour;
class WindowActions;

/// A line above all panels that is there while it has something to say.
class InfoBar : public QToolBar {
    Q_OBJECT

public:
    InfoBar(const char* name, const QString& title, QWidget* window);
};

/// Says what is not shown, and shows it again: "Showing 1,500 of 15,000 samples: class 8". Hidden without a filter.
class FilterBar : public InfoBar {
    Q_OBJECT

public:
    /// @param session outlives the bar
    FilterBar(AuditSession* session, QWidget* parent);

private:
    void refresh();

    AuditSession* session_;
    QLabel* text_;
};

/// Says how far a review by hand has come, and what its keys are: "Review: 12 of 310 looked at".
class ReviewBar : public InfoBar {
    Q_OBJECT

public:
    /// @param review outlives the bar
    /// @param actions has those of the review
    ReviewBar(Review* review, const WindowActions& actions, QWidget* window);

    /// Shown or hidden, as the review is on.
    void refresh();

private:
    void addButton(QHBoxLayout* layout, QAction* does, const QString& text, const QString& keys);

    Review* review_;
    QLabel* text_;
};

/// The walk through the findings: "2 of 7: copycat", the finding, and buttons to go on, back and out.
class TourBar : public InfoBar {
    Q_OBJECT

public:
    /// @param tour outlives the bar
    /// @param modelName name of a model by its index
    TourBar(Tour* tour, std::function<QString(std::size_t model)> modelName, QWidget* parent);

    /// Shown or hidden, as the tour is on.
    void refresh();

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    /// As high as the text at the bar's width; a tool bar takes the height at a width that the label guesses.
    void fitHeight();

    Tour* tour_;
    std::function<QString(std::size_t)> modelName_;
    QLabel* place_;
    QLabel* text_;
    QWidget* row_;
    QToolButton* back_;
    QToolButton* next_;
};

} // namespace assay
