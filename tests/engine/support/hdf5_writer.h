#pragma once

#ifdef ASSAY_HAVE_HDF5

#define H5_USE_110_API
#include <hdf5.h>

#include <string>
#include <vector>

// Makes HDF5 files by the C library, where the build has it.
namespace assay::test {

/// How a dataset is stored.
struct Storage {
    std::vector<hsize_t> chunk{};
    bool shuffle = false, gzip = false, checksum = false, compact = false;
};

/// A file in the making; closed with this object.
class H5Writer {
public:
    explicit H5Writer(const std::string& name, hsize_t userBlock = 0) {
        const hid_t creation = H5Pcreate(H5P_FILE_CREATE);
        H5Pset_userblock(creation, userBlock);
        file_ = H5Fcreate(name.c_str(), H5F_ACC_TRUNC, creation, H5P_DEFAULT);
        H5Pclose(creation);
    }
    ~H5Writer() { H5Fclose(file_); }
    H5Writer(const H5Writer&) = delete;
    H5Writer& operator=(const H5Writer&) = delete;

    hid_t id() const { return file_; }
    void group(const char* name) const { H5Gclose(H5Gcreate2(file_, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT)); }

    /// @param values in the machine's `inMemory` type; null to write none
    void dataset(const char* name, const std::vector<hsize_t>& shape, hid_t stored, hid_t inMemory, const void* values,
                 const Storage& storage = {}) const {
        const hid_t properties = H5Pcreate(H5P_DATASET_CREATE);
        if (!storage.chunk.empty())
            H5Pset_chunk(properties, static_cast<int>(storage.chunk.size()), storage.chunk.data());
        if (storage.compact)
            H5Pset_layout(properties, H5D_COMPACT);
        if (storage.shuffle)
            H5Pset_shuffle(properties);
        if (storage.gzip)
            H5Pset_deflate(properties, 6);
        if (storage.checksum)
            H5Pset_fletcher32(properties);
        const hid_t space = H5Screate_simple(static_cast<int>(shape.size()), shape.data(), nullptr);
        const hid_t made = H5Dcreate2(file_, name, stored, space, H5P_DEFAULT, properties, H5P_DEFAULT);
        if (values != nullptr)
            H5Dwrite(made, inMemory, H5S_ALL, H5S_ALL, H5P_DEFAULT, values);
        H5Dclose(made);
        H5Sclose(space);
        H5Pclose(properties);
    }
    void floats(const char* name, const std::vector<hsize_t>& shape, const std::vector<float>& values,
                const Storage& storage = {}) const {
        dataset(name, shape, H5T_IEEE_F32LE, H5T_NATIVE_FLOAT, values.data(), storage);
    }

private:
    hid_t file_;
};

} // namespace assay::test

#endif
