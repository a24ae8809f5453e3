package types

import (
	"strings"

	"metalconform/metalrun/internal/syntax"
)

// unsupportedTypes are types of the library that programs for other stages or
// with other resources use.
var unsupportedTypes = []string{
	"texture", "depth", "sampler", "imageblock", "tensor", "cooperative_tensor", "visible_function_table",
	"intersection_function_table", "array_ref", "raytracing", "patch_control_point", "command_buffer", "render_command",
	"compute_command", "acceleration_structure", "dextents", "extents", "complex",
}

// trait finds a type of the library that is a template over types.
func (c *checker) trait(p *syntax.NamePart, pos syntax.Pos) (q qual, ok, known bool) {
	for _, u := range unsupportedTypes {
		if strings.HasPrefix(p.Ident, u) {
			c.errorf(pos, codeUnsupported, "the type %s is not supported", p.Ident)
			return qual{}, false, true
		}
	}
	return qual{}, false, false
}

// isStdType reports whether the library has a type of that name.
func isStdType(name string) bool {
	_, atomic := atomicNames[name]
	return atomic || stdNamedType(name) != nil
}

// traitValue is a constant of the library that is a template over types.
func (c *checker) traitValue(n *syntax.Name, std bool) (operand, bool) { return operand{}, false }

// traitMember reports whether a qualified name is a member of such a template.
func (c *checker) traitMember(n *syntax.Name) bool { return false }
