target datalayout = "e-p:64:64:64-i1:8:8-i8:8:8-i16:16:16-i32:32:32-i64:64:64-f32:32:32-f64:64:64-v16:16:16-v24:32:32-v32:32:32-v48:64:64-v64:64:64-v96:128:128-v128:128:128-v192:256:256-v256:256:256-v512:512:512-v1024:1024:1024-n8:16:32"
target triple = "air64-apple-macosx14.0.0"

@table = internal unnamed_addr addrspace(2) constant [4 x i16] [i16 3, i16 -1, i16 7, i16 0], align 2
@shared = internal unnamed_addr addrspace(3) global [64 x i32] undef, align 4

declare void @air.wg.barrier(i32, i32)
declare i32 @air.simd_sum.u.i32(i32)
declare i32 @air.atomic.global.add.u.i32(i32 addrspace(1)*, i32, i32, i32, i1)
declare <4 x i32> @air.convert.s.v4i32.f.v4f32(<4 x float>)
declare i32 @air.max.s.i32(i32, i32)
declare i32 @llvm.umin.i32(i32, i32)
declare void @llvm.memset.p0i8.i64(i8*, i8, i64, i1)

define internal i32 @pick(i32 %k, i32 %x) {
  switch i32 %k, label %other [
    i32 0, label %zero
    i32 1, label %one
    i32 2, label %one
  ]
zero:
  ret i32 %x
one:
  %y = mul i32 %x, 3
  ret i32 %y
other:
  %s = sub i32 0, %x
  ret i32 %s
}

; a table, threadgroup memory, a helper, an array of a thread, vectors and an atomic
define void @gather(<4 x float> addrspace(1)* %in, i32 addrspace(1)* %out, i32 addrspace(1)* %total, i32 %id, i16 %lane) {
  %local = alloca [4 x i32], align 4
  %bytes = bitcast [4 x i32]* %local to i8*
  call void @llvm.memset.p0i8.i64(i8* align 4 %bytes, i8 0, i64 16, i1 false)
  %w = zext i32 %id to i64
  %vp = getelementptr inbounds <4 x float>, <4 x float> addrspace(1)* %in, i64 %w
  %v = load <4 x float>, <4 x float> addrspace(1)* %vp, align 16
  %scaled = fmul <4 x float> %v, <float 1.000000e+01, float 1.000000e+01, float 1.000000e+01, float 1.000000e+01>
  %n = call <4 x i32> @air.convert.s.v4i32.f.v4f32(<4 x float> %scaled)
  %sw = shufflevector <4 x i32> %n, <4 x i32> undef, <4 x i32> <i32 3, i32 2, i32 1, i32 0>
  %k = and i32 %id, 3
  %kw = zext i32 %k to i64
  %lp = getelementptr inbounds [4 x i32], [4 x i32]* %local, i64 0, i64 %kw
  %e = extractelement <4 x i32> %sw, i32 %k
  store i32 %e, i32* %lp, align 4
  %l0 = getelementptr inbounds [4 x i32], [4 x i32]* %local, i64 0, i64 1
  %second = load i32, i32* %l0, align 4
  %tp = getelementptr inbounds [4 x i16], [4 x i16] addrspace(2)* @table, i64 0, i64 %kw
  %t = load i16, i16 addrspace(2)* %tp, align 2
  %ts = sext i16 %t to i32
  %p = call i32 @pick(i32 %k, i32 %ts)
  %sp = getelementptr inbounds [64 x i32], [64 x i32] addrspace(3)* @shared, i64 0, i64 %w
  store i32 %p, i32 addrspace(3)* %sp, align 4
  call void @air.wg.barrier(i32 2, i32 1)
  %other = xor i32 %id, 1
  %ow = zext i32 %other to i64
  %op = getelementptr inbounds [64 x i32], [64 x i32] addrspace(3)* @shared, i64 0, i64 %ow
  %theirs = load i32, i32 addrspace(3)* %op, align 4
  %m = call i32 @air.max.s.i32(i32 %theirs, i32 %second)
  %lw = zext i16 %lane to i32
  %c = call i32 @llvm.umin.i32(i32 %lw, i32 9)
  %sum = add i32 %m, %c
  %all = call i32 @air.simd_sum.u.i32(i32 %sum)
  %first = icmp eq i16 %lane, 0
  br i1 %first, label %add, label %store
add:
  %old = call i32 @air.atomic.global.add.u.i32(i32 addrspace(1)* %total, i32 %all, i32 0, i32 2, i1 true)
  br label %store
store:
  %outp = getelementptr inbounds i32, i32 addrspace(1)* %out, i64 %w
  store i32 %sum, i32 addrspace(1)* %outp, align 4
  ret void
}
!llvm.ident = !{!0}
!air.version = !{!1}
!air.language_version = !{!2}
!air.compile_options = !{!3, !4}
!air.kernel = !{!5}
!0 = !{!"conform fixture"}
!1 = !{i32 2, i32 6, i32 0}
!2 = !{!"Metal", i32 3, i32 1, i32 0}
!3 = !{!"air.compile.denorms_disable"}
!4 = !{!"air.compile.fast_math_enable"}
!5 = !{void (<4 x float> addrspace(1)*, i32 addrspace(1)*, i32 addrspace(1)*, i32, i16)* @gather, !6, !7}
!6 = !{}
!7 = !{!8, !9, !10, !11, !12}
!8 = !{i32 0, !"air.buffer", !"air.location_index", i32 0, i32 1, !"air.read", !"air.address_space", i32 1, !"air.arg_type_size", i32 16, !"air.arg_type_align_size", i32 16, !"air.arg_type_name", !"float4", !"air.arg_name", !"in"}
!9 = !{i32 1, !"air.buffer", !"air.location_index", i32 1, i32 1, !"air.read_write", !"air.address_space", i32 1, !"air.arg_type_size", i32 4, !"air.arg_type_align_size", i32 4, !"air.arg_type_name", !"int", !"air.arg_name", !"out"}
!10 = !{i32 2, !"air.buffer", !"air.location_index", i32 2, i32 1, !"air.read_write", !"air.address_space", i32 1, !"air.struct_type_info", !13, !"air.arg_type_size", i32 4, !"air.arg_type_align_size", i32 4, !"air.arg_type_name", !"metal::_atomic", !"air.arg_name", !"total"}
!11 = !{i32 3, !"air.thread_index_in_threadgroup", !"air.arg_type_name", !"uint", !"air.arg_name", !"id"}
!12 = !{i32 4, !"air.thread_index_in_simdgroup", !"air.arg_type_name", !"ushort", !"air.arg_name", !"lane"}
!13 = !{i32 0, i32 4, i32 0, !"uint", !"__s"}
