package types

import (
	"slices"
	"strings"

	"metalconform/metalrun/internal/syntax"
)

// Many files have vertex, fragment and other functions next to kernels. They are parsed and not checked.

// stages are the attributes that make a function one.
var stages = []string{"vertex", "fragment", "intersection", "object", "mesh", "tile"}

// stageOf is the stage of a function, "" for a kernel and for one that any may call. A kernel
// that works on an image block is a tile function, and memory that no kernel has belongs to the
// stage that has it.
func stageOf(d *syntax.FuncDecl) string {
	if d.Specs.Stage != "" {
		return d.Specs.Stage
	}
	for _, stage := range stages {
		if attribute(d.Attrs, stage) != nil {
			return stage
		}
	}
	for _, p := range d.Params {
		if stage := stageOfParam(p); stage != "" {
			return stage
		}
	}
	return stageOfSpace[d.Quals.Space]
}

// stageOfSpace is the stage whose memory an address space is.
var stageOfSpace = map[syntax.Space]string{syntax.Imageblock: "tile", syntax.ObjectData: "object",
	syntax.RayData: "intersection"}

// stageOfParam is the only stage that can have a parameter, "" if kernels can.
func stageOfParam(p *syntax.Param) (stage string) {
	if p.Type == nil {
		return ""
	}
	syntax.Inspect(p.Type, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.QualType:
			if s := stageOfSpace[n.Quals.Space]; s != "" {
				stage = s
			}
		case *syntax.NamedType:
			if n.Name.Last().Ident == "imageblock" {
				stage = "tile"
			}
		}
		return true
	})
	return stage
}

// stageAttributes mean something to Metal that no kernel here can receive.
var stageAttributes = strings.Fields(`stage_in id position vertex_id instance_id base_vertex base_instance
	front_facing color
	raster_order_group imageblock_data payload render_target_array_index viewport_array_index amplification_id
	amplification_count primitive_id sample_id sample_mask point_coord patch_id position_in_patch barycentric_coord
	thread_index_in_imageblock threads_per_imageblock`)

// knownAttributes are the others that Metal knows.
var knownAttributes = strings.Fields(`buffer threadgroup texture sampler function_constant kernel host_name attribute
	user flat invariant shared
	center_perspective center_no_perspective centroid_perspective centroid_no_perspective sample_perspective
	sample_no_perspective clip_distance point_size depth stencil early_fragment_tests patch primitive_culled
	unroll likely unlikely fallthrough no_unique_address carries_dependency alignas packed index implicit explicit
	imageblock alias_implicit_imageblock alias_implicit_imageblock_color max_total_threadgroups_per_mesh_grid
	accept_intersection continue_search distance origin direction min_distance max_distance geometry_id
	user_instance_id opaque primitive_data world_space_origin world_space_direction triangle_data instancing
	max_level world_space_data curve_data function_groups user_annotation primitive_topology extended_limits
	previously_defined`)

// gnuAttributes are those of __attribute__ that clang knows. Metal's own are not among them.
var gnuAttributes = strings.Fields(`aligned packed unused used always_inline noinline const pure hot cold flatten
	optnone malloc nonnull
	deprecated unavailable weak visibility section ext_vector_type vector_size may_alias annotate overloadable
	enable_if convergent
	nodebug noreturn warn_unused_result cleanup fallthrough availability minsize nothrow no_builtin diagnose_if
	artificial format
	swift_name gnu_inline internal_linkage exclude_from_explicit_instantiation abi_tag type_visibility address_space
	assume
	alloc_size alloc_align transparent_union mode noalias leaf musttail noescape constructor destructor alias
	no_sanitize
	not_tail_called opencl_unroll_hint flag_enum enum_extensibility lto_visibility_public nomerge returns_nonnull
	returns_twice
	no_instrument_function no_stack_protector no_split_stack target callback assume_aligned error warning sentinel
	tls_model
	uninitialized loader_uninitialized xray_never_instrument standalone_debug trivial_abi init_priority weakref ifunc
	retain`)

// unknownAttributes warns of attributes that Metal does not know and ignores.
func (c *checker) unknownAttributes(f *syntax.File) {
	syntax.Inspect(f, func(n syntax.Node) bool {
		a, ok := n.(*syntax.Attr)
		if !ok || a.Scope != "" && a.Scope != "metal" && a.Scope != "gnu" || strings.HasPrefix(a.Pos().File, "<") {
			return true
		}
		if a.Scope == "gnu" {
			if a.Name == syntax.AsmLabel {
				return true
			}
			if !slices.Contains(gnuAttributes, a.Name) {
				c.warnf(a.Pos(), codeIgnoredAttribute, "unknown attribute '%s' ignored [-Wunknown-attributes]", a.Name)
			}
			return true
		}
		known := inputs[a.Name] != nil || slices.Contains(stages, a.Name)
		for _, list := range [][]string{stageAttributes, functionAttributes, knownAttributes} {
			known = known || slices.Contains(list, a.Name)
		}
		if !known {
			c.warnf(a.Pos(), codeIgnoredAttribute, "unknown attribute '%s' ignored [-Wunknown-attributes]", a.Name)
		}
		return true
	})
}
