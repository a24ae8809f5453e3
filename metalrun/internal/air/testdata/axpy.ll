target datalayout = "e-p:64:64:64-i1:8:8-i8:8:8-i16:16:16-i32:32:32-i64:64:64-f32:32:32-f64:64:64-v16:16:16-v24:32:32-v32:32:32-v48:64:64-v64:64:64-v96:128:128-v128:128:128-v192:256:256-v256:256:256-v512:512:512-v1024:1024:1024-n8:16:32"
target triple = "air64-apple-macosx14.0.0"

%struct.Params = type { i32, float }

; y = a x + y over a strided loop, with a struct of arguments
define void @axpy(float addrspace(1)* %x, float addrspace(1)* %y, %struct.Params addrspace(2)* %p, i32 %id) {
entry:
  %np = getelementptr inbounds %struct.Params, %struct.Params addrspace(2)* %p, i64 0, i32 0
  %n = load i32, i32 addrspace(2)* %np, align 4
  %ap = getelementptr inbounds %struct.Params, %struct.Params addrspace(2)* %p, i64 0, i32 1
  %a = load float, float addrspace(2)* %ap, align 4
  %some = icmp ult i32 %id, %n
  br i1 %some, label %loop, label %done
loop:
  %i = phi i32 [ %id, %entry ], [ %next, %latch ]
  %w = zext i32 %i to i64
  %xp = getelementptr inbounds float, float addrspace(1)* %x, i64 %w
  %xv = load float, float addrspace(1)* %xp, align 4
  %big = fcmp fast ogt float %xv, 1.000000e+00
  br i1 %big, label %scale, label %latch
scale:
  %half = fmul fast float %xv, 5.000000e-01
  br label %latch
latch:
  %v = phi float [ %xv, %loop ], [ %half, %scale ]
  %yp = getelementptr inbounds float, float addrspace(1)* %y, i64 %w
  %yv = load float, float addrspace(1)* %yp, align 4
  %ax = fmul fast float %v, %a
  %sum = fadd fast float %ax, %yv
  store float %sum, float addrspace(1)* %yp, align 4
  %next = add i32 %i, 64
  %more = icmp ult i32 %next, %n
  br i1 %more, label %loop, label %done
done:
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
!5 = !{void (float addrspace(1)*, float addrspace(1)*, %struct.Params addrspace(2)*, i32)* @axpy, !6, !7}
!6 = !{}
!7 = !{!8, !9, !10, !11}
!8 = !{i32 0, !"air.buffer", !"air.location_index", i32 0, i32 1, !"air.read", !"air.address_space", i32 1, !"air.arg_type_size", i32 4, !"air.arg_type_align_size", i32 4, !"air.arg_type_name", !"float", !"air.arg_name", !"x"}
!9 = !{i32 1, !"air.buffer", !"air.location_index", i32 1, i32 1, !"air.read_write", !"air.address_space", i32 1, !"air.arg_type_size", i32 4, !"air.arg_type_align_size", i32 4, !"air.arg_type_name", !"float", !"air.arg_name", !"y"}
!10 = !{i32 2, !"air.buffer", !"air.buffer_size", i32 8, !"air.location_index", i32 2, i32 1, !"air.read", !"air.address_space", i32 2, !"air.struct_type_info", !12, !"air.arg_type_size", i32 8, !"air.arg_type_align_size", i32 4, !"air.arg_type_name", !"Params", !"air.arg_name", !"p"}
!11 = !{i32 3, !"air.thread_position_in_grid", !"air.arg_type_name", !"uint", !"air.arg_name", !"id"}
!12 = !{i32 0, i32 4, i32 0, !"uint", !"n", i32 4, i32 4, i32 0, !"float", !"a"}
