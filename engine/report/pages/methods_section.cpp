#include "engine/audit/result/audit_result.h"
#include "engine/base/find_by.h"
#include "engine/base/number_text.h"
#include "engine/metrics/catalog/catalog.h"
#include "engine/report/glossary/glossary.h"
#include "engine/report/pages/sections.h"
#include "engine/report/parts/html_writer.h"
#include "engine/report/parts/references.h"
#include "engine/report/parts/report_facts.h"
#include "engine/subsets/curves/requested_curves.h"

#include <algorithm>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace assay::report {
namespace {

/// Definition of a score from the catalogue.
struct Definition {
    std::string title, id, text;
    std::string_view formula, source;
};

/// The per-sample columns that the report shows for at least one model, each once.
std::vector<const Column*> shownColumns(const AuditResult& audit) {
    std::vector<std::string_view> ids{"fidelity", "coverage", "verdict", "coverage_verdict", "authentic"};
    for (const auto& model : audit.models)
        for (const SampleRanking& ranking : sampleRankings(*model, 1))
            ids.push_back(ranking.column->id);
    std::vector<const Column*> columns;
    for (const Column& column : columnCatalog())
        if (std::ranges::find(ids, column.id) != ids.end() &&
            std::ranges::any_of(audit.models, [&](const auto& model) { return model->hasColumn(column.id); }))
            columns.push_back(&column);
    return columns;
}

/// @param row of the catalogue: a metric, a column or a curve
template <typename Row>
Definition definitionOf(const Row& row, std::string title) {
    const GlossaryEntry entry = glossaryEntry(row);
    return {std::move(title), std::string(entry.id), std::string(entry.meaning), entry.formula, entry.source};
}

std::vector<Definition> scoreDefinitions(const AuditResult& audit) {
    std::vector<Definition> all;
    for (const Metric* metric : shownMetrics(audit))
        all.push_back(definitionOf(*metric, titleWithUnit(*metric)));
    if (findRequestedCurve(audit, "bad_fraction") != nullptr)
        all.push_back(definitionOf(*findAnyCurve("bad_fraction"), std::string(findAnyCurve("bad_fraction")->title)));
    return all;
}

std::vector<Definition> sampleDefinitions(const AuditResult& audit) {
    std::vector<Definition> all;
    for (const Column* column : shownColumns(audit))
        all.push_back(definitionOf(*column, std::string(column->title)));
    return all;
}

void writeDefinitions(HtmlWriter& html, const std::vector<Definition>& definitions) {
    const HtmlElement list(html, "dl");
    for (const Definition& definition : definitions) {
        html.open("dt");
        html.text(definition.title + " ");
        html.leaf("code", definition.id);
        html.close();
        const HtmlElement meaning(html, "dd");
        html.text(definition.text + " (" + std::string(definition.source) + ") ");
        html.leaf("code", std::string(definition.formula));
    }
}

/// Lists the symbols of the formulas.
void writeSymbols(HtmlWriter& html) {
    std::vector<std::vector<TableCell>> rows;
    for (const GlossarySymbol& symbol : glossarySymbols())
        rows.push_back({{std::string(symbol.symbol)}, {std::string(symbol.meaning)}});
    html.leaf("h3", "Symbols of the formulas");
    writeTable(html, "Symbols of the formulas", {{"Symbol"}, {"Meaning"}}, rows);
}

/// Lists the papers that the definitions cite, in the order of references().
void writeReferences(HtmlWriter& html, const std::vector<Definition>& definitions) {
    html.leaf("h3", "Papers");
    const HtmlElement list(html, "ul");
    for (const Reference& reference : references()) {
        if (findBy(definitions, &Definition::source, reference.source) == nullptr)
            continue;
        const HtmlElement item(html, "li");
        html.text(std::string(reference.source) + ": ");
        html.leaf("a", reference.title, {{"href", std::string(reference.address)}});
    }
}

} // namespace

void writeMethods(HtmlWriter& html, const AuditResult& audit, Appendix appendix) {
    const HtmlElement section(html, "section", {{"aria-labelledby", "methods"}});
    html.leaf("h2", "How was this measured?", {{"id", "methods"}});
    html.leaf("p",
              "Real and synthetic samples are compared as the embeddings that were given, by Euclidean distance. "
              "Nearest neighbours are exact, of all samples. A sample's ball reaches to its k-th nearest neighbour "
              "in its own set. Intervals hold 95 % and come from leaving out groups of both sets, or from resampling.");
    if (const std::string prepared = audit.real->set->preparation()->text(); !prepared.empty())
        html.leaf("p", "Before that, the values of all sets were changed in the same way. " + prepared);
    html.leaf(
        "p", "Verdicts on single samples compare each synthetic sample with good ones: " +
                 std::string(audit.heldOut ? "the held-out set" : "real samples, each left out of its own neighbours") +
                 ". Of the samples called bad, at most " + percentText(audit.falseDiscoveryRate) +
                 " should be good ones.");
    std::vector<Definition> all = scoreDefinitions(audit);
    html.leaf("h3", "Scores of models");
    writeDefinitions(html, all);
    if (appendix == Appendix::Written) {
        const std::vector<Definition> ofSamples = sampleDefinitions(audit);
        html.leaf("h3", "Scores of samples");
        writeDefinitions(html, ofSamples);
        all.insert(all.end(), ofSamples.begin(), ofSamples.end());
        writeSymbols(html);
    }
    writeReferences(html, all);
}

void writeProvenance(HtmlWriter& html, const AuditResult& audit, const std::string& command) {
    const HtmlElement section(html, "section", {{"aria-labelledby", "provenance"}});
    html.leaf("h2", "What was it made from?", {{"id", "provenance"}});
    html.leaf("h3", "Parameters and versions");
    std::vector<std::vector<TableCell>> rows;
    for (const auto& [name, value] : parameterFacts(audit))
        rows.push_back({{name}, {value}});
    writeTable(html, "Parameters and versions", {{"Parameter"}, {"Value"}}, rows);
    html.leaf("h3", "Inputs");
    rows.clear();
    std::vector<std::string> notes;
    for (const InputFact& input : inputFacts(audit)) {
        rows.push_back({{input.role},
                        {input.file},
                        {std::to_string(input.rows)},
                        {std::to_string(input.dimensions)},
                        {input.sha256}});
        for (const std::string& note : input.notes)
            notes.push_back(input.role + ": " + note);
    }
    writeTable(html, "Sets of samples, with the SHA-256 of their files",
               {{"Set"}, {"File"}, {"Samples", kRight}, {"Dimensions", kRight}, {"SHA-256"}}, rows);
    if (!notes.empty()) {
        const HtmlElement list(html, "ul");
        for (const std::string& note : notes)
            html.leaf("li", note);
    }
    html.leaf("h3", "Command that makes it again");
    const HtmlElement block(html, "pre");
    const HtmlElement code(html, "code");
    // Line by line, because escaping turns line ends into blanks.
    bool isFirst = true;
    std::istringstream lines(command);
    for (std::string line; std::getline(lines, line);) {
        html.raw(std::exchange(isFirst, false) ? "" : "\n");
        html.text(line);
    }
}

} // namespace assay::report
