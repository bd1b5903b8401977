// The window, the reports and the documents define the same names in the same words.
#include "engine/base/find_by.h"
#include "engine/metrics/catalog/catalog.h"
#include "engine/report/glossary/glossary.h"
#include "engine/report/parts/references.h"
#include "engine/subsets/curves/requested_curves.h"
#include "tests/support/test_entry.h"

#include <QFile>
#include <QtTest>

#include <algorithm>
#include <set>
#include <string>

using namespace assay;

namespace {

QString textOf(const QString& document) {
    QFile file(QStringLiteral(ASSAY_SOURCE_DIR "/docs/%1.md").arg(document));
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}

} // namespace

class GlossaryTest : public QObject {
    Q_OBJECT

private slots:
    void everyRowIsDefined();
    void everyPaperHasAnAddress();
    void everyPaperIsCited();
    void keysAreUnique();
    void pageHasEveryEntry();
    void documentsNameEveryScore();
};

void GlossaryTest::everyRowIsDefined() {
    const std::size_t rows = static_cast<std::size_t>(std::ranges::count_if(metricCatalog(), isShownToPeople)) +
                             columnCatalog().size() + curveCatalog().size() + requestedCurveCatalog().size() +
                             glossaryWords().size();
    QCOMPARE(glossary().size(), rows);
    for (const GlossaryEntry& entry : glossary()) {
        QVERIFY2(!entry.title.empty() && entry.meaning.ends_with('.'), entry.key().c_str());
        QVERIFY2(entry.kind == GlossaryEntry::Kind::Word || !entry.formula.empty(), entry.key().c_str());
        QVERIFY2(entry.kind == GlossaryEntry::Kind::Word || !entry.source.empty(), entry.key().c_str());
        QVERIFY2(!entry.formula.ends_with('.'), entry.key().c_str());
    }
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

void GlossaryTest::pageHasEveryEntry() {
    const std::string page = glossaryPage();
    for (const GlossaryEntry& entry : glossary())
        QVERIFY2(page.find("**" + std::string(entry.title) + "**") != std::string::npos &&
                     page.find(entry.formula) != std::string::npos,
                 entry.key().c_str());
    for (const char* heading : {"## Symbols\n", "## Words\n", "## Scores of a whole set\n", "## Curves\n"})
        QVERIFY2(page.find(heading) == page.rfind(heading) && page.find(heading) != std::string::npos, heading);
    QVERIFY(page.find("(`pce`): ") != std::string::npos);
    QVERIFY(page.find("[Fox, Swarup, Adiga, AAAI 2025](https://") != std::string::npos);
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
