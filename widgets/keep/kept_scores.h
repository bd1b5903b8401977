#pragma once

#include "engine/subsets/what_if/kept_audit.h"
#include "engine/subsets/what_if/kept_frechet.h"
#include "engine/subsets/what_if/what_if.h"
#include "widgets/link/view_state.h"

#include <QWidget>

#include <vector>

class QLabel;

namespace assay {

/// A thin bar: the kept share in the colour of synthetic samples, the rejected rest faded.
class KeptBar : public QWidget {
    Q_OBJECT

public:
    explicit KeptBar(QWidget* parent);
    /// @param share of kept samples in [0, 1]
    void setShare(double share);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    double share_ = 1.0;
};

/// A few scores of the current model beside what they become when only the kept samples are left.
class KeptScores : public QWidget {
    Q_OBJECT

public:
    explicit KeptScores(QWidget* parent);

    /// @param scores of what the state keeps; null while they are not known, or where no rule is in force
    /// @param random of as many samples drawn at random; null while they are not known
    /// @param audits of both, for their intervals; null while they are not known
    /// @param frechet of both; null while it is not known
    void show(const ViewState& state, const WhatIfResult* scores, const WhatIfResult* random, const KeptAudit* audits,
              const KeptFrechet* frechet);

private:
    struct Row {
        const Metric* metric;
        QLabel* title;
        QLabel* all;
        QLabel* kept;
        QLabel* random;
    };

    /// What a row says of the kept samples and of as many at random; NaN while it is not known.
    struct Values {
        double kept, random;
    };
    void showRow(const Row& row, const ViewState& state, const Values& values, const KeptAudit* audits) const;

    std::vector<Row> rows_;
    QLabel* random_; ///< heading of the scores of samples drawn at random
    QLabel* note_;   ///< why there are no scores
};

} // namespace assay
