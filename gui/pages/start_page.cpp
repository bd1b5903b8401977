#include "gui/pages/start_page.h"

#include "gui/desktop/icons.h"
#include "widgets/common/controls.h"

#include <QDir>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

namespace assay {
namespace {

constexpr int kPageWidth = 560;

QPushButton* makeButton(const char* name, const QString& text, const char* iconName, const QString& tip) {
    auto* button = newButton<QPushButton>(name, text, tip);
    button->setIcon(icon(QLatin1String(iconName)));
    button->setIconSize(QSize(20, 20));
    button->setMinimumHeight(40);
    button->setMinimumWidth(170);
    return button;
}

QFont scaled(QFont font, double factor, QFont::Weight weight) {
    font.setPointSizeF(font.pointSizeF() * factor);
    font.setWeight(weight);
    return font;
}

} // namespace

QString auditSummary(const AuditFiles& files) {
    if (!files.audit.isEmpty())
        return QFileInfo(files.audit).fileName();
    constexpr std::size_t kShown = 3;
    QStringList names;
    for (std::size_t i = 0; i < std::min(kShown, files.models.size()); ++i)
        names << files.models[i].name;
    QString models = names.join(QStringLiteral(", "));
    if (files.models.size() > kShown)
        models = StartPage::tr("%1 and %2 more").arg(models).arg(files.models.size() - kShown);
    return StartPage::tr("%1: %2").arg(QFileInfo(pathOfSpec(files.real)).fileName(), models);
}

QString missingFile(const AuditFiles& files) {
    if (!files.audit.isEmpty()) // which says itself what it misses
        return QFileInfo::exists(files.audit) ? QString() : files.audit;
    QStringList all{files.real};
    for (const ModelFile& model : files.models)
        all << model.file;
    if (!files.heldOut.isEmpty())
        all << files.heldOut;
    const auto gone =
        std::ranges::find_if(all, [](const QString& file) { return !QFileInfo::exists(pathOfSpec(file)); });
    return gone == all.end() ? QString() : *gone;
}

StartPage::StartPage(QWidget* parent) : QWidget(parent) {
    auto* logo = new QLabel;
    logo->setPixmap(icon(QStringLiteral("assay")).pixmap(QSize(56, 56), devicePixelRatioF()));
    auto* name = new QLabel(tr("Assay"));
    name->setFont(scaled(font(), 2.6, QFont::DemiBold));
    purpose_ = new QLabel(tr("See how good every single sample of a generative model is, find out why the bad ones are "
                             "bad, and leave out what should not ship."));
    purpose_->setWordWrap(true);
    purpose_->setFont(scaled(font(), 1.15, QFont::Normal));

    auto* openButton = makeButton("startOpen", tr("Open\u2026"), "open",
                                  tr("Choose a real set and the synthetic sets to compare with it"));
    openButton->setDefault(true);
    auto* demoButton = makeButton("startDemo", tr("Try the demo"), "open-demo",
                                  tr("A small real set and generators with known faults, made on the spot"));
    auto* tourButton = makeButton("startTour", tr("Walk me through it"), "help",
                                  tr("Open the demo and lead through what is wrong with each generator"));
    auto* kinds =
        new QLabel(tr("Opens embeddings (.npy, .npz, .csv, .pt, HDF5 and more), tables, series, and folders of "
                      "pictures. <a href=\"files\">Which files, and their contents</a>"));
    kinds->setObjectName(QStringLiteral("startFiles"));
    kinds->setWordWrap(true);
    kinds->setTextInteractionFlags(Qt::TextBrowserInteraction);
    connect(kinds, &QLabel::linkActivated, this, &StartPage::filesHelpRequested);
    connect(tourButton, &QPushButton::clicked, this, &StartPage::tourRequested);
    dropHint_ = named<QLabel>("startHint");
    showJob({});
    connect(openButton, &QPushButton::clicked, this, &StartPage::openRequested);
    connect(demoButton, &QPushButton::clicked, this, &StartPage::demoRequested);

    auto* head = addAll(newLayout<QHBoxLayout>(nullptr, {}, 16), logo, name, Stretch{});
    auto* buttons = addAll(newLayout<QHBoxLayout>(nullptr, {}, 12), openButton, demoButton, tourButton, Stretch{});

    recentTitle_ = new QLabel(tr("Recent audits"));
    recentTitle_->setFont(scaled(font(), 1.0, QFont::DemiBold));
    recentList_ = new QWidget;
    recentLayout_ = newLayout<QVBoxLayout>(recentList_, {}, 2);

    auto* page = new QWidget;
    page->setMaximumWidth(kPageWidth);
    auto* column = new QVBoxLayout(page);
    column->setSpacing(12);
    addAll(column, Stretch{2}, head, purpose_, Spacing{12}, buttons, dropHint_, kinds, Spacing{20}, recentTitle_,
           recentList_, Stretch{3});
    auto* centred = new QHBoxLayout(this);
    centred->addStretch(1);
    centred->addWidget(page, 100);
    centred->addStretch(1);
    setRecentAudits({});
    for (QLabel* label : {dropHint_, recentTitle_})
        label->setForegroundRole(QPalette::PlaceholderText);
}

void StartPage::showJob(const QString& title) {
    dropHint_->setText(title.isEmpty() ? tr("or drop files, or folders of pictures, anywhere in this window")
                                       : tr("%1\u2026 Progress is shown below.").arg(title));
}

void StartPage::setRecentAudits(const QList<AuditFiles>& audits) {
    while (QLayoutItem* item = recentLayout_->takeAt(0)) {
        item->widget()->deleteLater();
        delete item;
    }
    for (const AuditFiles& files : audits.mid(0, 6))
        recentLayout_->addWidget(makeRecentRow(files));
    recentTitle_->setVisible(!audits.isEmpty());
    recentList_->setVisible(!audits.isEmpty());
}

QWidget* StartPage::makeRecentRow(const AuditFiles& files) {
    const QFileInfo real(pathOfSpec(files.real));
    QString folder = QDir::toNativeSeparators(real.absolutePath());
    if (folder.startsWith(QDir::homePath()))
        folder.replace(0, QDir::homePath().size(), QStringLiteral("~"));
    const QString missing = missingFile(files);

    auto* row = named<QPushButton>("recentAudit");
    row->setFlat(true);
    row->setStyleSheet(
        QStringLiteral("QPushButton { border: none; border-radius: 4px; padding: 5px; text-align: left; }"
                       "QPushButton:hover, QPushButton:focus { background: palette(midlight); }"));
    row->setIcon(icon(missing.isEmpty() ? QStringLiteral("list") : QStringLiteral("warning")));
    const QString text = missing.isEmpty() ? QStringLiteral("%1   %2").arg(auditSummary(files), folder)
                                           : tr("%1   (missing: %2)").arg(auditSummary(files), missing);
    row->setText(fontMetrics().elidedText(text, Qt::ElideRight, kPageWidth - 60));
    row->setToolTip(missing.isEmpty() ? files.real : tr("%1 is not there any more").arg(missing));
    connect(row, &QPushButton::clicked, this, [this, files] { emit recentRequested(files); });
    return row;
}

} // namespace assay
