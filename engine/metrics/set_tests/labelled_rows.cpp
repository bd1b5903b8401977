#include "engine/metrics/set_tests/labelled_rows.h"

namespace assay {

LabelledRows labelledRows(const ComparedRows& compared, const CommonLabels& labels, std::size_t set) {
    const auto none = static_cast<std::uint32_t>(labels.names.size());
    std::vector<std::uint32_t> codeOfRow(compared.set.rows, none);
    for (std::size_t r = 0; r < labels.rows[set].size(); ++r)
        codeOfRow[labels.rows[set][r]] = labels.code[set][r];
    LabelledRows labelled{{compared.set, {}}, {}};
    for (const std::uint32_t row : compared.rows)
        if (codeOfRow[row] != none) {
            labelled.compared.rows.push_back(row);
            labelled.code.push_back(codeOfRow[row]);
        }
    return labelled;
}

} // namespace assay
