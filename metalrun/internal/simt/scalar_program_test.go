package simt

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"metalconform/metalrun/internal/ball"
	"metalconform/metalrun/internal/simt/exact"
	"metalconform/metalrun/internal/simt/machine"
	"metalconform/metalrun/internal/simt/sanitize"
)

// left is a kernel that leaves a loop to one thread: p holds how many elements there are, and the
// distance of rows.
func left(loop string) string {
	return `#include <metal_stdlib>
using namespace metal;
kernel void f(device float* out, device const float* a, device const float* b, constant uint* p,
              uint i [[thread_position_in_grid]], uint id [[thread_index_in_threadgroup]]) {
    threadgroup float shared[64];
    const uint n = p[0], stride = p[1];
    const int signedN = int(n);
    float x = a[i % 16];
    shared[id] = x;
    threadgroup_barrier(mem_flags::mem_threadgroup);
    if (id != 0) return;
    device float* o = out + i;
    float best[5];
    int at[5];
    for (uint s = 0; s < 5; s++) { best[s] = -1e30f; at[s] = 0; }
    ` + loop + `
    o[0] = x;
}`
}

// singleLaneForms are what one thread is left with, and whether there is a program for it.
var singleLaneForms = []struct {
	name, loop string
	recognised bool
}{
	{"the best of all",
		"for (uint e = 0; e < n; e++) { uint s = 0; for (uint t = 1; t < 5; t++) if (best[t] < best[s]) s = t; if " +
			"(a[e] > best[s]) { best[s] = a[e]; at[s] = int(e); } } for (uint t = 0; t < 5; t++) x += best[t] * " +
			"float(at[t]);", true},
	{"arithmetic of floats", "for (uint e = 0; e < n; e++) { float y = a[e]; x = (x + y) * 0.5f - y / 3.0f; if (x == " +
		"y || x != x || x >= y) x -= y; }", true},
	{"arithmetic of integers",
		"int k = 7; uint u = 9; for (int e = -3; e < signedN; e++) { k = (k * 5 - e) ^ (k >> 3); u = ((u << 3) + (u " +
			">> 2)) | uint(e); k &= 0xffff; if (k <= e || u <= 3u) k += 2; if (uint(k) == u) break; } x += float(k) " +
			"+ float(u & 255u);", true},
	{"wide integers",
		"ulong k = n; long z = -5; for (uint e = 0; e < n; e++) { k = (k << 7) - (k >> 3) + e; z = (z >> 1) * 3 - " +
			"long(e); if (z < -100 || k >= 99999999999ul) z &= 63; if (z <= 0) z++; } x += float(uint(k & 1023)) + " +
			"float(int(z));", true},
	{"elements of several types",
		"device const ushort* h = (device const ushort*)b; device const char* c = (device const char*)b; for (uint e " +
			"= 0; e < n; e++) x += float(h[e]) - float(c[e + 1]);", true},
	{"bfloats and halves", "device const bfloat* h = (device const bfloat*)b; device const half* c = (device const " +
		"half*)b; for (uint e = 0; e < n; e++) if (float(h[e]) < float(c[e])) x += 1;", true},
	{"vectors", "for (uint e = 0; e + 4 <= n; e += 4) { float4 v = ((device const packed_float4*)a)[e >> 2]; x += " +
		"v.x * v.w - v.y; }", true},
	{"rows", "for (uint e = 0; e < n; e++) x += b[ulong(e) * stride + 1];", true},
	{"an array by a signed index", "for (int e = 0; e < signedN; e++) { at[e % 5] = e; x += best[(e + 1) % 5]; }",
		false},
	{"an array beyond its end", "for (uint e = 0; e < n; e++) best[e] = a[e]; x = best[4];", true},
	{"an array before its beginning", "for (int e = 4; e > 3 - signedN; e--) x += best[e];", true},
	{"exits", "for (uint e = 0; e < n; e++) { if (a[e] < 0) continue; x += a[e]; if (x > 20) { o[0] = x; return; } " +
		"if (e == 60) break; }", true},
	{"do while", "uint e = 0; do { x += a[e]; e++; } while (e < n && x < 30);", true},
	{"a branch of two arms", "for (uint e = 0; e < n; e++) { if (a[e] < b[e]) { x += a[e]; } else { x -= b[e]; } o[e " +
		"& 1u] = x; }", true},
	{"a function", "for (uint e = 0; e < n; e++) x += fabs(a[e]);", false},
	{"a quotient of integers", "for (uint e = 1; e < n; e++) x += float(n / e);", false},
}

var singleLaneLaunches = []runLaunch{
	{name: "as it is meant", n: 60, stride: 9, threads: 128, group: 64, weightWords: 400, memoryWords: 800},
	{name: "one threadgroup", n: 3, stride: 2, threads: 33, group: 64, weightWords: 400, memoryWords: 800},
	{name: "none", n: 0, stride: 1, threads: 64, group: 64, weightWords: 400, memoryWords: 800},
	{name: "first array ends early", n: 60, stride: 9, threads: 64, group: 64, weightWords: 40, memoryWords: 800},
	{name: "second array ends early", n: 60, stride: 9, threads: 64, group: 64, weightWords: 400, memoryWords: 13},
	{name: "step budget", n: 60, stride: 9, threads: 64, group: 64, weightWords: 400, memoryWords: 800, steps: 400},
}

// TestSolo runs what is left to one thread by a program of its own, by rows of one lane, and by
// definition.
func TestSolo(t *testing.T) {
	for i, form := range singleLaneForms {
		text := left(form.loop)
		if has := hasSolo(Compile(lower(t, text), machine.Options{})); has != form.recognised {
			t.Errorf("%s: has a program of its own: %v", form.name, has)
		}
		for j, l := range singleLaneLaunches {
			if testing.Short() && (i+j)%3 != 0 {
				continue
			}
			t.Run(form.name+"/"+l.name, func(t *testing.T) { l.agree(t, text) })
		}
	}
}

// TestSoloNaN stores a NaN that arithmetic makes: it has the same bits everywhere, of which the
// definition says nothing.
func TestSoloNaN(t *testing.T) {
	text := left("for (uint e = 0; e < n; e++) { shared[e & 63] = (a[e] - a[e]) / (a[e] - a[e]); x = shared[e & 63]; }")
	p := Compile(lower(t, text), machine.Options{})
	if !hasSolo(p) {
		t.Error("has no program of its own")
	}
	out, err := singleLaneLaunches[0].Run(p)
	if err != nil || out[0] != 0x7fc00000 {
		t.Errorf("%#x is stored (%v), want %#x", out[0], err, 0x7fc00000)
	}
}

// singleLaneDecisions are what one thread is left with where rounding decides, whether exact execution has
// a program for it, and whether it has where errors are drawn.
var singleLaneDecisions = []struct {
	name, loop        string
	recognised, drawn bool
}{
	{"the best of all",
		"for (uint e = 0; e < n; e++) { float y = a[e] / 3.0f; uint s = 0; for (uint t = 1; t < 5; t++) if (best[t] " +
			"< best[s]) s = t; if (y > best[s]) { best[s] = y; at[s] = int(e); } } for (uint t = 0; t < 5; t++) { " +
			"o[t] = best[t]; x += best[t] * float(at[t]); }", true, true},
	{"a fault the other way",
		"for (uint e = 0; e < n; e++) { float y = float(e) / 3.0f; float z = 1; uint s = 4; if (y * 3.0f == " +
			"float(e)) { z = best[1] * y; s = e; at[0] = int(s) + 7; o[e & 7u] = z; if (a[e] > 0.5f) best[2] = a[e]; " +
			"} else { uint k = e; if (e >= 5) k = 99; z = best[k]; } x += z; o[s & 7u] = z; }", true, false},
	{"decisions within decisions",
		"for (uint e = 0; e < n; e++) { float y = a[e] / 3.0f; int k = 1; if (y * 3.0f >= a[e]) { k = 5; if (y * " +
			"1.5f >= a[e] * 0.5f) { k = k * 3 - int(e); x += y; } else x -= y; at[k & 3] = k; } x += float(at[1]); " +
			"o[e & 7u] = x; }", true, false},
	{"logic, shifts and wide integers",
		"ulong w = 1; for (uint e = 0; e < n; e++) { float y = a[e] / 3.0f; bool p = y * 3.0f == a[e]; bool q = y > " +
			"0; uint u = 3; if (p & q) { u = u << 2; w = w * 3 + 1; } if (p | q) w ^= 5; if (p != q) w -= 2; x += " +
			"float(u) + float(uint(w & 7)) + float(uchar(u + e)); }", true, false},
	{"subnormals and zeros",
		"for (uint e = 0; e < n; e++) { float y = a[e] * 1e-38f; best[e & 3u] = a[e] * 0.0f; o[e & 7u] = y; float z " +
			"= best[(e + 2) & 3u]; if (y > z) x = y; o[8] = x; o[9] = a[0]; float c = 1e-40f; o[10] = c; best[0] = " +
			"c; o[11] = best[0]; best[i & 3u] = a[1]; o[12] = best[i & 3u]; }", true, true},
	{"a sum and what it lost",
		"float c = 0; for (uint e = 0; e < n; e++) { float y = a[e] / 3.0f - c, t = x + y; c = (t - x) - y; x = t; " +
			"o[e & 7u] = c; } best[i & 3u] = x; o[9] = best[0] * float(n);", true, true},
	{"a loop that rounding ends", "float y = 0; while (y < 1.0f) y += a[3] / 300.0f + 0.1f; x += y;", false, false},
	{"a function that rounding leaves",
		"for (uint e = 0; e < n; e++) { if (a[e] / 3.0f * 3.0f > a[e]) break; x += a[e]; }", false, false},
}

// exactly launches a program with balls, and gives the output, its balls and the notes.
func (l runLaunch) exactly(p *Program) (out []uint32, balls []ball.Ball, notes map[exact.Note]int, err error) {
	b := l.buffers()
	launch := Launch{Threads: machine.Size{l.threads, 1, 1}, PerGroup: machine.Size{l.group, 1, 1},
		Notes: &exact.Notes{}}
	for i := range len(b) {
		launch.Buffers = append(launch.Buffers, machine.Buffer{Index: i, Bytes: b[i]})
	}
	balls = make([]ball.Ball, len(b[0])/4)
	b[1][4], b[1][5], b[1][6], b[1][7] = 77, 0, 0, 0 // a subnormal
	launch.Buffers[0].Exact = balls
	err = p.Run(launch)
	return words(b[0]), balls, launch.Notes.Count, err
}

// TestSoloExactly carries balls through programs for one thread, and through rows of one lane, and draws the same
// errors.
func TestSoloExactly(t *testing.T) {
	unstable := 0
	for i, form := range slices.Concat(singleLaneDecisions, singleLaneDecisions) {
		text, o := left(form.loop), machine.Options{Exact: true}
		if i >= len(singleLaneDecisions) {
			form.name, o.Sample = form.name+", drawn", 3
		}
		p, slow := Compile(lower(t, text), o), Compile(lower(t, text), o)
		if want := form.recognised && (o.Sample == 0 || form.drawn); hasSolo(p) != want {
			t.Errorf("%s: has a program of its own: %v", form.name, !want)
		}
		slow.Body, _ = plain(slow.Body)
		for _, l := range singleLaneLaunches[:5] {
			t.Run(form.name+"/"+l.name, func(t *testing.T) {
				got, gotBalls, gotNotes, gotErr := l.exactly(p)
				want, wantBalls, wantNotes, wantErr := l.exactly(slow)
				for _, diff := range []string{
					cmp.Diff(fault(wantErr), fault(gotErr)), cmp.Diff(want, got), cmp.Diff(wantBalls, gotBalls),
					cmp.Diff(wantNotes, gotNotes),
				} {
					if diff != "" {
						t.Errorf("(-rows +got):\n%s", diff)
					}
				}
				for n := range gotNotes {
					if n.Kind == exact.Unstable {
						unstable++
					}
				}
			})
		}
	}
	if unstable < 5 {
		t.Errorf("%d launches have decisions in doubt", unstable)
	}
}

// singleLaneAccesses are accesses in single-lane mode that checks observe.
var singleLaneAccesses = []string{
	// ordered by the barrier
	"for (uint e = 0; e < n; e++) x += shared[e & 63];",
	// so is this
	"for (uint e = 0; e < n; e++) { shared[e & 63] = x; x += shared[(e + 1) & 63]; }",
	// other threadgroups write there
	"for (uint e = 0; e < n; e++) { o[e & 3u] = a[e]; }",
	// nobody has written
	"threadgroup float fresh[64]; for (uint e = 0; e < n; e++) if (fresh[e & 63] > 0) x += 1;",
	// likewise
	"float none[3]; for (uint e = 0; e < n; e++) { if (none[e % 3] > 1) x += 1; none[e % 3] = x; }",
	// and it shows
	"float none[3]; for (uint e = 0; e < n; e++) { if (a[e] > 1) none[e % 3] = a[e]; else x += none[e % 3] * 0; }",
	// it does not show
	"float none[3]; for (uint e = 0; e < n; e++) { float y = none[2]; if (a[e] > 1e9f) x = y; none[2] = 1; }",
	// no such integer
	"for (uint e = 0; e < n; e++) { int k = int(a[e] * 1e30f); x += float(k); }",
	// misaligned
	"for (uint e = 0; e < n; e++) ((device packed_float4*)out)[e & 7u] = packed_float4(a[e]); x = ((device " +
		"float4*)(out + 1))[0].x;",
}

// TestSoloChecked observes what one thread does by a program of its own, and by rows of one lane.
func TestSoloChecked(t *testing.T) {
	found := 0
	for _, loop := range singleLaneAccesses {
		text := left(loop)
		p, slow := Compile(lower(t, text), machine.Options{Check: true}),
			Compile(lower(t, text), machine.Options{Check: true})
		slow.Body, _ = plain(slow.Body)
		open := sanitize.CheckerOf(slow.Program).Probing()
		open.Body, _ = plain(open.Body)
		for _, l := range singleLaneLaunches[:5] {
			t.Run(loop+"/"+l.name, func(t *testing.T) {
				got, gotFindings, gotErr := l.checked(p)
				want, wantFindings, wantErr := l.checked(slow)
				for _, diff := range []string{
					cmp.Diff(fault(wantErr), fault(gotErr)), cmp.Diff(want, got),
					cmp.Diff(wantFindings, gotFindings, cmp.AllowUnexported(sanitize.Finding{})),
				} {
					if diff != "" {
						t.Errorf("(-rows +got):\n%s", diff)
					}
				}
				found += len(gotFindings)
			})
		}
	}
	if found < 10 {
		t.Errorf("%d findings", found)
	}
}

func (l runLaunch) checked(p *Program) (out []uint32, found []sanitize.Finding, err error) {
	b := l.buffers()
	launch := Launch{Threads: machine.Size{l.threads, 1, 1}, PerGroup: machine.Size{l.group, 1, 1}}
	for i := range len(b) {
		launch.Buffers = append(launch.Buffers, machine.Buffer{Index: i, Bytes: b[i]})
	}
	found, err = p.Check(launch)
	return words(b[0]), found, err
}

// hasSolo reports whether one thread has a program of its own for all that is left to it.
func hasSolo(p *Program) bool {
	at := slices.IndexFunc(p.Body, func(n machine.Node) bool { _, ok := n.(machine.ToSingleLane); return ok })
	return at >= 0 && p.Body[at].(machine.ToSingleLane).Rest != nil
}
