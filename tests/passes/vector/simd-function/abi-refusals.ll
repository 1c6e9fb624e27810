; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Functions for which the vector ABI, or this pass, has no variants: a remark,
; no definition.
; RUN: opt -load-pass-plugin=%accx_plugin -passes="simd-function,verify" -pass-remarks-missed=simd-function -S %s 2>&1 | FileCheck %s
;
; CHECK-DAG: _ZGVbN4v_wide not made: a parameter or the result is of a type without vectors
; CHECK-DAG: _ZGVbN3v_three not made: its number of lanes is not a power of two
; CHECK-DAG: _ZGVbN4v_structure not made: its name does not fit the function
; CHECK-DAG: _ZGVbN4v_other not made: its name does not fit the function
; CHECK-NOT: define <{{.*}}@_ZGV

target triple = "x86_64-unknown-linux-gnu"

define x86_fp80 @wide(x86_fp80 %x) #0 { ret x86_fp80 %x }
define i32 @three(i32 %x) #1 { ret i32 %x }
define i32 @structure(i32 %x, i32 %y) #2 { ret i32 %x }
define i32 @f(i32 %x) #3 { ret i32 %x }

attributes #0 = { nounwind "_ZGVbN4v_wide" }
attributes #1 = { nounwind "_ZGVbN3v_three" }
attributes #2 = { nounwind "_ZGVbN4v_structure" }
attributes #3 = { nounwind "_ZGVbN4v_other" }
