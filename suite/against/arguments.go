package against

import (
	"fmt"

	"metalconform/metalrun"
)

// arguments says how the argument tables of a kernel differ; "" if they do not.
func arguments(source, library []metalrun.ArgInfo) string {
	for i := range max(len(source), len(library)) {
		switch {
		case i >= len(library):
			return fmt.Sprintf("the source has the argument %s at %s, and the library does not", source[i].Name,
				entry(source[i]))
		case i >= len(source):
			return fmt.Sprintf("the library has the argument %s at %s, and the source does not", library[i].Name,
				entry(library[i]))
		}
		if why := argument(source[i], library[i]); why != "" {
			return why
		}
	}
	return ""
}

// entry is where an argument is bound.
func entry(a metalrun.ArgInfo) string {
	return fmt.Sprintf("%s %d", [...]string{"buffer", "threadgroup memory", "texture", "sampler"}[a.Kind], a.Index)
}

func argument(s, l metalrun.ArgInfo) string {
	differs := func(what string, library, source any) string {
		return fmt.Sprintf("%s of %s (%s): %v in the library, %v in the source", what, s.Name, entry(s), library,
			source)
	}
	switch {
	case s.Kind != l.Kind || s.Index != l.Index:
		return fmt.Sprintf("the library has %s at %s where the source has %s at %s", l.Name, entry(l), s.Name,
			entry(s))
	case s.Name != l.Name:
		return fmt.Sprintf("%s is %s in the library, %s in the source", entry(s), l.Name, s.Name)
	case s.Kind > metalrun.ThreadgroupArg:
		return ""
	case s.Size != l.Size && s.Size > 0 && l.Size > 0:
		return differs("the type", fmt.Sprintf("%s of %d bytes", l.Type, l.Size),
			fmt.Sprintf("%s of %d bytes", s.Type, s.Size))
	case s.Align != l.Align && s.Size > 0 && l.Size > 0:
		return differs("the alignment", l.Align, s.Align)
	case s.Constant != l.Constant:
		return differs("the address space", memory(l), memory(s))
	}
	return fields(s, l)
}

func memory(a metalrun.ArgInfo) string {
	if a.Constant {
		return "constant"
	}
	return "device"
}

// fields compares the members of what an argument points to, as far as the library describes them.
func fields(s, l metalrun.ArgInfo) string {
	if len(s.Fields) != len(l.Fields) {
		if len(l.Fields) < 2 || len(s.Fields) < 2 {
			return "" // bytes, of which the library says no more
		}
		return fmt.Sprintf("%s (%s): %d members in the library, %d in the source", s.Name, entry(s), len(l.Fields),
			len(s.Fields))
	}
	for i, f := range s.Fields {
		g := l.Fields[i]
		if f.Offset != g.Offset || f.Size != g.Size || f.Count != g.Count || f.Name != g.Name && f.Name != "" &&
			g.Name != "" {
			return fmt.Sprintf("%s (%s): the library has %d %s of %d bytes, %s, at offset %d, where the source has "+
				"%d %s of %d bytes, %s, at offset %d", s.Name, entry(s), g.Count, g.Type, g.Size, named(g.Name),
				g.Offset, f.Count, f.Type, f.Size, named(f.Name), f.Offset)
		}
	}
	return ""
}

func named(name string) string {
	if name == "" {
		return "without a name"
	}
	return "called " + name
}
