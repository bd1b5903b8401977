#pragma once

#include <QLabel>

namespace assay {

/// Plain text on as many lines as it takes. Words too long for a narrow panel, such as names of models and classes,
/// break anywhere and never make the panel wider. Where the text can be selected, such a word is cut off instead:
/// breaks would be copied with it.
class WrappingLabel : public QLabel {
    Q_OBJECT

public:
    explicit WrappingLabel(QWidget* parent = nullptr);
    WrappingLabel(const QString& text, QWidget* parent);

    QSize minimumSizeHint() const override;
    int heightForWidth(int width) const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    bool breaksWords() const;
};

} // namespace assay
