#pragma once

#include <QtTest>

/// Ends a file of Qt tests. All files of a room are one program, which takes the file's name as its first argument and
/// Qt Test's own arguments after it: `engine_tests npy_test readsFortranOrder`.
/// @param fileName without its ending
#define ASSAY_TEST(fileName, TestObject)                                                                               \
    int fileName(int argc, char* argv[]) {                                                                             \
        QTEST_MAIN_SETUP()                                                                                             \
        TestObject test;                                                                                               \
        QTEST_SET_MAIN_SOURCE_PATH                                                                                     \
        return QTest::qExec(&test, argc, argv);                                                                        \
    }
