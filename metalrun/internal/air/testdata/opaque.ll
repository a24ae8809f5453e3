target datalayout = "e-p:64:64:64-i1:8:8-i8:8:8-i16:16:16-i32:32:32-i64:64:64-f32:32:32-f64:64:64-v16:16:16-v24:32:32-v32:32:32-v48:64:64-v64:64:64-v96:128:128-v128:128:128-v192:256:256-v256:256:256-v512:512:512-v1024:1024:1024-n8:16:32"
target triple = "air64-apple-macosx14.0.0"

@scale.MTL_FC_INIT_0_f = internal addrspace(2) externally_initialized constant float undef, section "air.fc_initializer", align 4

declare half @air.fma.f16(half, half, half)
declare float @air.fast_exp.f32(float)

; opaque pointers, half, and a function constant
define void @opaque(ptr addrspace(1) %x, ptr addrspace(1) %y, i32 %id) {
  %s = load float, ptr addrspace(2) @scale.MTL_FC_INIT_0_f, align 4
  %xp = getelementptr inbounds half, ptr addrspace(1) %x, i32 %id
  %h = load half, ptr addrspace(1) %xp, align 2
  %f = call half @air.fma.f16(half %h, half 0xH4000, half 0xH3C00)
  %e = fpext half %f to float
  %v = fmul float %e, %s
  %t = fptoui float %v to i16
  %u = uitofp i16 %t to float
  %w = fadd float %u, %v
  %yp = getelementptr inbounds float, ptr addrspace(1) %y, i32 %id
  store float %w, ptr addrspace(1) %yp, align 4
  ret void
}
!air.function_constants = !{!11}
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
!5 = !{ptr @opaque, !6, !7}
!6 = !{}
!7 = !{!8, !9, !10}
!8 = !{i32 0, !"air.buffer", !"air.location_index", i32 0, i32 1, !"air.read", !"air.address_space", i32 1, !"air.arg_type_size", i32 2, !"air.arg_type_align_size", i32 2, !"air.arg_type_name", !"half", !"air.arg_name", !"x"}
!9 = !{i32 1, !"air.buffer", !"air.location_index", i32 1, i32 1, !"air.read_write", !"air.address_space", i32 1, !"air.arg_type_size", i32 4, !"air.arg_type_align_size", i32 4, !"air.arg_type_name", !"float", !"air.arg_name", !"y"}
!10 = !{i32 2, !"air.thread_position_in_grid", !"air.arg_type_name", !"uint", !"air.arg_name", !"id"}
!11 = !{ptr addrspace(2) @scale.MTL_FC_INIT_0_f, !"float", !"scale", i32 0, i1 true}
