#include "gui/desktop/settings.h"

#include "widgets/common/number_format.h"

#include <QFileInfo>
#include <QJsonDocument>

#include <algorithm>
#include <vector>

namespace assay {
namespace {

constexpr int kMaxRecent = 10;
const QString kRecent = QStringLiteral("recentAudits");
const QString kTheme = QStringLiteral("theme");

bool sameAudit(const AuditFiles& a, const AuditFiles& b) {
    if (!a.audit.isEmpty() || !b.audit.isEmpty())
        return a.audit == b.audit;
    return a.real == b.real && a.models == b.models && a.heldOut == b.heldOut && a.realBeside == b.realBeside &&
           a.heldOutBeside == b.heldOutBeside && a.embedding.network == b.embedding.network;
}

// The program may be started in another folder next time.
AuditFiles absolute(AuditFiles files) {
    std::vector<QString*> all{&files.audit, &files.real, &files.heldOut};
    const auto add = [&](BesideFiles& beside) {
        all.insert(all.end(), {&beside.pictures, &beside.labels});
        if (QFileInfo::exists(pathOfSpec(beside.groups))) // else the name of a column
            all.push_back(&beside.groups);
    };
    add(files.realBeside);
    add(files.heldOutBeside);
    for (ModelFile& model : files.models) {
        all.push_back(&model.file);
        add(model.beside);
    }
    for (QString* file : all)
        if (!file->isEmpty())
            *file = QFileInfo(*file).absoluteFilePath();
    const auto addGroups = [](BesideFiles& beside) { // a column's name is no file
        if (!beside.groups.isEmpty() && QFileInfo::exists(pathOfSpec(beside.groups)))
            beside.groups = QFileInfo(beside.groups).absoluteFilePath();
    };
    addGroups(files.realBeside);
    addGroups(files.heldOutBeside);
    for (ModelFile& model : files.models)
        addGroups(model.beside);
    return files;
}

/// Pictures, labels and groups, as the settings keep them.
QStringList textOf(const BesideFiles& beside) {
    return {beside.pictures, beside.labels, QString::number(static_cast<int>(beside.join)),
            QString::number(static_cast<int>(beside.order)), beside.groups};
}

/// How the files of a recent audit were taken. An empty scaling is the automatic one.
PreparationChoice choiceOf(const QVariantMap& map) {
    PreparationChoice choice;
    choice.scaling = scalingOf(map["scaling"].toString().toStdString());
    const auto missing = missingOf(map["missing"].toString().toStdString());
    choice.missing = missing.value_or(Missing::Refuse);
    choice.fillsGaps = !missing;
    choice.oneHot = map["oneHot"].toBool();
    const QStringList ignored = map["ignoredColumns"].toStringList();
    for (const QString& column : ignored)
        choice.ignoredColumns.push_back(column.toStdString());
    const QVariantMap kinds = map["columnKinds"].toMap();
    for (auto at = kinds.begin(); at != kinds.end(); ++at)
        if (const auto kind = columnKindOf(at.value().toString().toStdString()))
            setColumnKind(choice, at.key().toStdString(), kind);
    return choice;
}

BesideFiles besideOf(const QStringList& text) {
    if (text.size() != 4 && text.size() != 5) // earlier versions knew no groups
        return {};
    const int join = text[2].toInt();
    return {text[0],
            text[1],
            join == static_cast<int>(JoinBy::Id)    ? JoinBy::Id
            : join == static_cast<int>(JoinBy::Row) ? JoinBy::Row
                                                    : JoinBy::Auto,
            text[3].toInt() == static_cast<int>(PictureOrder::Parts) ? PictureOrder::Parts : PictureOrder::Path,
            {},
            text.value(4)};
}

} // namespace

QList<AuditFiles> Settings::recentAudits() const {
    QList<AuditFiles> audits;
    const QVariantList stored = store_.value(kRecent).toList();
    for (const QVariant& entry : stored) {
        const QVariantMap map = entry.toMap();
        AuditFiles files;
        files.real = map["real"].toString();
        files.heldOut = map["heldOut"].toString();
        files.audit = map["audit"].toString();
        files.options.k = map.value("k", 5).toUInt();
        files.options.cover.k = map.value("coverK", 3).toUInt();
        files.options.cover.c = map.value("coverC", 3).toUInt();
        files.options.oneClass = map["oneClass"].toBool();
        files.choice = choiceOf(map);
        files.embedding = {map["network"].toString(), map["python"].toString()};
        const QStringList names = map["names"].toStringList();
        const QStringList paths = map["files"].toStringList();
        for (qsizetype i = 0; i < std::min(names.size(), paths.size()); ++i)
            files.models.push_back(
                {names[i], paths[i], besideOf(map.value(QStringLiteral("beside%1").arg(i)).toStringList())});
        files.realBeside = besideOf(map["realBeside"].toStringList());
        files.heldOutBeside = besideOf(map["heldOutBeside"].toStringList());
        if (!files.audit.isEmpty() || (!files.real.isEmpty() && !files.models.empty() && files.options.k > 0))
            audits.push_back(files);
    }
    return audits;
}

void Settings::addRecentAudit(const AuditFiles& opened) {
    const AuditFiles files = absolute(opened);
    removeRecentAudit(files);
    QList<AuditFiles> audits = recentAudits();
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
            kinds.insert(QString::fromStdString(one.name), catalogText(nameOf(one.kind)));
        QVariantMap map{{"realBeside", textOf(files.realBeside)}, {"heldOutBeside", textOf(files.heldOutBeside)}};
        for (const ModelFile& model : files.models) {
            map[QStringLiteral("beside%1").arg(names.size())] = textOf(model.beside);
            names << model.name;
            paths << model.file;
        }
        map.insert(
            QVariantMap{{"real", files.real},
                        {"heldOut", files.heldOut},
                        {"audit", files.audit},
                        {"oneClass", files.options.oneClass},
                        {"k", static_cast<uint>(files.options.k)},
                        {"coverK", static_cast<uint>(files.options.cover.k)},
                        {"coverC", static_cast<uint>(files.options.cover.c)},
                        {"scaling", files.choice.scaling ? catalogText(nameOf(*files.choice.scaling)) : QString()},
                        {"missing", files.choice.fillsGaps ? QString() : catalogText(nameOf(files.choice.missing))},
                        {"oneHot", files.choice.oneHot},
                        {"ignoredColumns", ignored},
                        {"columnKinds", kinds},
                        {"network", files.embedding.network},
                        {"python", files.embedding.python},
                        {"names", names},
                        {"files", paths}});
        stored << map;
    }
    store_.setValue(kRecent, stored);
}

ThemeChoice Settings::theme() const {
    return themeOf(store_.value(kTheme).toString()).value_or(ThemeChoice::System);
}

void Settings::setTheme(ThemeChoice theme) {
    store_.setValue(kTheme, nameOf(theme));
}

QJsonObject Settings::object(const QString& key) const {
    return QJsonDocument::fromJson(store_.value(key).toByteArray()).object();
}

void Settings::setObject(const QString& key, const QJsonObject& object) {
    store_.setValue(key, QJsonDocument(object).toJson(QJsonDocument::Compact));
}

} // namespace assay
