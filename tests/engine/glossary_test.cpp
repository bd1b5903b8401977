// The window, the reports and the documents define the same names in the same words.
#include "engine/base/find_by.h"
#include "engine/report/glossary/formulas.h"
#include "engine/report/glossary/glossary.h"
#include "engine/report/parts/references.h"
#include "engine/subsets/curves/requested_curves.h"
#include "tests/support/test_entry.h"

#include <QDir>
#include <QFile>
#include <QtTest>

#include <algorithm>
#include <set>
#include <string>

using namespace assay;

namespace {

std::string_view glossaryHeadingOf(GlossaryEntry::Kind kind) {
    switch (kind) {
    case GlossaryEntry::Kind::Word:
        return "Words";
    case GlossaryEntry::Kind::Metric:
        return "Scores of a whole set";
    case GlossaryEntry::Kind::SyntheticColumn:
        return "Scores of each synthetic sample";
    case GlossaryEntry::Kind::RealColumn:
        return "Scores of each real sample";
    case GlossaryEntry::Kind::Curve:
        return "Curves";
    }
    return {};
}

std::string glossaryMarkdownOf(const GlossaryEntry& entry) {
    std::string text = "**" + std::string(entry.title) + "**";
    if (entry.kind != GlossaryEntry::Kind::Word)
        text += " (`" + std::string(entry.id) + "`)";
    text += ": " + std::string(entry.meaning);
    if (!entry.source.empty()) {
        const report::Reference* paper = findBy(report::references(), &report::Reference::source, entry.source);
        text += paper ? " [" + std::string(entry.source) + "](" + std::string(paper->address) + ")"
                      : " " + std::string(entry.source);
    }
    text += "\n\n";
    if (!entry.formula.empty())
        text += "    " + std::string(entry.formula) + "\n\n";
    return text;
}

/// The glossary as Markdown: the text of docs/glossary.md.
std::string documentText() {
    std::string page =
        "# Glossary\n\nEverything that the window, the reports and the files name, with its meaning, its "
        "formula and its paper. The same\ntexts are the tooltips of the window, its *Metric definitions* "
        "(Shift+F1) and the methods of a report.\n[Metrics](metrics.md) and [verdicts](verdicts.md) have "
        "the conventions and the details.\n\n## Symbols\n\n| symbol | meaning |\n|---|---|\n";
    for (const GlossarySymbol& symbol : glossarySymbols())
        page += "| " + std::string(symbol.symbol) + " | " + std::string(symbol.meaning) + " |\n";
    page += '\n';
    GlossaryEntry::Kind last = GlossaryEntry::Kind::Word;
    bool isFirst = true;
    for (const GlossaryEntry& entry : glossary()) {
        if (isFirst || entry.kind != last)
            page += "## " + std::string(glossaryHeadingOf(entry.kind)) + "\n\n";
        isFirst = false;
        last = entry.kind;
        page += glossaryMarkdownOf(entry);
    }
    page.pop_back();
    return page;
}

QString textOf(const QString& document) {
    QFile file(QStringLiteral(ASSAY_SOURCE_DIR "/docs/%1.md").arg(document));
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}

/// Ids of formulas that no row has.
std::string strayIds(std::span<const glossary_parts::Formula> formulas, GlossaryEntry::Kind kind) {
    std::string stray;
    std::set<std::string_view> seen;
    for (const glossary_parts::Formula& formula : formulas) {
        bool isKnown = false;
        for (const GlossaryEntry& entry : glossary())
            isKnown = isKnown || (entry.kind == kind && entry.id == formula.id);
        if (!isKnown || !seen.insert(formula.id).second)
            stray += " " + std::string(formula.id);
    }
    return stray;
}

} // namespace

class GlossaryTest : public QObject {
    Q_OBJECT

private slots:
    void everyRowIsDefined();
    void everyFormulaBelongsToARow();
    void everyPaperHasAnAddress();
    void everyPaperIsCited();
    void keysAreUnique();
    void documentIsTheGlossary();
    void documentsNameEveryScore();
};

void GlossaryTest::everyRowIsDefined() {
    const std::size_t rows = static_cast<std::size_t>(std::ranges::count_if(metricCatalog(), isShownToPeople)) +
                             columnCatalog().size() + curveCatalog().size() + requestedCurveCatalog().size() +
                             glossary_parts::words().size();
    QCOMPARE(glossary().size(), rows);
    for (const GlossaryEntry& entry : glossary()) {
        QVERIFY2(!entry.title.empty() && entry.meaning.ends_with('.'), entry.key().c_str());
        QVERIFY2(entry.kind == GlossaryEntry::Kind::Word || !entry.formula.empty(), entry.key().c_str());
        QVERIFY2(entry.kind == GlossaryEntry::Kind::Word || !entry.source.empty(), entry.key().c_str());
        QVERIFY2(!entry.formula.ends_with('.'), entry.key().c_str());
    }
}

void GlossaryTest::everyFormulaBelongsToARow() {
    using Kind = GlossaryEntry::Kind;
    QCOMPARE(strayIds(glossary_parts::metricFormulas(), Kind::Metric), std::string());
    QCOMPARE(strayIds(glossary_parts::syntheticFormulas(), Kind::SyntheticColumn), std::string());
    QCOMPARE(strayIds(glossary_parts::realFormulas(), Kind::RealColumn), std::string());
    QCOMPARE(strayIds(glossary_parts::curveFormulas(), Kind::Curve), std::string());
    const std::array planted{glossary_parts::Formula{"no_such_score", "1"}};
    QCOMPARE(strayIds(planted, Kind::Metric), std::string(" no_such_score"));
}

void GlossaryTest::everyPaperHasAnAddress() {
    for (const GlossaryEntry& entry : glossary())
        QVERIFY2(entry.source.empty() ||
                     findBy(report::references(), &report::Reference::source, entry.source) != nullptr,
                 entry.key().c_str());
}

void GlossaryTest::everyPaperIsCited() {
    for (const report::Reference& reference : report::references()) {
        QVERIFY2(findBy(glossary(), &GlossaryEntry::source, reference.source) != nullptr,
                 std::string(reference.source).c_str());
        QVERIFY(reference.address.starts_with("https://"));
    }
}

void GlossaryTest::keysAreUnique() {
    std::set<std::string> keys;
    for (const GlossaryEntry& entry : glossary()) {
        QVERIFY2(keys.insert(entry.key()).second, entry.key().c_str());
        QCOMPARE(findGlossaryEntry(entry.key()), &entry);
    }
    QVERIFY(findGlossaryEntry("metric/no_such_score") == nullptr);
    QVERIFY(findGlossaryEntry("metric/coverage") != findGlossaryEntry("real/coverage"));
}

void GlossaryTest::documentIsTheGlossary() {
    const QString page = QString::fromStdString(documentText());
    if (textOf(QStringLiteral("glossary")) == page)
        return;
    const QString made = QDir::temp().filePath(QStringLiteral("glossary.md"));
    QFile file(made);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(page.toUtf8());
    QFAIL(qPrintable(QStringLiteral("docs/glossary.md is not the glossary: copy %1 there").arg(made)));
}

void GlossaryTest::documentsNameEveryScore() {
    const QString documents =
        textOf(QStringLiteral("metrics")) + textOf(QStringLiteral("verdicts")) + textOf(QStringLiteral("curves"));
    QVERIFY(documents.contains(QStringLiteral("`clipped_density`")));
    for (const GlossaryEntry& entry : glossary()) {
        if (entry.kind == GlossaryEntry::Kind::Word)
            continue;
        QString id = QString::fromUtf8(entry.id.data(), static_cast<qsizetype>(entry.id.size()));
        id.remove(QStringLiteral("_one_class")); // named once for all
        QVERIFY2(documents.contains(QLatin1Char('`') + id), entry.key().c_str());
    }
}

ASSAY_TEST(glossary_test, GlossaryTest)
#include "glossary_test.moc"
