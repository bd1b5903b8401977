#include "gui/window/window_state_keeper.h"

#include "gui/session/audit_session.h"
#include "gui/window/panel_docks.h"
#include "gui/window/workspaces.h"

#include <QJsonDocument>
#include <QJsonObject>
#include <QMainWindow>

#include <array>
#include <utility>

namespace assay {
namespace {

constexpr int kSettledMs = 300; // changes of one gesture are kept once

const QString kWorkspaces = QStringLiteral("workspaces");
const QString kPanels = QStringLiteral("panels");
const QString kRanking = QStringLiteral("ranking");
const QString kDistribution = QStringLiteral("distribution");
const QString kCurve = QStringLiteral("curve");

/// States of panels as earlier versions of the program have written them.
QJsonObject earlierStates(const QJsonObject& json) {
    QJsonObject distribution = json.value(QStringLiteral("distributionLook")).toObject();
    distribution.insert(QStringLiteral("column"), json.value(kDistribution));
    QJsonObject states{{kRanking, json.value(kRanking)}, {kDistribution, distribution}};
    if (json.contains(kCurve))
        states.insert(QStringLiteral("curves"), QJsonObject{{kCurve, json.value(kCurve)}});
    return states;
}

/// What a person is used to, of whatever audit: the parts of the panels' states that the program keeps itself.
QJsonObject habitsOf(const QJsonObject& states) {
    constexpr std::array<std::pair<const char*, const char*>, 2> kHabits{
        {{"sample", "scores"}, {"ranking", "nearest"}}};
    QJsonObject habits;
    for (const auto& [panel, part] : kHabits)
        if (const QJsonObject state = states.value(QLatin1String(panel)).toObject(); !state.isEmpty())
            habits.insert(QLatin1String(panel), QJsonObject{{QLatin1String(part), state.value(QLatin1String(part))}});
    return habits;
}

} // namespace

WindowStateKeeper::WindowStateKeeper(QMainWindow* window, PanelDocks* docks, Workspaces* workspaces,
                                     AuditSession* session)
    : QObject(window), docks_(docks), workspaces_(workspaces), session_(session) {
    soon_.setSingleShot(true);
    soon_.setInterval(kSettledMs);
    connect(&soon_, &QTimer::timeout, this, &WindowStateKeeper::keep);
    const auto later = [this] {
        if (!soon_.isActive()) // what never rests is kept all the same
            soon_.start();
    };
    docks_->restoreStates(settings_.panelHabits());
    connect(docks_, &PanelDocks::layoutChanged, this, later);
    connect(workspaces_, &Workspaces::changed, this, later);
    connect(docks_, &PanelDocks::choicesChanged, this, later);
    connect(docks_, &PanelDocks::choicesChanged, this,
            [this] { settings_.setPanelHabits(habitsOf(docks_->saveStates())); });
    connect(session_, &AuditSession::windowStateRestored, this, &WindowStateKeeper::restored);
}

QString WindowStateKeeper::text() const {
    const QJsonObject json{{kWorkspaces, workspaces_->saved()}, {kPanels, docks_->saveStates()}};
    return QString::fromUtf8(QJsonDocument(json).toJson(QJsonDocument::Compact));
}

void WindowStateKeeper::arrange(const QString& text) {
    const QJsonObject json = QJsonDocument::fromJson(text.toUtf8()).object();
    workspaces_->restore(json.contains(kWorkspaces) ? json.value(kWorkspaces).toObject() : settings_.workspaces());
    docks_->restoreStates(json.contains(kPanels) ? json.value(kPanels).toObject() : earlierStates(json));
    shown_ = text;
    settling_ = true;
    soon_.start();
}

void WindowStateKeeper::follow() {
    const bool wasShown = docks_->isShown();
    if (wasShown && file_.isEmpty() && (!session_->isOpen() || !session_->document()->auditFile().isEmpty()))
        settings_.setWorkspaces(workspaces_->saved());
    if (!session_->isOpen()) {
        if (wasShown)
            docks_->hide();
        file_.clear();
        return;
    }
    if (!wasShown)
        workspaces_->restore(settings_.workspaces());
    if (session_->document()->auditFile() == file_)
        return;
    file_ = session_->document()->auditFile();
    if (file_.isEmpty()) {
        if (wasShown)
            workspaces_->restore(settings_.workspaces());
        return;
    }
    if (session_->document()->windowState().isEmpty()) { // just saved: as it is
        shown_ = text();
        session_->setWindowState(shown_);
    } else if (session_->document()->windowState() != shown_) {
        arrange(session_->document()->windowState());
    }
}

void WindowStateKeeper::restored(const QString& text) {
    if (docks_->isShown())
        arrange(text);
}

void WindowStateKeeper::keep() {
    if (file_.isEmpty() || !docks_->isShown())
        return;
    const QString now = text();
    const bool settled = std::exchange(settling_, false);
    if (now == shown_)
        return;
    shown_ = now;
    if (!settled)
        session_->setWindowState(now);
}

void WindowStateKeeper::keepNow() {
    settling_ = settling_ && soon_.isActive();
    keep();
    if (file_.isEmpty() && docks_->isShown())
        settings_.setWorkspaces(workspaces_->saved());
}

} // namespace assay
