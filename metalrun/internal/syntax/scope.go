package syntax

import (
	"slices"
	"strings"
)

// C++ cannot be parsed without knowing which names denote types and which
// denote templates: "a * b;" declares b if a is a type, and "a < b" opens
// template arguments if a is a template. The parser therefore keeps scopes
// of what names denote, and nothing more: no types, no overloads, no values.

// meaning is what a name denotes.
type meaning uint8

const (
	meansNothing meaning = iota // not declared, or a member of an unknown class
	meansValue
	meansType
	meansNamespace
)

// entity is a declared name.
type entity struct {
	means     meaning
	template  bool   // "<" after it opens template arguments
	dependent bool   // a template parameter, or built from one
	members   *scope // of a class, enumeration or namespace; nil if unknown
}

// scope maps names to entities.
type scope struct {
	parent   *scope
	names    map[string]*entity
	uses     []*scope // of using namespace
	bases    []*scope // of a class; of a member function defined outside, its class
	template bool     // holds template parameters; declarations go to its parent
	class    string   // the name of the class whose scope this is
	levels   int      // of bases below a class
	seen     *search  // the last to come by
	work     *int     // scopes that searches have looked at, in the whole program
}

// search is one look at a scope and all that it uses and derives from, each once.
type search struct{ name string }

func newScope(parent *scope) *scope {
	s := &scope{parent: parent}
	if parent != nil {
		s.work = parent.work
	} else {
		s.work = new(int)
	}
	return s
}

// declare adds a name. Overloads and repeated declarations join.
func (s *scope) declare(name string, e *entity) *entity {
	if s.names == nil {
		s.names = map[string]*entity{}
	}
	old := s.names[name]
	if old != nil && old.means == e.means && e.means != meansNamespace {
		old.template = old.template || e.template
		old.dependent = old.dependent || e.dependent
		if e.members != nil {
			old.members = e.members
		}
		return old
	}
	s.names[name] = e
	return e
}

// member looks a name up in s itself, the namespaces it uses and its bases.
func (s *scope) member(name string) *entity {
	if e := s.names[name]; e != nil {
		return e
	}
	if len(s.uses) == 0 && len(s.bases) == 0 {
		return nil
	}
	return s.find(&search{name})
}

func (s *scope) find(by *search) *entity {
	if s.seen == by {
		return nil
	}
	s.seen = by
	*s.work += 1 + (len(s.bases)+len(s.uses))/placesPerSearch
	if e := s.names[by.name]; e != nil {
		return e
	}
	for _, list := range [...][]*scope{s.bases, s.uses} {
		for _, o := range list {
			if e := o.find(by); e != nil {
				return e
			}
		}
	}
	return nil
}

// lookup finds a name in s or the scopes around it.
func (s *scope) lookup(name string) *entity {
	for ; s != nil; s = s.parent {
		if e := s.member(name); e != nil {
			return e
		}
	}
	return nil
}

// within reports whether s is class scope o or inside it.
func (s *scope) within(o *scope) bool {
	for ; s != nil; s = s.parent {
		if s == o || slices.Contains(s.bases, o) {
			return true
		}
	}
	return false
}

// builtinScope declares the names that Metal declares: in the headers they
// belong to namespace metal, which every program uses.
func builtinScope() *scope {
	s := newScope(nil)
	s.names = make(map[string]*entity, 400)
	typ := &entity{means: meansType}
	for _, name := range strings.Fields(builtinTypes) {
		s.names[name] = typ
	}
	for _, scalar := range strings.Fields(builtinVectors) {
		for _, n := range []string{"2", "3", "4"} {
			s.names[scalar+n] = typ
			s.names["packed_"+scalar+n] = typ
		}
	}
	for _, scalar := range []string{"float", "half"} {
		for _, c := range []string{"2", "3", "4"} {
			for _, r := range []string{"2", "3", "4"} {
				s.names[scalar+c+"x"+r] = typ
			}
		}
	}
	vote := &entity{means: meansType, members: &scope{names: map[string]*entity{"vote_t": typ}}}
	s.names["simd_vote"], s.names["quad_vote"] = vote, vote
	template := &entity{means: meansType, template: true, members: newScope(s)}
	template.members.names = map[string]*entity{"type": typ, "value_type": typ}
	for _, name := range strings.Fields(builtinTypeTemplates) {
		s.names[name] = template
	}
	function := &entity{means: meansValue, template: true}
	for _, name := range strings.Fields(builtinValueTemplates) {
		s.names[name] = function
	}
	return s
}

// The names of Metal's own types and templates. Some that are not supported are
// here so that programs with them parse and are refused by name later.
const (
	builtinTypes = `
		uchar ushort uint ulong size_t ptrdiff_t intptr_t uintptr_t int8_t uint8_t int16_t uint16_t int32_t uint32_t
		int64_t uint64_t
		simdgroup_float8x8 simdgroup_half8x8 simdgroup_bfloat8x8
		atomic_int atomic_uint atomic_bool atomic_float atomic_ulong
		memory_order mem_flags thread_scope simd_vote quad_vote
		true_type false_type sampler os_log
		access coord filter mag_filter min_filter mip_filter address s_address t_address r_address border_color
		compare_func reduction component
		max_anisotropy lod_clamp level bias min_lod_clamp
		command_buffer compute_command render_command compute_pipeline_state render_pipeline_state depth_stencil_state
		mesh_grid_properties primitive_acceleration_structure instance_acceleration_structure`
	builtinVectors       = `bool char uchar short ushort int uint long ulong half bfloat float`
	builtinTypeTemplates = `
		vec packed_vec matrix simdgroup_matrix atomic _atomic array numeric_limits integral_constant bool_constant
		enable_if enable_if_t conditional conditional_t is_same is_integral is_floating_point is_arithmetic is_signed
		is_unsigned
		is_scalar is_const is_convertible is_constructible is_enum is_class is_pointer is_reference is_empty is_void
		is_base_of
		make_signed make_signed_t make_unsigned make_unsigned_t make_scalar make_scalar_t make_vector make_vector_t
		remove_const remove_const_t remove_cv remove_cv_t remove_reference remove_reference_t remove_volatile
		remove_volatile_t
		remove_pointer remove_pointer_t remove_extent remove_extent_t remove_addrspace remove_addrspace_t
		add_const add_const_t decay decay_t underlying_type underlying_type_t common_type common_type_t
		conjunction disjunction negation void_t index_sequence make_index_sequence integer_sequence
		make_integer_sequence
		add_volatile add_volatile_t add_cv add_cv_t remove_all_extents remove_all_extents_t is_volatile is_array
		is_union is_function
		is_fundamental is_object is_compound is_lvalue_reference is_rvalue_reference is_trivially_copyable
		is_default_constructible
		rank extent
		_disjunction _conjunction _numeric_limits_impl __is_valid_simdgroup_type vec_elements uniform
		texture1d texture1d_array texture2d texture2d_array texture2d_ms texture2d_ms_array texture3d texturecube
		texturecube_array texture_buffer depth2d depth2d_array depth2d_ms depth2d_ms_array depthcube depthcube_array
		visible_function_table intersection_function_table array_ref imageblock tensor cooperative_tensor
		intersector intersection_query intersection_result intersection_params acceleration_structure dextents extents
		mesh patch_control_point r8unorm r8snorm r16unorm r16snorm rg8unorm rg8snorm rg16unorm rg16snorm rgba8unorm
		rgba8snorm
		rgba16unorm rgba16snorm srgba8unorm rgb10a2 rg11b10f rgb9e5`
	builtinValueTemplates = `
		make_filled_simdgroup_matrix is_same_v is_integral_v is_floating_point_v is_arithmetic_v is_signed_v
		is_unsigned_v
		is_scalar_v is_const_v is_convertible_v is_constructible_v is_enum_v is_class_v is_pointer_v is_reference_v
		is_empty_v
		is_void_v is_base_of_v is_volatile_v is_array_v is_union_v is_function_v is_fundamental_v is_object_v
		is_compound_v
		is_lvalue_reference_v is_rvalue_reference_v is_trivially_copyable_v is_default_constructible_v rank_v extent_v
		conjunction_v disjunction_v negation_v
		min max clamp abs fma select mix dot extract_bits atomic_load_explicit atomic_store_explicit
		make_uniform simdgroup_load simdgroup_store simd_sum simd_product simd_max simd_min simd_and simd_or simd_xor
		simd_shuffle simd_shuffle_xor
		simd_shuffle_up simd_shuffle_down simd_shuffle_rotate_up simd_shuffle_rotate_down simd_shuffle_and_fill_up
		simd_shuffle_and_fill_down
		simd_broadcast simd_broadcast_first simd_prefix_inclusive_sum simd_prefix_exclusive_sum
		simd_prefix_inclusive_product
		simd_prefix_exclusive_product quad_sum quad_product quad_max quad_min quad_and quad_or quad_xor quad_shuffle
		quad_shuffle_xor
		quad_shuffle_up quad_shuffle_down quad_shuffle_rotate_up quad_shuffle_rotate_down quad_broadcast
		quad_broadcast_first
		forward move swap get declval`
)
