/*===- accx/devices.h - What directives for several devices become --------===*\
|*
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|* What compilers call for `deviceid`, `update peer` and `spread`
|* (docs/many-devices.md). Programs use the directives, acc_update_peer of
|* openacc.h, and accx/spread.h.
|*
\*===----------------------------------------------------------------------===*/

#ifndef ACCX_DEVICES_H
#define ACCX_DEVICES_H

#ifdef __cplusplus
extern "C" {
#endif

/** Makes device `number` of the current type the calling thread's until the
    matching end. A number that no device has ends the program. `source` is a
    construct's place as Clang records it, ";file;name;line;column;;". Returns
    the device's number among those of all types, for resume. */
int __accx_device_begin(long number, const char *source);
void __accx_device_resume(int id);
void __accx_device_end(void);

/** `number`, if there is such a device of the current type; ends the program
    otherwise, in the words of the clause that `source` names. */
int __accx_device_of(long number, const char *source);

/** Copies a section of device `to_device`'s copy of host data from another one
    of device `from_device`'s, behind what is queued on both devices' default
    queues and ahead of what follows; the caller goes on. A shape has the count
    and the distance in bytes of each dimension's parts, outermost first; the
    two have as many bytes. Data that are not present end the program with the
    names, which are a variable's place as Clang records it. */
void __accx_update_peer(void *to, int to_device, unsigned to_dims,
                        const unsigned long *to_shape, const char *to_name,
                        const void *from, int from_device, unsigned from_dims,
                        const unsigned long *from_shape, const char *from_name,
                        const char *source);

/** Of flags and schedules: device numbers count among those of the current
    device's type. */
enum { ACCX_DEVICES_OF_TYPE = 2 };

/** Bits of __accx_spread_enter's flags. */
enum {
  /** A copy on each device instead of parts. */
  ACCX_SPREAD_REPLICATE = 1
};

/** Spreads `bytes` bytes at `data` over the `num_devices` devices that
    `devices` numbers as omp_get_num_devices counts them; -1: over all that are
    of the default device's kind. Each has one part, or, with `block_bytes`
    other than 0, blocks of so many bytes in turns. The copies are there when
   the call returns. The same range once more is counted. `name` and `source`
   are records as above. What cannot be done ends the program with both. */
void __accx_spread_enter(const void *data, unsigned long bytes,
                         const int *devices, int num_devices,
                         unsigned long block_bytes, unsigned flags,
                         const char *name, const char *source);
/** Ends the last such call for the same range: waits for what is queued on the
    devices and copies back, a replicated array excepted. */
void __accx_spread_exit(const void *data, unsigned long bytes, const char *name,
                        const char *source);

/** Bits of a schedule. */
enum {
  /** Even blocks; else iterations run where what they write lies. */
  ACCX_DISTRIBUTE_BLOCK = 1
};
/** Begins a loop of `iterations` that devices share; the thread's next target
    region is its body, with the first and the last iteration among its
    arguments (docs/internals/distribute.md). `num_devices` -1: all of
    them. No iterations: the region runs on one of them. Returns how many slots
    a reduction variable needs. */
int __accx_distribute_begin(const int *devices, int num_devices,
                            unsigned schedule, long iterations,
                            const char *source);
/** So many copies of a reduction variable, one behind the other, which the
    program sets to the operator's identity. They live until the thread's next
    end. */
void *__accx_distribute_slots(const void *variable, unsigned long bytes,
                              const char *name);
/** Ends it. Returns how many slots hold partial results, which the program
    combines in order with the variable; 0: the variable has the result. */
int __accx_distribute_end(void);

#ifdef __cplusplus
}
#endif

#endif /* ACCX_DEVICES_H */
