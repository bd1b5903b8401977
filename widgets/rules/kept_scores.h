#pragma once

#include "engine/subsets/what_if/kept_audit.h"
#include "engine/subsets/what_if/what_if.h"
#include "widgets/link/view_state.h"

#include <vector>

class QLabel;

namespace assay {

/// A few scores of the current model beside what they become when only the kept samples are left.
class KeptScores : public QWidget {
    Q_OBJECT

public:
    explicit KeptScores(QWidget* parent);

    /// @param scores of what the state keeps; null while they are not known, or where no rule is in force
    /// @param random of as many samples drawn at random; null while they are not known
    /// @param audits of both, for their intervals; null while they are not known
    void show(const ViewState& state, const WhatIfResult* scores, const WhatIfResult* random, const KeptAudit* audits);

private:
    struct Row {
        const Metric* metric;
        QLabel* title;
        QLabel* all;
        QLabel* kept;
        QLabel* random;
    };

    void showRow(const Row& row, const ViewState& state, const WhatIfResult* scores, const WhatIfResult* random,
                 const KeptAudit* audits) const;

    std::vector<Row> rows_;
    QLabel* random_; ///< heading of the scores of samples drawn at random
    QLabel* note_;   ///< why there are no scores
};

} // namespace assay
