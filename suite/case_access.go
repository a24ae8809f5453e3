package suite

import (
	"metalconform/metalrun"
	"metalconform/oracles"
)

// NewCaseRun is a case at its start, on one device. Of the options those count that say how a case is
// judged there: the seed, what is declared, exact execution, the date and the repetitions.
func NewCaseRun(runner metalrun.Runner, opts Options, c Case) *CaseRun {
	o := opts.judging(runner)
	o.today, o.repeat = opts.Today, opts.Repeat
	return newCaseRun(c, o)
}

// Entry is the kernel as the device has compiled it.
func (t *CaseRun) Entry() metalrun.Kernel { return t.kernel }

// Clock is that of some launch, if it was not the device's.
func (t *CaseRun) Clock() metalrun.Clock { return t.clock }

// SetClock sets the clock of launches that were made outside the case.
func (t *CaseRun) SetClock(c metalrun.Clock) { t.clock = c }

// Dispatches are the launches of the case as the device takes them, on its buffers.
func (t *CaseRun) Dispatches() (list []metalrun.Dispatch, err error) {
	t.reset()
	for _, l := range t.LaunchSequence() {
		d, err := t.Dispatch(l)
		if err != nil {
			return nil, err
		}
		t.markLaunched(l)
		list = append(list, d)
	}
	return list, nil
}

// BufferBytes is what the buffers take, guards included.
func (t *CaseRun) BufferBytes() (n int) {
	for _, b := range t.buffers {
		if b != nil {
			n += len(b.data)
		}
	}
	return n
}

// Values are the elements of a buffer as they are now; nil if there is none of that name.
func (t *CaseRun) Values(arg string) []float64 {
	for _, b := range t.buffers {
		if b != nil && b.arg.Name == arg {
			return b.values()
		}
	}
	return nil
}

// Answer is what the oracle says of a buffer, once it has been asked.
func (t *CaseRun) Answer(arg string) oracles.Answer { return t.answers[arg] }

// Refused reports whether the host has to refuse the case's shape: then nothing is launched.
func (c Case) Refused() bool { return c.Input.Name == refused }

// Recorded reports whether the oracle's answers are recorded, and hold for the case's inputs alone.
func (c Case) Recorded() bool { return c.Input.recorded }

// AtEnd reports whether the case is the end of a larger launch.
func (c Case) AtEnd() bool { return c.end != nil }

// Admit is the host's validation of the case's shape.
func (c Case) Admit() error { return c.Kernel.check(c.Whole()) }

// InputValues are the elements that a buffer has before the first launch.
func (c Case) InputValues(a Arg, seed uint64) ([]float64, error) {
	b, err := newBuffer(c, a, seed)
	if err != nil {
		return nil, err
	}
	return b.values(), nil
}

// Filled is the family with other fills, and nothing else that overwrites elements.
func (in Input) Filled(fills Fills) Input {
	in.Fills, in.unread = fills, nil
	return in
}

// Sizes are the extents of a buffer at shape s.
func (a Arg) Sizes(s Shape) []int { return sizes(a, s) }
