#pragma once

#include "widgets/link/view_state.h"

#include <QWidget>

#include <array>
#include <cstddef>
#include <vector>

class QGridLayout;

namespace assay {

/// Every score of one sample with its standing in the set, in the order of the catalogue.
class ScoreList : public QWidget {
    Q_OBJECT

public:
    explicit ScoreList(QWidget* parent);

    /// O(n) per score, for its standing among n samples.
    void showScores(const ViewState& state, const ModelAudit& model, SampleId sample);
    void clear();

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void addScore(int line, const AuditResult& audit, const Column& column, const std::vector<double>& values,
                  std::size_t row);
    void addCells(int line, const std::array<QString, 3>& texts, const std::array<QString, 3>& hints,
                  const QString& name);
    bool hasRoomForPercentiles() const;

    QGridLayout* grid_;
};

} // namespace assay
