#pragma once

#include <QString>
#include <QWidget>

class QLabel;

namespace assay {

/// What a picture shows, in words, and which of its marks are real and which synthetic.
class PictureHeading : public QWidget {
    Q_OBJECT

public:
    /// @param realMark, syntheticMark what marks look like: "■", "▲"
    PictureHeading(const QString& realMark, const QString& syntheticMark, QWidget* parent);

    /// @param detail after the legend; may be empty
    void setTexts(const QString& title, const QString& detail);
    QString title() const;
    QString detail() const { return detail_; }

protected:
    void changeEvent(QEvent* event) override;

private:
    void showLegend();

    QString realMark_, syntheticMark_, detail_;
    QLabel* title_;
    QLabel* legend_;
};

} // namespace assay
