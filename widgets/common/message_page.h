#pragma once

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

} // namespace assay
