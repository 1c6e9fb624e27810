/*===- acc_prof.h - OpenACC profiling interface ---------------------------===*\
|*
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|* Chapter 5 of the OpenACC 3.3 specification, for C and C++. A tool registers
|* callbacks for events; libomptarget.so of accx calls them. Numbers and layouts
|* are those of other compilers, so that a library built for one of them works.
|*
|* A tool enters in one of three ways, each a function acc_register_library():
|*  - in the program itself,
|*  - in a library that LD_PRELOAD names,
|*  - in the libraries that ACC_PROFLIB names, separated by `;` or `:`.
|* It is called before the first device is used.
|*
|* Conventions:
|*  - Callbacks run on the thread that met the construct or called the routine,
|*    and may run on several threads at once. The structures belong to the
|*    runtime and are valid during the call; a tool may change `tool_info` only.
|*  - Callbacks of a start event run in the order of registration, those of an
|*    end event in the reverse order.
|*  - What a callback does triggers no events. It may call any routine but those
|*    that queue work where the construct it is called for does.
|*  - Look at no field beyond the first `valid_bytes` of a structure.
|*
|* docs/profiling.md says when which event comes, and which fields are known.
|*
\*===----------------------------------------------------------------------===*/

#ifndef ACCX_ACC_PROF_H
#define ACCX_ACC_PROF_H

#include <openacc.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/** 5.1: events. The end of an event has the number after its start. */
typedef enum acc_event_t {
  /** No event; stands for all of them where callbacks are switched. */
  acc_ev_none = 0,
  acc_ev_device_init_start = 1,
  acc_ev_device_init_end = 2,
  acc_ev_device_shutdown_start = 3,
  acc_ev_device_shutdown_end = 4,
  acc_ev_runtime_shutdown = 5,
  acc_ev_create = 6,
  acc_ev_delete = 7,
  acc_ev_alloc = 8,
  acc_ev_free = 9,
  acc_ev_enter_data_start = 10,
  acc_ev_enter_data_end = 11,
  acc_ev_exit_data_start = 12,
  acc_ev_exit_data_end = 13,
  acc_ev_update_start = 14,
  acc_ev_update_end = 15,
  acc_ev_compute_construct_start = 16,
  acc_ev_compute_construct_end = 17,
  acc_ev_enqueue_launch_start = 18,
  acc_ev_enqueue_launch_end = 19,
  acc_ev_enqueue_upload_start = 20,
  acc_ev_enqueue_upload_end = 21,
  acc_ev_enqueue_download_start = 22,
  acc_ev_enqueue_download_end = 23,
  acc_ev_wait_start = 24,
  acc_ev_wait_end = 25,
  /** Number of events. */
  acc_ev_last = 26
} acc_event_t;

/** 5.2.2: what an event belongs to. */
typedef enum acc_construct_t {
  acc_construct_parallel = 0,
  acc_construct_kernels = 1,
  acc_construct_loop = 2,
  acc_construct_data = 3,
  acc_construct_enter_data = 4,
  acc_construct_exit_data = 5,
  acc_construct_host_data = 6,
  acc_construct_atomic = 7,
  acc_construct_declare = 8,
  acc_construct_init = 9,
  acc_construct_shutdown = 10,
  acc_construct_set = 11,
  acc_construct_update = 12,
  acc_construct_routine = 13,
  acc_construct_wait = 14,
  acc_construct_runtime_api = 15,
  acc_construct_serial = 16
} acc_construct_t;

/** 5.2.3 */
typedef enum acc_device_api {
  /** The host. */
  acc_device_api_none = 0,
  acc_device_api_cuda = 1,
  acc_device_api_opencl = 2,
  acc_device_api_coi = 3,
  /** Devices of the host plugin. */
  acc_device_api_other = 4
} acc_device_api;

/* The specification's ssize_t and size_t: as wide as a pointer. */
typedef ptrdiff_t _acc_prof_ssize_t;
typedef size_t _acc_prof_size_t;
typedef int _acc_prof_int_t;

/* Bytes of a structure up to the end of a field. */
#define _ACC_PROF_VALID_BYTES_STRUCT(Struct, Field, FieldBytes)                \
  (offsetof(Struct, Field) + (FieldBytes))
#define _ACC_PROF_VALID_BYTES_BASICTYPE(Type) (sizeof(Type))

/** Value of acc_prof_info::version: year and month of the interface. */
#define _ACC_PROF_INFO_VERSION 201711

/** 5.2.1: where an event comes from. Strings may be null and lines -1: then
    they are unknown. */
typedef struct acc_prof_info {
  acc_event_t event_type;
  int valid_bytes;
  int version;
  acc_device_t device_type;
  /** Within its type. */
  int device_number;
  /** Small number of the calling thread. */
  int thread_id;
  /** The queue, or acc_async_sync. */
  _acc_prof_ssize_t async;
  _acc_prof_ssize_t async_queue;
  const char *src_file;
  const char *func_name;
  int line_no, end_line_no;
  int func_line_no, func_end_line_no;
} acc_prof_info;
#define _ACC_PROF_INFO_VALID_BYTES                                             \
  _ACC_PROF_VALID_BYTES_STRUCT(acc_prof_info, func_end_line_no, sizeof(int))

/* 5.2.2: the event itself. The first five fields are common to all; `implicit`
   is 1 where the program did not write what happens; `tool_info` is null at a
   start event, and at its end what the tool made it. */

/** create, delete, alloc, free, enqueue_upload and enqueue_download. */
typedef struct acc_data_event_info {
  acc_event_t event_type;
  int valid_bytes;
  acc_construct_t parent_construct;
  int implicit;
  void *tool_info;
  const char *var_name;
  _acc_prof_size_t bytes;
  const void *host_ptr;
  const void *device_ptr;
} acc_data_event_info;
#define _ACC_DATA_EVENT_INFO_VALID_BYTES                                       \
  _ACC_PROF_VALID_BYTES_STRUCT(acc_data_event_info, device_ptr, sizeof(void *))

/** enqueue_launch. */
typedef struct acc_launch_event_info {
  acc_event_t event_type;
  int valid_bytes;
  acc_construct_t parent_construct;
  int implicit;
  void *tool_info;
  const char *kernel_name;
  _acc_prof_size_t num_gangs, num_workers, vector_length;
} acc_launch_event_info;
#define _ACC_LAUNCH_EVENT_INFO_VALID_BYTES                                     \
  _ACC_PROF_VALID_BYTES_STRUCT(acc_launch_event_info, vector_length,           \
                               sizeof(_acc_prof_size_t))

/** All other events. */
typedef struct acc_other_event_info {
  acc_event_t event_type;
  int valid_bytes;
  acc_construct_t parent_construct;
  int implicit;
  void *tool_info;
} acc_other_event_info;
#define _ACC_OTHER_EVENT_INFO_VALID_BYTES                                      \
  _ACC_PROF_VALID_BYTES_STRUCT(acc_other_event_info, tool_info, sizeof(void *))

typedef union acc_event_info {
  acc_event_t event_type;
  acc_data_event_info data_event;
  acc_launch_event_info launch_event;
  acc_other_event_info other_event;
} acc_event_info;

/** 5.2.3: the device's own interface. CUDA: CUdevice, CUcontext, CUstream. */
typedef struct acc_api_info {
  acc_device_api device_api;
  int valid_bytes;
  acc_device_t device_type;
  /** Unknown: -1. */
  int vendor;
  const void *device_handle;
  const void *context_handle;
  const void *async_handle;
} acc_api_info;
#define _ACC_API_INFO_VALID_BYTES                                              \
  _ACC_PROF_VALID_BYTES_STRUCT(acc_api_info, async_handle, sizeof(void *))

typedef void (*acc_prof_callback)(acc_prof_info *, acc_event_info *,
                                  acc_api_info *);

/** 5.4: what a call of acc_prof_register() or acc_prof_unregister() is for. */
typedef enum acc_register_t {
  /** Adds the callback, or takes it away. Additions are counted. */
  acc_reg = 0,
  /** Switches the callback, all of the event where it is null, or all of all
      events where the event is acc_ev_none. */
  acc_toggle = 1,
  /** Switches all callbacks for the calling thread; the event is acc_ev_none
      and the callback null. */
  acc_toggle_per_thread = 2
} acc_register_t;

typedef void (*acc_prof_reg)(acc_event_t, acc_prof_callback, acc_register_t);
#ifdef __cplusplus
typedef void (*acc_query_fn)();
#else
typedef void (*acc_query_fn)(void);
#endif
typedef acc_query_fn (*acc_prof_lookup_func)(const char *);

/** Calls that make no sense change nothing. Thread-safe. */
void acc_prof_register(acc_event_t event, acc_prof_callback callback,
                       acc_register_t what);
void acc_prof_unregister(acc_event_t event, acc_prof_callback callback,
                         acc_register_t what);
/** Entry points beyond the specification; accx has none and returns null. */
acc_query_fn acc_prof_lookup(const char *name);

/** What a tool defines. The library's own does nothing. */
void acc_register_library(acc_prof_reg register_events,
                          acc_prof_reg unregister_events,
                          acc_prof_lookup_func lookup);

#ifdef __cplusplus
} /* extern "C" */
#endif

#endif /* ACCX_ACC_PROF_H */
