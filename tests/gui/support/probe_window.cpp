#include "tests/gui/support/probe_window.h"

#include <QFileInfo>
#include <QPushButton>
#include <QSettings>
#include <QVBoxLayout>
#include <QtTest>

#include <array>

namespace assay::test {
ProbeView::ProbeView(PanelHost& host) : Panel(host), slider(new QSlider(Qt::Horizontal)) {
    slider->setRange(0, 10);
    (new QVBoxLayout(this))->addWidget(slider);
    connect(slider, &QSlider::valueChanged, this, [&host](int value) {
        host.setRules({{"fidelity", Bound::AtLeast, value / 10.0}});
    });
}

void ProbeView::stateChanged(const Changes&) {
    ++told;
    const QSignalBlocker quiet(slider);
    slider->setValue(!state().rules || state().rules->empty() ? 0 : qRound(state().rules->list[0].value * 10));
}

std::vector<PanelRow> probePanels() {
    struct Row {
        const char *id, *title, *icon;
        PanelPlace place;
    };
    static const std::array rows{Row{"models", "Models", "models", {PanelColumn::Who, 0, 0, 260, 400}},
                                 Row{"keep", "Rules", "keep", {PanelColumn::Who, 1, 0, 260, 400}},
                                 Row{"scatter", "Overview", "scatter", {PanelColumn::What, 0, 0, 400, 360}},
                                 Row{"fidelity", "Fidelity", "histogram", {PanelColumn::What, 0, 1, 400, 360}},
                                 Row{"ranking", "Ranking", "gallery", {PanelColumn::What, 1, 0, 800, 440}},
                                 Row{"space", "Space", "space3d", {PanelColumn::What, 1, 0, 800, 440}},
                                 Row{"sample", "Inspector", "sample", {PanelColumn::Why, 0, 0, 340, 800}}};
    std::vector<PanelRow> panels;
    for (const Row& row : rows)
        panels.push_back({row.id, row.title, row.icon, row.place, [](PanelHost& host) { return new ProbeView(host); }});
    for (std::size_t at = 0; at < panels.size(); ++at)
        panels[at].key = QStringLiteral("Alt+%1").arg(at + 1);
    return panels;
}

ProbeWindow::ProbeWindow() {
    QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, home_.path());
    QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates));
}

void ProbeWindow::begin() {
    QSettings(QStringLiteral("Assay"), QStringLiteral("Assay")).clear();
    engine_ = std::make_unique<FakeEngine>();
    theme_ = std::make_unique<Theme>();
    selection_ = std::make_unique<SampleSelection>();
    session_ = std::make_unique<AuditSession>(selection_.get(), engine_->calls());
    answers_.clear();
    makeWindow();
}

void ProbeWindow::end() {
    window_.reset();
    session_.reset();
    selection_.reset();
    theme_.reset();
    engine_.reset();
}

void ProbeWindow::makeWindow() {
    window_.reset();
    FilePrompts prompts;
    prompts.openOne = [this](QWidget*, const QString&) { return answers_.value(0); };
    prompts.openMany = [this](QWidget*, const QString&) { return answers_; };
    prompts.openFolder = [this](QWidget*, const QString&) { return answers_.value(0); };
    prompts.save = [this](QWidget*, const QString&, const QString& name, const QString&) {
        const QString answer = answers_.value(0);
        return QFileInfo(answer).isDir() ? answer + QLatin1Char('/') + name : answer;
    };
    prompts.newFolder = [this](QWidget*, const QString&, const QString& name) {
        return answers_.isEmpty() ? QString() : answers_[0] + QLatin1Char('/') + name;
    };
    window_ = std::make_unique<MainWindow>(session_.get(), theme_.get(), probePanels(), prompts);
    window_->resize(1400, 860);
    window_->show();
    window_->activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(window_.get()));
}

void ProbeWindow::openDemo() {
    QTest::mouseClick(child<QPushButton>("startDemo"), Qt::LeftButton);
    QVERIFY(waitIdle(*session_) && session_->isOpen());
}

void ProbeWindow::openFiles() {
    AuditFiles files;
    files.real = touch("real.npz");
    files.models = {{QStringLiteral("gan"), touch("gan.npz")}, {QStringLiteral("vae"), touch("vae.npz")}};
    session_->open(files);
    QVERIFY(waitIdle(*session_) && session_->isOpen());
}

QString ProbeWindow::touch(const char* name) const {
    QFile file(data_.filePath(QString::fromUtf8(name)));
    if (!file.open(QIODevice::WriteOnly))
        qFatal("cannot write %s", name);
    return file.fileName();
}

QAction* ProbeWindow::action(const char* name) const {
    auto* found = window_->findChild<QAction*>(QString::fromUtf8(name));
    if (!found)
        qFatal("no action %s", name);
    return found;
}

} // namespace assay::test
