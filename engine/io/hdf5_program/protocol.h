#pragma once

// How the program assay-hdf5 is called and replies. It gets the file as its standard input and writes to its standard
// output; after a failure, what is wrong to its standard error.
namespace assay::hdf5 {

inline constexpr const char* kProgram = "assay-hdf5";

/// Request, the first argument. The second is a key (a path without its leading slash), the third the memory in bytes
/// that the program may use (0: any amount), the fourth the id of the process that it ends with.
inline constexpr const char* kList = "list"; ///< key: also look for this one, through soft links; replies in CBOR
inline constexpr const char* kValues =
    "values"; ///< a zero once all are known to exist, and the elements in C order as the file stores them
inline constexpr const char* kTexts = "texts"; ///< a zero, and for each element its length (32 bits) and its bytes

/// Exit codes; 0 for success.
inline constexpr int kRefused = 2;  ///< what was expected and what was found, with '\0' between them
inline constexpr int kNoMemory = 3; ///< the bytes that a band needs, where they are known

/// Address space of the program itself, and of what it reads but for bands of values.
inline constexpr unsigned long kBaseMemory = 512UL << 20;

} // namespace assay::hdf5
