#include "engine/audit/result/model_runs.h"

#include "engine/audit/result/audit_result.h"
#include "engine/metrics/tables/metric.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <map>
#include <optional>
#include <string_view>
#include <tuple>
#include <utility>

namespace assay {
namespace {

/// Letters before a number that say what it is of.
constexpr std::array<std::string_view, 24> kParameters{
    "step", "steps", "iter",       "iters",      "iteration",   "iterations", "epoch", "epochs",
    "kimg", "nimg",  "ckpt",       "checkpoint", "cfg",         "guidance",   "scale", "w",
    "psi",  "trunc", "truncation", "temp",       "temperature", "t",          "eta",   "nfe"};
/// Letters before numbers without an order.
constexpr std::array<std::string_view, 9> kUnordered{"seed", "fold",  "rep",     "repeat", "repetition",
                                                     "run",  "trial", "replica", "sample"};
/// Words in their order; a name without them comes last.
constexpr std::array<std::string_view, 4> kWords{"early", "mid", "middle", "late"};

bool isDigit(char c) {
    return std::isdigit(static_cast<unsigned char>(c)) != 0;
}

bool isLetter(char c) {
    return std::isalpha(static_cast<unsigned char>(c)) != 0;
}

std::string lowered(std::string_view text) {
    std::string lower(text);
    std::ranges::transform(lower, lower.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return lower;
}

/// A number within a name.
struct NumberInName {
    std::size_t begin = 0;
    std::size_t end = 0;
    double value = 0.0;
    std::string word; ///< letters before it, in lower case, with at most one character between
    bool isAttached = false;
    bool isWordFirst = false; ///< the word begins the name
};

/// The letters before a place, where nothing or one other character stands between.
void findWord(std::string_view name, NumberInName& number) {
    std::size_t end = number.begin;
    number.isAttached = end > 0 && isLetter(name[end - 1]);
    if (!number.isAttached && end > 0 && !isDigit(name[end - 1]))
        --end;
    std::size_t begin = end;
    while (begin > 0 && isLetter(name[begin - 1]))
        --begin;
    number.word = lowered(name.substr(begin, end - begin));
    number.isWordFirst = begin == 0;
}

std::vector<NumberInName> numbersIn(std::string_view name) {
    std::vector<NumberInName> numbers;
    for (std::size_t at = 0; at < name.size(); ++at) {
        if (!isDigit(name[at]))
            continue;
        NumberInName number;
        number.begin = at;
        while (at < name.size() && isDigit(name[at]))
            ++at;
        if (at + 1 < name.size() && name[at] == '.' && isDigit(name[at + 1])) {
            ++at;
            while (at < name.size() && isDigit(name[at]))
                ++at;
        }
        const auto [last, failure] = std::from_chars(name.data() + number.begin, name.data() + at, number.value);
        if (failure != std::errc())
            continue;
        const bool endsWord = at + 1 >= name.size() || !isLetter(name[at + 1]);
        if (at < name.size() && endsWord && (name[at] == 'k' || name[at] == 'K' || name[at] == 'M')) {
            number.value *= name[at] == 'M' ? 1e6 : 1e3;
            ++at;
        }
        number.end = at;
        findWord(name, number);
        numbers.push_back(std::move(number));
    }
    return numbers;
}

bool contains(std::span<const std::string_view> words, std::string_view word) {
    return std::ranges::find(words, word) != words.end();
}

/// A name's text before and after what varies.
using Around = std::pair<std::string, std::string>;

/// A run that is being gathered.
struct Gathered {
    ModelRun run;
    bool mayBeVersions = false; ///< numbers right after letters that name no parameter
};

/// Sorts the points, and says whether there are enough of them.
bool finish(Gathered& gathered) {
    std::vector<RunPoint>& points = gathered.run.points;
    std::ranges::stable_sort(points, {}, &RunPoint::at);
    std::size_t distinct = points.empty() ? 0 : 1;
    for (std::size_t at = 1; at < points.size(); ++at)
        distinct += points[at].at != points[at - 1].at ? 1 : 0;
    return distinct >= (gathered.mayBeVersions ? 3U : 2U);
}

std::vector<ModelRun> runsOfNumbers(std::span<const std::string> names) {
    std::map<Around, Gathered> all;
    for (std::size_t model = 0; model < names.size(); ++model) {
        const std::string& name = names[model];
        for (const NumberInName& number : numbersIn(name)) {
            if (contains(kUnordered, number.word))
                continue;
            const bool isParameter = contains(kParameters, number.word);
            Gathered& to = all[{name.substr(0, number.begin), name.substr(number.end)}];
            to.run.prefix = name.substr(0, number.begin);
            to.run.suffix = name.substr(number.end);
            // "gan_1000": the word is the model's name.
            to.run.parameter = isParameter || !number.isWordFirst ? number.word : std::string();
            to.mayBeVersions = number.isAttached && !isParameter;
            to.run.points.push_back({model, number.value, name.substr(number.begin, number.end - number.begin)});
        }
    }
    std::vector<ModelRun> runs;
    for (auto& [around, gathered] : all)
        if (finish(gathered))
            runs.push_back(std::move(gathered.run));
    return runs;
}

/// A word of kWords that stands by itself in a name.
struct WordInName {
    std::size_t begin = 0;
    std::size_t end = 0;
    std::size_t place = 0; ///< in kWords
};

std::optional<WordInName> wordIn(const std::string& name) {
    const std::string lower = lowered(name);
    for (std::size_t place = 0; place < kWords.size(); ++place)
        for (std::size_t at = lower.find(kWords[place]); at != std::string::npos;
             at = lower.find(kWords[place], at + 1)) {
            const std::size_t end = at + kWords[place].size();
            if ((at == 0 || !isLetter(lower[at - 1])) && (end == lower.size() || !isLetter(lower[end])))
                return WordInName{at, end, place};
        }
    return std::nullopt;
}

/// The name without the word and the character that sets it apart.
std::string withoutWord(const std::string& name, const WordInName& word) {
    std::size_t begin = word.begin;
    std::size_t end = word.end;
    const auto isApart = [&](std::size_t at) { return !isLetter(name[at]) && !isDigit(name[at]); };
    if (begin > 0 && isApart(begin - 1))
        --begin;
    else if (end < name.size() && isApart(end))
        ++end;
    return name.substr(0, begin) + name.substr(end);
}

std::vector<ModelRun> runsOfWords(std::span<const std::string> names) {
    std::map<std::string, Gathered> all; // by the name without the word
    for (std::size_t model = 0; model < names.size(); ++model) {
        const auto word = wordIn(names[model]);
        if (!word)
            continue;
        Gathered& to = all[withoutWord(names[model], *word)];
        to.run.prefix = names[model].substr(0, word->begin);
        to.run.suffix = names[model].substr(word->end);
        to.run.hasWords = true;
        to.run.points.push_back(
            {model, static_cast<double>(word->place), names[model].substr(word->begin, word->end - word->begin)});
    }
    std::vector<ModelRun> runs;
    for (auto& [rest, gathered] : all) {
        for (std::size_t model = 0; model < names.size(); ++model)
            if (names[model] == rest)
                gathered.run.points.push_back({model, static_cast<double>(kWords.size()), {}});
        if (!finish(gathered))
            continue;
        double place = 0.0;
        double before = -1.0;
        for (RunPoint& point : gathered.run.points) {
            place += point.at != before ? 1.0 : 0.0;
            before = point.at;
            point.at = place;
        }
        runs.push_back(std::move(gathered.run));
    }
    return runs;
}

} // namespace

std::vector<ModelRun> modelRuns(std::span<const std::string> names) {
    const auto firstModel = [](const ModelRun& run) {
        return std::tuple(std::ranges::min(run.points, {}, &RunPoint::model).model, run.prefix, run.suffix);
    };
    std::vector<ModelRun> runs = runsOfNumbers(names);
    std::ranges::sort(runs, {}, firstModel);
    std::vector<ModelRun> words = runsOfWords(names);
    std::ranges::sort(words, {}, firstModel);
    std::ranges::move(words, std::back_inserter(runs));
    return runs;
}

std::vector<ModelRun> modelRuns(const AuditResult& audit) {
    std::vector<std::string> names;
    for (const auto& model : audit.models)
        names.push_back(model->name);
    return modelRuns(names);
}

namespace {

/// How far a value is from the best one there could be; NaN where no direction is better.
double distanceFromBest(const Metric& metric, double value) {
    switch (metric.better) {
    case Direction::Higher:
        return -value;
    case Direction::Lower:
        return value;
    case Direction::NearestToZero:
        return std::abs(value);
    case Direction::NearestToHalf:
        return std::abs(value - 0.5);
    case Direction::NearestToOne:
        return std::abs(value - 1.0);
    case Direction::Neutral:
        break;
    }
    return std::nan("");
}

} // namespace

BestOfRun bestOfRun(const AuditResult& audit, const ModelRun& run, const Metric& metric) {
    BestOfRun best;
    double least = std::nan("");
    for (const RunPoint& point : run.points) {
        const ModelAudit& model = *audit.models[point.model];
        const double off =
            model.hasMetric(metric.id) ? distanceFromBest(metric, model.metric(metric.id)) : std::nan("");
        if (!std::isfinite(off))
            continue;
        if (best.point == nullptr || off < least) {
            best = {&point, 0};
            least = off;
        } else if (off == least) {
            ++best.equal;
        }
    }
    return best;
}

std::vector<ModelRun> runsBeside(const ModelRun& run, std::span<const ModelRun> all) {
    constexpr std::size_t kMaxBeside = 5; // lines that can be told from each other
    std::vector<ModelRun> beside;
    for (const ModelRun& other : all) {
        const bool shares = std::ranges::any_of(other.points, [&](const RunPoint& point) {
            return std::ranges::find(run.points, point.model, &RunPoint::model) != run.points.end();
        });
        if (!shares && other.parameter == run.parameter && other.hasWords == run.hasWords && beside.size() < kMaxBeside)
            beside.push_back(other);
    }
    return beside;
}

} // namespace assay
