; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; What is large is written past the cache: the first round as before, the others
; in aligned vectors that begin with the end of the one before, and the last
; vector once more, behind the fence. The second time there is nothing left.
;
; RUN: opt -load-pass-plugin=%accx_plugin -passes=stream-stores -S %s -pass-remarks=stream-stores 2>&1 | FileCheck %s
; RUN: opt -load-pass-plugin=%accx_plugin -passes=stream-stores -S %s | opt -load-pass-plugin=%accx_plugin -passes=stream-stores -S -pass-remarks=stream-stores -o /dev/null 2>&1 | FileCheck %s --allow-empty --check-prefix=CHECK-TWICE

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

; CHECK-TWICE-NOT: remark

; CHECK-COUNT-3: remark: {{.*}}: 1 of the loop's arrays written past the cache
; CHECK: remark: {{.*}}: 2 of the loop's arrays written past the cache

; CHECK: @__accx_stream_bytes = weak_odr protected global i64 -1
; CHECK: @llvm.compiler.used = {{.*}}@__accx_stream_bytes

; Of 8 KiB at least, of as many threads as the team has. The arrays are asked
; whether they overlap.
; CHECK-LABEL: @scale(
; CHECK: [[TEAM:%.*]] = call i32 @__kmpc_bound_num_threads(
; CHECK: icmp ugt i64 {{%.*}}, 63
; CHECK: [[ALL:%.*]] = mul i64
; CHECK-NEXT: [[LIMIT:%.*]] = load i64, ptr @__accx_stream_bytes
; CHECK-NEXT: [[LARGE:%.*]] = icmp ugt i64 [[ALL]], [[LIMIT]]
; CHECK: icmp ule i64
; CHECK: icmp ule i64
; CHECK: [[MAY:%.*]] = or i1
; CHECK-NEXT: br i1 [[MAY]], label %[[FIRST:.*]], label
; The loop as it was.
; CHECK: store <16 x float> {{%.*}}, ptr {{%.*}}, align 4
; CHECK: store <16 x float> {{%.*}}, ptr {{%.*}}, align 4
; CHECK: !accx.stream
; CHECK: [[FIRST]]:
; CHECK: [[V0:%.*]] = fmul <16 x float>
; CHECK: [[V1:%.*]] = fmul <16 x float>
; CHECK: store <16 x float> [[V0]], ptr [[C:%.*]], align 4
; CHECK: store <16 x float> [[V1]], ptr {{%.*}}, align 4
; CHECK: [[PLACE:%.*]] = ptrtoint ptr [[C]] to i64
; CHECK: [[OFF:%.*]] = and i64 [[PLACE]], 63
; CHECK: [[BACK:%.*]] = sub i64 0, [[OFF]]
; CHECK: [[ENTER:%.*]] = call <64 x i8> @llvm.x86.avx512.permvar.qi.512(
; CHECK: [[BEFORE:%.*]] = phi <64 x i8> [ [[ENTER]], %[[FIRST]] ], [ [[R1:%.*]], %
; CHECK: [[W0:%.*]] = fmul <16 x float>
; CHECK: [[W1:%.*]] = fmul <16 x float>
; CHECK-NOT: store <16 x float>
; CHECK: [[TO:%.*]] = getelementptr i8, ptr {{%.*}}, i64 [[BACK]]
; CHECK: [[R0:%.*]] = call <64 x i8> @llvm.x86.avx512.permvar.qi.512(
; CHECK-NEXT: xor <64 x i8> [[R0]], [[BEFORE]]
; CHECK: store <64 x i8> {{%.*}}, ptr {{%.*}}, align 64, !nontemporal
; CHECK: [[R1]] = call <64 x i8> @llvm.x86.avx512.permvar.qi.512(
; CHECK-NEXT: xor <64 x i8> [[R1]], [[R0]]
; CHECK: store <64 x i8> {{%.*}}, ptr {{%.*}}, align 64, !nontemporal
; CHECK: call void @llvm.x86.sse.sfence()
; CHECK-NEXT: store <16 x float> [[W1]], ptr {{%.*}}, align 4
define void @scale(ptr %id, ptr %c, ptr %a, i64 %n) #0 {
entry:
  %team = call i32 @__kmpc_bound_num_threads(ptr %id)
  %end = and i64 %n, -32
  %any = icmp ne i64 %end, 0
  br i1 %any, label %loop, label %done
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %a0 = getelementptr float, ptr %a, i64 %i
  %a1 = getelementptr i8, ptr %a0, i64 64
  %x0 = load <16 x float>, ptr %a0, align 4
  %x1 = load <16 x float>, ptr %a1, align 4
  %y0 = fmul <16 x float> %x0, %x0
  %y1 = fmul <16 x float> %x1, %x1
  %c0 = getelementptr float, ptr %c, i64 %i
  %c1 = getelementptr i8, ptr %c0, i64 64
  store <16 x float> %y0, ptr %c0, align 4
  store <16 x float> %y1, ptr %c1, align 4
  %next = add i64 %i, 32
  %is = icmp eq i64 %next, %end
  br i1 %is, label %done, label %loop
done:
  ret void
}

; A sum goes on, and what is computed of the number of the round.
; CHECK-LABEL: @values(
; CHECK: br i1 true, label %[[FIRST:.*]], label
; CHECK: [[FIRST]]:
; CHECK: [[S1:%.*]] = add <8 x i32>
; CHECK: [[N1:%.*]] = add <8 x i32> {{.*}}, <i32 8, i32 8,
; CHECK: phi <8 x i32> [ [[S1]], %[[FIRST]] ], [ [[S:%.*]], %[[STREAM:.*]] ]
; CHECK: phi <8 x i32> [ [[N1]], %[[FIRST]] ]
; CHECK: [[S]] = add <8 x i32>
; CHECK: call void @llvm.x86.sse.sfence()
; CHECK: phi <8 x i32> {{.*}}[ [[S]], %
define <8 x i32> @values(ptr noalias %c, ptr noalias %a, i64 %n) #1 {
entry:
  %end = and i64 %n, -8
  %any = icmp ne i64 %end, 0
  br i1 %any, label %loop, label %done
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %s = phi <8 x i32> [ zeroinitializer, %entry ], [ %more, %loop ]
  %v = phi <8 x i32> [ <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>, %entry ], [ %v.next, %loop ]
  %a0 = getelementptr i32, ptr %a, i64 %i
  %x0 = load <8 x i32>, ptr %a0, align 4
  %y0 = xor <8 x i32> %x0, %v
  %more = add <8 x i32> %s, %x0
  %v.next = add <8 x i32> %v, <i32 8, i32 8, i32 8, i32 8, i32 8, i32 8, i32 8, i32 8>
  %c0 = getelementptr i32, ptr %c, i64 %i
  store <8 x i32> %y0, ptr %c0, align 4
  %next = add i64 %i, 8
  %is = icmp eq i64 %next, %end
  br i1 %is, label %done, label %loop
done:
  %sum = phi <8 x i32> [ zeroinitializer, %entry ], [ %more, %loop ]
  ret <8 x i32> %sum
}

; Without a way to rotate vectors addresses must be aligned.
; CHECK-LABEL: @aligned(
; CHECK: [[OFF:%.*]] = and i64 {{%.*}}, 15
; CHECK-NEXT: [[IS:%.*]] = icmp eq i64 [[OFF]], 0
; CHECK: br i1 [[IS]]
; CHECK: store <4 x i32> {{%.*}}, ptr {{%.*}}, align 16, !nontemporal
; CHECK: call void @llvm.x86.sse.sfence()
; CHECK-NEXT: br label
define void @aligned(ptr noalias %c, ptr noalias %a, i64 %n) {
entry:
  %end = and i64 %n, -4
  %any = icmp ne i64 %end, 0
  br i1 %any, label %loop, label %done
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %a0 = getelementptr i32, ptr %a, i64 %i
  %x0 = load <4 x i32>, ptr %a0, align 4
  %c0 = getelementptr i32, ptr %c, i64 %i
  store <4 x i32> %x0, ptr %c0, align 4
  %next = add i64 %i, 4
  %is = icmp eq i64 %next, %end
  br i1 %is, label %done, label %loop
done:
  ret void
}

; Each of two arrays is as far off as it is; they must not overlap either.
; CHECK-LABEL: @two(
; CHECK: icmp ule
; CHECK: icmp ule
; CHECK-NOT: icmp ule
; CHECK: and i64 {{%.*}}, 31
; CHECK: and i64 {{%.*}}, 31
; CHECK: store <8 x i32> {{%.*}}, ptr {{%.*}}, align 32, !nontemporal
; CHECK: store <8 x i32> {{%.*}}, ptr {{%.*}}, align 32, !nontemporal
define void @two(ptr %c, ptr %d, ptr noalias %a, i64 %n) #1 {
entry:
  %end = and i64 %n, -4
  %any = icmp ne i64 %end, 0
  br i1 %any, label %loop, label %done
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %a0 = getelementptr double, ptr %a, i64 %i
  %x0 = load <4 x double>, ptr %a0, align 8
  %y0 = fadd <4 x double> %x0, %x0
  %c0 = getelementptr double, ptr %c, i64 %i
  store <4 x double> %x0, ptr %c0, align 8
  %d0 = getelementptr double, ptr %d, i64 %i
  store <4 x double> %y0, ptr %d0, align 8
  %next = add i64 %i, 4
  %is = icmp eq i64 %next, %end
  br i1 %is, label %done, label %loop
done:
  ret void
}

declare i32 @__kmpc_bound_num_threads(ptr)
attributes #0 = { "target-features"="+avx512f,+avx512vl,+avx512bw,+avx512vbmi,+evex512" }
attributes #1 = { "target-features"="+avx2" }
!llvm.module.flags = !{!0}
!0 = !{i32 7, !"openmp-device", i32 51}
