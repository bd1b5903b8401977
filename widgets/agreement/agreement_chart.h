#pragma once

#include "engine/external/agreement.h"

#include <QWidget>

#include <cstddef>
#include <optional>
#include <vector>

class QPainter;
class QScatterSeries;

namespace assay {

class ChartFrame;

/// One agreement as a scatter: the external figure of every model against the metric, with the models' names. A click
/// on a model chooses it.
class AgreementChart : public QWidget {
    Q_OBJECT

public:
    explicit AgreementChart(QWidget* parent);

    /// What is drawn. Names and titles stand for themselves, so that this knows no audit.
    struct Content {
        Agreement agreement{};
        QString xTitle{};
        QString yTitle{};
        QString definition{};  ///< of what is on the y axis; may be empty
        QStringList names{};   ///< one per entry of agreement.models
        std::size_t current{}; ///< model that is ringed, index into the audit's models
    };
    void showContent(Content content);
    const Content& content() const noexcept { return content_; }

    /// Where the point of an entry of agreement.models lies, in this widget's coordinates.
    QPointF pointOf(std::size_t entry) const;

signals:
    /// @param model index into the audit's models
    void modelChosen(std::size_t model);

private:
    std::optional<std::size_t> entryAt(QPointF point) const;
    void theme();
    void paintNames(QPainter& painter) const;

    ChartFrame* frame_;
    QScatterSeries* models_;
    Content content_;
};

} // namespace assay
