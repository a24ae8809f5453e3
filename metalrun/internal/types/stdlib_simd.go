package types

import "metalconform/metalrun/internal/hir"

// Functions of <metal_simdgroup> and <metal_quadgroup>. 64-bit integers, bool and bfloat
// cannot be exchanged between lanes. simd_vote's members have names with a dot,
// which no program can write.
var simdBuiltins = []builtin{
	{sig: "T simd_sum(T data)", over: shuffled, doc: "sum over the active lanes"},
	{sig: "T simd_product(T data)", over: shuffled, doc: "product over the active lanes"},
	{sig: "T simd_min(T data)", over: shuffled, doc: "minimum over the active lanes"},
	{sig: "T simd_max(T data)", over: shuffled, doc: "maximum over the active lanes"},
	{sig: "T simd_and(T data)", over: bitwise, doc: "bitwise and over the active lanes"},
	{sig: "T simd_or(T data)", over: bitwise, doc: "bitwise or over the active lanes"},
	{sig: "T simd_xor(T data)", over: bitwise, doc: "bitwise exclusive or over the active lanes"},
	{sig: "T simd_prefix_inclusive_sum(T data)", over: shuffled, doc: "sum over the active lanes up to this one"},
	{sig: "T simd_prefix_exclusive_sum(T data)", over: shuffled, doc: "sum over the active lanes before this one"},
	{sig: "T simd_prefix_inclusive_product(T data)", over: shuffled,
		doc: "product over the active lanes up to this one"},
	{sig: "T simd_prefix_exclusive_product(T data)", over: shuffled,
		doc: "product over the active lanes before this one"},
	{sig: "T simd_broadcast(T data, ushort broadcast_lane_id)", over: shuffled,
		doc: "data of a lane that is the same for all"},
	{sig: "T simd_broadcast_first(T data)", over: shuffled, doc: "data of the first active lane"},
	{sig: "T simd_shuffle(T data, ushort simd_lane_id)", over: shuffled, doc: "data of any lane"},
	{sig: "T simd_shuffle_xor(T data, ushort mask)", over: shuffled, doc: "data of lane ^ mask"},
	{sig: "T simd_shuffle_up(T data, ushort delta)", over: shuffled,
		doc: "data of lane - delta; the lowest delta lanes keep theirs"},
	{sig: "T simd_shuffle_down(T data, ushort delta)", over: shuffled,
		doc: "data of lane + delta; the highest delta lanes keep theirs"},
	{sig: "T simd_shuffle_rotate_up(T data, ushort delta)", over: shuffled, doc: "data of (lane - delta) mod 32"},
	{sig: "T simd_shuffle_rotate_down(T data, ushort delta)", over: shuffled, doc: "data of (lane + delta) mod 32"},
	{sig: "T simd_shuffle_and_fill_up(T data, T filling_data, ushort delta, constexpr ushort modulo = 32)",
		over: shuffled, since: 240, check: simdModulo,
		doc: "data of lane - delta within runs of modulo lanes; below the run, filling_data from its end"},
	{sig: "T simd_shuffle_and_fill_down(T data, T filling_data, ushort delta, constexpr ushort modulo = 32)",
		over: shuffled, since: 240, check: simdModulo,
		doc: "data of lane + delta within runs of modulo lanes; above the run, filling_data from its start"},
	{sig: "simd_vote simd_ballot(bool expr)", doc: "one bit a lane, 0 for inactive ones"},
	{sig: "simd_vote simd_active_threads_mask()", doc: "one bit for each active lane"},
	{sig: "bool simd_all(bool expr)", doc: "true for every active lane"},
	{sig: "bool simd_any(bool expr)", doc: "true for some active lane"},
	{sig: "bool simd_is_first()", doc: "this is the first active lane"},
	{sig: "bool simd_is_helper_thread()", doc: "false in a kernel"},
	{sig: "bool simd_vote.all(simd_vote vote)", doc: "all 32 bits are set"},
	{sig: "bool simd_vote.any(simd_vote vote)", doc: "some bit is set"},

	{sig: "T quad_sum(T data)", over: shuffled, doc: "sum over the active lanes of the quad"},
	{sig: "T quad_product(T data)", over: shuffled, doc: "product over the active lanes of the quad"},
	{sig: "T quad_min(T data)", over: shuffled, doc: "minimum over the active lanes of the quad"},
	{sig: "T quad_max(T data)", over: shuffled, doc: "maximum over the active lanes of the quad"},
	{sig: "T quad_and(T data)", over: bitwise, doc: "bitwise and over the active lanes of the quad"},
	{sig: "T quad_or(T data)", over: bitwise, doc: "bitwise or over the active lanes of the quad"},
	{sig: "T quad_xor(T data)", over: bitwise, doc: "bitwise exclusive or over the active lanes of the quad"},
	{sig: "T quad_prefix_inclusive_sum(T data)", over: shuffled,
		doc: "sum over the quad's active lanes up to this one"},
	{sig: "T quad_prefix_exclusive_sum(T data)", over: shuffled,
		doc: "sum over the quad's active lanes before this one"},
	{sig: "T quad_prefix_inclusive_product(T data)", over: shuffled,
		doc: "product over the quad's active lanes up to this one"},
	{sig: "T quad_prefix_exclusive_product(T data)", over: shuffled,
		doc: "product over the quad's active lanes before this one"},
	{sig: "T quad_broadcast(T data, ushort broadcast_lane_id)", over: shuffled,
		doc: "data of a lane that is the same for the quad"},
	{sig: "T quad_broadcast_first(T data)", over: shuffled, doc: "data of the quad's first active lane"},
	{sig: "T quad_shuffle(T data, ushort quad_lane_id)", over: shuffled, doc: "data of any lane of the quad"},
	{sig: "T quad_shuffle_xor(T data, ushort mask)", over: shuffled, doc: "data of lane ^ mask"},
	{sig: "T quad_shuffle_up(T data, ushort delta)", over: shuffled,
		doc: "data of lane - delta; the lowest delta lanes keep theirs"},
	{sig: "T quad_shuffle_down(T data, ushort delta)", over: shuffled,
		doc: "data of lane + delta; the highest delta lanes keep theirs"},
	{sig: "T quad_shuffle_rotate_up(T data, ushort delta)", over: shuffled, doc: "data of (lane - delta) mod 4"},
	{sig: "T quad_shuffle_rotate_down(T data, ushort delta)", over: shuffled, doc: "data of (lane + delta) mod 4"},
	{sig: "T quad_shuffle_and_fill_up(T data, T filling_data, ushort delta, constexpr ushort modulo = 4)",
		over: shuffled, since: 240, check: quadModulo,
		doc: "data of lane - delta within runs of modulo lanes; below the run, filling_data from its end"},
	{sig: "T quad_shuffle_and_fill_down(T data, T filling_data, ushort delta, constexpr ushort modulo = 4)",
		over: shuffled, since: 240, check: quadModulo,
		doc: "data of lane + delta within runs of modulo lanes; above the run, filling_data from its start"},
	{sig: "simd_vote quad_ballot(bool expr)", doc: "one bit a lane of the quad, 0 for inactive ones"},
	{sig: "simd_vote quad_active_threads_mask()", doc: "one bit for each active lane of the quad"},
	{sig: "bool quad_all(bool expr)", doc: "true for every active lane of the quad"},
	{sig: "bool quad_any(bool expr)", doc: "true for some active lane of the quad"},
	{sig: "bool quad_is_first()", doc: "this is the quad's first active lane"},
	{sig: "bool quad_is_helper_thread()", doc: "false in a kernel"},
}

func simdModulo(call *hir.BuiltinCall) string { return checkModulo(call, 32) }
func quadModulo(call *hir.BuiltinCall) string { return checkModulo(call, 4) }

func checkModulo(call *hir.BuiltinCall, most uint64) string {
	m := call.Args[3].(*hir.Const).Bits
	if m < 2 || m > most || m&(m-1) != 0 {
		return "the modulo of " + call.Name + " has to be a power of two from 2 to the number of lanes"
	}
	return ""
}

// Functions of <metal_simdgroup_matrix>. All threads of the simdgroup take part.
var simdgroupMatrixBuiltins = []builtin{
	{sig: "simdgroup_matrix<T> make_filled_simdgroup_matrix(T value)", over: matrixElems, since: 230,
		doc: "every element is value; T is given as template argument"},
	{sig: "void simdgroup_load(thread simdgroup_matrix<T> &d, const device T *src, ulong elements_per_row = 8, " +
		"ulong2 matrix_origin = 0, bool transpose_matrix = false)", over: matrixElems, since: 230,
		doc: "element (row, column) comes from src[(origin.y + row)·elements_per_row + origin.x + column], row and " +
			"column exchanged if transposed"},
	{sig: "void simdgroup_load(thread simdgroup_matrix<T> &d, const threadgroup T *src, ulong elements_per_row = 8, " +
		"ulong2 matrix_origin = 0, bool transpose_matrix = false)", over: matrixElems, since: 230,
		doc: "the same from threadgroup memory"},
	{sig: "void simdgroup_store(simdgroup_matrix<T> a, device T *dst, ulong elements_per_row = 8, ulong2 " +
		"matrix_origin = 0, bool transpose_matrix = false)", over: matrixElems, since: 230,
		doc: "the inverse of simdgroup_load"},
	{sig: "void simdgroup_store(simdgroup_matrix<T> a, threadgroup T *dst, ulong elements_per_row = 8, ulong2 " +
		"matrix_origin = 0, bool transpose_matrix = false)", over: matrixElems, since: 230,
		doc: "the same to threadgroup memory"},
	{sig: "void simdgroup_multiply(thread simdgroup_matrix<T> &d, simdgroup_matrix a, simdgroup_matrix b)",
		over: matrixElems, since: 230, doc: "d = a·b"},
	{sig: "void simdgroup_multiply_accumulate(thread simdgroup_matrix<T> &d, simdgroup_matrix a, simdgroup_matrix b, " +
		"simdgroup_matrix<T> c)", over: matrixElems, since: 230, doc: "d = a·b + c"},
}

var matrixElems = class{kindsOf(hir.Half, hir.BFloat, hir.Float), scalarShape}
