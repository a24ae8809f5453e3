package types

import (
	"slices"
	"strings"

	"metalconform/metalrun/internal/syntax"
)

// Functions of stages that are no kernels stand beside kernels in many files. They are
// parsed and then left alone.

// stages are the attributes that make a function one.
var stages = []string{"vertex", "fragment", "intersection", "object", "mesh", "tile"}

// stageOf is the stage of a function, "" for a kernel and for one that any may call.
func stageOf(s syntax.Specs, attrs []*syntax.Attr) string {
	if s.Stage != "" {
		return s.Stage
	}
	for _, stage := range stages {
		if attribute(attrs, stage) != nil {
			return stage
		}
	}
	return ""
}

// stageAttributes mean something to Metal that no kernel here can receive.
var stageAttributes = strings.Fields(`stage_in id position vertex_id instance_id base_vertex base_instance front_facing color
	raster_order_group imageblock_data payload render_target_array_index viewport_array_index amplification_id
	amplification_count primitive_id sample_id sample_mask point_coord patch_id position_in_patch barycentric_coord
	thread_index_in_imageblock threads_per_imageblock`)

// knownAttributes are the others that Metal knows.
var knownAttributes = strings.Fields(`buffer threadgroup texture sampler function_constant kernel host_name attribute user flat invariant shared
	center_perspective center_no_perspective centroid_perspective centroid_no_perspective sample_perspective
	sample_no_perspective clip_distance point_size depth stencil early_fragment_tests patch primitive_culled
	unroll likely unlikely fallthrough no_unique_address carries_dependency alignas packed index implicit explicit
	imageblock alias_implicit_imageblock alias_implicit_imageblock_color max_total_threadgroups_per_mesh_grid
	accept_intersection continue_search distance origin direction min_distance max_distance geometry_id
	user_instance_id opaque primitive_data world_space_origin world_space_direction triangle_data instancing
	max_level world_space_data curve_data function_groups user_annotation primitive_topology extended_limits
	previously_defined`)

// unknownAttributes warns of attributes that Metal does not know and ignores.
func (c *checker) unknownAttributes(f *syntax.File) {
	syntax.Inspect(f, func(n syntax.Node) bool {
		a, ok := n.(*syntax.Attr)
		if !ok || a.Scope != "" && a.Scope != "metal" || strings.HasPrefix(a.Pos().File, "<") {
			return true
		}
		known := inputs[a.Name] != nil || slices.Contains(stages, a.Name)
		for _, list := range [][]string{stageAttributes, functionAttributes, knownAttributes} {
			known = known || slices.Contains(list, a.Name)
		}
		if !known {
			c.warnf(a.Pos(), codeIgnoredAttribute, "unknown attribute '%s' ignored", a.Name)
		}
		return true
	})
}
