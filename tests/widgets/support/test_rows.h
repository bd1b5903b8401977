#pragma once

#include <QtTest>

#include <initializer_list>

/// Columns and rows of data-driven tests that many tests have.
namespace assay::test {

/// addColumns<QString, bool>("name", "isOpen").
template <typename... Types, typename... Names>
void addColumns(Names... names) {
    static_assert(sizeof...(Types) == sizeof...(Names));
    (QTest::addColumn<Types>(names), ...);
}

/// One column of texts, each of which names its row.
inline void addTexts(const char* column, std::initializer_list<const char*> texts) {
    QTest::addColumn<QString>(column);
    for (const char* text : texts)
        QTest::newRow(text) << QString::fromUtf8(text);
}

/// One column that is false in the first row and true in the second.
inline void addChoice(const char* column, const char* no, const char* yes) {
    QTest::addColumn<bool>(column);
    QTest::newRow(no) << false;
    QTest::newRow(yes) << true;
}

} // namespace assay::test
