#pragma once

#include <QWidget>

class QDockWidget;
class QLabel;

namespace assay {

class ElidingLabel;

/// The line at the top of a panel: its name, where no tab says it, the question that it answers, and buttons that
/// detach and close it.
class PanelTitle : public QWidget {
    Q_OBJECT

public:
    /// @param dock of which this is the title bar
    PanelTitle(QDockWidget* dock, const QString& question);

    void setQuestion(const QString& question);
    /// The name is shown where no tab says it: called when panels have been arranged otherwise.
    void showName();

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    QDockWidget* dock_;
    QLabel* name_;
    ElidingLabel* question_;
};

} // namespace assay
