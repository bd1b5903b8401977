#include "gui/window/window_state_keeper.h"

#include "gui/session/audit_session.h"
#include "gui/window/panel_docks.h"
#include "gui/window/workspaces.h"
#include "widgets/curves/curve_view.h"
#include "widgets/histogram/distribution_panel.h"
#include "widgets/ranking/ranking_model.h"
#include "widgets/ranking/ranking_view.h"

#include "engine/metrics/catalog/catalog.h"

#include <QJsonDocument>
#include <QJsonObject>
#include <QMainWindow>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

namespace assay {
namespace {

constexpr int kSettledMs = 300; // changes of one gesture are kept once

const QString kWorkspaces = QStringLiteral("workspaces");
const QString kDistribution = QStringLiteral("distribution");
const QString kDistributionLook = QStringLiteral("distributionLook");
const QString kLogarithmic = QStringLiteral("logarithmic");
const QString kCumulative = QStringLiteral("cumulative");
const QString kOutlined = QStringLiteral("outlined");
const QString kRanking = QStringLiteral("ranking");
const QString kColumn = QStringLiteral("column");
const QString kDescending = QStringLiteral("descending");
const QString kReal = QStringLiteral("real");
const QString kShow = QStringLiteral("show");
const QString kGroup = QStringLiteral("group");
const QString kNearest = QStringLiteral("nearest");
const QString kCurve = QStringLiteral("curve");

constexpr std::array<std::pair<RankingShow, const char*>, 7> kShows{{{RankingShow::All, "all"},
                                                                     {RankingShow::Selected, "selected"},
                                                                     {RankingShow::Kept, "kept"},
                                                                     {RankingShow::Rejected, "rejected"},
                                                                     {RankingShow::Accused, "accused"},
                                                                     {RankingShow::Undecided, "undecided"},
                                                                     {RankingShow::Reviewed, "reviewed"}}};

constexpr std::array<std::pair<RankingGrouping, const char*>, 4> kGroupings{{{RankingGrouping::None, "none"},
                                                                             {RankingGrouping::Verdict, "verdict"},
                                                                             {RankingGrouping::Class, "class"},
                                                                             {RankingGrouping::Nearest, "nearest"}}};

QJsonObject asJson(const RankingView& view) {
    const RankingModel& ranking = *view.model();
    const RankingOrder& order = ranking.order();
    const auto* show = std::ranges::find(kShows, ranking.show(), &decltype(kShows)::value_type::first);
    const auto* group = std::ranges::find(kGroupings, view.grouping(), &decltype(kGroupings)::value_type::first);
    return {{kGroup, QString::fromLatin1(group->second)},
            {kNearest, view.isNearestShown()},
            {kColumn, QString::fromStdString(order.column)},
            {kDescending, order.order == Qt::DescendingOrder},
            {kReal, order.side == Side::Real},
            {kShow, QString::fromLatin1(show->second)}};
}

QJsonObject asJson(const HistogramView::Look& look) {
    return {{kLogarithmic, look.logarithmic}, {kCumulative, look.cumulative}, {kOutlined, look.outlined}};
}

HistogramView::Look lookOf(const QJsonObject& json) {
    return {json.value(kLogarithmic).toBool(), json.value(kCumulative).toBool(), json.value(kOutlined).toBool(true)};
}

bool canRankBy(const RankingOrder& order) {
    constexpr std::array<std::string_view, 5> fixed{"id", "class", "kept", "tags", "note"};
    const Column* column = findColumn(order.column);
    return std::ranges::find(fixed, order.column) != fixed.end() || isExternal(order.column) ||
           (column != nullptr && column->side == order.side);
}

/// Entries of a later program version stay unchanged.
void restore(const QJsonObject& json, RankingView& view) {
    RankingModel& ranking = *view.model();
    const RankingOrder order{json.value(kColumn).toString().toStdString(),
                             json.value(kDescending).toBool() ? Qt::DescendingOrder : Qt::AscendingOrder,
                             json.value(kReal).toBool() ? Side::Real : Side::Synthetic};
    if (canRankBy(order))
        ranking.setOrder(order);
    for (const auto& [show, name] : kShows)
        if (json.value(kShow).toString() == QLatin1String(name))
            ranking.setShow(show);
    for (const auto& [grouping, name] : kGroupings)
        if (json.value(kGroup).toString() == QLatin1String(name))
            view.setGrouping(grouping);
    if (json.contains(kNearest))
        view.setNearestShown(json.value(kNearest).toBool());
}

} // namespace

WindowStateKeeper::WindowStateKeeper(QMainWindow* window, PanelDocks* docks, Workspaces* workspaces,
                                     AuditSession* session)
    : QObject(window), window_(window), docks_(docks), workspaces_(workspaces), session_(session),
      ranking_(window->findChild<RankingView*>()), curves_(window->findChild<CurveView*>()),
      distribution_(window->findChild<DistributionPanel*>()) {
    soon_.setSingleShot(true);
    soon_.setInterval(kSettledMs);
    connect(&soon_, &QTimer::timeout, this, &WindowStateKeeper::keep);
    const auto later = [this] {
        if (!soon_.isActive()) // what never rests is kept all the same
            soon_.start();
    };
    connect(docks_, &PanelDocks::layoutChanged, this, later);
    connect(workspaces_, &Workspaces::changed, this, later);
    if (ranking_ != nullptr) {
        ranking_->setNearestShown(settings_.showsNearest());
        connect(ranking_->model(), &RankingModel::orderChanged, this, later);
        connect(ranking_->model(), &RankingModel::showChanged, this, later);
        connect(ranking_, &RankingView::looksChanged, this, later);
        connect(ranking_, &RankingView::looksChanged, this, [this] {
            if (file_.isEmpty()) // else the audit's file keeps it
                settings_.setShowsNearest(ranking_->isNearestShown());
        });
    }
    if (curves_ != nullptr)
        connect(curves_, &CurveView::pickedChanged, this, later);
    if (distribution_ != nullptr)
        connect(distribution_, &DistributionPanel::changed, this, later);
    connect(session_, &AuditSession::windowStateRestored, this, &WindowStateKeeper::restored);
}

QString WindowStateKeeper::text() const {
    QJsonObject json{{kWorkspaces, workspaces_->saved()}};
    if (ranking_ != nullptr)
        json.insert(kRanking, asJson(*ranking_));
    if (curves_ != nullptr && !curves_->picked().isEmpty())
        json.insert(kCurve, curves_->picked());
    if (distribution_ != nullptr) {
        json.insert(kDistribution, distribution_->column());
        json.insert(kDistributionLook, asJson(distribution_->look()));
    }
    return QString::fromUtf8(QJsonDocument(json).toJson(QJsonDocument::Compact));
}

void WindowStateKeeper::arrange(const QString& text) {
    const QJsonObject json = QJsonDocument::fromJson(text.toUtf8()).object();
    workspaces_->restore(json.contains(kWorkspaces) ? json.value(kWorkspaces).toObject() : settings_.workspaces());
    if (ranking_ != nullptr)
        restore(json.value(kRanking).toObject(), *ranking_);
    if (curves_ != nullptr && json.contains(kCurve))
        curves_->pick(json.value(kCurve).toString());
    if (distribution_ != nullptr) {
        distribution_->setColumn(json.value(kDistribution).toString());
        distribution_->setLook(lookOf(json.value(kDistributionLook).toObject()));
    }
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
