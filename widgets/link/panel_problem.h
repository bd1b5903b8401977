#pragma once

#include <QFrame>

#include <functional>

class QLabel;

namespace assay {

/// Says at the foot of a panel why what it asked for did not come, and offers to try again. Lies over its parent, as
/// wide as that; hidden at first.
class PanelProblem : public QFrame {
    Q_OBJECT

public:
    explicit PanelProblem(QWidget* panel);

    /// @param retry kept until it is hidden; called when the person wants to try again
    void show(const QString& problem, std::function<void()> retry);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void place();

    QLabel* text_;
    std::function<void()> retry_;
};

} // namespace assay
