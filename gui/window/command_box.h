#pragma once

#include "engine/data/sample_set.h"

#include <QLineEdit>
#include <QPointer>

#include <functional>
#include <vector>

class QStandardItemModel;

namespace assay {

class AuditSession;
class EmbeddingSet;

/// Finds by a few letters every command of the menus, every model, every panel (which is shown), and samples of the
/// current model and the real set by id or, after a #, by row. Enter runs the first or chosen one; Escape leaves.
class CommandBox : public QLineEdit {
    Q_OBJECT

public:
    /// @param window whose menus are searched; outlives the box
    CommandBox(QWidget* window, AuditSession* session);

    /// Goes to the box.
    void open();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    struct Command {
        QString text;
        std::function<void()> run;
        QString searchWords{}; ///< found by, but not shown
    };

    void collect();
    void collectSamples(const QString& text);
    void collectSamplesOf(const EmbeddingSet& set, SetId id, const QString& text);
    void offer(const QString& text);
    void run(int command);
    void leave();

    QWidget* window_;
    AuditSession* session_;
    std::vector<Command> commands_; ///< that can be run now
    QStandardItemModel* offers_;    ///< those that fit, with their place in commands_
    QPointer<QWidget> before_;      ///< widget that had the keyboard focus
};

} // namespace assay
