package simt

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"metalconform/metalrun/internal/ball"
	"metalconform/metalrun/internal/simt/exact"
	"metalconform/metalrun/internal/simt/machine"
)

// TestLaterCells launches kernels with room for balls and with what makes room, which only those that leave balls ask
// for, once.
func TestLaterCells(t *testing.T) {
	for _, c := range []struct {
		name, does string
		made       int
	}{
		{"moves numbers", "out[i] = a[i];", 0},
		{"rounds", "out[i] = a[i] / 3.0f;", 1},
		{"rounds in one threadgroup", "out[i] = a[i]; if (i == 70) out[i] = a[i] / 3.0f;", 1},
		{"reads what it has written", "out[i] = a[i]; if (i > 99) out[i] = a[i] / 3.0f; out[i] = out[i] * 3.0f;", 1},
		{"is in doubt", "if (a[i] / 3.0f * 3.0f == a[i]) out[i] = 1; else out[i] = 2;", 1},
	} {
		text := `kernel void f(device float* out, device const float* a, uint i [[thread_position_in_grid]]) { ` +
			c.does + ` }`
		l := runLaunch{threads: 128, group: 32, weightWords: 128, memoryWords: 1}
		made := 0
		launch := func(later bool) (balls []ball.Ball, notes map[exact.Note]int) {
			b := l.buffers()
			balls = make([]ball.Ball, l.threads)
			out := machine.Buffer{Index: 0, Bytes: b[0], Exact: balls}
			if later {
				out.Exact, out.Balls = nil, func() []ball.Ball { made++; return balls }
			}
			launch := Launch{Threads: machine.Size{l.threads, 1, 1}, PerGroup: machine.Size{l.group, 1, 1},
				Notes: &exact.Notes{}, Buffers: []machine.Buffer{out, {Index: 1, Bytes: b[1]}}}
			if err := Compile(lower(t, text), machine.Options{Exact: true, Workers: 4}).Run(launch); err != nil {
				t.Fatal(err)
			}
			return balls, launch.Notes.Count
		}
		want, wantNotes := launch(false)
		got, notes := launch(true)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-room +later):\n%s", c.name, diff)
		}
		if diff := cmp.Diff(wantNotes, notes); diff != "" {
			t.Errorf("%s: notes (-room +later):\n%s", c.name, diff)
		}
		if made != c.made {
			t.Errorf("%s: room is made %d times, want %d", c.name, made, c.made)
		}
	}
}
