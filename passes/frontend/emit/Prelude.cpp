//===- Prelude.cpp - Declarations in front of every unit ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The calls that directives become, under names of our own so that they go
// with openacc.h and the like and without them, in every language standard. As
// a system header, which checkers leave alone.
//
//===----------------------------------------------------------------------===//

#include "frontend/emit/Emit.h"

using llvm::StringRef;

namespace accx::frontend {

static constexpr StringRef Prelude = R"(
# 1 "<accx>" 1 3
#ifdef __cplusplus
extern "C" {
#endif
long __accx_async_begin(long);
void __accx_async_end(void);
int __accx_device_begin(long, const char *);
int __accx_device_of(long, const char *);
void __accx_device_resume(int);
void __accx_device_end(void);
void __accx_update_peer(void *, int, unsigned, const unsigned long *,
                        const char *, const void *, int, unsigned,
                        const unsigned long *, const char *, const char *);
void __accx_spread_enter(const void *, unsigned long, const int *, int,
                         unsigned long, unsigned, const char *, const char *);
void __accx_spread_exit(const void *, unsigned long, const char *,
                        const char *);
int __accx_distribute_begin(const int *, int, unsigned, long, const char *);
void *__accx_distribute_slots(const void *, unsigned long, const char *);
int __accx_distribute_end(void);
int __accx_time_tiles(const void *const *, int, int, long, long);
#ifdef __cplusplus
}
template <class T, bool = __is_class(T)> struct __accx_value {
  static unsigned long one() { return (unsigned long)((T)64 + 1) - 64; }
};
template <class T> struct __accx_value<T, true> {
  static unsigned long one() { return 1; }
};
#endif
static __inline__ long __accx_trips(unsigned long Low, unsigned long High,
                                    unsigned long One, long Step, int Any,
                                    int Closed, int Way) {
  unsigned long By = (unsigned long)(Step < 0 ? -Step : Step) * One;
  if (!Any || !By || (Way && (Way < 0) != (Step < 0)))
    return 0;
  return (long)(((Step < 0 ? Low - High : High - Low) - (Closed ? 0 : 1)) / By) +
         1;
}
#ifdef __cplusplus
template <class L, class H, bool = __is_class(L)> struct __accx_distance {
  static long trips(const L &Low, const H &High, long Step, bool Any,
                    bool Closed, int Way) {
    return __accx_trips((unsigned long)(Any ? Low : High),
                        (unsigned long)(Any ? High : Low),
                        __accx_value<L>::one(), Step, Any, Closed, Way);
  }
};
template <class L, class H> struct __accx_distance<L, H, true> {
  static long trips(const L &Low, const H &High, long Step, bool Any,
                    bool Closed, int Way) {
    return __accx_trips(0, Any ? (unsigned long)(High - Low) : 0, 1, Step, Any,
                        Closed, Way);
  }
};
template <class L, class H>
static inline long __accx_trips(const L &Low, const H &High, long Step,
                                bool Any, int Closed, int Way) {
  return __accx_distance<L, H>::trips(Low, High, Step, Any, Closed, Way);
}
template <int Operator, class T, bool = __is_arithmetic(T)> struct __accx_slot {
  static void set(T &) {}
  static void add(T &, const T &) {}
};
#define __ACCX_SLOT(Operator, Set, Add)                                        \
  template <class T> struct __accx_slot<Operator, T, true> {                   \
    static void set(T &V) { Set; }                                             \
    static void add(T &V, const T &S) { Add; }                                 \
  }
__ACCX_SLOT(0, V = 0, V = V + S);
__ACCX_SLOT(1, V = 1, V = V * S);
__ACCX_SLOT(2, V = (T)~0, V = V & S);
__ACCX_SLOT(3, V = 0, V = V | S);
__ACCX_SLOT(4, V = 0, V = V ^ S);
__ACCX_SLOT(5, V = 1, V = V && S);
__ACCX_SLOT(6, V = 0, V = V || S);
__ACCX_SLOT(7, , if (S < V) V = S);
__ACCX_SLOT(8, , if (V < S) V = S);
#undef __ACCX_SLOT
extern "C" {
#endif
struct __accx_spread_scope {
  const void *Data;
  unsigned long Bytes;
  const char *Name, *Source;
};
static __inline__ struct __accx_spread_scope
__accx_spread_begin(const void *Data, unsigned long Bytes, const int *Devices,
                    int Count, unsigned long Block, unsigned Flags,
                    const char *Name, const char *Source) {
  struct __accx_spread_scope Scope;
  Scope.Data = Data;
  Scope.Bytes = Bytes;
  Scope.Name = Name;
  Scope.Source = Source;
  __accx_spread_enter(Data, Bytes, Devices, Count, Block, Flags, Name, Source);
  return Scope;
}
static __inline__ void
__accx_spread_end(const struct __accx_spread_scope *Scope) {
  __accx_spread_exit(Scope->Data, Scope->Bytes, Scope->Name, Scope->Source);
}
void __accx_acc_wait(int) __asm__("acc_wait");
void __accx_acc_wait_all(void) __asm__("acc_wait_all");
void __accx_acc_wait_async(int, int) __asm__("acc_wait_async");
void __accx_acc_wait_all_async(int) __asm__("acc_wait_all_async");
void __accx_acc_wait_device(int, int) __asm__("acc_wait_device");
void __accx_acc_wait_all_device(int) __asm__("acc_wait_all_device");
void __accx_acc_wait_device_async(int, int, int)
    __asm__("acc_wait_device_async");
void __accx_acc_wait_all_device_async(int, int)
    __asm__("acc_wait_all_device_async");
void __accx_acc_attach(void **) __asm__("acc_attach");
void __accx_acc_detach(void **) __asm__("acc_detach");
void __accx_acc_detach_finalize(void **) __asm__("acc_detach_finalize");
void __accx_acc_copyout_finalize_async(void *, unsigned long, int)
    __asm__("acc_copyout_finalize_async");
void __accx_acc_copyout_async(void *, unsigned long, int)
    __asm__("acc_copyout_async");
void __accx_acc_delete_async(void *, unsigned long, int)
    __asm__("acc_delete_async");
void __accx_create_zero(void *, unsigned long);
void __accx_beyond(long, long, long, const char *);
static __inline__ void __accx_within(long First, long Count, long Extent,
                                     const char *Where) {
  if (__builtin_expect(Count >= 0 && (First < 0 || Count > Extent - First), 0))
    __accx_beyond(First, Count, Extent, Where);
}
void __accx_data(int);
void __accx_update_present(void *, unsigned long, int, int);
void __accx_use_device(int);
int __accx_gangs(long);
int __accx_counted_gangs(long);
struct __accx_rows {
  void *Table;
  unsigned long Count, Skip, Bytes;
};
static __inline__ struct __accx_rows __accx_rows_of(void *Table,
                                                    unsigned long Count,
                                                    unsigned long Skip,
                                                    unsigned long Bytes) {
  struct __accx_rows Rows;
  Rows.Table = Table;
  Rows.Count = Count;
  Rows.Skip = Skip;
  Rows.Bytes = Bytes;
  return Rows;
}
void __accx_rows_enter(void *, unsigned long, unsigned long, unsigned long,
                       int);
void __accx_rows_exit(void *, unsigned long, unsigned long, unsigned long, int);
void __accx_rows_update(void *, unsigned long, unsigned long, unsigned long,
                        int);
int __accx_dprintf(int, const char *, ...) __asm__("dprintf");
static __inline__ void __accx_whole(long Outer, long First, long Count,
                                    long Extent, const char *Where) {
  if (__builtin_expect(Outer > 1 && (First != 0 || Count != Extent), 0)) {
    __accx_dprintf(2, "accx: %s: an inner dimension has %ld elements, and the "
                      "section %ld from element %ld on: only memory in one "
                      "piece will do here; write [0:%ld]\n",
                   Where, Extent, Count, First, Extent);
    __builtin_abort();
  }
}
static __inline__ void
__accx_smc_mention(const char *Where, const void *Base, long Type, long Element,
                   long Align, long Dims, long P0, long F0, long E0, long L0,
                   long H0, long P1, long F1, long E1, long L1, long H1,
                   long P2, long F2, long E2, long L2, long H2, long Blocks,
                   long B0, long B1, long B2) {}
static __inline__ void
__accx_smc_unavailable(const char *) __asm__("__accx_smc_unavailable")
    __attribute__((nothrow));
static __inline__ void __accx_smc_unavailable(const char *Where) {
  __accx_dprintf(2, "accx: %s: needs a device that runs the iterations of a "
                    "block together; this one does not\n",
                 Where);
  __builtin_abort();
}
static __attribute__((noinline)) void *
__accx_private_new(unsigned long Bytes, const char *Where) {
  void *Memory = __builtin_malloc(Bytes ? Bytes : 1);
  if (!Memory) {
    __builtin_printf("accx: %s: no memory for a private array of %lu bytes; "
                     "LIBOMPTARGET_HEAP_SIZE enlarges a GPU's heap\\n",
                     Where, Bytes);
    __builtin_trap();
  }
  return Memory;
}
static __inline__ void __accx_private_free(void *Where) {
  __builtin_free(*(void **)Where);
}
void __accx_acc_init(int) __asm__("acc_init");
void __accx_acc_init_device(int, int) __asm__("acc_init_device");
void __accx_acc_shutdown(int) __asm__("acc_shutdown");
void __accx_acc_shutdown_device(int, int) __asm__("acc_shutdown_device");
void __accx_acc_set_device_num(int, int) __asm__("acc_set_device_num");
void __accx_acc_set_device_type(int) __asm__("acc_set_device_type");
void __accx_acc_set_default_async(int) __asm__("acc_set_default_async");
)";

/// What files and messages become (frontend/plan/Operation.cpp). Types of the
/// program's headers, FILE among them, are none here.
static constexpr StringRef Operations = R"(
typedef struct accx_event_object *__accx_event_t;
struct __accx_section {
  void *Address;
  unsigned long Width, Height, Pitch;
};
int __accx_operation_read(int, void *, int, long, unsigned long, int,
                          const __accx_event_t *,
                          __accx_event_t *) __asm__("accx_read");
int __accx_operation_write(int, const void *, int, long, unsigned long, int,
                           const __accx_event_t *,
                           __accx_event_t *) __asm__("accx_write");
int __accx_operation_fread(int, void *, unsigned long, void *, int,
                           const __accx_event_t *,
                           __accx_event_t *) __asm__("accx_fread");
int __accx_operation_fwrite(int, const void *, unsigned long, void *, int,
                            const __accx_event_t *,
                            __accx_event_t *) __asm__("accx_fwrite");
int __accx_operation_readv(int, int, const struct __accx_section *, int, long,
                           int, const __accx_event_t *,
                           __accx_event_t *) __asm__("accx_readv");
int __accx_operation_writev(int, int, const struct __accx_section *, int, long,
                            int, const __accx_event_t *,
                            __accx_event_t *) __asm__("accx_writev");
int __accx_operation_queue(int, __accx_event_t *)
    __asm__("accx_event_of_queue");
int __accx_operation_release(__accx_event_t)
    __asm__("accx_event_release");
void __accx_operation_begin(const char *);
void __accx_operation_end(int, __accx_event_t, const char *);
static __inline__ __accx_event_t
__accx_operation_behind(int Queue, const char *Source) {
  __accx_event_t Event = 0;
  int Code = __accx_operation_queue(Queue, &Event);
  if (Code < 0)
    __accx_operation_end(Code, Event, Source);
  return Event;
}
#ifdef __cplusplus
}
static inline int
__accx_operation_read_any(int Queue, void *To, int File, long Offset,
                          unsigned long Size, int Count,
                          const __accx_event_t *Wait,
                          __accx_event_t *Event) {
  return __accx_operation_read(Queue, To, File, Offset, Size, Count, Wait,
                               Event);
}
static inline int
__accx_operation_read_any(int Queue, void *To, void *File, long,
                          unsigned long Size, int Count,
                          const __accx_event_t *Wait,
                          __accx_event_t *Event) {
  return __accx_operation_fread(Queue, To, Size, File, Count, Wait, Event);
}
static inline int
__accx_operation_write_any(int Queue, const void *From, int File, long Offset,
                           unsigned long Size, int Count,
                           const __accx_event_t *Wait,
                           __accx_event_t *Event) {
  return __accx_operation_write(Queue, From, File, Offset, Size, Count, Wait,
                                Event);
}
static inline int
__accx_operation_write_any(int Queue, const void *From, void *File, long,
                           unsigned long Size, int Count,
                           const __accx_event_t *Wait,
                           __accx_event_t *Event) {
  return __accx_operation_fwrite(Queue, From, Size, File, Count, Wait, Event);
}
extern "C" {
#endif
)";

/// Closes the prelude.
static constexpr StringRef End = R"(
#ifdef __cplusplus
}
#endif
# 1 "<built-in>" 2
)";

std::string preludeText() { return Prelude.str() + Operations.str(); }

StringRef preludeEnd() { return End; }

} // namespace accx::frontend
