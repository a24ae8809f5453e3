//go:build linux && metaldouble

package fake

import (
	_ "embed"
	"os"
	"slices"
	"strings"
	"testing"
	"unsafe"

	"github.com/ebitengine/purego"
)

//go:embed objc/selectors.tsv
var selectors string

//go:embed objc/selectors_macos15.tsv
var laterSelectors string

//go:embed objc/enums.tsv
var enums string

//go:embed objc/enums_macos15.tsv
var laterEnums string

// stands says which of Metal's classes and protocols a class of the double stands for.
var stands = map[string][]string{
	"FakeDevice": {"Device"}, "FakeArchitecture": {"Architecture"}, "FakeLibrary": {"Library"},
	"FakeFunction": {"Function"},
	"FakePipeline": {"ComputePipelineState"}, "FakeBuffer": {"Buffer", "Resource"}, "FakeQueue": {"CommandQueue"},
	"FakeCommands": {"CommandBuffer"}, "FakeEncoder": {"ComputeCommandEncoder", "CommandEncoder"},
	"MTLCompileOptions": {"CompileOptions"}, "MTLFunctionConstantValues": {"FunctionConstantValues"},
	"MTLCommandBufferDescriptor": {"CommandBufferDescriptor"},
}

// own are methods of the double that are no messages of Metal.
var own = []string{"init", "dealloc", "respondsToSelector:", ".cxx_construct",
	"buffer:options:where:", "rejects:log:", "function:of:", "encoding:", "validate", "dispatch:of:threads:where:",
	"fail:with:", "execute"}

// TestSignatures holds every method of the double to the types that Apple's own
// interface has for it.
func TestSignatures(t *testing.T) {
	handle, err := purego.Dlopen(os.Getenv("METAL_DOUBLE_LIBRARY"), purego.RTLD_NOW)
	if err != nil {
		t.Fatal(err)
	}
	var (
		getClass func(string) uintptr
		methods  func(uintptr, *uint32) unsafe.Pointer
		name     func(uintptr) uintptr
		spelling func(uintptr) string
		encoding func(uintptr) string
	)
	for n, f := range map[string]any{
		"objc_getClass": &getClass, "class_copyMethodList": &methods, "method_getName": &name, "sel_getName": &spelling,
		"method_getTypeEncoding": &encoding,
	} {
		purego.RegisterLibFunc(f, handle, n)
	}
	known := signatures()
	answered := 0
	for class, of := range stands {
		var count uint32
		list := methods(getClass(class), &count)
		if count == 0 {
			t.Errorf("class %s has no methods", class)
			continue
		}
		for _, m := range unsafe.Slice((*uintptr)(list), count) {
			selector := spelling(name(m))
			if slices.Contains(own, selector) {
				continue
			}
			answered++
			var want []string
			for _, c := range of {
				if s, ok := known[c+" "+selector]; ok {
					want = s
				}
			}
			if want == nil {
				t.Errorf("[%s %s] is no message of Metal", class, selector)
				continue
			}
			if got := types(encoding(m)); !slices.Equal(got, want) {
				t.Errorf("[%s %s] has the types %v, Metal %v", class, selector, got, want)
			}
		}
	}
	if answered < 40 {
		t.Errorf("%d methods were compared", answered)
	}
}

// signatures are the types of result and arguments, by class and selector.
func signatures() map[string][]string {
	known := map[string][]string{}
	for line := range strings.Lines(selectors + laterSelectors) {
		cells := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		class, ok := strings.CutPrefix(cells[0], "MTL::")
		if !ok {
			continue
		}
		signature := []string{code(cells[2])}
		for _, a := range strings.Split(cells[3], "; ") {
			if a != "" {
				signature = append(signature, code(a))
			}
		}
		known[class+" "+cells[1]] = signature
	}
	return known
}

// code is a type of the C++ interface as a type encoding.
func code(t string) string {
	t = strings.TrimPrefix(t, "const ")
	switch t {
	case "void":
		return "v"
	case "bool":
		return "B"
	case "NS::UInteger":
		return "Q"
	case "CFTimeInterval":
		return "d"
	case "void*":
		return "^v"
	case "MTL::Size":
		return "{?=QQQ}"
	}
	switch {
	case strings.HasSuffix(t, "**"):
		return "^@"
	case strings.HasSuffix(t, "*"):
		return "@"
	case strings.Contains(enums+laterEnums, "\n"+strings.TrimPrefix(t, "MTL::")+"\tNS::Integer\t"):
		return "q"
	}
	return "Q" // an enumeration of unsigned ones
}

// types are those of an encoding of GCC's in the spelling of Apple's, without offsets,
// the object and the selector.
func types(encoding string) []string {
	var list []string
	for rest := strings.ReplaceAll(encoding, "^r", "^"); rest != ""; {
		rest = strings.TrimLeft(rest, "rnNoORV0123456789")
		if rest == "" {
			break
		}
		n := 1
		switch rest[0] {
		case '^':
			n = 2
		case '{':
			n = strings.IndexByte(rest, '}') + 1
		}
		list = append(list, strings.NewReplacer("C", "B", "L", "Q", "l", "q").Replace(rest[:n]))
		rest = rest[n:]
	}
	return slices.Delete(list, 1, 3)
}
