/*===- openacc.h - OpenACC runtime routines -------------------------------===*\
|*
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|* Chapter 3 of the OpenACC 3.3 specification, for C and C++. The routines are
|* in libomptarget.so of accx; any compiler that links it can use this header.
|* Numbers of types and properties are those of GCC where it has them.
|*
|* Conventions, unless a routine says otherwise:
|*  - Sizes are in bytes. `h_void` is memory of the host, `d_void` an address of
|*    the current device, which the host must not dereference.
|*  - The current device belongs to the calling thread. Where it is the host,
|*    or shares its memory, data is present everywhere and nothing is copied.
|*  - Null pointers and zero bytes make a data routine do nothing.
|*  - Every routine may be called by several threads at once.
|*  - A failure that the routine cannot return ends the program with a message.
|*  - `..._async` returns before the work is done; host memory of a transfer
|*    must stay valid and unchanged until the queue was waited for. What
|*    `async_arg` may be: see acc_async_t.
|*
|* docs/openacc-runtime.md says what is left open by the standard.
|*
\*===----------------------------------------------------------------------===*/

#ifndef ACCX_OPENACC_H
#define ACCX_OPENACC_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#if __cplusplus >= 201103L
#define ACCX_NOTHROW noexcept
#else
#define ACCX_NOTHROW throw()
#endif
#else
#define ACCX_NOTHROW
#endif

typedef void h_void;
typedef void d_void;

/** 3.1: kinds of devices. */
typedef enum acc_device_t {
  /** The type of the current device; only to ask with. */
  acc_device_current = -1,
  acc_device_none = 0,
  /** What ACC_DEVICE_TYPE names, else the type of the first device. */
  acc_device_default = 1,
  /** The program's own processor and memory. */
  acc_device_host = 2,
  /** Any device but the host. */
  acc_device_not_host = 4,
  acc_device_nvidia = 5,
  acc_device_radeon = 8,
  /** The processor as an offload device with its own memory (accx's host
      plugin); no other compiler has it. */
  acc_device_multicore = 32,
  accx_device_highest_ = 0x7fffffff
} acc_device_t;

/** 3.1: values of async_arg and wait_arg that are no queue's number. A queue's
    number is 0 or more. */
typedef enum acc_async_t {
  /** The thread's default queue, as an async clause without argument. */
  acc_async_noval = -1,
  /** No queue: the work is done when the routine returns. */
  acc_async_sync = -2,
  /** The queue that is default at the start of the program. */
  acc_async_default = -3
} acc_async_t;

/** 3.2.6 */
typedef enum acc_device_property_t {
  acc_property_none = 0,
  /** Integers. */
  acc_property_memory = 1,
  acc_property_free_memory = 2,
  acc_property_shared_memory_support = 3,
  /** Strings. */
  acc_property_name = 0x10001,
  acc_property_vendor = 0x10002,
  acc_property_driver = 0x10003
} acc_device_property_t;

/*===-- Devices: 3.2.1 to 3.2.8 -------------------------------------------===*/

/** Devices are numbered from 0 within their type. */
int acc_get_num_devices(acc_device_t dev_type) ACCX_NOTHROW;
/** The current device becomes one of this type; stays if it is one. */
void acc_set_device_type(acc_device_t dev_type) ACCX_NOTHROW;
acc_device_t acc_get_device_type(void) ACCX_NOTHROW;
/** A negative number means the default one. */
void acc_set_device_num(int dev_num, acc_device_t dev_type) ACCX_NOTHROW;
/** 0 if the current device is of another type. */
int acc_get_device_num(acc_device_t dev_type) ACCX_NOTHROW;
/** 0, or null for a string, where the property or the device is unknown. */
size_t acc_get_property(int dev_num, acc_device_t dev_type,
                        acc_device_property_t property) ACCX_NOTHROW;
const char *
acc_get_property_string(int dev_num, acc_device_t dev_type,
                        acc_device_property_t property) ACCX_NOTHROW;
void acc_init(acc_device_t dev_type) ACCX_NOTHROW;
void acc_init_device(int dev_num, acc_device_t dev_type) ACCX_NOTHROW;
/** Waits for the queues of these devices and ends the dynamic lifetime of all
    data on them. They may be used again. */
void acc_shutdown(acc_device_t dev_type) ACCX_NOTHROW;
void acc_shutdown_device(int dev_num, acc_device_t dev_type) ACCX_NOTHROW;
/** 3.2.16. Also in device code, where the answer is a constant. */
int acc_on_device(acc_device_t dev_type) ACCX_NOTHROW;

/*===-- Queues: 3.2.9 to 3.2.15 -------------------------------------------===*/

/** Whether everything on the queue is done. */
int acc_async_test(int wait_arg) ACCX_NOTHROW;
int acc_async_test_device(int wait_arg, int dev_num) ACCX_NOTHROW;
int acc_async_test_all(void) ACCX_NOTHROW;
int acc_async_test_all_device(int dev_num) ACCX_NOTHROW;
void acc_wait(int wait_arg) ACCX_NOTHROW;
void acc_wait_device(int wait_arg, int dev_num) ACCX_NOTHROW;
/** Later work of queue async_arg starts after what is on queue wait_arg now.
    Returns at once. */
void acc_wait_async(int wait_arg, int async_arg) ACCX_NOTHROW;
void acc_wait_device_async(int wait_arg, int async_arg,
                           int dev_num) ACCX_NOTHROW;
void acc_wait_all(void) ACCX_NOTHROW;
void acc_wait_all_device(int dev_num) ACCX_NOTHROW;
void acc_wait_all_async(int async_arg) ACCX_NOTHROW;
void acc_wait_all_device_async(int async_arg, int dev_num) ACCX_NOTHROW;
/** Waits until one of `count` queues is done and returns its index. Queues
    acc_async_sync are passed over; -1 if there is no other. */
int acc_wait_any(int count, int wait_arg[]) ACCX_NOTHROW;
int acc_wait_any_device(int count, int wait_arg[], int dev_num) ACCX_NOTHROW;
/** The queue that acc_async_noval stands for in this thread. */
int acc_get_default_async(void) ACCX_NOTHROW;
void acc_set_default_async(int async_arg) ACCX_NOTHROW;

/*===-- Memory: 3.2.17, 3.2.18 --------------------------------------------===*/

/** Memory of the current device; null if there is none left. */
d_void *acc_malloc(size_t bytes) ACCX_NOTHROW;
void acc_free(d_void *data_dev) ACCX_NOTHROW;

/*===-- Data: 3.2.19 to 3.2.26 --------------------------------------------===*/

/** Dynamic lifetimes, as enter data and exit data. The result is the device
    address of `data_arg`. */
d_void *acc_copyin(const h_void *data_arg, size_t bytes) ACCX_NOTHROW;
d_void *acc_create(const h_void *data_arg, size_t bytes) ACCX_NOTHROW;
void acc_copyin_async(const h_void *data_arg, size_t bytes,
                      int async_arg) ACCX_NOTHROW;
void acc_create_async(const h_void *data_arg, size_t bytes,
                      int async_arg) ACCX_NOTHROW;
/** Data that is not present is left alone. `finalize` ends all dynamic
    lifetimes at once. */
void acc_copyout(h_void *data_arg, size_t bytes) ACCX_NOTHROW;
void acc_copyout_async(h_void *data_arg, size_t bytes,
                       int async_arg) ACCX_NOTHROW;
void acc_copyout_finalize(h_void *data_arg, size_t bytes) ACCX_NOTHROW;
void acc_copyout_finalize_async(h_void *data_arg, size_t bytes,
                                int async_arg) ACCX_NOTHROW;
void acc_delete(const h_void *data_arg, size_t bytes) ACCX_NOTHROW;
void acc_delete_async(const h_void *data_arg, size_t bytes,
                      int async_arg) ACCX_NOTHROW;
void acc_delete_finalize(const h_void *data_arg, size_t bytes) ACCX_NOTHROW;
void acc_delete_finalize_async(const h_void *data_arg, size_t bytes,
                               int async_arg) ACCX_NOTHROW;
/** The data has to be present. */
void acc_update_device(const h_void *data_arg, size_t bytes) ACCX_NOTHROW;
void acc_update_device_async(const h_void *data_arg, size_t bytes,
                             int async_arg) ACCX_NOTHROW;
void acc_update_self(h_void *data_arg, size_t bytes) ACCX_NOTHROW;
void acc_update_self_async(h_void *data_arg, size_t bytes,
                           int async_arg) ACCX_NOTHROW;
/** Makes `data_dev` the device's copy of `data_arg`, of which nothing may be
    present. */
void acc_map_data(h_void *data_arg, d_void *data_dev,
                  size_t bytes) ACCX_NOTHROW;
void acc_unmap_data(h_void *data_arg) ACCX_NOTHROW;
/** Null if the byte is not present. */
d_void *acc_deviceptr(const h_void *data_arg) ACCX_NOTHROW;
h_void *acc_hostptr(const d_void *data_dev) ACCX_NOTHROW;
/** Whether all bytes are present; with 0 bytes, whether the address is. */
int acc_is_present(const h_void *data_arg, size_t bytes) ACCX_NOTHROW;

/** Points the device's copy of the pointer at `ptr_addr` to the device's copy
    of what it points to. Both have to be present, else nothing happens. */
void acc_attach(h_void **ptr_addr) ACCX_NOTHROW;
void acc_attach_async(h_void **ptr_addr, int async_arg) ACCX_NOTHROW;
void acc_detach(h_void **ptr_addr) ACCX_NOTHROW;
void acc_detach_async(h_void **ptr_addr, int async_arg) ACCX_NOTHROW;
void acc_detach_finalize(h_void **ptr_addr) ACCX_NOTHROW;
void acc_detach_finalize_async(h_void **ptr_addr, int async_arg) ACCX_NOTHROW;

/*===-- Copies by address: 3.2.27 to 3.2.31 -------------------------------===*/

void acc_memcpy_to_device(d_void *data_dev_dest, const h_void *data_host_src,
                          size_t bytes) ACCX_NOTHROW;
void acc_memcpy_to_device_async(d_void *data_dev_dest,
                                const h_void *data_host_src, size_t bytes,
                                int async_arg) ACCX_NOTHROW;
void acc_memcpy_from_device(h_void *data_host_dest, const d_void *data_dev_src,
                            size_t bytes) ACCX_NOTHROW;
void acc_memcpy_from_device_async(h_void *data_host_dest,
                                  const d_void *data_dev_src, size_t bytes,
                                  int async_arg) ACCX_NOTHROW;
/** Within the current device. */
void acc_memcpy_device(d_void *data_dev_dest, const d_void *data_dev_src,
                       size_t bytes) ACCX_NOTHROW;
void acc_memcpy_device_async(d_void *data_dev_dest, const d_void *data_dev_src,
                             size_t bytes, int async_arg) ACCX_NOTHROW;
/** Between the copies that two devices of the current type have of host data;
    both have to be present. The host's memory is not touched. */
void acc_memcpy_d2d(h_void *data_arg_dest, const h_void *data_arg_src,
                    size_t bytes, int dev_num_dest,
                    int dev_num_src) ACCX_NOTHROW;
void acc_memcpy_d2d_async(h_void *data_arg_dest, const h_void *data_arg_src,
                          size_t bytes, int dev_num_dest, int dev_num_src,
                          int async_arg_src) ACCX_NOTHROW;

/** accx's own, as `update peer`: the same between any devices of the current
    type, queued behind what their default queues have and ahead of what follows
    there. The caller goes on; `wait device(n)` waits. */
void acc_update_peer(h_void *dst, int to_device, const h_void *src,
                     int from_device, size_t size) ACCX_NOTHROW;

/*===-- CUDA: A.2.1 -------------------------------------------------------===*/

/** Where the current device's CUdevice is kept, and its CUcontext; null if it
    is no CUDA device. */
void *acc_get_current_cuda_device(void) ACCX_NOTHROW;
void *acc_get_current_cuda_context(void) ACCX_NOTHROW;
/** The CUstream of a queue of the current device, to queue one's own work on,
    in order with the program's constructs. Null for acc_async_sync, and if it
    is no CUDA device. */
void *acc_get_cuda_stream(int async_arg) ACCX_NOTHROW;
/** Makes `stream`, of the current context, that of the queue; it has to live
    until the program ends. Later work on the queue follows earlier work. 1 if
    it did; 0 for acc_async_sync, a null stream, and no CUDA device. */
int acc_set_cuda_stream(int async_arg, void *stream) ACCX_NOTHROW;

/*===-- Looking for mistakes: known from NVIDIA's compilers ---------------===*/

/** Prints what is present on the current device, or on all, to stderr: a line
    an entry, with counts of structured and dynamic lifetimes. */
void acc_present_dump(void) ACCX_NOTHROW;
void acc_present_dump_all(void) ACCX_NOTHROW;
/** Says on stderr where the current device's copy differs from the host's
    bytes, all of which have to be present. */
void acc_compare(const h_void *data_arg, size_t bytes) ACCX_NOTHROW;
/** The same for everything on the current device. */
void acc_compare_all(void) ACCX_NOTHROW;
/** Memory of the current device, what is free of it, and the bytes that data
    lifetimes hold there now. */
size_t acc_get_memory(void) ACCX_NOTHROW;
size_t acc_get_free_memory(void) ACCX_NOTHROW;
size_t acc_bytesalloc(void) ACCX_NOTHROW;
/** Gives memory that the runtime keeps for reuse back to the device. */
void acc_clear_freelists(void) ACCX_NOTHROW;

/*===-- Unified memory: OpenARC ------------------------------------------===*/

/** Memory at one address for host and devices, present without copies until
    acc_delete_unified(). Without such memory: the argument, or host memory if
    that is null. */
h_void *acc_create_unified(h_void *data_arg, size_t bytes) ACCX_NOTHROW;
/** The same with a copy of the bytes at `data_arg`; host memory without such
    memory. */
h_void *acc_copyin_unified(h_void *data_arg, size_t bytes) ACCX_NOTHROW;
/** The argument where it is such memory; else as the routines above. */
h_void *acc_pcreate_unified(h_void *data_arg, size_t bytes) ACCX_NOTHROW;
h_void *acc_pcopyin_unified(h_void *data_arg, size_t bytes) ACCX_NOTHROW;
/** Frees memory of these routines, or malloc's. */
void acc_delete_unified(h_void *data_arg, size_t bytes) ACCX_NOTHROW;

/*===-- Older names -------------------------------------------------------===*/

d_void *acc_pcopyin(const h_void *data_arg, size_t bytes) ACCX_NOTHROW;
d_void *acc_present_or_copyin(const h_void *data_arg,
                              size_t bytes) ACCX_NOTHROW;
d_void *acc_pcreate(const h_void *data_arg, size_t bytes) ACCX_NOTHROW;
d_void *acc_present_or_create(const h_void *data_arg,
                              size_t bytes) ACCX_NOTHROW;
void acc_update_host(h_void *data_arg, size_t bytes) ACCX_NOTHROW;
void acc_update_host_async(h_void *data_arg, size_t bytes,
                           int async_arg) ACCX_NOTHROW;
void acc_async_wait(int wait_arg) ACCX_NOTHROW;
void acc_async_wait_async(int wait_arg, int async_arg) ACCX_NOTHROW;
void acc_async_wait_all(void) ACCX_NOTHROW;
void acc_async_wait_all_async(int async_arg) ACCX_NOTHROW;

/* Device code cannot ask the runtime, and need not: the compilation for a
   device takes this one, that for the host the library's. */
#if defined(_OPENMP) && defined(__clang__)
#pragma omp begin declare variant match(device = {kind(nohost)})
static __inline__ int acc_on_device(acc_device_t dev_type) ACCX_NOTHROW {
#if defined(__NVPTX__)
  const acc_device_t here = acc_device_nvidia;
#elif defined(__AMDGCN__)
  const acc_device_t here = acc_device_radeon;
#else
  const acc_device_t here = acc_device_multicore;
#endif
  return dev_type == here || dev_type == acc_device_not_host ||
         dev_type == acc_device_default || dev_type == acc_device_current;
}
#pragma omp end declare variant
#endif

#ifdef __cplusplus
} /* extern "C" */

/* Pointers to any type, without a cast. */
template <typename T> inline void acc_attach(T **ptr_addr) ACCX_NOTHROW {
  acc_attach(reinterpret_cast<h_void **>(ptr_addr));
}
template <typename T>
inline void acc_attach_async(T **ptr_addr, int async_arg) ACCX_NOTHROW {
  acc_attach_async(reinterpret_cast<h_void **>(ptr_addr), async_arg);
}
template <typename T> inline void acc_detach(T **ptr_addr) ACCX_NOTHROW {
  acc_detach(reinterpret_cast<h_void **>(ptr_addr));
}
template <typename T>
inline void acc_detach_async(T **ptr_addr, int async_arg) ACCX_NOTHROW {
  acc_detach_async(reinterpret_cast<h_void **>(ptr_addr), async_arg);
}
template <typename T>
inline void acc_detach_finalize(T **ptr_addr) ACCX_NOTHROW {
  acc_detach_finalize(reinterpret_cast<h_void **>(ptr_addr));
}
template <typename T>
inline void acc_detach_finalize_async(T **ptr_addr,
                                      int async_arg) ACCX_NOTHROW {
  acc_detach_finalize_async(reinterpret_cast<h_void **>(ptr_addr), async_arg);
}
#endif

#undef ACCX_NOTHROW

#endif /* ACCX_OPENACC_H */
