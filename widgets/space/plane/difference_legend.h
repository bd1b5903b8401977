#pragma once

#include <QWidget>

namespace assay::space {

/// Says what the colours of the difference map mean: "too few synthetic samples", "too many".
class DifferenceLegend : public QWidget {
    Q_OBJECT

public:
    explicit DifferenceLegend(QWidget* parent);

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QString few() const;
    QString many() const;
};

} // namespace assay::space
