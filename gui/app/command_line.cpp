#include "gui/app/command_line.h"

#include "engine/base/error.h"
#include "engine/io/sets/manifest.h"
#include "engine/version.h"

#include <QCommandLineParser>
#include <QCoreApplication>
#include <QFileInfo>
#include <QRegularExpression>

namespace assay {
namespace {

/// Translation context of this file's texts.
struct Words {
    Q_DECLARE_TR_FUNCTIONS(assay::CommandLine)
};

struct Options {
    QCommandLineOption real{
        "real",
        Words::tr("The real set: a file of embeddings (docs/formats.md), FILE.npz:KEY, or a folder of pictures."),
        Words::tr("FILE")};
    QCommandLineOption synthetic{"synthetic", Words::tr("A synthetic set; may be given several times."),
                                 Words::tr("[NAME=]FILE")};
    QCommandLineOption heldOut{"held-out", Words::tr("Real samples that no model was trained on."), Words::tr("FILE")};
    QCommandLineOption k{"k", Words::tr("Ball size, 5 unless given."), Words::tr("N")};
    QCommandLineOption demo{"demo", Words::tr("Open the built-in demo.")};
    QCommandLineOption screenshot{"screenshot", Words::tr("Load, save a picture of the window to FILE (PNG) and exit."),
                                  Words::tr("FILE")};
    QCommandLineOption size{"size", Words::tr("Size of the window, for example 1440x900."), Words::tr("WxH")};
    QCommandLineOption theme{"theme", Words::tr("system, light or dark, for this run only."), Words::tr("THEME")};
    QCommandLineOption help{{"h", "help"}, Words::tr("Show this help and exit.")};
    QCommandLineOption version{{"v", "version"}, Words::tr("Show the version and exit.")};
};

/// Error in the arguments, as a sentence. Thrown and caught in this file only.
struct UsageProblem {
    QString text;
};

std::vector<ModelFile> parseModels(const QStringList& values) {
    std::vector<ModelFile> models;
    QStringList taken;
    for (const QString& value : values) {
        // A file whose own name has "=" in it needs no name in front.
        const qsizetype equals = QFileInfo::exists(value) ? -1 : value.indexOf(QLatin1Char('='));
        const QString file = value.mid(equals + 1);
        const QString name = equals > 0 ? value.left(equals) : uniqueName(defaultModelName(file), taken);
        if (file.isEmpty() || equals == 0)
            throw UsageProblem{Words::tr("--synthetic %1: expected [NAME=]FILE").arg(value)};
        if (taken.contains(name))
            throw UsageProblem{Words::tr("--synthetic %1: there is another set named %2").arg(value, name)};
        models.push_back({name, file});
        taken << name;
    }
    return models;
}

AuditFiles parseFiles(const QCommandLineParser& parser, const Options& options) {
    QStringList bare = parser.positionalArguments();
    AuditFiles files;
    if (!bare.isEmpty() && isNamedAuditFile(bare.front())) {
        if (bare.size() > 1 || parser.isSet(options.real) || parser.isSet(options.synthetic) ||
            parser.isSet(options.heldOut) || parser.isSet(options.k))
            throw UsageProblem{Words::tr("%1 is an audit: expected no other sets with it").arg(bare.front())};
        files.audit = bare.front();
        return files;
    }
    if (bare.size() == 1 && isNamedManifest(bare.front().toStdString()) && !parser.isSet(options.real) &&
        !parser.isSet(options.synthetic)) {
        return manifestFiles(bare.front());
    }
    if (parser.values(options.real).size() > 1)
        throw UsageProblem{Words::tr("--real may be given once only")};
    files.real = parser.value(options.real);
    if (files.real.isEmpty() && !bare.isEmpty())
        files.real = bare.takeFirst();
    files.models = parseModels(parser.values(options.synthetic) + bare);
    if (files.real.isEmpty())
        throw UsageProblem{parser.isSet(options.synthetic) ? Words::tr("--synthetic needs --real FILE as well")
                                                           : Words::tr("--held-out needs --real FILE as well")};
    files.heldOut = parser.value(options.heldOut);
    if (parser.isSet(options.k)) {
        bool isNumber = false;
        files.options.k = parser.value(options.k).toUInt(&isNumber);
        if (!isNumber || files.options.k == 0)
            throw UsageProblem{Words::tr("-k %1: expected a whole number above 0").arg(parser.value(options.k))};
    }
    return files;
}

QSize parseSize(const QString& text) {
    static const QRegularExpression form(QStringLiteral("^([1-9][0-9]{1,4})x([1-9][0-9]{1,4})$"));
    const QRegularExpressionMatch match = form.match(text);
    if (!match.hasMatch())
        throw UsageProblem{Words::tr("--size %1: expected WIDTHxHEIGHT, for example 1440x900").arg(text)};
    return {match.captured(1).toInt(), match.captured(2).toInt()};
}

CommandLine interpret(const QCommandLineParser& parser, const Options& options) {
    CommandLine line;
    line.demo = parser.isSet(options.demo);
    const bool hasFiles = parser.isSet(options.real) || parser.isSet(options.synthetic) ||
                          parser.isSet(options.heldOut) || !parser.positionalArguments().isEmpty();
    if (line.demo && hasFiles)
        throw UsageProblem{Words::tr("--demo and files exclude each other")};
    try {
        if (hasFiles)
            line.files = parseFiles(parser, options);
    } catch (const Error& error) { // of a manifest
        if (parser.isSet(options.screenshot))
            throw UsageProblem{QString::fromUtf8(error.what())};
        line.badManifest = parser.positionalArguments().front();
    }
    if (parser.isSet(options.screenshot)) {
        line.screenshot = parser.value(options.screenshot);
        if (line.files && line.files->models.empty() && line.files->audit.isEmpty())
            throw UsageProblem{Words::tr("--screenshot needs a synthetic set as well as a real one")};
    }
    if (parser.isSet(options.size))
        line.size = parseSize(parser.value(options.size));
    if (parser.isSet(options.theme))
        line.theme = themeOf(parser.value(options.theme));
    if (parser.isSet(options.theme) && !line.theme)
        throw UsageProblem{Words::tr("--theme %1: expected system, light or dark").arg(parser.value(options.theme))};
    return line;
}

} // namespace

CommandLine parseCommandLine(const QStringList& arguments) {
    const Options options;
    QCommandLineParser parser;
    parser.setApplicationDescription(Words::tr("Audits generative models, sample by sample."));
    parser.addOptions({options.real, options.synthetic, options.heldOut, options.k, options.demo, options.screenshot,
                       options.size, options.theme, options.help, options.version});
    parser.addPositionalArgument(
        QStringLiteral("FILE"),
        Words::tr("An audit file (.assay), or sets without options: the first is the real one, the rest are "
                  "synthetic."),
        QStringLiteral("[FILE...]"));
    const auto say = [](CommandLine::Outcome outcome, const QString& text) {
        CommandLine line;
        line.outcome = outcome;
        line.message = text;
        return line;
    };
    const auto refuse = [&](const QString& text) {
        return say(CommandLine::Outcome::Usage, Words::tr("assay: %1\nTry 'assay --help'.\n").arg(text));
    };
    if (!parser.parse(arguments))
        return refuse(parser.errorText());
    if (parser.isSet(options.help))
        return say(CommandLine::Outcome::Message, parser.helpText());
    if (parser.isSet(options.version))
        return say(CommandLine::Outcome::Message, QStringLiteral("assay %1\n").arg(QString::fromUtf8(kVersion)));
    try {
        return interpret(parser, options);
    } catch (const UsageProblem& problem) {
        return refuse(problem.text);
    }
}

} // namespace assay
