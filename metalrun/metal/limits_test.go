package metal

import (
	"errors"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"metalconform/metalrun"
)

func TestLimits(t *testing.T) {
	l := limits{threadgroupMemory: 32768, buffer: 1 << 20, constantOffset: 32}
	args := []metalrun.ArgInfo{
		{Name: "x", Index: 0, Align: 8},
		{Name: "c", Index: 1, Align: 4, Constant: true},
		{Name: "s", Index: 2, Align: 4, Kind: metalrun.ThreadgroupArg},
	}
	bind := func(x, c int) []metalrun.Binding {
		data := make([]byte, 128)
		return []metalrun.Binding{{Index: 0, Data: data, Offset: x, Length: 8},
			{Index: 1, Data: data, Offset: c, Length: 8}}
	}
	inline := bind(0, 4)
	inline[1].Inline = true
	long := bind(0, 0)
	long[0].Data = make([]byte, 1<<20+1)
	empty := bind(4, 0)
	empty[0].Length = 0
	for _, test := range []struct {
		name     string
		bindings []metalrun.Binding
		want     string
	}{
		{"aligned", bind(8, 64), ""},
		{"device", bind(4, 0), "buffer 0: offset 4 of x has to be a multiple of 8"},
		{"constant", bind(0, 4), "buffer 1: offset 4 of c has to be a multiple of 32"},
		{"setBytes has no offset", inline, ""},
		{"an empty window has none either", empty, ""},
		{"long", long, "buffer 0: the device takes at most 1048576 bytes, x has 1048577"},
		{"unbound", bind(0, 0)[:1], "buffer 1: nothing is bound to c"},
	} {
		if err := l.checkBindings(args, test.bindings); !failsWith(err, test.want) {
			t.Errorf("%s: %v, want %q", test.name, err, test.want)
		}
	}
	for _, test := range []struct {
		static  int
		lengths []int
		want    string
	}{
		{0, []int{32768}, ""},
		{16, []int{32752}, ""},
		{0, []int{32769}, "threadgroup memory of 32769 bytes: the device has 32768"},
		{32, []int{32737}, "threadgroup memory of 32784 bytes in all, 32 declared in k: the device has 32768"},
	} {
		if err := l.checkMemory("k", test.static, test.lengths); !failsWith(err, test.want) {
			t.Errorf("%d, %v: %v, want %q", test.static, test.lengths, err, test.want)
		}
	}
	if a, b := constantOffset(true), constantOffset(false); a != 4 || b != 32 {
		t.Errorf("offsets in constant memory are aligned to %d on Apple GPUs and %d on others", a, b)
	}
	if err := checkWidth(metalrun.KernelInfo{Collective: true}, 16); !errors.Is(err, metalrun.ErrUnsupported) {
		t.Errorf("simdgroups of 16: %v", err)
	}
	for _, k := range []metalrun.KernelInfo{{Collective: true}, {}} {
		if err := checkWidth(k, 32); err != nil {
			t.Error(err)
		}
	}
}

// A system that leaves the GPU's clock out, or has it run backwards, gets the host's.
func TestTimes(t *testing.T) {
	for _, test := range []struct {
		start, end float64
		want       metalrun.Outcome
	}{
		{100, 100.5, metalrun.Outcome{Duration: 500 * time.Millisecond}},
		{0, 0, metalrun.Outcome{Duration: time.Second, Clock: metalrun.HostClock}},
		{0, 100, metalrun.Outcome{Duration: time.Second, Clock: metalrun.HostClock}},
		{100, 0, metalrun.Outcome{Duration: time.Second, Clock: metalrun.HostClock}},
		{100.5, 100, metalrun.Outcome{Duration: time.Second, Clock: metalrun.HostClock}},
		{100, 100, metalrun.Outcome{Duration: time.Second, Clock: metalrun.HostClock}},
		{100, 200, metalrun.Outcome{Duration: time.Second, Clock: metalrun.HostClock}}, // longer than the host waited
	} {
		if got := timed(test.start, test.end, time.Second); got.Duration != test.want.Duration ||
			got.Clock != test.want.Clock {
			t.Errorf("timed(%v, %v) = %+v, want %+v", test.start, test.end, got, test.want)
		}
	}
}

// The libraries are where macOS has them.
func TestLibraries(t *testing.T) {
	framework := regexp.MustCompile(`^/System/Library/Frameworks/(\w+)\.framework/(\w+)$`)
	var names []string
	for _, path := range systemLibraries {
		m := framework.FindStringSubmatch(path)
		switch {
		case path == "/usr/lib/libobjc.A.dylib":
			names = append(names, "objc")
		case m != nil && m[1] == m[2]:
			names = append(names, m[1])
		default:
			t.Errorf("%s is not where macOS has libraries", path)
		}
	}
	if want := []string{"CoreGraphics", "Foundation", "Metal", "objc"}; !slices.Equal(names, want) {
		t.Errorf("libraries %v, want %v", names, want)
	}
}

// A threadgroup above a pipeline's own limit is not supported there; one above the kernel's limit is a mistake.
func TestThreads(t *testing.T) {
	const most = 832
	own := metalrun.KernelInfo{Name: "k", MaxThreads: 512}
	for _, test := range []struct {
		kernel      metalrun.KernelInfo
		most        int
		threads     int
		unsupported bool
		want        string
	}{
		{metalrun.KernelInfo{Name: "k"}, most, most, false, ""},
		{metalrun.KernelInfo{Name: "k"}, most, mostThreads, true, "at most 832 threads, and this launch has 1024"},
		{own, 512, 513, false, "k sets its own limit of 512"},
		{own, 384, 448, true, "at most 384 threads"},
	} {
		err := checkThreads(test.kernel, test.most, test.threads)
		if test.want == "" {
			if err != nil {
				t.Errorf("%d threads of %d: %v", test.threads, test.most, err)
			}
			continue
		}
		if err == nil || !strings.Contains(err.Error(), test.want) ||
			errors.Is(err, metalrun.ErrUnsupported) != test.unsupported {
			t.Errorf("%d threads of %d: %v, want %q", test.threads, test.most, err, test.want)
		}
	}
}
