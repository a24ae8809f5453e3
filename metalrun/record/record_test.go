package record

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"metalconform/metalrun"
	"metalconform/metalrun/sim"
	"metalconform/tensorfile"

	"github.com/google/go-cmp/cmp"
)

const source = `kernel void scale(device const float *x [[buffer(0)]], device float *y [[buffer(1)]], device half *z [[buffer(3)]],
                  constant float &c [[buffer(2)]], uint i [[thread_position_in_grid]]) { y[i] = c * x[i]; z[i] = half(x[i]); }
kernel void copy(device const float *x [[buffer(0)]], device float *y [[buffer(1)]], uint i [[thread_position_in_grid]]) { y[i] = x[i]; }
`

func kernel(t *testing.T, r metalrun.Runner, text, name string) metalrun.Kernel {
	t.Helper()
	p, err := metalrun.Analyse(metalrun.SourceText("k.metal", text), metalrun.CompileOptions{})
	if err != nil {
		t.Fatal(err)
	}
	l, err := r.Compile(p)
	if err != nil {
		t.Fatal(err)
	}
	k, err := l.Kernel(name)
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// dispatch of n threads, between guards.
func dispatch(n int) metalrun.Dispatch {
	d := metalrun.Dispatch{Threads: metalrun.Size{X: n, Y: 1, Z: 1},
		ThreadsPerThreadgroup: metalrun.Size{X: 1, Y: 1, Z: 1}}
	for i, width := range []int{4, 4, 0, 2} {
		data := bytes.Repeat([]byte{0x3f}, n*width+16)
		d.Bindings = append(d.Bindings, metalrun.Binding{Index: i, Data: data, Offset: 8, Length: n * width})
	}
	d.Bindings[2] = metalrun.Binding{Index: 2, Data: []byte{0, 0, 0, 0x40}, Length: 4, Inline: true}
	return d
}

// stray writes outside of the window too, as a GPU would.
type stray struct{ metalrun.Runner }
type strayLibrary struct{ metalrun.Library }
type strayKernel struct{ metalrun.Kernel }

func (r stray) Compile(p *metalrun.Program) (metalrun.Library, error) {
	l, err := r.Runner.Compile(p)
	return strayLibrary{l}, err
}
func (l strayLibrary) Kernel(name string) (metalrun.Kernel, error) {
	k, err := l.Library.Kernel(name)
	return strayKernel{k}, err
}
func (k strayKernel) Run(d metalrun.Dispatch) (metalrun.Outcome, error) {
	o, err := k.Kernel.Run(d)
	d.Bindings[1].Data[0] ^= 0xff
	o.Duration, o.Clock = 7*time.Microsecond, metalrun.HostClock
	return o, err
}

func recorded(t *testing.T, r metalrun.Runner) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "record")
	rec, err := New(r, dir)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := kernel(t, rec, source, "scale").Run(dispatch(5)); err != nil {
		t.Fatal(err)
	}
	return dir
}

// What a device has written comes back, guards and times too, and for nothing else.
func TestReplay(t *testing.T) {
	r := stray{sim.New(sim.Semantics{})}
	dir := recorded(t, r)
	want := dispatch(5)
	if _, err := kernel(t, r, source, "scale").Run(want); err != nil {
		t.Fatal(err)
	}
	replay, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := replay.Device().Name, r.Device().Name; got != want {
		t.Errorf("device %q, want %q", got, want)
	}
	got := dispatch(5)
	o, err := kernel(t, replay, source, "scale").Run(got)
	if err != nil || o.Duration != 7*time.Microsecond || o.Clock != metalrun.HostClock {
		t.Fatalf("%+v, %v", o, err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("dispatch (-want +got):\n%s", diff)
	}
	others := map[string]func() error{
		"source": func() error { _, err := kernel(t, replay, source+"\n", "scale").Run(dispatch(5)); return err },
		"kernel": func() error {
			d := dispatch(5)
			d.Bindings = d.Bindings[:2]
			_, err := kernel(t, replay, source, "copy").Run(d)
			return err
		},
		"size": func() error { _, err := kernel(t, replay, source, "scale").Run(dispatch(6)); return err },
		"input": func() error {
			d := dispatch(5)
			d.Bindings[0].Data[9]++
			_, err := kernel(t, replay, source, "scale").Run(d)
			return err
		},
		"geometry": func() error {
			d := dispatch(5)
			d.ThreadsPerThreadgroup.X = 2
			_, err := kernel(t, replay, source, "scale").Run(d)
			return err
		},
	}
	for name, launch := range others {
		if err := launch(); !errors.Is(err, metalrun.ErrUnsupported) {
			t.Errorf("another %s: %v", name, err)
		}
	}
	if replay.Answers() != 1 {
		t.Errorf("%d launches answered, want 1", replay.Answers())
	}
	if _, err := New(r, dir); err == nil {
		t.Error("a recording is written over")
	}
}

// Recordings are bounded by launch, by kernel or pipeline, and by case: a case is kept
// whole or not at all, and settling it says which. Steps without a file settle.
func TestRoom(t *testing.T) {
	type step struct {
		of, file string
		n        int
		keep     bool
		dropped  string
	}
	const half = mostGroup / 2
	for name, steps := range map[string][]step{
		"a launch that is too long": {{"a/1", "x", 10, true, ""}, {"a/1", "y", mostLaunch + 1, false, "[x]"},
			{"a/1", "z", 1, false, ""}, {of: "a/1"}, {"a/2", "w", 1, true, ""}},
		"kernels one after the other": {{"a/1", "x", half, true, ""}, {of: "a/1"}, {"a/2", "y", half, true, ""},
			{of: "a/2"}, {"a/3", "z", 1, false, ""}, {"b/1", "w", half, true, ""}},
		"pipelines side by side": {{"a/1", "x", half, true, ""}, {"a/2", "y", 1, true, ""},
			{"a/1", "z", half, true, ""}, {of: "a/1"}, {"a/2", "w", 1, false, "[y]"}, {of: "a/2"}},
		"the second is over first": {{"a/2", "y", half, true, ""}, {"a/2", "z", half, true, ""},
			{"a/1", "x", 1, true, ""}, {of: "a/1"}, {of: "a/2", dropped: "[y z]"}, {"a/3", "w", 1, true, ""}},
		"one case beyond": {{"a/1", "x", mostLaunch, true, ""}, {"a/1", "y", mostLaunch, true, ""},
			{"a/1", "z", mostLaunch, true, ""}, {"a/1", "u", mostLaunch, true, ""},
			{"a/1", "v", 1, false, "[u x y z]"}, {of: "a/1"}, {"a/2", "w", 1, true, ""}},
		"a launch of two cases": {{"a/1", "x", half, true, ""}, {of: "a/1"}, {"a/2", "x", half, true, ""},
			{"a/2", "y", 1, false, ""}, {of: "a/2"}},
		"a launch of another": {{"a/2", "x", half, true, ""}, {"a/2", "y", half, true, ""},
			{"a/1", "x", half, true, ""}, {of: "a/1"}, {of: "a/2", dropped: "[y]"}},
		"the same twice": {{"a/1", "x", half, true, ""}, {"a/1", "x", half, true, ""}, {of: "a/1"},
			{"a/2", "y", half, true, ""}},
		"of no case": {{"", "x", half, true, ""}, {"", "y", half, true, ""}, {"", "z", half, true, ""}},
	} {
		r := newRoom()
		for i, s := range steps {
			var keep bool
			var dropped []string
			if s.file == "" {
				dropped = r.settle(s.of)
			} else {
				keep, dropped = r.admit(s.of, s.file, s.n)
			}
			if keep != s.keep || s.dropped != "" && fmt.Sprint(dropped) != s.dropped ||
				s.dropped == "" && dropped != nil {
				t.Errorf("%s, step %d: %v, dropped %v, want %+v", name, i+1, keep, dropped, s)
			}
		}
	}
}

// What stays does not depend on how launches of several cases take turns.
func TestRoomInAnyOrder(t *testing.T) {
	draw := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		cases := make([][]int, 12) // bytes of the launches of each
		for i := range cases {
			for range 1 + draw.IntN(4) {
				cases[i] = append(cases[i], 1<<draw.IntN(22))
			}
		}
		one := kept(cases, draw, 1)
		for range 5 {
			if many := kept(cases, draw, len(cases)); !slices.Equal(one, many) {
				t.Fatalf("cases of %v bytes: one by one %v stay, side by side %v", cases, one, many)
			}
		}
	}
}

// kept are the launches that stay of cases of which some run side by side.
func kept(cases [][]int, draw *rand.Rand, parallel int) []string {
	r := newRoom()
	done, settled := make([]int, len(cases)), 0
	for settled < len(cases) {
		i := settled + draw.IntN(min(parallel, len(cases)-settled))
		of := fmt.Sprintf("a/%d", i)
		if done[i] < len(cases[i]) {
			r.admit(of, fmt.Sprintf("%s.%d", of, done[i]), cases[i][done[i]])
			done[i]++
		}
		for ; settled < len(cases) && done[settled] == len(cases[settled]); settled++ {
			r.settle(fmt.Sprintf("a/%d", settled))
		}
	}
	return slices.Sorted(maps.Keys(r.users))
}

// A case that is wanted has room of its own, and no other case has any.
func TestWanted(t *testing.T) {
	r := newRoom()
	for _, c := range []struct {
		of, file string
		n        int
	}{{"a/1", "x", mostGroup}, {"a/2", "y", 1}} {
		r.admit(c.of, c.file, c.n)
		r.settle(c.of)
	}
	if r.wants("a/1") || !r.wants("a/2") {
		t.Error("what is kept begins anew, or what is not does not")
	}
	for i, test := range []struct {
		of, file string
		n        int
		want     bool
	}{{"a/3", "z", 1, false}, {"a/2", "y", mostLaunch, true}, {"a/2", "z", mostLaunch, true}, {"", "w", 1, true},
		{"a/1", "v", 1, false}} {
		if got, _ := r.admit(test.of, test.file, test.n); got != test.want {
			t.Errorf("launch %d of %q: %v", i, test.of, got)
		}
	}
	if dropped := r.settle("a/2"); dropped != nil || r.users["x"] == 0 || r.users["y"] == 0 {
		t.Errorf("what was kept is gone, %v", dropped)
	}
	r.wants("a/3")
	for i := range 3 {
		if keep, _ := r.admit("a/3", fmt.Sprint(i), mostLaunch); keep != (i < 2) {
			t.Errorf("launch %d of another that is wanted: %v", i, keep)
		}
	}
}

// endsBadly is a device on which every launch writes and then ends badly.
type endsBadly struct {
	metalrun.Runner
	err error
}
type endingLibrary struct {
	metalrun.Library
	err error
}
type endingKernel struct {
	metalrun.Kernel
	err error
}

func (r endsBadly) Compile(p *metalrun.Program) (metalrun.Library, error) {
	l, err := r.Runner.Compile(p)
	return endingLibrary{l, r.err}, err
}
func (l endingLibrary) Kernel(name string) (metalrun.Kernel, error) {
	k, err := l.Library.Kernel(name)
	return endingKernel{k, l.err}, err
}
func (k endingKernel) Run(d metalrun.Dispatch) (metalrun.Outcome, error) {
	k.Kernel.Run(d)
	return metalrun.Outcome{}, k.err
}

// A launch that failed fails again, in the same words, with what it had written by then.
func TestFailures(t *testing.T) {
	fault := &metalrun.Fault{Position: metalrun.Position{File: "k.metal", Line: 1, Col: 2}, Kernel: "scale",
		Message: "hang"}
	for _, failed := range []error{fault, fmt.Errorf("out of memory"), fmt.Errorf("%w: wedged", metalrun.ErrUnusable)} {
		dir := filepath.Join(t.TempDir(), "record")
		rec, err := New(endsBadly{sim.New(sim.Semantics{}), failed}, dir)
		if err != nil {
			t.Fatal(err)
		}
		want, got := dispatch(5), dispatch(5)
		if _, err := kernel(t, rec, source, "scale").Run(want); !errors.Is(err, failed) {
			t.Errorf("recording: %v, want %v", err, failed)
		}
		replay, err := Open(dir)
		if err != nil {
			t.Fatal(err)
		}
		_, err = kernel(t, replay, source, "scale").Run(got)
		if err == nil || err.Error() != failed.Error() || errors.Is(err, metalrun.ErrUnusable) ||
			replay.Answers() != 1 {
			t.Errorf("replaying: %v, want %v", err, failed)
		}
		var f *metalrun.Fault
		if errors.As(err, &f) != errors.As(failed, &f) {
			t.Errorf("%v is a fault, or is not", err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("dispatch (-want +got):\n%s", diff)
		}
	}
}

// Bindings that share memory find in it what they found, whatever the others leave there.
func TestSharedMemory(t *testing.T) {
	shared := func() metalrun.Dispatch {
		d := dispatch(5)
		d.Bindings[1].Data = d.Bindings[0].Data
		return d
	}
	dir := filepath.Join(t.TempDir(), "record")
	rec, err := New(sim.New(sim.Semantics{}), dir)
	if err != nil {
		t.Fatal(err)
	}
	want, got := shared(), shared()
	if _, err := kernel(t, rec, source, "scale").Run(want); err != nil {
		t.Fatal(err)
	}
	replay, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := kernel(t, replay, source, "scale").Run(got); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("dispatch (-want +got):\n%s", diff)
	}
}

// TestSharedKey tells a launch with one buffer at two indices from one with two buffers of the same bytes.
func TestSharedKey(t *testing.T) {
	p, err := metalrun.Analyse(metalrun.SourceText("k.metal", source), metalrun.CompileOptions{})
	if err != nil {
		t.Fatal(err)
	}
	apart := dispatch(4)
	shared := apart
	shared.Bindings = slices.Clone(apart.Bindings)
	shared.Bindings[1].Data = shared.Bindings[0].Data
	if !bytes.Equal(apart.Bindings[0].Data, apart.Bindings[1].Data) {
		t.Fatal("the buffers differ")
	}
	if key(p, "scale", apart) == key(p, "scale", shared) {
		t.Error("the keys are equal")
	}
}

// An archive, whose arrays may take a thousand times what the file does, is no launch.
func TestArchiveIsNoLaunch(t *testing.T) {
	var file bytes.Buffer
	archive := zip.NewWriter(&file)
	member, err := archive.Create("in.x.npy")
	if err != nil {
		t.Fatal(err)
	}
	const header = "{'descr': '|u1', 'fortran_order': False, 'shape': (16777216,), }\n"
	if _, err := member.Write(append([]byte("\x93NUMPY\x01\x00"+string([]byte{byte(len(header)), 0})+header),
		make([]byte, 1<<24)...)); err != nil {
		t.Fatal(err)
	}
	if err := archive.Close(); err != nil {
		t.Fatal(err)
	}
	if _, tensors, err := decode(file.Bytes()); err == nil || len(tensors) > 0 {
		t.Errorf("an archive of %d bytes gave %d arrays, %v", file.Len(), len(tensors), err)
	}
}

// A recording that has been damaged judges nothing.
func TestDamagedRecording(t *testing.T) {
	dir := recorded(t, sim.New(sim.Semantics{}))
	files, err := filepath.Glob(filepath.Join(dir, "*"+ending))
	if err != nil || len(files) != 1 {
		t.Fatalf("files %v, %v", files, err)
	}
	name := filepath.Base(files[0])
	whole, err := read(files[0])
	if err != nil {
		t.Fatal(err)
	}
	replay, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	put := func(data []byte) error {
		file, err := compressed(dir, name, data)
		if err != nil {
			return err
		}
		return os.Rename(file, files[0])
	}
	for what, damage := range map[string]func() error{
		"not gzip": func() error { return os.WriteFile(files[0], []byte("hello"), 0o666) },
		"cut":      func() error { return put(whole[:len(whole)-1]) },
		"another input": func() error {
			return put(bytes.Replace(whole, []byte("\x00\x00\x00\x40"), []byte("\x00\x00\x00\x41"), 1))
		},
		"another kernel": func() error {
			return put(bytes.Replace(whole, []byte(`"kernel":"scale"`), []byte(`"kernel":"stale"`), 1))
		},
		"an output of another length": func() error {
			_, tensors, err := decode(whole)
			if err != nil {
				return err
			}
			var list []tensorfile.Named
			for n, x := range tensors {
				if n == "out.y" {
					x.Data, x.Shape = x.Data[4:], []int{x.Len() - 1}
				}
				list = append(list, tensorfile.Named{Name: n, Array: x})
			}
			return put(tensorfile.Safetensors(map[string]string{"kernel": "scale", "ns": "1"}, list))
		},
		"a fault that is none": func() error {
			_, tensors, err := decode(whole)
			if err != nil {
				return err
			}
			var list []tensorfile.Named
			for n, x := range tensors {
				list = append(list, tensorfile.Named{Name: n, Array: x})
			}
			return put(tensorfile.Safetensors(map[string]string{"kernel": "scale", "ns": "1", "error": "e",
				"fault": "{"}, list))
		},
		"a bomb": func() error { return put(make([]byte, mostFile+1)) },
	} {
		if err := damage(); err != nil {
			t.Fatal(err)
		}
		if _, err := kernel(t, replay, source, "scale").Run(dispatch(5)); err == nil ||
			!strings.Contains(err.Error(), "is damaged: ") || errors.Is(err, metalrun.ErrUnsupported) {
			t.Errorf("%s: %v", what, err)
		}
	}
	for _, text := range []string{"", "{}", `{"Backend":"metal","Clock":"sundial"}`} {
		if err := os.WriteFile(filepath.Join(dir, deviceFor), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		if _, err := Open(dir); err == nil {
			t.Errorf("device %q is believed", text)
		}
	}
}

// TestForeignDevice: what a recording says of its device is shown in lines of our own, and cannot make others.
func TestForeignDevice(t *testing.T) {
	for text, want := range map[string]string{
		`{"Backend": "metal", "Clock": "gpu", "Name": "M1"}`:                                "",
		`{"Backend": "metal", "Clock": "gpu", "Name": "M1\n17 cases: all conform"}`:         "what can be printed",
		`{"Backend": "metal", "Clock": "gpu", "Detail": "\u001b[31m"}`:                      "what can be printed",
		`{"Backend": "metal", "Clock": "gpu", "Facts": {"families": ["Apple7", "a\rb"]}}`:   "what can be printed",
		`{"Backend": "metal", "Clock": "gpu", "Name": "` + strings.Repeat("x", 2000) + `"}`: "want at most 1024 bytes",
		`{"Backend": "metal", "Clock": "sun"}`:                                              "not a device",
		`{"Backend": "metal", "Clock": "gpu", "Facts": {"system": "macOS\u202e 15"}}`:       "what can be printed",
	} {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, deviceFor), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		if _, err := Open(dir); (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%.80s: %.200v, want %q", text, err, want)
		}
	}
}
