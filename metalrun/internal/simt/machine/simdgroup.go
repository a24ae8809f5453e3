package machine

import (
	"strings"

	"metalconform/metalrun/internal/ir"
)

// SimdName takes a function apart: its name without prefix, and the lanes of a group.
func SimdName(fn string) (name string, width int) {
	if name, ok := strings.CutPrefix(fn, "simd_"); ok {
		return name, Simdgroup
	}
	return strings.TrimPrefix(fn, "quad_"), 4
}

// Groups calls f for the span of every simdgroup or quad of the threadgroup.
func (m *Machine) Groups(width int, f func(lo, hi int)) {
	for lo := 0; lo < m.N; lo += width {
		f(lo, min(lo+width, m.N))
	}
}

// Gives reports whether a lane's value can be read by others: while it is active, and on Apple's
// GPUs also afterwards, when it is what the lane has computed last.
func (m *Machine) Gives(l int) bool { return m.Mask[l] != 0 || m.P.Options.DefaultBuild }

// Broadcast gives every lane the value of one lane of its group.
func (m *Machine) Broadcast(d, x []uint32, from, width int, rule laneRule, met func(m *Machine, l int, why string)) {
	for lo := 0; lo < m.N; lo += width {
		hi := min(lo+width, m.N)
		if from >= 0 && from < width && lo+from < hi && m.Gives(lo+from) {
			m.P.Table.Fill(d[lo:hi], x[lo+from])
			continue
		}
		if l := m.FirstIn(lo, hi); met != nil && m.Mask[l] != 0 {
			if why := rule.Unreadable(m, from, lo, hi, width, false); why != "" {
				met(m, l, why)
			}
		}
		copy(d[lo:hi], x[lo:hi])
	}
}

// Filled is what a shuffle_and_fill shifts in.
func Filled(m *Machine, fill func(m *Machine) Elements, lo, i, from, span int) Element {
	x := fill(m)
	return x.At(FillingLane(m, lo, i, from, span))
}

// FillingLane is the lane whose filling data a shuffle_and_fill shifts in: they continue the
// data at the end that they are shifted in from.
func FillingLane(m *Machine, lo, i, from, span int) int {
	block := i / span * span
	at := block + ((from-block)%span+span)%span
	return min(lo+at, m.N-1)
}

// FirstIn is the first active lane of a span, or its first.
func (m *Machine) FirstIn(lo, hi int) int {
	for l := lo; l < hi; l++ {
		if m.Mask[l] != 0 {
			return l
		}
	}
	return lo
}

// LanePicker gives the lane that lane i reads from, out of range if there is none.
func LanePicker(in *ir.Instr, name string) func(i, control, span int) int {
	const none = -1 << 20
	switch name {
	case "broadcast_first":
		return nil
	case "broadcast", "shuffle":
		return func(_, lane, _ int) int { return lane }
	case "shuffle_xor":
		return func(i, mask, _ int) int { return i ^ mask }
	case "shuffle_up":
		return func(i, delta, _ int) int { return i - delta }
	case "shuffle_down":
		return func(i, delta, _ int) int { return i + delta }
	case "shuffle_rotate_up":
		return func(i, delta, span int) int { return ((i-delta)%span + span) % span }
	case "shuffle_rotate_down":
		return func(i, delta, span int) int { return ((i+delta)%span + span) % span }
	case "shuffle_and_fill_up":
		return func(i, delta, span int) int {
			if i%span < delta {
				return i - delta + none
			}
			return i - delta
		}
	case "shuffle_and_fill_down":
		return func(i, delta, span int) int {
			if i%span+delta >= span {
				return i + delta - none
			}
			return i + delta
		}
	}
	panic(Unknown(in))
}
