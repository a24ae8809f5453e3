target datalayout = "e-p:64:64:64-i1:8:8-i8:8:8-i16:16:16-i32:32:32-i64:64:64-f32:32:32-f64:64:64-v16:16:16-v24:32:32-v32:32:32-v48:64:64-v64:64:64-v96:128:128-v128:128:128-v192:256:256-v256:256:256-v512:512:512-v1024:1024:1024-n8:16:32"
target triple = "air64-apple-macosx14.0.0"

declare <64 x float> @air.simdgroup_matrix_8x8_load.v64f32.p1f32(float addrspace(1)*, i64, <2 x i64>, i1)
declare <64 x float> @air.simdgroup_matrix_8x8_init_filled.v64f32.f32(float)
declare <64 x float> @air.simdgroup_matrix_8x8_multiply_accumulate.v64f32.v64f32.v64f32.v64f32(<64 x float>, <64 x float>, <64 x float>)
declare void @air.simdgroup_matrix_8x8_store.v64f32.p1f32(<64 x float>, float addrspace(1)*, i64, <2 x i64>, i1)

; a product of tiles, the second of them transposed
define void @tile(float addrspace(1)* %a, float addrspace(1)* %b, float addrspace(1)* %c) {
  %x = call <64 x float> @air.simdgroup_matrix_8x8_load.v64f32.p1f32(float addrspace(1)* %a, i64 8, <2 x i64> zeroinitializer, i1 false)
  %y = call <64 x float> @air.simdgroup_matrix_8x8_load.v64f32.p1f32(float addrspace(1)* %b, i64 8, <2 x i64> zeroinitializer, i1 true)
  %z = call <64 x float> @air.simdgroup_matrix_8x8_init_filled.v64f32.f32(float 1.000000e+00)
  %p = call <64 x float> @air.simdgroup_matrix_8x8_multiply_accumulate.v64f32.v64f32.v64f32.v64f32(<64 x float> %x, <64 x float> %y, <64 x float> %z)
  call void @air.simdgroup_matrix_8x8_store.v64f32.p1f32(<64 x float> %p, float addrspace(1)* %c, i64 8, <2 x i64> zeroinitializer, i1 false)
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
!5 = !{void (float addrspace(1)*, float addrspace(1)*, float addrspace(1)*)* @tile, !6, !7}
!6 = !{}
!7 = !{!8, !9, !10}
!8 = !{i32 0, !"air.buffer", !"air.location_index", i32 0, i32 1, !"air.read", !"air.address_space", i32 1, !"air.arg_type_size", i32 4, !"air.arg_type_align_size", i32 4, !"air.arg_type_name", !"float", !"air.arg_name", !"a"}
!9 = !{i32 1, !"air.buffer", !"air.location_index", i32 1, i32 1, !"air.read", !"air.address_space", i32 1, !"air.arg_type_size", i32 4, !"air.arg_type_align_size", i32 4, !"air.arg_type_name", !"float", !"air.arg_name", !"b"}
!10 = !{i32 2, !"air.buffer", !"air.location_index", i32 2, i32 1, !"air.read_write", !"air.address_space", i32 1, !"air.arg_type_size", i32 4, !"air.arg_type_align_size", i32 4, !"air.arg_type_name", !"float", !"air.arg_name", !"c"}
