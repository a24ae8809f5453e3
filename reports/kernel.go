package reports

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"runtime"
	"slices"
	"strconv"
	"sync"

	"metalconform/suite"
)

// Describe enters in a header what is judged: the shaders, with the texts that kernels of the cases are made of, and
// the kernels and pipelines of the cases. catalogue has the names of all kernels that there are.
func (h *Header) Describe(cases []suite.Case, shaders *suite.Shaders, catalogue []string) {
	h.Planned = len(cases)
	shaders.AnalyseFor(cases)
	h.Shaders = map[string]Shader{}
	texts, shown := shaders.Compiled(cases)
	for name, text := range texts {
		sum := sha256.Sum256([]byte(text))
		if !shown[name] {
			text = ""
		}
		h.Shaders[name] = Shader{SHA256: hex.EncodeToString(sum[:]), Text: text}
	}
	firsts, _ := suite.Firsts(cases)
	kernels := make([]Kernel, len(firsts))
	var all sync.WaitGroup
	room := make(chan struct{}, runtime.GOMAXPROCS(0))
	for i, c := range firsts {
		room <- struct{}{}
		all.Go(func() {
			kernels[i] = newKernel(c, shaders, catalogue)
			<-room
		})
	}
	all.Wait()
	h.Kernels = append(h.Kernels, kernels...)
}

// Broken enters the files that do not compile, with their texts.
func (h *Header) Broken(files []*suite.BrokenFile, shaders *suite.Shaders) {
	texts := shaders.Texts()
	for _, b := range files {
		s := h.Shaders[b.File]
		s.Text, s.Diagnostics, s.Panicked = texts[b.File], b.Diagnostics, b.Crash != nil
		h.Shaders[b.File] = s
	}
}

// WithoutSources takes the texts of the shaders out.
func (h *Header) WithoutSources() {
	for name, s := range h.Shaders {
		s.Text = ""
		h.Shaders[name] = s
	}
}

// fileNames are the names of the shaders, in order.
func (h *Header) fileNames() []string { return slices.Sorted(maps.Keys(h.Shaders)) }

// newKernel describes the kernel or the pipeline of a case.
func newKernel(c suite.Case, shaders *suite.Shaders, catalogue []string) Kernel {
	k := Kernel{Name: c.Kernel.Name, Family: c.Family, Doc: c.Kernel.Doc, Lack: shaders.Lacks(c, catalogue)}
	for _, a := range c.Kernel.Axes {
		k.Axes = append(k.Axes, string(a))
	}
	for _, a := range c.Kernel.Args {
		k.Bindings = append(k.Bindings, newBinding(a))
	}
	if c.Pipeline != nil {
		k.Pipeline = c.Pipeline.Kernels
		return k
	}
	k.Contract = c.Kernel.Promise()
	if file, info, err := shaders.Find(k.Name); err == nil {
		k.File, k.Line = file, info.Position.Line
	}
	return k
}

func newBinding(a suite.Arg) Binding {
	b := Binding{Name: a.Name, Role: [...]string{"in", "out", "inout", "constant", "struct"}[a.Role]}
	if a.Role != suite.RoleParams {
		b.Type = a.Type.String()
	}
	for _, e := range a.Extents {
		b.Extents = append(b.Extents, extent(e))
	}
	for _, f := range a.Fields {
		b.Fields = append(b.Fields, f.Type.String()+" "+f.Name)
	}
	return b
}

// extent spells the length of an axis of a buffer.
func extent(e suite.Extent) string {
	switch e := e.(type) {
	case suite.Axis:
		return string(e)
	case suite.Fixed:
		return strconv.Itoa(int(e))
	case fmt.Stringer: // a specification says it in words
		return e.String()
	}
	return "…"
}
