#pragma once

#include <QFrame>
#include <QString>
#include <QWidget>

#include <functional>

class QLabel;
class QPushButton;

namespace assay {

/// What stands where there is nothing to show: what would be there, centred and muted, and below it the one button that
/// brings it.
class MessagePage : public QWidget {
    Q_OBJECT

public:
    explicit MessagePage(QWidget* parent);

    /// @param button its text; empty: there is nothing to do
    void setMessage(const QString& text, const QString& button = {}, const std::function<void()>& act = {});
    QString text() const;

private:
    QLabel* text_;
    QPushButton* button_;
};

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
