; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; What cannot be widened: a remark with the reason, and a variant all the same,
; which calls the function for each lane. Calls do not know of it.
; RUN: %tools/split-file %s %t
; RUN: opt -load-pass-plugin=%accx_plugin -passes="simd-function,verify" -pass-remarks-missed=simd-function -S %t/irreducible.ll 2>&1 | FileCheck %s --check-prefixes=CHECK,IRREDUCIBLE
; RUN: opt -load-pass-plugin=%accx_plugin -passes="simd-function,verify" -pass-remarks-missed=simd-function -S %t/endless.ll 2>&1 | FileCheck %s --check-prefixes=CHECK,ENDLESS
; RUN: opt -load-pass-plugin=%accx_plugin -passes="simd-function,verify" -pass-remarks-missed=simd-function -S %t/exceptions.ll 2>&1 | FileCheck %s --check-prefixes=CHECK,EXCEPTIONS
; RUN: opt -load-pass-plugin=%accx_plugin -passes="simd-function,verify" -pass-remarks-missed=simd-function -S %t/assembly.ll 2>&1 | FileCheck %s --check-prefixes=CHECK,ASSEMBLY
; RUN: opt -load-pass-plugin=%accx_plugin -passes="simd-function,verify" -pass-remarks-missed=simd-function -S %t/array.ll 2>&1 | FileCheck %s --check-prefixes=CHECK,ARRAY
; RUN: opt -load-pass-plugin=%accx_plugin -passes="simd-function,verify" -pass-remarks-missed=simd-function -S %t/wide.ll 2>&1 | FileCheck %s --check-prefixes=CHECK,WIDE
; RUN: opt -load-pass-plugin=%accx_plugin -passes="simd-function,verify" -pass-remarks-missed=simd-function -S %t/fence.ll 2>&1 | FileCheck %s --check-prefixes=CHECK,FENCE
; RUN: opt -load-pass-plugin=%accx_plugin -passes="simd-function,verify" -pass-remarks-missed=simd-function -S %t/twice.ll 2>&1 | FileCheck %s --check-prefixes=CHECK,TWICE
; RUN: opt -load-pass-plugin=%accx_plugin -passes="simd-function,verify" -pass-remarks-missed=simd-function -S %t/aggregate.ll 2>&1 | FileCheck %s --check-prefixes=CHECK,AGGREGATE
; RUN: opt -load-pass-plugin=%accx_plugin -passes="simd-function,verify" -pass-remarks-missed=simd-function -S %t/never.ll 2>&1 | FileCheck %s --check-prefixes=CHECK,NEVER
;
; IRREDUCIBLE: remark: {{.*}}_ZGVbN4v_f calls the function for each lane: its control flow is irreducible
; ENDLESS: remark: {{.*}}_ZGVbN4v_f calls the function for each lane: it has a loop without an end
; EXCEPTIONS: remark: {{.*}}_ZGVbN4v_f calls the function for each lane: it catches exceptions
; ASSEMBLY: remark: {{.*}}_ZGVbN4v_f calls the function for each lane: it has inline assembly
; ARRAY: remark: {{.*}}_ZGVbN4v_f calls the function for each lane: it has an array of variable length
; WIDE: remark: {{.*}}_ZGVbN4v_f calls the function for each lane: a type that varies between lanes has no vectors
; FENCE: remark: {{.*}}_ZGVbN4v_f calls the function for each lane: it has a fence
; TWICE: remark: {{.*}}_ZGVbN4v_f calls the function for each lane: it calls a function that returns twice
; AGGREGATE: remark: {{.*}}_ZGVbN4v_f calls the function for each lane: {{a type that varies between lanes has no vectors|it computes with aggregates}}
; NEVER: remark: {{.*}}_ZGVbN4v_f calls the function for each lane: it {{has a loop without an end|does not return}}
; CHECK-NOT: vector-function-abi-variant
; CHECK: define <4 x i32> @_ZGVbN4v_f(<4 x i32> %{{.*}})
; CHECK: call i32 @f(i32
; CHECK: call i32 @f(i32
; CHECK: call i32 @f(i32
; CHECK: call i32 @f(i32
; CHECK: ret <4 x i32>
; CHECK-NOT: vector-function-abi-variant

;--- irreducible.ll
target triple = "x86_64-unknown-linux-gnu"
define i32 @f(i32 %x) #0 {
entry:
  %c = icmp sgt i32 %x, 0
  br i1 %c, label %a, label %b
a:
  %i = phi i32 [ 0, %entry ], [ %k, %b ]
  %j = add i32 %i, 1
  br label %b
b:
  %k = phi i32 [ 5, %entry ], [ %j, %a ]
  %d = icmp slt i32 %k, %x
  br i1 %d, label %a, label %exit
exit:
  ret i32 %k
}
attributes #0 = { nounwind "_ZGVbN4v_f" }

;--- endless.ll
target triple = "x86_64-unknown-linux-gnu"
define i32 @f(i32 %x) #0 {
entry:
  %c = icmp sgt i32 %x, 0
  br i1 %c, label %loop, label %exit
loop:
  call void @g()
  br label %loop
exit:
  ret i32 0
}
declare void @g()
attributes #0 = { nounwind "_ZGVbN4v_f" }

;--- exceptions.ll
target triple = "x86_64-unknown-linux-gnu"
define i32 @f(i32 %x) #0 personality ptr @p {
entry:
  invoke void @g() to label %exit unwind label %caught
exit:
  ret i32 %x
caught:
  %l = landingpad { ptr, i32 } catch ptr null
  ret i32 0
}
declare void @g()
declare i32 @p(...)
attributes #0 = { "_ZGVbN4v_f" }

;--- assembly.ll
target triple = "x86_64-unknown-linux-gnu"
define i32 @f(i32 %x) #0 {
  %a = call i32 asm "nop", "=r,0"(i32 %x)
  ret i32 %a
}
attributes #0 = { nounwind "_ZGVbN4v_f" }

;--- array.ll
target triple = "x86_64-unknown-linux-gnu"
define i32 @f(i32 %x) #0 {
  %a = alloca i32, i32 %x
  store i32 1, ptr %a
  call void @g(ptr %a)
  %l = load i32, ptr %a
  ret i32 %l
}
declare void @g(ptr)
attributes #0 = { nounwind "_ZGVbN4v_f" }

;--- wide.ll
target triple = "x86_64-unknown-linux-gnu"
define i32 @f(i32 %x) #0 {
  %a = sext i32 %x to i128
  %m = mul i128 %a, %a
  %s = lshr i128 %m, 40
  %t = trunc i128 %s to i32
  ret i32 %t
}
attributes #0 = { nounwind "_ZGVbN4v_f" }

;--- fence.ll
target triple = "x86_64-unknown-linux-gnu"
define i32 @f(i32 %x) #0 {
  fence seq_cst
  ret i32 %x
}
attributes #0 = { nounwind "_ZGVbN4v_f" }

;--- twice.ll
target triple = "x86_64-unknown-linux-gnu"
define i32 @f(i32 %x) #0 {
  %a = call i32 @setjmp(ptr null) #1
  ret i32 %a
}
declare i32 @setjmp(ptr)
attributes #0 = { nounwind "_ZGVbN4v_f" }
attributes #1 = { returns_twice }

;--- aggregate.ll
target triple = "x86_64-unknown-linux-gnu"
define i32 @f(i32 %x) #0 {
  %o = call { i32, i1 } @llvm.sadd.with.overflow.i32(i32 %x, i32 3)
  %v = extractvalue { i32, i1 } %o, 0
  ret i32 %v
}
declare { i32, i1 } @llvm.sadd.with.overflow.i32(i32, i32)
attributes #0 = { nounwind "_ZGVbN4v_f" }

;--- never.ll
target triple = "x86_64-unknown-linux-gnu"
define i32 @f(i32 %x) #0 {
entry:
  br label %loop
loop:
  call void @g()
  br label %loop
}
declare void @g()
attributes #0 = { nounwind "_ZGVbN4v_f" }

