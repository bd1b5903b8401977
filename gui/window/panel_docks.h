#pragma once

#include "gui/window/panel_catalog.h"

#include <QJsonObject>
#include <QObject>

#include <functional>
#include <vector>

class QAction;
class QDockWidget;
class QMainWindow;
class QWidget;

namespace assay {

class AuditSession;
class Commands;
class Review;

/// The panels of the catalogue as dock widgets of a window, and their layout.
class PanelDocks : public QObject {
    Q_OBJECT

public:
    /// Makes every panel and connects it to the session; all are hidden at first.
    PanelDocks(QMainWindow* window, const std::vector<PanelRow>& rows, AuditSession* session, Commands* commands,
               Review* review);

    /// Shows the panels in `layout` (as from saveLayout()), or at `places` when that is empty or unreadable.
    void show(const QByteArray& layout, const PanelPlaces& places = {});
    void hide();
    bool isShown() const noexcept { return shown_; }

    /// Brings a panel to the front, by its id. @param state to show, if any (Panel::saveState())
    void showPanel(const QString& id, const QJsonObject& state = {});
    /// Gives a panel the keyboard, where it is in sight.
    void focusPanel(const QString& id);
    /// Null where there is no such panel.
    Panel* panel(const QString& id) const;
    /// Panel::saveState() of every panel, by its id, and back.
    QJsonObject saveStates() const;
    void restoreStates(const QJsonObject& states);

    /// Whether a widget is part of a panel behind another tab or closed, where it should not have the keyboard.
    bool isBehindTab(const QWidget* part) const;

    /// Id of the panel that a widget is part of; empty for none.
    QString panelOf(const QWidget* part) const;

    QByteArray saveLayout() const;
    /// Arranges the panels of `places` and closes the others; where it is empty, all panels as in the catalogue.
    void resetLayout(const PanelPlaces& places = {});

    /// Show or hide one panel each, in the order of the catalogue. One that is behind another tab comes to the front
    /// instead; one that is shown takes the keyboard.
    std::vector<QAction*> toggleActions() const;

    bool eventFilter(QObject* watched, QEvent* event) override;

signals:
    /// A person may have arranged the panels otherwise.
    void layoutChanged();
    /// A person may have chosen something in a panel.
    void choicesChanged();
    /// The right mouse button on a panel.
    void menuRequested(assay::Panel* view, const QPoint& globalPoint);

private:
    struct Entry {
        PanelPlace home; ///< of the catalogue
        QDockWidget* dock;
        QAction* toggle;
        Panel* panel;
        std::function<QString(const ViewState&)> unavailableReason;
        bool openAtHome = true;
        PanelPlace place{}; ///< in the layout that was arranged last
        bool open = true;   ///< in that layout
    };
    // A layout: columns of rows of slots, each with its tabs.
    using Tabs = std::vector<const Entry*>;
    using Column = std::vector<std::vector<Tabs>>;

    void add(const PanelRow& row, AuditSession* session);
    void choosePlaces(const PanelPlaces& places);
    void placeColumn(const Column& rows) const;
    void resize(const std::vector<Column>& columns) const;
    std::vector<Column> columns() const;
    /// Gives panels the height that they want, once all scores are in after the default layout was shown.
    void fitOnce(const ViewState& state);
    void setToggles(bool enabled);
    /// Greys the tabs of panels that have nothing to say about the audit.
    void markTabs(const ViewState& state) const;
    /// Null for none.
    const Entry* find(const std::function<bool(const Entry&)>& is) const;
    const Entry* find(const QString& id) const;
    static void reveal(const Entry& entry);
    void takeOverToggle(const Entry& entry);
    void placeUnknown(const QStringList& known);
    /// Gives the keyboard to the panel that has come to the front, where the covered one had it.
    void passKeyboard(QDockWidget* from);

    QMainWindow* window_;
    PanelHost* host_;
    std::vector<Entry> entries_;
    bool shown_ = false;
    bool fitsOnce_ = false;
};

} // namespace assay
