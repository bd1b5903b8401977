#include "engine/report/samples/export_coverage.h"

#include "engine/audit/result/audit_result.h"
#include "engine/base/atomic_file.h"
#include "engine/io/files/csv.h"

#include <array>
#include <string>
#include <vector>

namespace assay {

void exportCoverage(const AuditResult& audit, const ModelContrast& contrast, const std::filesystem::path& file) {
    const EmbeddingSet& real = *audit.real->set;
    std::array<std::string, kCoverageGroups> names;
    names[static_cast<std::size_t>(CoveredBy::Both)] = "both";
    names[static_cast<std::size_t>(CoveredBy::OnlyFirst)] = contrast.first->name;
    names[static_cast<std::size_t>(CoveredBy::OnlySecond)] = contrast.second->name;
    names[static_cast<std::size_t>(CoveredBy::Neither)] = "neither";
    std::vector<std::size_t> groupOf(real.rows(), static_cast<std::size_t>(CoveredBy::Neither));
    for (std::size_t group = 0; group < names.size(); ++group)
        for (const std::uint32_t row : contrast.groups[group].rows)
            groupOf[row] = group;
    std::string text = "row,id,label,covered_by\n";
    for (std::size_t row = 0; row < real.rows(); ++row) {
        text += std::to_string(real.fileRow(row));
        for (const std::string& field : {real.idText(row), real.labelText(row), names[groupOf[row]]}) {
            text += ',';
            appendCsvField(text, field);
        }
        text += '\n';
    }
    writeFileAtomically(file.string(), text);
}

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
