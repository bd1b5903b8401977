#include "gui/window/workspaces.h"

#include "gui/window/panel_docks.h"

#include <algorithm>

namespace assay {
namespace {

const QString kOverview = QStringLiteral("overview");
const QString kCurrent = QStringLiteral("current");
const QString kLayouts = QStringLiteral("layouts");
const QString kOwn = QStringLiteral("own");

/// The panel that has the keyboard at first.
const std::map<QString, QString> kAbout{{kOverview, QStringLiteral("findings")},
                                        {QStringLiteral("explore"), QStringLiteral("space")},
                                        {QStringLiteral("compare"), QStringLiteral("compare")},
                                        {QStringLiteral("review"), QStringLiteral("ranking")}};

} // namespace

std::vector<Workspace> builtInWorkspaces() {
    using enum PanelColumn;
    return {
        {kOverview, Workspaces::tr("Overview"), Workspaces::tr("Models, findings and samples side by side")},
        {"explore",
         Workspaces::tr("Explore"),
         Workspaces::tr("The samples in space, the ranking and one sample"),
         {{"space", {What, 0, 0, 1060, 470}},
          {"ranking", {What, 1, 0, 700, 330}},
          {"holes", {What, 1, 0, 700, 330}},
          {"distribution", {What, 1, 1, 360, 330}},
          {"sample", {Why, 0, 0, 380, 800}}}},
        {"compare",
         Workspaces::tr("Compare"),
         Workspaces::tr("Two models side by side, and all scores and curves"),
         {{"models", {Who, 0, 0, 300, 400}},
          {"findings", {Who, 1, 0, 300, 400}},
          {"compare", {What, 0, 0, 1140, 450}},
          {"scores", {What, 0, 0, 1140, 450}},
          {"classes", {What, 0, 0, 1140, 450}},
          {"agreement", {What, 0, 0, 1140, 450}},
          {"useful", {What, 0, 0, 1140, 450}},
          {"private", {What, 0, 0, 1140, 450}},
          {"scatter", {What, 1, 0, 400, 350}},
          {"curves", {What, 1, 1, 740, 350}},
          {"runs", {What, 1, 1, 740, 350}}}},
        {"review",
         Workspaces::tr("Review"),
         Workspaces::tr("One sample large, for verdicts by hand"),
         {{"ranking", {What, 0, 0, 740, 800}}, {"pairs", {What, 0, 0, 740, 800}}, {"sample", {Why, 0, 0, 700, 800}}}},
    };
}

QString workspaceAction(const QString& workspace) {
    return QStringLiteral("actionWorkspace_%1").arg(workspace);
}

Workspaces::Workspaces(PanelDocks* docks, QObject* parent)
    : QObject(parent), docks_(docks), all_(builtInWorkspaces()), current_(kOverview) {}

const Workspace* Workspaces::find(const QString& id) const {
    const auto at = std::ranges::find(all_, id, &Workspace::id);
    return at == all_.end() ? nullptr : &*at;
}

void Workspaces::arrange() {
    docks_->show(layouts_[current_], find(current_)->places);
}

void Workspaces::show(const QString& id) {
    if (id == current_ || find(id) == nullptr || !docks_->isShown())
        return;
    layouts_[current_] = docks_->saveLayout();
    current_ = id;
    const bool isFirst = layouts_[id].isEmpty();
    arrange();
    // Once the panels stand: keys are for what the workspace is about, not for the tool bar.
    if (const auto about = kAbout.find(id); about != kAbout.end())
        QMetaObject::invokeMethod(
            docks_,
            [docks = docks_, panel = about->second, isFirst] {
                if (isFirst) // later what a person has brought to the front stays there
                    docks->showPanel(panel);
                docks->focusPanel(panel);
            },
            Qt::QueuedConnection);
    emit changed();
}

void Workspaces::reset() {
    if (docks_->isShown())
        docks_->resetLayout(find(current_)->places);
}

void Workspaces::addOwn(const QString& name) {
    const auto at = std::ranges::find_if(
        all_, [&name](const Workspace& one) { return one.own && name.localeAwareCompare(one.id) < 0; });
    all_.insert(at, {.id = name, .title = name, .own = true});
}

bool Workspaces::saveAs(const QString& name) {
    const QString id = name.trimmed();
    const auto taken = [&id](const Workspace& one) {
        return !one.own && (one.id == id || one.title.compare(id, Qt::CaseInsensitive) == 0);
    };
    if (id.isEmpty() || std::ranges::any_of(all_, taken))
        return false;
    const QByteArray now = docks_->saveLayout();
    layouts_[current_] = now;
    if (find(id) == nullptr)
        addOwn(id);
    layouts_[id] = now;
    current_ = id;
    emit changed();
    return true;
}

void Workspaces::remove(const QString& id) {
    const Workspace* gone = find(id);
    if (gone == nullptr || !gone->own)
        return;
    const bool isShown = current_ == id;
    layouts_.erase(id);
    std::erase_if(all_, [&id](const Workspace& one) { return one.id == id; });
    if (isShown) {
        current_ = kOverview;
        arrange();
    }
    emit changed();
}

QJsonObject Workspaces::saved() const {
    QJsonObject layouts;
    for (const auto& [id, layout] : layouts_)
        layouts.insert(id, QString::fromLatin1(layout.toBase64()));
    if (docks_->isShown())
        layouts.insert(current_, QString::fromLatin1(docks_->saveLayout().toBase64()));
    QJsonObject own;
    for (const Workspace& one : all_)
        if (one.own)
            own.insert(one.id, true);
    return {{kCurrent, current_}, {kLayouts, layouts}, {kOwn, own}};
}

void Workspaces::restore(const QJsonObject& saved) {
    all_ = builtInWorkspaces();
    for (const QString& name : saved.value(kOwn).toObject().keys())
        if (find(name) == nullptr)
            addOwn(name);
    layouts_.clear();
    const QJsonObject layouts = saved.value(kLayouts).toObject();
    for (const Workspace& one : all_)
        if (layouts.contains(one.id))
            layouts_[one.id] = QByteArray::fromBase64(layouts.value(one.id).toString().toLatin1());
    const QString wanted = saved.value(kCurrent).toString();
    current_ = find(wanted) != nullptr ? wanted : kOverview;
    arrange();
    emit changed();
}

} // namespace assay
