#include "engine/report/samples/export_coverage.h"

#include "engine/audit/result/audit_result.h"
#include "engine/base/atomic_file.h"
#include "engine/io/files/text_output.h"

#include <array>
#include <string>
#include <vector>

namespace assay {
namespace {

/// Row, id, label and, where the set has groups, group.
void appendSample(std::string& text, const EmbeddingSet& set, std::size_t row) {
    text += std::to_string(set.fileRow(row)) + ',';
    appendCsvField(text, set.idText(row));
    text += ',';
    appendCsvField(text, set.labelText(row));
    if (!set.hasGroups())
        return;
    text += ',';
    appendCsvField(text, set.groupText(row));
}

} // namespace

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
    std::string text = real.hasGroups() ? "row,id,label,group,covered_by\n" : "row,id,label,covered_by\n";
    for (std::size_t row = 0; row < real.rows(); ++row) {
        appendSample(text, real, row);
        text += ',';
        appendCsvField(text, names[groupOf[row]]);
        text += '\n';
    }
    writeFileAtomically(file.string(), text);
}

void exportHoles(const AuditResult& audit, const CoverageHoles& holes, const std::filesystem::path& file) {
    const EmbeddingSet& real = *audit.real->set;
    std::string text = real.hasGroups() ? "row,id,label,group,hole\n" : "row,id,label,hole\n";
    const auto append = [&](const std::vector<std::uint32_t>& rows, std::size_t hole) {
        for (const std::uint32_t row : rows) {
            appendSample(text, real, row);
            text += ',' + std::to_string(hole) + '\n';
        }
    };
    for (std::size_t hole = 0; hole < holes.holes.size(); ++hole)
        append(holes.holes[hole].rows, hole + 1);
    append(holes.apart, 0);
    writeFileAtomically(file.string(), text);
}

} // namespace assay
