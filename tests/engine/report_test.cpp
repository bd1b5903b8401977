// A report says what the audit says, needs nothing but itself, and lets no name in a file become markup.
#include "engine/audit/result/by_class.h"
#include "engine/audit/run/audit.h"
#include "engine/base/error.h"
#include "engine/base/find_by.h"
#include "engine/base/number_text.h"
#include "engine/io/files/text_encoding.h"
#include "engine/metrics/catalog/catalog.h"
#include "engine/report/glossary/glossary.h"
#include "engine/report/pages/report.h"
#include "engine/report/pages/sections.h"
#include "engine/report/parts/charts.h"
#include "engine/report/parts/html_writer.h"
#include "engine/report/parts/references.h"
#include "engine/report/parts/report_facts.h"
#include "engine/report/parts/report_style.h"
#include "engine/subsets/curves/requested_curves.h"
#include "engine/subsets/holes/coverage_holes.h"
#include "engine/subsets/what_if/what_if.h"
#include "tests/engine/support/refusals.h"
#include "tests/engine/support/sample_sets.h"
#include "tests/support/matrices.h"
#include "tests/support/test_entry.h"

#include <QRegularExpression>
#include <QTemporaryDir>
#include <QXmlStreamReader>
#include <QtTest>

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <set>

using namespace assay;

namespace {

/// What a set has beside its embeddings.
struct Extras {
    bool pictures = false;
    std::vector<std::string> labels = {}; ///< one after the other, again and again; or none
    std::string idStart = {};             ///< of every id, before the row; or no ids
};

/// Pixels in a file that is gone.
class LostPixels : public PixelSource {
public:
    bool read(std::uint64_t, std::span<std::uint8_t>) const noexcept override { return false; }
};

std::shared_ptr<const EmbeddingSet> sampleSet(std::size_t rows, unsigned seed, const std::string& name,
                                              const Extras& extras = {}, float mean = 0.0F) {
    EmbeddingParts parts;
    parts.values = test::gaussian(rows, 6, seed, mean).values;
    parts.rows = rows;
    parts.dim = 6;
    parts.name = name;
    parts.source.file = name + ".npz";
    parts.source.sha256 = std::string(63, 'a') + std::to_string(seed % 10);
    if (extras.pictures) {
        std::vector<std::uint8_t> pixels(rows * 4 * 3 * 3);
        for (std::size_t at = 0; at < pixels.size(); ++at)
            pixels[at] = static_cast<std::uint8_t>(at * 7 + seed);
        parts.images = std::make_shared<const ImageStore>(std::move(pixels), rows, 4, 3, 3);
    }
    std::vector<std::string> labels;
    for (std::size_t row = 0; row < rows; ++row) {
        if (!extras.labels.empty())
            labels.push_back(extras.labels[row % extras.labels.size()]);
        if (!extras.idStart.empty())
            parts.ids.push_back(extras.idStart + std::to_string(row));
    }
    if (!labels.empty())
        parts.labels = labelsFromText(labels);
    return std::make_shared<const EmbeddingSet>(std::move(parts));
}

std::shared_ptr<const AuditResult> auditOf(const std::shared_ptr<const EmbeddingSet>& real,
                                           const std::vector<AuditModel>& models, const AuditOptions& options = {}) {
    AuditRequest request;
    request.real = real;
    request.models = models;
    request.options = options;
    return runAudit(request);
}

/// Two models, one of them bad, with all that a set can have.
const std::shared_ptr<const AuditResult>& plainAudit() {
    static const auto audit = [] {
        const Extras extras{true, {"cat", "dog"}, "s-"};
        const auto whole =
            auditOf(sampleSet(150, 1, "real", extras),
                    {{"good", sampleSet(140, 2, "good", extras)}, {"far", sampleSet(130, 3, "far", extras, 3.0F)}});
        CurveRequest curves;
        curves.badFraction.emplace();
        return withCurves(whole, curves, {});
    }();
    return audit;
}

/// With the appendix.
QString pageOf(const AuditResult& audit, ReportParts parts = {}) {
    parts.appendix = Appendix::Written;
    return QString::fromStdString(htmlReport(audit, parts));
}

/// Everything that a group of the pattern matches.
QStringList allMatches(const QString& text, const QString& pattern) {
    QStringList found;
    for (auto at = QRegularExpression(pattern).globalMatch(text); at.hasNext();)
        found << at.next().captured(1);
    return found;
}

/// The cells of a table's row, by the row's heading; without what stands below the values.
QStringList cellsOf(const QString& page, const QString& heading) {
    const QRegularExpression row("<th scope=\"row\" class=\"words\">" + QRegularExpression::escape(heading) +
                                 "[ <].*?</tr>");
    return allMatches(row.match(QString(page).replace('\n', ' ')).captured(0),
                      "<td class=\"[a-z]+\">(.*?)(?: <span|</td)");
}

/// The relative luminance of "#rrggbb" (WCAG 2.1).
double luminance(const QString& color) {
    const auto part = [&](int at) {
        const double value = color.mid(1 + 2 * at, 2).toInt(nullptr, 16) / 255.0;
        return value <= 0.04045 ? value / 12.92 : std::pow((value + 0.055) / 1.055, 2.4);
    };
    return 0.2126 * part(0) + 0.7152 * part(1) + 0.0722 * part(2);
}

double contrast(const QString& a, const QString& b) {
    const auto [low, high] = std::minmax({luminance(a), luminance(b)});
    return (high + 0.05) / (low + 0.05);
}

} // namespace

class ReportTest : public QObject {
    Q_OBJECT

private slots:
    void hostileNamesStayText();
    void hostileBytesBecomeText_data();
    void hostileBytesBecomeText();
    void asksForNothingElse();
    void everyPictureHasAnAlternativeText();
    void findingsShowTheirExamples();
    void copiesStandBesideTheirOriginals();
    void idsAreUniqueAndFound();
    void headingsAreInOrder();
    void saysWhatTheAuditSays();
    void theSameAuditGivesTheSameBytes();
    void setsWithoutPicturesLabelsAndIdsWillDo();
    void classesOfNearestSamplesAreAMatrix();
    void holesAreThoseOfTheAudit();
    void runsAreTables();
    void lostPicturesAreTiles();
    void ranksAsTheScoresSay();
    void decisionsStandBesideTheRandomOnes();
    void decisionsThatKeepTooFewHaveNoScores();
    void manyClassesAreCutToTheWorst();
    void everySourceHasAPaper();
    void colorsAreReadable();
    void chartStyleNeedsNoVariables();
    void isWellFormedXml();
    void markdownKeepsItsTables();
    void otherExtensionsAreRefused();
    void aFailedWriteNamesTheFile();
    void stopsWhenAsked();
};

void ReportTest::hostileNamesStayText() {
    const std::string evil = "<script>alert(1)</script>\"'&<img src=x onerror=alert(1)>\xFF\x01\n|`";
    const Extras extras{false, {evil, "\xE2\x80\xAEtxt"}, evil};
    const auto audit = auditOf(sampleSet(60, 1, evil, extras), {{evil, sampleSet(60, 2, evil, extras)}});
    ReportParts parts;
    parts.decided.push_back(keptSamples(*audit, 0, {.rules = {}, .rejectedByHand = std::vector<std::uint32_t>{1, 2}}));
    parts.appendix = Appendix::Written;
    const std::string html = htmlReport(*audit, parts);
    QVERIFY(isUtf8(html));
    const QString page = QString::fromStdString(html);
    QVERIFY(!page.contains("<script"));
    QVERIFY(!page.contains("<img"));
    QVERIFY(!page.contains(QChar(0x202E)));
    QVERIFY(page.contains("&lt;script&gt;alert(1)&lt;/script&gt;&quot;&#39;&amp;&lt;img src=x onerror=alert(1)&gt;"));
    QVERIFY(std::none_of(page.begin(), page.end(), [](QChar c) { return c < ' ' && c != '\n'; }));
    const QString markdown = QString::fromStdString(markdownReport(*audit, parts));
    QVERIFY(markdown.contains("\\<script\\>"));
    for (const QString& line : markdown.split('\n'))
        if (!line.startsWith("    ")) // code
            QVERIFY2(!QRegularExpression("(?<!\\\\)<").match(line).hasMatch(), qPrintable(line));
}

void ReportTest::hostileBytesBecomeText_data() {
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<QByteArray>("html");
    QTest::newRow("markup") << QByteArray("<a href=\"x\">&'") << QByteArray("&lt;a href=&quot;x&quot;&gt;&amp;&#39;");
    QTest::newRow("no UTF-8") << QByteArray("caf\xE9") << QByteArray("caf\\xe9");
    QTest::newRow("UTF-8 stays") << QByteArray("\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80")
                                 << QByteArray("\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80");
    QTest::newRow("NUL and bell") << QByteArray("a\0\a", 3) << QByteArray("a\xEF\xBF\xBD\xEF\xBF\xBD");
    QTest::newRow("lines") << QByteArray("a\nb\tc") << QByteArray("a b c");
    QTest::newRow("a noncharacter") << QByteArray("\xEF\xBF\xBE") << QByteArray("\xEF\xBF\xBD");
    QTest::newRow("right to left") << QByteArray("\xE2\x80\xAEx") << QByteArray("\xEF\xBF\xBDx");
}

void ReportTest::hostileBytesBecomeText() {
    QFETCH(QByteArray, bytes);
    QFETCH(QByteArray, html);
    QCOMPARE(QByteArray::fromStdString(report::escapedHtml(bytes.toStdString())), html);
}

void ReportTest::asksForNothingElse() {
    const QString page = pageOf(*plainAudit());
    const QStringList sources = allMatches(page, "src=\"([^\"]*)\"");
    QVERIFY(!sources.isEmpty());
    for (const QString& source : sources)
        QVERIFY2(source.startsWith("data:image/png;base64,"), qPrintable(source.left(80)));
    for (const QString& link : allMatches(page, "<(\\w+)[^>]* href=\"https?:"))
        QCOMPARE(link, QString("a")); // of a paper: followed by a reader alone
    for (const QString& target : allMatches(page, "href=\"([^\"]*)\""))
        QVERIFY2(target.startsWith('#') || target.startsWith("https://") || target == "data:,", qPrintable(target));
    for (const char* never : {"<script", "<iframe", "<object", "<embed", "@import", "url(", "srcset", " on"})
        QVERIFY2(allMatches(page, "<[^>]*(" + QRegularExpression::escape(never) + "\\w*=)").isEmpty(), never);
    QVERIFY(!page.contains("<script") && !page.contains("url(") && !page.contains("@import"));
    QVERIFY(page.contains("default-src &#39;none&#39;"));
}

void ReportTest::everyPictureHasAnAlternativeText() {
    const QString page = pageOf(*plainAudit());
    const QStringList pictures = allMatches(page, "(<img[^>]*>)");
    qsizetype examples = 0;
    for (const auto& model : plainAudit()->models)
        for (const Finding& finding : model->findings)
            for (const FindingExample& example : finding.examples)
                examples += example.original ? 2 : 1;
    QVERIFY(examples > 0);
    qsizetype missed = 0;
    for (std::size_t model = 0; model < 2; ++model)
        for (const CoverageHole& hole : coverageHoles(*plainAudit(), model).holes)
            missed += static_cast<qsizetype>(hole.examples.size());
    QVERIFY(missed > 0);
    // Models, galleries, samples, each with three neighbours; and so have examples of holes.
    QCOMPARE(pictures.size(), (2 * 3 * 12 + missed) * 4 + examples);
    for (const QString& picture : pictures) {
        QVERIFY2(QRegularExpression(" alt=\"(Synthetic|Real) sample s-\\d+, class (cat|dog)").match(picture).hasMatch(),
                 qPrintable(picture.right(120)));
        QVERIFY(picture.contains(" width=\"") && picture.contains(" height=\""));
    }
    const QStringList charts = allMatches(page, "(<svg[^>]*>)");
    QCOMPARE(charts.size(), 2 + 2 * 2);
    for (const QString& chart : charts)
        QVERIFY2(chart.contains("role=\"img\"") && chart.contains("aria-label=\"") &&
                     chart.contains("aria-describedby=\""),
                 qPrintable(chart));
    QCOMPARE(allMatches(page, "(<desc [^>]*>[^<]+</desc>)").size(), charts.size());
}

void ReportTest::findingsShowTheirExamples() {
    const ModelAudit& far = *plainAudit()->models[1];
    const auto finding = std::ranges::find_if(far.findings, [](const Finding& one) { return one.examples.size() > 1; });
    QVERIFY(finding != far.findings.end());
    const QString page = QString(pageOf(*plainAudit())).replace('\n', ' ').replace(QChar(0xA0), ' ');
    const QString sentence = QString::fromStdString(finding->sentence).toHtmlEscaped();
    const qsizetype at = page.lastIndexOf(sentence); // the summary may begin with it
    QVERIFY2(at >= 0, qPrintable(sentence));
    // Pictures stand between the sentence and what was measured.
    const QString shown = page.mid(at, page.indexOf("Measured:", at) - at);
    const EmbeddingSet& set = finding->side == Side::Real ? *plainAudit()->real->set : *far.set;
    QStringList named;
    for (const FindingExample& example : finding->examples) {
        named << QString::fromStdString(set.idText(example.row));
        QVERIFY2(shown.contains(" sample " + named.back() + ","), qPrintable(named.back()));
        if (example.count > 1)
            QVERIFY2(shown.contains(QString("%1 like this").arg(example.count)), qPrintable(shown.right(300)));
    }
    QCOMPARE(allMatches(shown, "(<img )").size(), static_cast<qsizetype>(finding->examples.size()));
    // Without pictures, and in Markdown, ids stand for them.
    const auto bare = auditOf(sampleSet(150, 1, "real"), {{"far", sampleSet(130, 3, "far", {}, 3.0F)}});
    const QString names = QString::fromStdString(report::examplesText(
        *bare, *bare->models[0],
        *std::ranges::find_if(bare->models[0]->findings, [](const auto& f) { return f.examples.size() > 1; })));
    QVERIFY2(QRegularExpression("^\\d+ \\(\\d+ like this\\); \\d+ \\(").match(names).hasMatch(), qPrintable(names));
    QVERIFY(pageOf(*bare).contains("Examples: " + names + "."));
    const QString markdown = QString::fromStdString(markdownReport(*bare, {}));
    QVERIFY2(QString(markdown).remove('\\').contains(" Examples: " + names + "."), qPrintable(names));
}

void ReportTest::copiesStandBesideTheirOriginals() {
    const Extras extras{true, {"cat", "dog"}, "s-"};
    const auto real = sampleSet(150, 1, "real", extras);
    EmbeddingParts parts = EmbeddingParts::of(test::repeated(test::gaussian(150, 6, 1), 140).values, 6, "copies");
    parts.images = std::make_shared<const ImageStore>(std::vector<std::uint8_t>(140 * 12, 9), 140, 2, 2, 3);
    const auto audit = auditOf(real, {{"copies", std::make_shared<const EmbeddingSet>(std::move(parts))}});
    const Finding& copies = audit->models[0]->findings.front();
    QCOMPARE(copies.kind->id, std::string_view("equal_to_real"));
    const QString page = pageOf(*audit);
    for (const FindingExample& example : copies.examples) {
        QCOMPARE(example.original, std::optional(example.row));
        const QString original = QString("alt=\"Real sample s-%1, class %2, its original\"")
                                     .arg(*example.original)
                                     .arg(*example.original % 2 == 0 ? "cat" : "dog");
        QVERIFY2(page.contains(original), qPrintable(original));
    }
    const std::string names = report::examplesText(*audit, *audit->models[0], copies);
    QVERIFY2(names.find(", a copy of s-") != std::string::npos, names.c_str());
}

void ReportTest::idsAreUniqueAndFound() {
    ReportParts parts;
    for (const std::size_t model : {0U, 1U})
        parts.decided.push_back(keptSamples(*plainAudit(), model, {FilterRules{{"pce", Bound::AtMost, 4.0}}}));
    const QString page = pageOf(*plainAudit(), parts);
    const QStringList regions = allMatches(page, "role=\"region\"[^>]* aria-label=\"([^\"]*)\"");
    QCOMPARE(QSet<QString>(regions.begin(), regions.end()).size(), regions.size());
    QVERIFY(regions.size() > 6);
    const QStringList ids = allMatches(page, " id=\"([^\"]*)\"");
    const QSet<QString> unique(ids.begin(), ids.end());
    QCOMPARE(unique.size(), ids.size());
    QStringList wanted = allMatches(page, "href=\"#([^\"]*)\"");
    wanted += allMatches(page, "aria-labelledby=\"([^\"]*)\"");
    wanted += allMatches(page, "aria-describedby=\"([^\"]*)\"");
    QVERIFY(wanted.size() > 10);
    for (const QString& id : wanted)
        QVERIFY2(unique.contains(id), qPrintable(id));
}

void ReportTest::headingsAreInOrder() {
    const QString page = pageOf(*plainAudit());
    QVERIFY(page.startsWith("<!DOCTYPE html>"));
    QVERIFY(page.contains("<html lang=\"en\">"));
    int before = 0;
    for (const QString& level : allMatches(page, "<h([1-6])[ >]")) {
        QVERIFY(level.toInt() <= before + 1);
        QVERIFY(before == 0 || level.toInt() > 1); // one title
        before = level.toInt();
    }
    QCOMPARE(before, 3);
    QVERIFY(allMatches(page, "(<th>)").isEmpty()); // each has a scope
}

void ReportTest::saysWhatTheAuditSays() {
    const AuditResult& audit = *plainAudit();
    const QString page = pageOf(audit);
    for (const Metric* metric : report::shownMetrics(audit)) {
        const QStringList cells = cellsOf(page, QString::fromStdString(report::titleWithUnit(*metric)));
        QCOMPARE(cells.size(), 2);
        for (int m = 0; m < 2; ++m)
            QCOMPARE(cells[m].toStdString(),
                     roundedText(audit.models[static_cast<std::size_t>(m)]->metric(metric->id)));
    }
    QVERIFY(report::shownMetrics(audit).size() > 12);
    for (const auto& model : audit.models) {
        QVERIFY(page.contains(QString::fromStdString(report::escapedHtml(model->set->source().sha256))));
        const MetricInterval* interval = model->interval("clipped_density");
        QVERIFY(
            page.contains(QString::fromStdString(roundedText(interval->low) + " to " + roundedText(interval->high))));
        QVERIFY(!model->summary.empty());
        QVERIFY(QString(page)
                    .replace(QChar(0xA0), ' ')
                    .contains(QString::fromStdString(report::escapedHtml(model->summary))));
    }
    QCOMPARE(cellsOf(page, "cat").value(0), QString("75"));
}

void ReportTest::theSameAuditGivesTheSameBytes() {
    const Extras extras{true, {"cat", "dog"}, "s-"};
    const auto again = [&](unsigned threads) {
        AuditOptions options;
        options.threads = threads;
        options.backend = BackendChoice::Gemm;
        return auditOf(sampleSet(150, 1, "real", extras), {{"good", sampleSet(140, 2, "good", extras)}}, options);
    };
    const auto first = again(1);
    const auto second = again(2);
    QCOMPARE(htmlReport(*first), htmlReport(*first));
    QCOMPARE(htmlReport(*first), htmlReport(*second));
    QCOMPARE(markdownReport(*first), markdownReport(*second));
}

void ReportTest::setsWithoutPicturesLabelsAndIdsWillDo() {
    AuditOptions quick;
    quick.tablesOnly = true;
    quick.storedNeighbors = 0;
    quick.k = 2;
    const auto audit = auditOf(sampleSet(9, 1, "real"), {{"few", sampleSet(8, 2, "few")}}, quick);
    const QString page = pageOf(*audit);
    QVERIFY(!page.contains("<img"));
    QVERIFY(page.contains("<span class=\"tile own\">row "));
    QVERIFY(!page.contains("How good is each class?"));
    QVERIFY(page.contains("Audit of 1 generative model against"));
    QVERIFY(!cellsOf(page, "Clipped density").isEmpty());
    QVERIFY(cellsOf(page, "Estimated bad share").isEmpty());
}

void ReportTest::classesOfNearestSamplesAreAMatrix() {
    const auto found = nearestClasses(*plainAudit(), 1);
    const QString page = pageOf(*plainAudit());
    const qsizetype at = page.indexOf("Class of the nearest real sample of each class of far");
    QVERIFY(at > 0);
    const QStringList cells = cellsOf(page.mid(at), "cat");
    QCOMPARE(cells.size(), 2);
    for (std::size_t nearest = 0; nearest < 2; ++nearest)
        if (const QString cell = cells[static_cast<qsizetype>(nearest)]; !cell.isEmpty())
            QVERIFY2(std::abs(QString(cell).remove('%').trimmed().toDouble() / 100.0 - found->share(0, nearest)) <
                         0.006,
                     qPrintable(cell));
        else
            QCOMPARE(found->count(0, nearest), 0U);
    // Of many classes the heaviest confusions.
    std::vector<std::string> labels;
    for (int one = 0; one < 25; ++one)
        labels.push_back("c" + std::to_string(one));
    AuditOptions quick;
    quick.tablesOnly = true;
    const auto many = auditOf(sampleSet(150, 1, "real", {false, labels, ""}),
                              {{"many", sampleSet(140, 2, "many", {false, labels, ""})}}, quick);
    QVERIFY(pageOf(*many).contains("class of many; the heaviest confusions"));
}

void ReportTest::holesAreThoseOfTheAudit() {
    const QString page = pageOf(*plainAudit());
    const CoverageHoles found = coverageHoles(*plainAudit(), 1);
    QVERIFY(!found.holes.empty() && coverageHoles(*plainAudit(), 0).holes.empty());
    QCOMPARE(page.count("What does it not make?"), 1);
    QVERIFY(page.contains(QString("It misses %1 of 150 real samples, in ").arg(found.missed)));
    for (std::size_t h = 0; h < found.holes.size(); ++h)
        QVERIFY(page.contains(QString("Hole %1: %2 real samples").arg(h + 1).arg(found.holes[h].rows.size())));
}

void ReportTest::runsAreTables() {
    QVERIFY(!pageOf(*plainAudit()).contains("of the run get better?"));
    AuditOptions quick;
    quick.tablesOnly = true;
    const auto audit =
        auditOf(sampleSet(60, 1, "real"),
                {{"gan_step2000", sampleSet(50, 2, "b")}, {"gan_step1000", sampleSet(50, 3, "a")}}, quick);
    const QString page = pageOf(*audit);
    const qsizetype at = page.indexOf("Run gan_step");
    QVERIFY(at > 0 && page.contains("Do the models of the run get better?"));
    const qsizetype first = page.indexOf("gan_step1000", at);
    QVERIFY(first > 0 && first < page.indexOf("gan_step2000", at)); // by number
    for (const std::size_t model : {1U, 0U})
        QVERIFY(page.indexOf(QString::fromStdString(roundedText(audit->models[model]->metric("clipped_density"))), at) >
                0);
}

void ReportTest::lostPicturesAreTiles() {
    EmbeddingParts parts;
    parts.values = test::gaussian(40, 6, 5).values;
    parts.rows = 40;
    parts.dim = 6;
    parts.name = "lost";
    parts.images = std::make_shared<const ImageStore>(std::make_shared<const LostPixels>(), 40, 8, 8, 1);
    const auto lost = std::make_shared<const EmbeddingSet>(std::move(parts));
    const QString page = pageOf(*auditOf(sampleSet(40, 1, "real"), {{"lost", lost}}));
    QVERIFY(!page.contains("<img"));
    QVERIFY(page.contains("<span class=\"tile own\">row "));
}

void ReportTest::ranksAsTheScoresSay() {
    const ModelAudit& model = *plainAudit()->models[1];
    const auto rankings = report::sampleRankings(model, 12);
    QCOMPARE(rankings.size(), std::size_t(3));
    const std::vector<std::string_view> columns{"p_any", "copy_ratio", "typicality"};
    for (std::size_t r = 0; r < rankings.size(); ++r) {
        QCOMPARE(rankings[r].column->id, columns[r]);
        QCOMPARE(rankings[r].rows.size(), std::size_t(12));
        const std::vector<double>& values = model.column(columns[r]);
        std::vector<double> sorted = values;
        std::sort(sorted.begin(), sorted.end());
        for (std::size_t at = 0; at < 12; ++at)
            QCOMPARE(values[rankings[r].rows[at]], sorted[at]);
    }
    // Of equal p-values the strongest evidence comes first.
    const std::vector<std::uint32_t>& worst = rankings.front().rows;
    for (std::size_t at = 1; at < worst.size(); ++at)
        if (model.column("p_any")[worst[at]] == model.column("p_any")[worst[at - 1]])
            QVERIFY(model.column("evidence")[worst[at]] <= model.column("evidence")[worst[at - 1]]);
    const QString page = pageOf(*plainAudit());
    const QString name = QString::fromStdString(model.set->idText(worst.front()));
    QVERIFY(page.indexOf("<strong>" + name + ", class ") > page.indexOf("id=\"model-2\""));
}

void ReportTest::decisionsStandBesideTheRandomOnes() {
    const auto audit = plainAudit();
    const FilterRules rules{{"pce", Bound::AtMost, 4.0}};
    const std::vector<std::uint32_t> rejectedByHand{3, 17};
    const KeptSamples decided = keptSamples(*audit, 0, {rules, rejectedByHand});
    const AppliedFilter outcome(*audit, 0, {rules, rejectedByHand});
    QCOMPARE(decided.left.keptCount, outcome.keptCount());
    QCOMPARE(decided.left.rejectedCount, outcome.rejectedCount());
    QCOMPARE(decided.rejectedByHand, std::size_t(2));
    QVERIFY(decided.left.kept && decided.left.random);
    QCOMPARE(decided.left.kept->set->rows(), decided.left.random->set->rows());
    WhatIf whatIf(audit, 0);
    QCOMPARE(decided.left.kept->metric("clipped_density"), whatIf.evaluate(outcome.kept()).metric("clipped_density"));
    QVERIFY(decided.left.kept->metric("pce") != decided.left.random->metric("pce"));
    QCOMPARE(keptSamples(*audit, 0, {rules, rejectedByHand}).left.random->metric("pce"),
             decided.left.random->metric("pce"));

    ReportParts parts;
    parts.decided.push_back(decided);
    const QString page = pageOf(*audit, parts);
    const qsizetype at = page.indexOf("What was rejected, and what did that do?");
    QVERIFY(at > page.indexOf("id=\"model-1\"") && at < page.indexOf("id=\"model-2\""));
    const QStringList cells = cellsOf(page.mid(at), "PCE (nats)");
    QCOMPARE(cells.size(), 3);
    QVERIFY(cells[1].startsWith(QString::fromStdString(roundedText(decided.left.kept->metric("pce")))));
    QVERIFY(cells[2].startsWith(QString::fromStdString(roundedText(decided.left.random->metric("pce")))));
    QCOMPARE(decided.rules.size(), std::size_t(1));
    QCOMPARE(decided.rules.front().rejected, AppliedFilter(*audit, 0, {rules}).rejectedCount());
    QVERIFY(page.contains(QString("<li>Keep samples whose PCE is at most 4 (rejects %1 by itself)</li>")
                              .arg(decided.rules.front().rejected)));
    QVERIFY(QString::fromStdString(markdownReport(*audit, parts)).contains("What was rejected of good"));
    QVERIFY(!pageOf(*audit).contains("What was rejected"));
}

void ReportTest::decisionsThatKeepTooFewHaveNoScores() {
    const FilterRules rules{{"pce", Bound::AtMost, -1e9}};
    const KeptSamples decided = keptSamples(*plainAudit(), 0, {rules});
    QCOMPARE(decided.left.keptCount, std::size_t(0));
    QVERIFY(!decided.left.kept && !decided.left.random);
    ReportParts parts;
    parts.decided.push_back(decided);
    QVERIFY(pageOf(*plainAudit(), parts).contains("Too few samples are kept"));
}

void ReportTest::manyClassesAreCutToTheWorst() {
    Extras extras;
    for (int c = 0; c < 60; ++c)
        extras.labels.push_back("k" + std::to_string(c));
    const auto audit = auditOf(sampleSet(180, 1, "real", extras), {{"model", sampleSet(180, 2, "model", extras)}});
    const QString page = pageOf(*audit);
    // In the table of scores and in that of what a classifier gets right; then the heaviest confusions.
    QCOMPARE(allMatches(page, "<th scope=\"row\" class=\"words\">(k\\d+)</th>").size(), 2 * 40 + 20);
    QVERIFY(page.contains("the classes that lose most"));
    QVERIFY(page.contains("The 40 worst of 60 classes"));
}

void ReportTest::everySourceHasAPaper() {
    for (const Metric* metric : report::shownMetrics(*plainAudit()))
        QVERIFY2(findBy(report::references(), &report::Reference::source, metric->source) != nullptr,
                 std::string(metric->source).c_str());
    const QString page = pageOf(*plainAudit());
    for (const report::Reference& reference : report::references()) {
        const bool isNamed = std::any_of(metricCatalog().begin(), metricCatalog().end(),
                                         [&](const Metric& metric) { return metric.source == reference.source; }) ||
                             std::any_of(columnCatalog().begin(), columnCatalog().end(),
                                         [&](const Column& column) { return column.source == reference.source; });
        QVERIFY2(isNamed, std::string(reference.source).c_str());
    }
    QVERIFY(page.contains("https://arxiv.org/abs/2507.01761"));
    for (const Metric* metric : report::shownMetrics(*plainAudit()))
        QVERIFY2(page.contains(QString::fromStdString(std::string(glossaryEntry(*metric).formula))
                                   .toHtmlEscaped()
                                   .replace("'", "&#39;")),
                 std::string(metric->id).c_str());
    QVERIFY(!page.contains("2004.05675")); // of a test that this audit does not have
}

void ReportTest::colorsAreReadable() {
    const QString style = QString::fromUtf8(reinterpret_cast<const char*>(report::reportStyle().data()),
                                            static_cast<qsizetype>(report::reportStyle().size()));
    const QStringList themes = allMatches(style, ":root \\{([^}]*)\\}");
    QCOMPARE(themes.size(), 2);
    for (const QString& theme : themes) {
        QMap<QString, QString> colors;
        for (auto at = QRegularExpression("--(\\w+): (#[0-9a-f]{6})").globalMatch(theme); at.hasNext();) {
            const auto match = at.next();
            colors[match.captured(1)] = match.captured(2);
        }
        QVERIFY(colors.size() >= 17);
        for (const char* text : {"text", "muted", "link", "mark"})
            for (const char* back : {"page", "panel"})
                QVERIFY2(contrast(colors[text], colors[back]) >= 4.5, qPrintable(theme + text));
        for (const char* shape : {"real", "synthetic", "c0", "c1", "c2", "c3", "c4", "c5", "focus"})
            QVERIFY2(contrast(colors[shape], colors["page"]) >= 3.0, qPrintable(theme + shape));
    }
}

void ReportTest::chartStyleNeedsNoVariables() {
    const std::string style = report::lightChartStyle();
    QVERIFY(style.find("var(") == std::string::npos);
    QVERIFY(style.find("{ fill: " + report::lightColor("synthetic") + "; }") != std::string::npos);
    QCOMPARE(report::lightColor("page"), std::string("#ffffff"));
    QCOMPARE(report::lightColor("c5"), std::string("#9e3b3b"));
    QVERIFY_EXCEPTION_THROWN(report::lightColor("no such colour"), Error);
}

void ReportTest::isWellFormedXml() {
    // Programs that set it otherwise than browsers do read it as XML.
    const Extras extras{true, {"<b>&amp;"}, {}};
    const auto audit = auditOf(sampleSet(60, 1, "re&al", extras), {{"one<two", sampleSet(60, 2, "x", extras)}});
    QXmlStreamReader reader(pageOf(*audit));
    bool hasPicture = false;
    while (!reader.atEnd())
        hasPicture = (reader.readNext() == QXmlStreamReader::StartElement && reader.name() == QLatin1String("img")) ||
                     hasPicture;
    QVERIFY2(!reader.hasError(), qPrintable(reader.errorString()));
    QVERIFY(hasPicture);
}

void ReportTest::markdownKeepsItsTables() {
    const Extras extras{false, {"a|b"}, {}};
    const auto audit = auditOf(sampleSet(60, 1, "re|al", extras), {{"one|two", sampleSet(60, 2, "x", extras)}});
    const QStringList lines = QString::fromStdString(markdownReport(*audit)).split('\n');
    qsizetype cells = 0;
    int rows = 0;
    for (const QString& line : lines) {
        if (!line.startsWith('|')) {
            cells = 0;
            continue;
        }
        const qsizetype here = QString(line).remove("\\|").count('|');
        QVERIFY2(cells == 0 || here == cells, qPrintable(line));
        cells = here;
        ++rows;
    }
    QVERIFY(rows > 12);
    QVERIFY(lines.filter("### Findings").size() == 1);
}

void ReportTest::otherExtensionsAreRefused() {
    for (const char* fine : {"a.html", "a.HTM", "folder/b.md"})
        requireReportFile(fine);
    for (const char* name : {"a.pdf", "a", "a.html.json"}) {
        const QString message = test::refusalOf([&] { requireReportFile(name); }, ErrorKind::InvalidArgument);
        QVERIFY2(test::saysAll(message, QString(name) + "|.html|.md|found"), qPrintable(message));
    }
}

void ReportTest::aFailedWriteNamesTheFile() {
    const QTemporaryDir folder;
    const std::string file = folder.filePath("not-there/report.html").toStdString();
    const QString message = test::refusalOf([&] { writeReport(*plainAudit(), {}, file); }, ErrorKind::WriteFailed);
    QVERIFY2(message.contains("report.html"), qPrintable(message));
    const std::string good = folder.filePath("report.html").toStdString();
    writeReport(*plainAudit(), {}, good);
    QFile written(QString::fromStdString(good));
    QVERIFY(written.open(QIODevice::ReadOnly));
    QCOMPARE(written.readAll().toStdString(), htmlReport(*plainAudit()));
}

void ReportTest::stopsWhenAsked() {
    std::stop_source source;
    source.request_stop();
    const JobContext stopped(source.get_token());
    QVERIFY_THROWS_EXCEPTION(Cancelled, htmlReport(*plainAudit(), {.appendix = Appendix::Written}, stopped));
    QVERIFY_THROWS_EXCEPTION(Cancelled, markdownReport(*plainAudit(), {}, stopped));
}

ASSAY_TEST(report_test, ReportTest)
#include "report_test.moc"
