#include "gui/window/command_box.h"

#include "gui/desktop/icons.h"
#include "gui/desktop/menu_actions.h"
#include "gui/session/audit_session.h"
#include "widgets/link/sample_selection.h"

#include "engine/data/brief_text.h"
#include "engine/data/embedding_set.h"

#include <QAbstractItemView>
#include <QAction>
#include <QApplication>
#include <QCompleter>
#include <QKeyEvent>
#include <QStandardItemModel>

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>

namespace assay {
namespace {

constexpr std::size_t kMaxSamples = 20; // of a list that people read
constexpr int kCommandRole = Qt::UserRole;

/// Whether every word of the text is part of the command.
bool fits(const QString& command, const QString& text) {
    return std::ranges::all_of(text.split(QLatin1Char(' '), Qt::SkipEmptyParts),
                               [&](const QString& word) { return command.contains(word, Qt::CaseInsensitive); });
}

/// Whether a set's ids contain a text, upper or lower case: compared as UTF-8, because a million QStrings per key typed
/// would take longer than the person types.
class IdSearch {
public:
    explicit IdSearch(const QString& text) {
        for (const char32_t letter : text.toStdU32String()) {
            const QString one = QString::fromUcs4(&letter, 1);
            letters_.push_back({one.toLower().toStdString(), one.toUpper().toStdString()});
        }
        for (const std::string& form : {letters_.front().first, letters_.front().second})
            begins_[static_cast<unsigned char>(form.front())] = true;
    }

    bool isIn(std::string_view id) const {
        for (std::size_t at = 0; at < id.size(); ++at)
            if (begins_[static_cast<unsigned char>(id[at])] && startsAt(id.substr(at)))
                return true;
        return false;
    }

private:
    bool startsAt(std::string_view rest) const {
        for (const auto& [lower, upper] : letters_) {
            const std::string& found = rest.starts_with(lower) ? lower : upper;
            if (!rest.starts_with(found))
                return false;
            rest.remove_prefix(found.size());
        }
        return true;
    }

    std::vector<std::pair<std::string, std::string>> letters_; ///< lower and upper case
    std::array<bool, 256> begins_{};                           ///< bytes that a match begins with
};

/// Names of files are those of models, and a few letters must not put another audit in this one's place.
bool opensAnAudit(const QAction& action) {
    return std::ranges::any_of(action.associatedObjects(), [](const QObject* object) {
        return object->objectName() == QLatin1String("menuRecent");
    });
}

QString withShortcut(const QAction& action) {
    const QString keys = action.shortcut().toString(QKeySequence::NativeText);
    return keys.isEmpty() ? placeOf(action) : QStringLiteral("%1   %2").arg(placeOf(action), keys);
}

} // namespace

CommandBox::CommandBox(QWidget* window, AuditSession* session)
    : window_(window), session_(session), offers_(new QStandardItemModel(this)) {
    setObjectName(QStringLiteral("commandBox"));
    setPlaceholderText(tr("Find a command or sample (Ctrl+K)"));
    setToolTip(
        tr("Commands, models, panels, and samples of the model and real ones by id, or by row after a # (Ctrl+K)"));
    setAccessibleName(tr("Find a command or sample"));
    setClearButtonEnabled(true);
    setMinimumWidth(250);
    setMaximumWidth(340);
    auto* completer = new QCompleter(offers_, this);
    completer->setCompletionMode(QCompleter::UnfilteredPopupCompletion); // filtered here, word by word
    completer->setMaxVisibleItems(14);
    setCompleter(completer);
    setFocusPolicy(Qt::ClickFocus); // it would be the first of the window to have the keyboard
    connect(this, &QLineEdit::textEdited, this, &CommandBox::offer);
    connect(completer->popup(), &QAbstractItemView::pressed, this, [this](const QModelIndex& at) {
        // Later: the completer writes the chosen text into the box before that.
        QMetaObject::invokeMethod(
            this, [this, command = at.data(kCommandRole).toInt()] { run(command); }, Qt::QueuedConnection);
    });
    completer->popup()->installEventFilter(this);
    installEventFilter(this); // Escape is for the box, not for the window
    connect(qApp, &QApplication::focusChanged, this, [this](QWidget* old, QWidget* now) {
        if (now == this && old != nullptr)
            before_ = old;
    });
}

void CommandBox::open() {
    setFocus(Qt::ShortcutFocusReason);
    selectAll();
}

void CommandBox::collect() {
    commands_.clear();
    const ViewState& state = session_->state();
    for (std::size_t model = 0; state.audit && model < state.audit->models.size(); ++model)
        commands_.push_back({tr("Model: %1").arg(QString::fromStdString(state.audit->models[model]->name)),
                             [this, model] { session_->editor()->setModel(model); }});
    for (QAction* action : actionsInMenuOrder(window_))
        if (action->isEnabled() && action->isVisible() && !action->isSeparator() && !action->text().isEmpty() &&
            !opensAnAudit(*action))
            commands_.push_back(
                {withShortcut(*action), [action] { whenFound(*action)->trigger(); }, searchWordsOf(*action)});
}

void CommandBox::collectSamples(const QString& text) {
    const ViewState& state = session_->state();
    if (!state.hasModel() || text.size() < 2)
        return;
    collectSamplesOf(*state.current().set, state.currentSet(), text);
    collectSamplesOf(*state.audit->real->set, SetId::Real, text);
}

void CommandBox::collectSamplesOf(const EmbeddingSet& set, SetId id, const QString& text) {
    const auto add = [&](std::size_t row) {
        const QString name = QString::fromStdString(briefText(set.idText(row)));
        const SampleId sample{id, static_cast<std::uint32_t>(row)};
        commands_.push_back({id == SetId::Real ? tr("Real sample: %1").arg(name) : tr("Sample: %1").arg(name),
                             [this, sample] { session_->selection()->select(sample); }});
    };
    if (text.startsWith(QLatin1Char('#'))) {
        bool isNumber = false;
        const qulonglong row = text.mid(1).toULongLong(&isNumber);
        if (isNumber && row < set.rows())
            add(row);
        return;
    }
    if (!set.hasIds() && std::ranges::any_of(text, [](QChar letter) { return letter < u'0' || letter > u'9'; }))
        return; // rows go by their numbers
    const IdSearch search(text);
    std::size_t found = 0;
    for (std::size_t row = 0; row < set.rows() && found < kMaxSamples; ++row) {
        if (!(set.hasIds() ? search.isIn(set.ids()[row]) : search.isIn(set.idText(row))))
            continue;
        add(row);
        ++found;
    }
}

void CommandBox::offer(const QString& text) {
    const QString wanted = text.trimmed();
    offers_->clear();
    collect();
    if (!wanted.startsWith(QLatin1Char('#')))
        std::erase_if(commands_, [&](const Command& command) {
            return !fits(command.text + QLatin1Char(' ') + command.searchWords, wanted);
        });
    else
        commands_.clear();
    collectSamples(wanted);
    for (std::size_t i = 0; i < commands_.size() && !wanted.isEmpty(); ++i) {
        auto* item = new QStandardItem(commands_[i].text);
        item->setData(static_cast<int>(i), kCommandRole);
        offers_->appendRow(item);
    }
    if (offers_->rowCount() == 0 && !wanted.isEmpty()) {
        auto* nothing = new QStandardItem(tr("No matches"));
        nothing->setFlags(Qt::NoItemFlags);
        nothing->setData(-1, kCommandRole);
        offers_->appendRow(nothing);
    }
    if (offers_->rowCount() > 0)
        completer()->complete();
    else
        completer()->popup()->hide();
}

void CommandBox::run(int command) {
    if (command < 0 || static_cast<std::size_t>(command) >= commands_.size())
        return;
    const std::function<void()> wanted = commands_[static_cast<std::size_t>(command)].run;
    leave();
    wanted();
}

void CommandBox::leave() {
    completer()->popup()->hide();
    clear();
    offers_->clear();
    commands_.clear();
    QWidget* back = before_ && before_->isVisible() ? before_.data() : window_;
    before_.clear();
    back->setFocus(Qt::OtherFocusReason);
}

bool CommandBox::eventFilter(QObject* watched, QEvent* event) {
    const bool escape = (event->type() == QEvent::KeyPress || event->type() == QEvent::ShortcutOverride) &&
                        static_cast<QKeyEvent*>(event)->key() == Qt::Key_Escape;
    if (!escape)
        return QLineEdit::eventFilter(watched, event);
    event->accept();
    if (event->type() == QEvent::KeyPress)
        leave();
    return true;
}

void CommandBox::keyPressEvent(QKeyEvent* event) {
    const bool enter = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
    if (enter && offers_->rowCount() > 0) {
        const QAbstractItemView* popup = completer()->popup();
        const QModelIndex chosen = popup->isVisible() ? popup->currentIndex() : QModelIndex();
        run((chosen.isValid() ? chosen : offers_->index(0, 0)).data(kCommandRole).toInt());
        return;
    }
    QLineEdit::keyPressEvent(event);
}

} // namespace assay
