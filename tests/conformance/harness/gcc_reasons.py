# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""GCC's OpenACC tests that are not counted, and those that do not pass, with
what was found in each."""

NVIDIA_CODE = ("holds instructions of the device that the macro names: of "
               "NVIDIA's, of AMD's, or none that assemble")

INTERNAL = {
    "gomp-debug-env.c": "looks for a function of libgomp in its debug output",
    "routine-nohost-1.c": NVIDIA_CODE,
    "routine-nohost-2.c": NVIDIA_CODE,
    "nested-function-1.c": "functions inside of functions are GCC's C only",
    "nested-function-2.c": "functions inside of functions are GCC's C only",
    "firstprivate-mappings-1.c": "increments a vector, which is GCC's C only",
}

REPEATED = ("demands an error for a second acc_init, or for acc_shutdown of a "
            "device that is not in use; the standard has none for these, and "
            "OpenACC's own suite shuts down such devices")
FROM_DEVICE = ("initializes `firstprivate` from the device's copy, GCC's bug "
               "PR92036; it is from the local thread's variable")
UNORDERED = ("two queues copy and change one member in turns without a wait "
             "between them, whose order the standard leaves open")

ALLOCATED = ("demands that the bytes of an allocation are those of libgomp, "
             "which adds room for alignment")
NO_PLACE = ("demands that profiling events know no more than libgomp: no thread "
            "(thread_id is -1; the standard counts from 0), no file and line, "
            "and CUDA for every device but the host and Radeon")

REASONS = {
    **{f"pr92848-1-{test}.c": ALLOCATED for test in ("d-a", "d-p", "r-a", "r-p")},
    **{f"subset-subarray-mappings-1-{test}.c": ALLOCATED
       for test in ("d-a", "d-p", "r-a", "r-p")},
    "subset-subarray-mappings-2.c": "demands one allocation for all arrays of a "
                                    "construct, in reverse order, and libgomp's "
                                    "number of bytes",
    "acc_prof-init-1.c": NO_PLACE,
    "acc_prof-init-2.c": "demands that acc_get_device_type says "
                         "acc_device_none to a callback of the device's "
                         "initialization, before libgomp has chosen; the type "
                         "is known here",
    "acc_prof-kernels-1.c": NO_PLACE + ", and GCC's names of kernels",
    "acc_prof-parallel-1.c": NO_PLACE + ", and acc_device_default as type of "
                             "the device that is initialized",
    "acc_get_property-host.c": "demands libgomp's words for the host: vendor "
                               "GNU, name GOMP, driver 1.0, no memory",
    "data-firstprivate-1.c": FROM_DEVICE,
    "firstprivate-1.c": FROM_DEVICE,
    "lib-1.c": REPEATED,
    "lib-2.c": REPEATED,
    "lib-3.c": REPEATED,
    "lib-8.c": REPEATED,
    "lib-13.c": "acc_is_present of 0 bytes is to be false; since OpenACC 3.0 it "
                "tells whether the address is present",
    "deep-copy-10.c": UNORDERED,
    "structured-detach-underflow.c": "demands an error where there is nothing to "
                                     "detach; the standard: no action",
    "mdc-refcount-2.c": "acc_update_self of an attached pointer is to overwrite the "
                        "host's pointer by the device's address; here copies go "
                        "around attached pointers",
    "acc_map_data-device_already-3.c": "demands that memory of a global can stand "
                                       "for other data, too, and says itself that "
                                       "this ought to be refused, as it is here",
}
