#include "engine/report/samples/export_holes.h"

#include "engine/audit/result/audit_result.h"
#include "engine/base/atomic_file.h"
#include "engine/io/files/csv.h"

#include <string>

namespace assay {

void exportHoles(const AuditResult& audit, const CoverageHoles& holes, const std::filesystem::path& file) {
    const EmbeddingSet& real = *audit.real->set;
    std::string text = "row,id,label,hole\n";
    const auto append = [&](const std::vector<std::uint32_t>& rows, std::size_t hole) {
        for (const std::uint32_t row : rows) {
            text += std::to_string(real.fileRow(row)) + ',';
            appendCsvField(text, real.idText(row));
            text += ',';
            appendCsvField(text, real.labelText(row));
            text += ',' + std::to_string(hole) + '\n';
        }
    };
    for (std::size_t hole = 0; hole < holes.holes.size(); ++hole)
        append(holes.holes[hole].rows, hole + 1);
    append(holes.apart, 0);
    writeFileAtomically(file.string(), text);
}

} // namespace assay
