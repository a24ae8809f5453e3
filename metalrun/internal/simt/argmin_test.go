package simt

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"metalconform/metalrun/internal/simt/machine"
	"metalconform/metalrun/internal/simt/profile"
)

// searches are what one thread is left with that may be a search, and how many of its loops are: rounding decides some.
var searches = []struct {
	name, loop string
	recognised int
}{
	{"the least", "for (uint e = 0; e < n; e++) { uint s = 0; for (uint t = 1; t < 5; t++) if (best[t] < best[s]) s " +
		"= t; x += best[s] * float(s); best[s] = a[e] / 3.0f; }", 1},
	{"the greatest, the last of equal ones",
		"for (uint e = 0; e < n; e++) { uint s = 0; for (uint t = 0; t < 5; t++) if (best[s] <= best[t]) s = t; x += " +
			"float(s); best[s] = a[e] / 3.0f; best[4 - s] = best[s]; }", 1},
	{"in doubt", "for (uint e = 0; e < n; e++) { best[e & 3u] = a[e & 1u] / 3.0f; at[e & 3u] = int(e); uint s = 0; " +
		"for (uint t = 1; t < 5; t++) if (best[t] < best[s]) s = t; x += best[s] * float(at[s]); o[e & 7u] = x; }", 1},
	{"of two arrays",
		"float other[9]; for (uint t = 0; t < 9; t++) other[t] = a[t] * 0.7f; for (uint e = 0; e < 5; e++) { uint s " +
			"= e; for (uint t = 0; t < 5; t++) if (best[t] > other[s]) s = t; x += other[s]; best[e] = a[e]; }", 1},
	{"not numbers",
		"for (uint t = 0; t < 5; t++) { best[t] = a[t]; if (t & 1u) best[t] = (a[t] - a[t]) / (a[t] - a[t]); } uint " +
			"s = 1; for (uint t = 2; t < 5; t++) if (best[t] < best[s]) s = t; x = float(s); s = 0; for (uint t = 1; " +
			"t < 5; t++) if (best[t] < best[s]) s = t; x += float(s) * 10;", 2},
	{"beyond the end", "for (uint t = 0; t < 5; t++) best[t] = a[t]; uint s = 0; for (uint t = 1; t < n; t++) if " +
		"(best[t] < best[s]) s = t; x = best[s];", 1},
	{"from beyond the end", "uint s = n; for (uint t = 1; t < 5; t++) if (best[t] < best[s]) s = t; x = best[0];", 1},
	{"in other steps",
		"for (uint t = 0; t < 5; t++) best[t] = a[t]; uint s = 0; for (uint t = 1; t < 5; t += 2) if (best[t] < " +
			"best[s]) s = t; x = float(s); s = 0; for (uint t = 1; t < 5; t += stride) if (best[t] < best[s]) s = t; " +
			"x += float(s);", 2},
	{"of another index", "for (uint t = 0; t < 5; t++) best[t] = a[t]; uint s = 0; for (uint t = 1; t < 5; t++) if " +
		"(best[t] < best[s]) s = t - 1; x = float(s);", 0},
	{"by what comes before",
		"for (uint t = 0; t < 5; t++) best[t] = a[t]; uint s = 0, k = 1; for (uint t = 1; t < 5; t++) { if (best[k] " +
			"< best[s]) s = t; k = t; } x = float(s);", 0},
	{"of what it sets", "for (uint t = 0; t < 5; t++) best[t] = a[t]; uint s = 0, m = 5; for (uint t = 1; t < m; " +
		"t++) if (best[t] < best[m - 1]) m = t; x = float(m + s);", 0},
}

// searched is how many loops of a program are searches, for the thread that has as much as possible left to do.
func searched(p *Program) (n int) {
	for _, node := range p.Body {
		a, ok := node.(machine.ToSingleLane)
		if !ok || a.Rest == nil {
			continue
		}
		for _, turn := range a.Rest.Loops {
			if turn.Argmin != nil {
				n++
			}
		}
		return n
	}
	return -1
}

// TestSoloSearch runs searches at once, turn by turn by rows of one lane, and by definition, as they are, counted and
// in exact arithmetic.
func TestSoloSearch(t *testing.T) {
	for i, form := range searches {
		text := left(form.loop)
		if n := searched(Compile(lower(t, text), machine.Options{})); n != form.recognised {
			t.Errorf("%s: %d loops are searches, want %d", form.name, n, form.recognised)
		}
		for j, l := range singleLaneLaunches {
			if testing.Short() && (i+j)%3 != 0 {
				continue
			}
			t.Run(form.name+"/"+l.name, func(t *testing.T) {
				l.agree(t, text)
				l.agreeExactly(t, text)
				l.agreeWatched(t, text)
			})
		}
	}
}

// agreeExactly compares balls with those of rows of one lane.
func (l runLaunch) agreeExactly(t *testing.T, text string) {
	t.Helper()
	o := machine.Options{Exact: true, Steps: l.steps, Workers: 1}
	p, slow := Compile(lower(t, text), o), Compile(lower(t, text), o)
	slow.Body, _ = plain(slow.Body)
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
}

// attached is the extension of a program that has some type.
func attached[T any](t *testing.T, p *Program) T {
	t.Helper()
	for _, a := range p.Attachments {
		if of, ok := a.(T); ok {
			return of
		}
	}
	t.Fatalf("the program has no %T", *new(T))
	panic("unreachable")
}

// agreeWatched compares what is seen of a launch with what is seen of rows of one lane.
func (l runLaunch) agreeWatched(t *testing.T, text string) {
	t.Helper()
	see := func(rows bool) (groups []profile.Sampled) {
		p := Compile(lower(t, text), machine.Options{Count: true, Workers: 1, Steps: l.steps})
		if rows {
			p.Body, _ = plain(p.Body)
			watched := attached[*profile.Profiler](t, p).SampledProgram()
			watched.Body, _ = plain(watched.Body)
		}
		launch, b := Launch{Threads: machine.Size{l.threads, 1, 1}, PerGroup: machine.Size{l.group, 1, 1},
			Work: &profile.Work{}, Traffic: &profile.Traffic{}}, l.buffers()
		for i := range len(b) {
			launch.Buffers = append(launch.Buffers, machine.Buffer{Index: i, Bytes: b[i]})
		}
		if p.Run(launch) != nil {
			return nil
		}
		for _, g := range launch.Traffic.Groups() {
			groups = append(groups, *g)
		}
		return groups
	}
	if diff := cmp.Diff(see(true), see(false), cmp.AllowUnexported(profile.Sampled{})); diff != "" {
		t.Errorf("what is seen (-rows +got):\n%s", diff)
	}
}
