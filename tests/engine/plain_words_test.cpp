#include "tests/support/test_entry.h"

#include <QtTest>

#include <array>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

namespace fs = std::filesystem;

namespace {

/// Phrases that people stumbled over, each with what is written instead.
struct Phrase {
    std::string_view was;
    std::string_view now;
};

constexpr std::array kPhrases{
    Phrase{"over-represented", "crowded"},
    Phrase{"Over-represented", "Crowded"},
    Phrase{"most lie where reality has none", "crowd into regions with almost no real data"},
    Phrase{"around it the model is far denser", "the model is about N times as dense here as the real data"},
    Phrase{"to its nearest other;", "N times closer to it than any other real sample is"},
    Phrase{"too scattered", "more spread out than real ones"},
    Phrase{"cannot be told one by one", "too slightly to point at single samples"},
    Phrase{"decide every distance", "dominate every distance"},
    Phrase{"are accused of something", "samples called bad"},
    Phrase{"of the set that is listed here", "Your selection is in the other set."},
    Phrase{"has to pass every rule", "Keep samples that pass all rules, or any rule"},
    Phrase{"How do scores change", "Curves"},
    Phrase{"Scores change.", "Curves"},
    Phrase{"is open in another window already", "is already open in another window"},
    Phrase{"Another job is running", "Still working on something else."},
    Phrase{"did not work", "failed"},
    Phrase{"Nothing is called that", "No matches"},
    Phrase{"Reject what is accused", "Reject these"},
    Phrase{"How far it is stands below", "Progress is shown below"},
    Phrase{"More is rejected than seems to be bad", "You reject more than the estimated bad share"},
    Phrase{"all that is decided in one file", "Save audit and decisions"},
    Phrase{"Go on from an audit", "Open a saved audit"},
    Phrase{"All is kept in", "Saved to"},
    Phrase{"Lose them", "Discard"},
    Phrase{"are what pictures are found by", "Pictures are matched by these ids"},
    Phrase{"says so at once where it cannot do", "a limit that is too low is reported immediately"},
    Phrase{"is no number of bytes", "is not a valid size"},
    Phrase{"What there is to say about this sample", "Note on this sample"},
    Phrase{"It is no mean over samples", "No confidence interval: this is not a per-sample mean"},
    Phrase{"no other nearness is rare", "too few or too similar real samples for a threshold"},
    Phrase{"by more than chance may make", "by more than chance"},
    Phrase{"It speaks of copies only where", "It points to copying only if"},
    Phrase{"Of the accusations at most", "Of the samples called bad, at most"},
    Phrase{"Judged by nobody", "Not reviewed yet"},
    Phrase{"What there is to say", "a note on"},
    Phrase{"what there is to say", "a note on"},
    Phrase{"unless asked otherwise", "unless set otherwise"},
    Phrase{"Marked are ratios below", "Pairs with a ratio below ... are marked"},
    Phrase{"what the p-values are off from", "how far the p-values are from"},
    Phrase{"Outside every clipped real ball", "At the edge of the real data"},
    Phrase{"and that one's distance to its own nearest other", "the distance from that real sample to its own nearest"},
    Phrase{"Which model is best?", "Models"},
    Phrase{"How good is each model?", "Models"},
};

/// Text of a file with string literals that stand one after the other as one.
std::string joined(const fs::path& file) {
    std::ifstream in(file);
    const std::string text{std::istreambuf_iterator<char>(in), {}};
    if (file.extension() == ".md") {
        std::string line = text;
        for (char& c : line)
            if (c == '\n')
                c = ' ';
        return line;
    }
    std::string made;
    made.reserve(text.size());
    for (std::size_t at = 0; at < text.size(); ++at) {
        if (text[at] == '"' && at > 0 && text[at - 1] != '\\') {
            std::size_t next = at + 1;
            while (next < text.size() && (text[next] == ' ' || text[next] == '\n'))
                ++next;
            if (next > at + 1 && next < text.size() && text[next] == '"') {
                at = next;
                continue;
            }
        }
        made += text[at];
    }
    return made;
}

/// Where a phrase stands in texts that people read: "file: phrase".
std::vector<std::string> found(const fs::path& file, const std::string& text) {
    std::vector<std::string> places;
    for (const Phrase& phrase : kPhrases)
        if (text.find(phrase.was) != std::string::npos)
            places.push_back(file.string() + ": \"" + std::string(phrase.was) + "\", write \"" +
                             std::string(phrase.now) + "\"");
    return places;
}

} // namespace

class PlainWordsTest : public QObject {
    Q_OBJECT

private slots:
    void phrasesAreGone();
    void phrasesAreFound();
};

void PlainWordsTest::phrasesAreGone() {
    const fs::path root = ASSAY_SOURCE_DIR;
    std::vector<fs::path> files{root / "README.md"};
    for (const char* folder : {"engine", "widgets", "gui", "docs", "scripts"})
        for (const auto& entry : fs::recursive_directory_iterator(root / folder)) {
            const std::string extension = entry.path().extension().string();
            if (entry.is_regular_file() &&
                (extension == ".cpp" || extension == ".h" || extension == ".md" || extension == ".py"))
                files.push_back(entry.path());
        }
    QVERIFY2(files.size() > 500, "no sources: have the folders moved?");
    std::string all;
    for (const fs::path& file : files)
        for (const std::string& place : found(file.lexically_relative(root), joined(file)))
            all += "\n" + place;
    QVERIFY2(all.empty(), all.c_str());
}

void PlainWordsTest::phrasesAreFound() {
    QTemporaryDir folder;
    const fs::path file = fs::path(folder.path().toStdString()) / "planted.cpp";
    std::ofstream(file) << "tr(\"More is rejected than \"\n   \"seems to be bad\");";
    QCOMPARE(found(file, joined(file)).size(), std::size_t{1});
    const fs::path page = fs::path(folder.path().toStdString()) / "planted.md";
    std::ofstream(page) << "All is\nkept in it.";
    QCOMPARE(found(page, joined(page)).size(), std::size_t{1});
}

ASSAY_TEST(plain_words_test, PlainWordsTest)
#include "plain_words_test.moc"
