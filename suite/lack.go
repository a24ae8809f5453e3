package suite

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"metalconform/metalrun"
)

// Lack is why shaders have nothing that can be judged as a kernel, or as one that a
// pipeline launches.
type Lack struct {
	Reason string `json:"reason"`
	// entry points that may be it under another name, each with its position
	Near       []string `json:"near,omitempty"`
	Uncompiled string   `json:"uncompiled,omitempty"` // the file that has it, which does not compile
}

// Lacks says why a case cannot be judged, as far as the sources show; nil if it can.
// Entry points with the names of other kernels, the ones in taken, are none that could
// have been renamed.
func (s *Shaders) Lacks(c Case, taken []string) *Lack {
	for _, name := range c.Kernels() {
		k := c.Kernel
		if c.Pipeline != nil {
			if k = c.kernels[name]; k == nil {
				return &Lack{Reason: c.of(name, "no kernel of the catalogue")}
			}
		}
		_, err := s.Covers(k)
		if err == nil {
			continue
		}
		l := &Lack{Reason: c.of(name, err.Error())}
		var broken *BrokenFile
		switch {
		case errors.As(err, &broken):
			l.Uncompiled = broken.File
		case errors.Is(err, ErrAbsent):
			l.Near = s.near(k, taken)
		}
		return l
	}
	return nil
}

// of is what is said of a kernel as what is said of the case: in a pipeline, which kernel
// it is.
func (c Case) of(kernel, text string) string {
	if c.Pipeline == nil {
		return text
	}
	return kernel + " is " + text
}

// near are the entry points that may be kernel k under another name: those whose names
// are near its own, and those whose arguments have the names of its arguments.
func (s *Shaders) near(k *Kernel, taken []string) []string {
	var names, alike []string
	at := map[string]metalrun.Position{}
	for _, u := range s.units {
		for _, info := range u.signatures() {
			if slices.Contains(taken, info.Name) {
				continue
			}
			names = append(names, info.Name)
			at[info.Name] = info.Position
			if k.named(info) {
				alike = append(alike, info.Name)
			}
		}
	}
	near := Nearest(k.Name, names)
	for _, name := range alike {
		near = with(near, name)
	}
	for i, name := range near {
		near[i] = fmt.Sprintf("%s (%s:%d)", name, at[name].File, at[name].Line)
	}
	return near
}

// named reports whether the arguments of an entry point have the names of the kernel's.
func (k *Kernel) named(info metalrun.Signature) bool {
	buffers := 0
	for _, a := range info.Args {
		if a.Kind != metalrun.BufferArg {
			continue
		}
		if own, ok := k.Args.At(a.Index); !ok || a.Name != own.Name {
			return false
		}
		buffers++
	}
	return buffers == len(k.Args) && buffers > 0
}

// Takes reports whether the argument table of an entry point is that of the
// specification; the error says where it is not.
func (k *Kernel) Takes(info metalrun.KernelInfo) error {
	if wrong := k.conformsTo(info); wrong != nil {
		return fmt.Errorf("%s: %s", info.Position, strings.Join(wrong, "; "))
	}
	return nil
}
