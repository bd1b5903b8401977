#include "engine/base/find_by.h"
#include "engine/report/glossary/glossary.h"
#include "engine/report/parts/references.h"

#include <fmt/format.h>

#include <array>
#include <optional>

namespace assay {
namespace {

using Kind = GlossaryEntry::Kind;

constexpr std::string_view kHead =
    "# Glossary\n\nEverything that the window, the reports and the files name, with its meaning, its formula and its "
    "paper. The same\ntexts are the tooltips of the window, its *Metric definitions* (Shift+F1) and the methods of a "
    "report.\n[Metrics](metrics.md) and [verdicts](verdicts.md) have the conventions and the details.\n\n"
    "## Symbols\n\n| symbol | meaning |\n|---|---|\n";

/// By Kind.
constexpr std::array<std::string_view, 5> kHeadings{"Words", "Scores of a whole set", "Scores of each synthetic sample",
                                                    "Scores of each real sample", "Curves"};

std::string textOf(const GlossaryEntry& entry) {
    const report::Reference* paper = findBy(report::references(), &report::Reference::source, entry.source);
    return fmt::format("**{}**{}: {}{}\n\n{}", entry.title,
                       entry.kind != Kind::Word ? fmt::format(" (`{}`)", entry.id) : "", entry.meaning,
                       paper != nullptr ? fmt::format(" [{}]({})", paper->source, paper->address) : "",
                       entry.formula.empty() ? "" : fmt::format("    {}\n\n", entry.formula));
}

} // namespace

std::string glossaryPage() {
    std::string page(kHead);
    for (const GlossarySymbol& symbol : glossarySymbols())
        page += fmt::format("| {} | {} |\n", symbol.symbol, symbol.meaning);
    page += '\n';
    std::optional<Kind> last;
    for (const GlossaryEntry& entry : glossary()) {
        if (last != entry.kind)
            page += fmt::format("## {}\n\n", kHeadings[static_cast<std::size_t>(entry.kind)]);
        last = entry.kind;
        page += textOf(entry);
    }
    page.pop_back();
    return page;
}

} // namespace assay
