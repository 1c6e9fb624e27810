/*===- accx/plugin.h - C ABI between the runtime and device plugins -------===*\
|*
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|* A device plugin is a shared object named libaccx.rtl.<name>.so that exports
|* one function, accx_plugin_get(). The runtime finds plugins beside itself or
|* through LIBOMPTARGET_PLUGIN, asks for the table of functions below, and
|* talks to devices through it only.
|*
|* Conventions, unless a function says otherwise:
|*  - Sizes are in bytes. Device addresses are void pointers that the host must
|*    not dereference.
|*  - Every function returns accx_status. After a status other than ACCX_OK and
|*    ACCX_NOT_READY, last_error() on the same thread gives one line of text
|*    that says what failed and why, without a trailing newline.
|*  - Every function may be called by several threads at once; calls on one
|*    queue must not overlap in time.
|*  - Handles are owned by the caller from creation to destruction. No pointer
|*    argument is kept after the call returns, except host memory of a transfer
|*    queued on a queue, which must stay valid until the queue reached it.
|*  - Operations on one queue run in the order they were queued. A null queue
|*    means: complete before returning.
|*
\*===----------------------------------------------------------------------===*/

#ifndef ACCX_PLUGIN_H
#define ACCX_PLUGIN_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Version of this file. A plugin of another version is not loaded. */
#define ACCX_PLUGIN_ABI_VERSION 2u

/** Name of the one symbol a plugin exports; see accx_plugin_get_fn. */
#define ACCX_PLUGIN_ENTRY "accx_plugin_get"

typedef enum accx_status {
  ACCX_OK = 0,
  /** Asynchronous work is still running (queries only). */
  ACCX_NOT_READY = 1,
  /** Device memory, or memory the plugin needs, is exhausted. The runtime may
      release memory and try again. */
  ACCX_ERROR_OUT_OF_MEMORY = 2,
  /** An argument is out of range or a handle is not valid. */
  ACCX_ERROR_INVALID = 3,
  /** The device cannot do this; see accx_device_info::features. */
  ACCX_ERROR_UNSUPPORTED = 4,
  /** The image is truncated, corrupt, or for another device. */
  ACCX_ERROR_IMAGE = 5,
  /** The image has no symbol of that name. */
  ACCX_ERROR_NOT_FOUND = 6,
  /** A kernel trapped. Memory of the device may be lost. */
  ACCX_ERROR_KERNEL = 7,
  /** The device does not answer any more; every later call fails too. */
  ACCX_ERROR_DEVICE_LOST = 8,
  ACCX_ERROR_UNKNOWN = 9
} accx_status;

typedef struct accx_device_s *accx_device;
typedef struct accx_queue_s *accx_queue;
typedef struct accx_event_s *accx_event;
typedef struct accx_image_s *accx_image;
typedef struct accx_kernel_s *accx_kernel;

/** Bits of accx_device_info::features. */
enum {
  /** va_reserve, va_commit and va_decommit work: windows can mirror host
      addresses. */
  ACCX_FEATURE_VA = 1u << 0,
  /** Device code can use every host address, and it is as fast: nothing needs
      to be copied. */
  ACCX_FEATURE_UNIFIED = 1u << 1,
  /** Queued operations are complete when the call returns. */
  ACCX_FEATURE_SYNCHRONOUS = 1u << 2,
  /** Device code can use host addresses when the program requires
      unified_shared_memory. */
  ACCX_FEATURE_USM = 1u << 3,
  /** The host can use device addresses. */
  ACCX_FEATURE_HOST_REACHES = 1u << 4,
  /** The user bounds leagues (OMP_NUM_TEAMS, OMP_TEAMS_THREAD_LIMIT): who may
      choose leaves geometry to the plugin. */
  ACCX_FEATURE_BOUNDED_TEAMS = 1u << 5
};

/** What a device is. Filled by device_info(). */
typedef struct accx_device_info {
  char name[128];          /**< For people: product and, if useful, version. */
  char arch[32];           /**< E.g. "x86_64", "sm_90". */
  uint64_t features;       /**< ACCX_FEATURE_* */
  uint64_t memory_bytes;   /**< Memory that alloc and va_commit draw on. */
  uint64_t va_granularity; /**< Unit of va_commit; a power of two. */
  uint32_t compute_units;  /**< Cores or multiprocessors. */
  uint32_t max_threads_per_block;
  uint32_t warp_size;        /**< 1 on a CPU. */
  uint32_t max_shared_bytes; /**< Dynamic shared memory of one block. */
  uint64_t max_grid;         /**< Blocks of one launch. */
  /** Copies of one row of up to so many bytes to the device have read host
      memory when the call returns, after what earlier copies of their queue
      write there. See also accx_plugin::reads_at_once. */
  uint64_t staged_bytes;
  /** Unit of the parts of spread_alloc; a power of two. 0: none. */
  uint64_t spread_granularity;
} accx_device_info;

/** What memory from alloc() is for. */
typedef enum accx_memory_kind {
  ACCX_MEMORY_DEVICE = 0, /**< The device's own. */
  ACCX_MEMORY_HOST = 1,   /**< Host memory pinned for fast transfers. */
  ACCX_MEMORY_SHARED = 2  /**< Usable by both at one address. */
} accx_memory_kind;

typedef enum accx_direction {
  ACCX_TO_DEVICE = 0,
  ACCX_FROM_DEVICE = 1,
  ACCX_WITHIN_DEVICE = 2,
  /** From this device to the device `peer`, of the same plugin. */
  ACCX_TO_PEER = 3
} accx_direction;

/** A transfer of `height` rows of `width` bytes. Rows start `dst_pitch` and
    `src_pitch` bytes apart; both are ignored when height is 1. */
typedef struct accx_copy {
  accx_direction direction;
  void *dst;
  const void *src;
  size_t width;
  size_t height;
  size_t dst_pitch;
  size_t src_pitch;
  accx_device peer;
} accx_copy;

/** A kernel launch. Arguments are 8-byte slots in order. */
typedef struct accx_launch {
  void *const *args;
  uint32_t num_args;
  /** 1: args[0] is the kernel launch environment of LLVM's device runtime. The
      runtime passes all ones ("none"); a plugin whose kernels need one passes
      its own instead. */
  uint32_t has_environment;
  /** Blocks and threads in x, y, z. 0 in grid[0] or block[0]: the plugin
      chooses from trip_count and the two limits below. */
  uint32_t grid[3];
  uint32_t block[3];
  /** Dynamic shared memory of a block. */
  uint32_t shared_bytes;
  /** num_teams and thread_limit of the construct; 0 is unspecified. */
  uint32_t num_teams;
  uint32_t thread_limit;
  /** Iterations of the associated loops; 0 is unknown. */
  uint64_t trip_count;
  /** 1: block is exact and must not be changed. */
  uint32_t exact_block;
  /** The launch is one of so many that run at the same time, each on a device
      of its own; 0 or 1: it is not. */
  uint32_t num_parts;
  /** 1: nobody looks for the launch before something else is asked of the
     queue: the plugin may start it together with launches that follow. See
     queue_start, too. */
  uint32_t may_wait;
} accx_launch;

/** A range of memory from spread_alloc: `bytes`, a multiple of the devices'
    spread_granularity, which device number `owner` of the list holds. */
typedef struct accx_spread_part {
  uint64_t bytes;
  uint32_t owner;
  uint32_t reserved; /**< 0 */
} accx_spread_part;

/** Memory that other processes of the machine can map. */
typedef struct accx_exported {
  uint64_t id;    /**< Never given to other memory of the process. */
  uint64_t begin; /**< Its first address on the exporting device. */
  uint64_t bytes; /**< All of it. */
  /** A file descriptor that stands for it. The plugin's, for as long as the
      memory lives; who wants to keep it duplicates it. */
  int fd;
  uint32_t reserved; /**< 0 */
} accx_exported;

/** The table of a plugin. `size` is sizeof(accx_plugin) of the plugin's
    build; the table lives until the plugin is unloaded. A plugin whose table
    ends before queue_adopt is loaded too, and does without what follows. */
typedef struct accx_plugin {
  uint32_t version; /**< ACCX_PLUGIN_ABI_VERSION */
  uint32_t size;
  const char *name; /**< Short: "host", "cuda". */

  /** Starts the plugin and says how many devices there are (0 is no error).
      Called once, before everything but last_error(). */
  accx_status (*init)(uint32_t *num_devices);
  /** Ends it. All handles have been given back. */
  void (*fini)(void);
  /** Text for the last failure on this thread; never null. */
  const char *(*last_error)(void);

  /** Opens device `ordinal`, counted from 0. */
  accx_status (*device_open)(uint32_t ordinal, accx_device *device);
  void (*device_close)(accx_device device);
  accx_status (*device_info)(accx_device device, accx_device_info *info);
  /** Free and total memory now. */
  accx_status (*memory_info)(accx_device device, uint64_t *free_bytes,
                             uint64_t *total_bytes);

  /** Whether `size` bytes at `data` look like an image for this device:
      ACCX_OK, or ACCX_ERROR_IMAGE with the reason in last_error(). Reads no
      byte outside. */
  accx_status (*image_check)(accx_device device, const void *data, size_t size);
  /** Loads an image and runs its constructors. `data` may go away after. */
  accx_status (*image_load)(accx_device device, const void *data, size_t size,
                            accx_image *image);
  /** Runs the image's destructors and unloads it. No kernel of it runs. */
  accx_status (*image_unload)(accx_image image);
  /** Address (and size, where the image records one, else 0) of a global. */
  accx_status (*image_global)(accx_image image, const char *name,
                              void **address, size_t *size);
  accx_status (*image_kernel)(accx_image image, const char *name,
                              accx_kernel *kernel);

  /** Memory aligned to at least 256 bytes. size > 0. */
  accx_status (*alloc)(accx_device device, size_t size, accx_memory_kind kind,
                       void **address);
  accx_status (*free)(accx_device device, void *address, accx_memory_kind kind);
  /** Reserves addresses without memory. `hint` may be null. Size and address
      are multiples of va_granularity. */
  accx_status (*va_reserve)(accx_device device, size_t size, void *hint,
                            void **address);
  accx_status (*va_release)(accx_device device, void *address, size_t size);
  /** Gives memory to a part of a reservation that has none; its content is
      undefined. Address and size are multiples of va_granularity. */
  accx_status (*va_commit)(accx_device device, void *address, size_t size);
  /** Takes it back. Nothing queued uses it. */
  accx_status (*va_decommit)(accx_device device, void *address, size_t size);
  /** Pins host memory and gives the address at which the device sees it. */
  accx_status (*pin)(accx_device device, void *host, size_t size,
                     void **device_address);
  accx_status (*unpin)(accx_device device, void *host);

  accx_status (*queue_create)(accx_device device, accx_queue *queue);
  /** Waits for the queue first. */
  void (*queue_destroy)(accx_queue queue);
  /** Blocks until everything queued is done. An error of queued work is
      returned here, once. */
  accx_status (*queue_wait)(accx_queue queue);
  /** Like queue_wait, without blocking: ACCX_NOT_READY while work runs. */
  accx_status (*queue_query)(accx_queue queue);

  accx_status (*event_create)(accx_device device, accx_event *event);
  void (*event_destroy)(accx_event event);
  /** The event happens when everything queued so far is done. */
  accx_status (*event_record)(accx_event event, accx_queue queue);
  /** Later work of `queue` starts after the event happened. */
  accx_status (*event_wait)(accx_event event, accx_queue queue);
  /** Blocks the calling thread; an event never recorded has happened. */
  accx_status (*event_sync)(accx_event event);
  /** ACCX_NOT_READY until the event happens; ACCX_OK only if nothing before it
      failed. */
  accx_status (*event_query)(accx_event event);

  accx_status (*copy)(accx_device device, accx_queue queue,
                      const accx_copy *copy);
  /** Fills count * width bytes with a pattern of width 1, 2, 4 or 8 bytes. */
  accx_status (*fill)(accx_device device, accx_queue queue, void *address,
                      uint64_t pattern, uint32_t width, size_t count);
  accx_status (*launch)(accx_device device, accx_queue queue,
                        accx_kernel kernel, const accx_launch *launch);

  /** Handles of the native runtime for interop objects (CUdevice, CUcontext,
      CUstream); any pointer may come back null. `queue` may be null. */
  accx_status (*native_handles)(accx_device device, accx_queue queue,
                                void **native_device, void **native_context,
                                void **native_queue);
  /** Makes a queue of the device's native one (CUstream), which stays the
      caller's and lives longer; queue_destroy leaves it alone. May be null, or
      ACCX_ERROR_UNSUPPORTED. */
  accx_status (*queue_adopt)(accx_device device, void *native_queue,
                             accx_queue *queue);
  /** One range of `size` bytes that all `devices` use at the same address, made
      of the parts in order, which together are `size`. The address is a
     multiple of the largest spread_granularity of the devices.
     ACCX_ERROR_UNSUPPORTED: they do not reach each other's memory. Where the
     memory of one does not do last_error() says which. May be null, with
     spread_free. */
  accx_status (*spread_alloc)(const accx_device *devices, uint32_t num_devices,
                              const accx_spread_part *parts, uint32_t num_parts,
                              size_t size, void **address);
  /** Takes it back; `first` is the first of its devices. Nothing queued uses
      it. */
  accx_status (*spread_free)(accx_device first, void *address);

  /** Whether `size` > 0 bytes at `address` are memory of this device: ACCX_OK
     or ACCX_ERROR_NOT_FOUND. Needed unless ACCX_FEATURE_HOST_REACHES. May be
     null, with the three below. */
  accx_status (*memory_find)(accx_device device, const void *address,
                             size_t size);
  /** What of the device's memory lies at `address`, for other processes.
      ACCX_ERROR_UNSUPPORTED: it cannot be given away. */
  accx_status (*memory_export)(accx_device device, const void *address,
                               accx_exported *memory);
  /** Maps memory that another process exported with `memory->fd`, which stays
      the caller's; its begin is at *address. Queued work of the device may use
      it. ACCX_ERROR_UNSUPPORTED: the device does not reach it. */
  accx_status (*memory_import)(accx_device device, const accx_exported *memory,
                               void **address);
  /** Takes the mapping back. Nothing queued uses it. */
  accx_status (*memory_close)(accx_device device, void *address);

  /** How many kernels were started as parts of graphs since the last call; see
      accx_launch::may_wait. May be null. */
  uint64_t (*graph_kernels)(accx_device device);

  /** Starts launches of the queue that may wait and have been put off. A
      failure is that of one of them. Null: none ever is. */
  accx_status (*queue_start)(accx_queue queue);

  /** 1: the same is true of a copy of these `size` bytes, which are more than
      staged_bytes, while the memory stays what it is (pinned or not). 0: it may
      be read later. Null: 0 for all. */
  int (*reads_at_once)(accx_device device, const void *host, size_t size);

  /** Later work of each of the queues, which are of different devices, starts
      after everything that is on all of them. It may be put off like launches
      that may wait, until more is asked of one of the queues. No other call on
      one of them is under way. Null: events do the same. */
  accx_status (*queues_meet)(const accx_queue *queues, uint32_t num_queues);
  /** The failure of work that was started, if there is one by now. Unlike
      queue_query() it starts nothing. Not null if queues_meet is not. */
  accx_status (*queue_check)(accx_queue queue);
  /** copy() of ACCX_TO_PEER on a queue, which may wait like launches that may.
      Null: no copy does. */
  accx_status (*copy_later)(accx_device device, accx_queue queue,
                            const accx_copy *copy);
} accx_plugin;

/** Gives the plugin's table, or null when it does not speak `version`; it then
    has explained itself in *why (a string that lives on), if why is not null.
 */
typedef const accx_plugin *(*accx_plugin_get_fn)(uint32_t version,
                                                 const char **why);

#ifdef __cplusplus
}
#endif

#endif /* ACCX_PLUGIN_H */
