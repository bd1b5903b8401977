#include "gui/desktop/settings.h"

#include <QFileInfo>
#include <QJsonDocument>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

namespace assay {
namespace {

constexpr int kMaxRecent = 10;
const QString kRecent = QStringLiteral("recentAudits");
const QString kTheme = QStringLiteral("theme");
const QString kWorkspaces = QStringLiteral("window/workspaces");
const QString kHabits = QStringLiteral("panelHabits");

using ThemeName = std::pair<ThemeChoice, QString>;
const std::array kThemes{ThemeName{ThemeChoice::Light, QStringLiteral("light")},
                         ThemeName{ThemeChoice::Dark, QStringLiteral("dark")},
                         ThemeName{ThemeChoice::System, QStringLiteral("system")}};

bool sameAudit(const AuditFiles& a, const AuditFiles& b) {
    if (!a.audit.isEmpty() || !b.audit.isEmpty())
        return a.audit == b.audit;
    return a.real == b.real && a.models == b.models && a.heldOut == b.heldOut && a.realBeside == b.realBeside &&
           a.heldOutBeside == b.heldOutBeside && a.embedding.network == b.embedding.network;
}

// The program may be started in another folder next time.
AuditFiles absolute(AuditFiles files) {
    const auto path = [](const QString& file) { return QFileInfo(file).absoluteFilePath(); };
    if (!files.audit.isEmpty())
        files.audit = path(files.audit);
    if (!files.real.isEmpty())
        files.real = path(files.real);
    if (!files.heldOut.isEmpty())
        files.heldOut = path(files.heldOut);
    const auto beside = [&](BesideFiles& of) {
        for (QString* file : {&of.pictures, &of.labels})
            if (!file->isEmpty())
                *file = path(*file);
    };
    beside(files.realBeside);
    beside(files.heldOutBeside);
    for (ModelFile& model : files.models) {
        model.file = path(model.file);
        beside(model.beside);
    }
    return files;
}

/// Pictures and labels, as the settings keep them.
QStringList textOf(const BesideFiles& beside) {
    return {beside.pictures, beside.labels, QString::number(static_cast<int>(beside.join)),
            QString::number(static_cast<int>(beside.order))};
}

QString textOf(std::string_view text) {
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

/// How the files of a recent audit were taken. An empty scaling is the automatic one.
PreparationChoice choiceOf(const QVariantMap& map) {
    PreparationChoice choice;
    choice.scaling = scalingOf(map.value(QStringLiteral("scaling")).toString().toStdString());
    const auto missing = missingOf(map.value(QStringLiteral("missing")).toString().toStdString());
    choice.missing = missing.value_or(Missing::Refuse);
    choice.fillsGaps = !missing;
    choice.oneHot = map.value(QStringLiteral("oneHot")).toBool();
    const QStringList ignored = map.value(QStringLiteral("ignoredColumns")).toStringList();
    for (const QString& column : ignored)
        choice.ignoredColumns.push_back(column.toStdString());
    const QVariantMap kinds = map.value(QStringLiteral("columnKinds")).toMap();
    for (auto at = kinds.begin(); at != kinds.end(); ++at)
        if (const auto kind = columnKindOf(at.value().toString().toStdString()))
            setColumnKind(choice, at.key().toStdString(), kind);
    return choice;
}

BesideFiles besideOf(const QStringList& text) {
    if (text.size() != 4)
        return {};
    const int join = text[2].toInt();
    return {text[0], text[1],
            join == static_cast<int>(JoinBy::Id)    ? JoinBy::Id
            : join == static_cast<int>(JoinBy::Row) ? JoinBy::Row
                                                    : JoinBy::Auto,
            text[3].toInt() == static_cast<int>(PictureOrder::Parts) ? PictureOrder::Parts : PictureOrder::Path};
}

} // namespace

QList<AuditFiles> Settings::recentAudits() const {
    QList<AuditFiles> audits;
    const QVariantList stored = store_.value(kRecent).toList();
    for (const QVariant& entry : stored) {
        const QVariantMap map = entry.toMap();
        AuditFiles files;
        files.real = map.value(QStringLiteral("real")).toString();
        files.heldOut = map.value(QStringLiteral("heldOut")).toString();
        files.audit = map.value(QStringLiteral("audit")).toString();
        files.options.k = map.value(QStringLiteral("k"), 5).toUInt();
        files.options.cover.k = map.value(QStringLiteral("coverK"), 3).toUInt();
        files.options.cover.c = map.value(QStringLiteral("coverC"), 3).toUInt();
        files.options.oneClass = map.value(QStringLiteral("oneClass")).toBool();
        files.choice = choiceOf(map);
        files.embedding = {map.value(QStringLiteral("network")).toString(),
                           map.value(QStringLiteral("python")).toString()};
        const QStringList names = map.value(QStringLiteral("names")).toStringList();
        const QStringList paths = map.value(QStringLiteral("files")).toStringList();
        for (qsizetype i = 0; i < std::min(names.size(), paths.size()); ++i)
            files.models.push_back(
                {names[i], paths[i], besideOf(map.value(QStringLiteral("beside%1").arg(i)).toStringList())});
        files.realBeside = besideOf(map.value(QStringLiteral("realBeside")).toStringList());
        files.heldOutBeside = besideOf(map.value(QStringLiteral("heldOutBeside")).toStringList());
        if (!files.audit.isEmpty() || (!files.real.isEmpty() && !files.models.empty() && files.options.k > 0))
            audits.push_back(files);
    }
    return audits;
}

void Settings::addRecentAudit(const AuditFiles& opened) {
    const AuditFiles files = absolute(opened);
    QList<AuditFiles> audits = recentAudits();
    audits.removeIf([&](const AuditFiles& other) { return sameAudit(files, other); });
    audits.prepend(files);
    writeRecentAudits(audits.mid(0, kMaxRecent));
}

void Settings::removeRecentAudit(const AuditFiles& files) {
    QList<AuditFiles> audits = recentAudits();
    audits.removeIf([&](const AuditFiles& other) { return sameAudit(files, other); });
    writeRecentAudits(audits);
}

void Settings::clearRecentAudits() {
    store_.remove(kRecent);
}

void Settings::writeRecentAudits(const QList<AuditFiles>& audits) {
    QVariantList stored;
    for (const AuditFiles& files : audits) {
        QStringList names;
        QStringList paths;
        QStringList ignored;
        for (const std::string& column : files.choice.ignoredColumns)
            ignored << QString::fromStdString(column);
        QVariantMap kinds;
        for (const ColumnChoice& one : files.choice.columnKinds)
            kinds.insert(QString::fromStdString(one.name), textOf(nameOf(one.kind)));
        QVariantMap map{{QStringLiteral("realBeside"), textOf(files.realBeside)},
                        {QStringLiteral("heldOutBeside"), textOf(files.heldOutBeside)}};
        for (const ModelFile& model : files.models) {
            map[QStringLiteral("beside%1").arg(names.size())] = textOf(model.beside);
            names << model.name;
            paths << model.file;
        }
        map.insert(QVariantMap{
            {QStringLiteral("real"), files.real},
            {QStringLiteral("heldOut"), files.heldOut},
            {QStringLiteral("audit"), files.audit},
            {QStringLiteral("oneClass"), files.options.oneClass},
            {QStringLiteral("k"), static_cast<uint>(files.options.k)},
            {QStringLiteral("coverK"), static_cast<uint>(files.options.cover.k)},
            {QStringLiteral("coverC"), static_cast<uint>(files.options.cover.c)},
            {QStringLiteral("scaling"), files.choice.scaling ? textOf(nameOf(*files.choice.scaling)) : QString()},
            {QStringLiteral("missing"), files.choice.fillsGaps ? QString() : textOf(nameOf(files.choice.missing))},
            {QStringLiteral("oneHot"), files.choice.oneHot},
            {QStringLiteral("ignoredColumns"), ignored},
            {QStringLiteral("columnKinds"), kinds},
            {QStringLiteral("network"), files.embedding.network},
            {QStringLiteral("python"), files.embedding.python},
            {QStringLiteral("names"), names},
            {QStringLiteral("files"), paths}});
        stored << map;
    }
    store_.setValue(kRecent, stored);
}

ThemeChoice Settings::theme() const {
    const auto at = std::ranges::find(kThemes, store_.value(kTheme).toString(), &ThemeName::second);
    return at == kThemes.end() ? ThemeChoice::System : at->first;
}

void Settings::setTheme(ThemeChoice theme) {
    store_.setValue(kTheme, std::ranges::find(kThemes, theme, &ThemeName::first)->second);
}

QJsonObject Settings::workspaces() const {
    return QJsonDocument::fromJson(store_.value(kWorkspaces).toByteArray()).object();
}

void Settings::setWorkspaces(const QJsonObject& workspaces) {
    store_.setValue(kWorkspaces, QJsonDocument(workspaces).toJson(QJsonDocument::Compact));
}

QJsonObject Settings::panelHabits() const {
    return QJsonDocument::fromJson(store_.value(kHabits).toByteArray()).object();
}

void Settings::setPanelHabits(const QJsonObject& habits) {
    store_.setValue(kHabits, QJsonDocument(habits).toJson(QJsonDocument::Compact));
}

} // namespace assay
