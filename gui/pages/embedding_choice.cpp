#include "gui/pages/embedding_choice.h"

#include "gui/desktop/settings.h"
#include "gui/pages/file_row.h"
#include "widgets/common/controls.h"
#include "widgets/common/number_format.h"

#include <QComboBox>
#include <QDir>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace assay {

EmbeddingChoice::EmbeddingChoice(FilePrompts prompts, QWidget* parent)
    : QWidget(parent), prompts_(std::move(prompts)), network_(named<QComboBox>("embedding")),
      python_(named<QLineEdit>("embeddingPython")), pythonRow_(makePythonRow()), sign_(new QLabel),
      state_(newText("embeddingState", Qt::TextSelectableByMouse)), stateRow_(makeWarningRow(state_, sign_)),
      where_(newText("embeddingWhere", Qt::TextSelectableByMouse)) {
    setFocusProxy(network_);
    addAll(newLayout<QVBoxLayout>(this), network_, pythonRow_, stateRow_, where_);
    connect(network_, &QComboBox::currentIndexChanged, this, &EmbeddingChoice::check);
    connect(&checker_, &PythonChecker::answered, this, [this] {
        if (choice() != NetworkChoice{} && problem().isEmpty())
            Settings().setEmbedPython(python());
        refresh();
        emit changed();
    });
    setChoice({});
}

QWidget* EmbeddingChoice::makePythonRow() {
    python_->setPlaceholderText(tr("a Python with the network's packages, such as ENVIRONMENT/bin/python"));
    python_->setToolTip(tr("The Python that runs assay-embed. It is remembered."));
    connect(python_, &QLineEdit::editingFinished, this, &EmbeddingChoice::check);
    QWidget* row = makeFileRow(
        python_, {chooseButton(QStringLiteral("chooseEmbeddingPython"), prompts_, this, tr("Choose a Python"))},
        [this] { check(); });
    auto* again =
        newButton<QPushButton>("checkEmbeddingPython", tr("Check again"), tr("After packages were installed"));
    again->setAutoDefault(false);
    connect(again, &QPushButton::clicked, this, [this] {
        checker_.forget();
        check();
    });
    auto* layout = static_cast<QHBoxLayout*>(row->layout());
    layout->insertWidget(0, new QLabel(tr("Python")));
    layout->addWidget(again);
    return row;
}

/// @param chosen a network's id; the built-in embedding where none of the kind has it
void EmbeddingChoice::offer(Embedded kind, const QString& chosen) {
    kind_ = kind;
    const bool series = kind == Embedded::Series;
    const QSignalBlocker quiet(network_);
    network_->clear();
    network_->addItem(series ? tr("Built-in, of the values at each step: at once")
                             : tr("Built-in, of pixels: at once"));
    for (const EmbeddingNetwork& network : embeddingNetworks())
        if (network.of == kind)
            network_->addItem(tr("%1, %2 dimensions").arg(network.title, formatCount(network.dimensions)), network.id);
    network_->setCurrentIndex(std::max(0, network_->findData(chosen)));
    network_->setToolTip(
        series ? tr("The built-in embedding compares series step by step. The autoencoder, which is fitted on the real "
                    "set and applied to all others, sees shapes that are shifted in time; it takes longer, and needs a "
                    "Python environment with torch.")
               : tr("The built-in embedding sees colours and layout. A network sees what pictures show; it takes "
                    "longer, and needs a Python environment with its packages. All sets get the same."));
}

void EmbeddingChoice::setChoice(const NetworkChoice& choice) {
    python_->setText(QDir::toNativeSeparators(choice.python.isEmpty() ? defaultPython() : choice.python));
    const EmbeddingNetwork* network = embeddingNetwork(choice.network);
    offer(network != nullptr ? network->of : kind_, choice.network);
    check();
}

QString EmbeddingChoice::network() const {
    return network_->currentData().toString();
}

QString EmbeddingChoice::python() const {
    return QDir::fromNativeSeparators(python_->text().trimmed());
}

NetworkChoice EmbeddingChoice::choice() const {
    return network().isEmpty() ? NetworkChoice{} : NetworkChoice{network(), python()};
}

QString EmbeddingChoice::problem() const {
    if (network().isEmpty())
        return {};
    if (python().isEmpty())
        return tr("Choose a Python that has the network\u2019s packages.");
    const PythonChecker::Answer* answer = checker_.answer(python(), network());
    if (answer == nullptr)
        return tr("The Python environment is still being checked.");
    // Its problem is shown beside the choice.
    return answer->ready ? QString()
                         : tr("The chosen Python cannot run %1 yet.").arg(embeddingNetwork(network())->title);
}

void EmbeddingChoice::showSources(const QStringList& sources, Embedded kind) {
    sources_ = sources;
    if (kind != kind_ && !sources.isEmpty())
        offer(kind, network());
    refresh();
}

void EmbeddingChoice::check() {
    if (!network().isEmpty() && !python().isEmpty() && checker_.answer(python(), network()) == nullptr)
        checker_.ask(python(), network());
    refresh();
    emit changed();
}

void EmbeddingChoice::refresh() {
    const bool on = !network().isEmpty();
    pythonRow_->setVisible(on);
    stateRow_->setVisible(on);
    const QString where = on ? whereText() : QString();
    where_->setText(where);
    where_->setVisible(!where.isEmpty());
    if (!on)
        return;
    const PythonChecker::Answer* answer = checker_.answer(python(), network());
    sign_->setVisible(python().isEmpty() || (answer != nullptr && !answer->ready));
    state_->setText(answer != nullptr && answer->ready ? tr("Ready: %1").arg(answer->found)
                    : answer != nullptr                ? answer->problem
                    : python().isEmpty()               ? problem()
                                         : tr("Checking whether it has the network\u2019s packages\u2026"));
}

QString EmbeddingChoice::whereText() const {
    QString beside;
    QString elsewhere;
    for (const QString& source : sources_) {
        const QFileInfo output(embeddingFile(source, network()));
        const QFileInfo info(QDir::cleanPath(QFileInfo(source).absoluteFilePath()));
        QString& place = output.path() == info.path() ? beside : elsewhere;
        if (place.isEmpty())
            place = output.filePath();
    }
    QStringList text;
    if (!beside.isEmpty())
        text << tr("Embeddings are written beside each set (%1) and used again.").arg(QFileInfo(beside).fileName());
    if (!elsewhere.isEmpty())
        text << tr("Where a set\u2019s folder cannot be written, they go to %1.")
                    .arg(QDir::toNativeSeparators(QFileInfo(elsewhere).path()));
    return text.join(QLatin1Char(' '));
}

} // namespace assay
