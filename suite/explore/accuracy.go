package explore

import (
	"context"
	"encoding/binary"
	"fmt"
	"math"

	"metalconform/internal/printable"
	"metalconform/metalrun"
	"metalconform/suite/adhoc"
)

// accuracy launches a kernel of no catalogue with exact execution, and says in notes how many bits
// its outputs lose at worst, and at which lines a device decides, or a value leaves its range.
func (q *exploration) accuracy(ctx context.Context, s adhoc.Kernel, size metalrun.Size, u Unit) ([]Finding, error) {
	library, err := q.Accurate().Compile(u.Program)
	if err != nil {
		return nil, err
	}
	defer library.Release()
	kernel, err := library.Kernel(s.Info.Name)
	if err != nil {
		return nil, err
	}
	var all []Finding
	for _, l := range s.Launches(size) {
		list, err := q.launch(ctx, s.Info, Provenance{Given: l.Given, Guessed: l.Guessed},
			func() ([]metalrun.Finding, error) {
				d := l.Dispatch()
				for i := range d.Bindings {
					if b := &d.Bindings[i]; !b.Inline {
						b.Exact = &metalrun.Exact{}
					}
				}
				outcome, err := metered{kernel, &q.work, &q.hung, &q.late}.Run(d)
				if err != nil {
					return nil, nil // the observed launch has found that
				}
				return append(losses(s.Info, d), notes(s.Info, outcome.Notes)...), nil
			})
		if err != nil {
			return nil, err
		}
		all = append(all, list...)
	}
	return all, nil
}

// significant are the significant bits of floating types.
var significant = map[string]float64{"float": 24, "half": 11, "bfloat": 8}

// losses say for each output of floats how many bits an element has lost at worst.
func losses(info metalrun.KernelInfo, d metalrun.Dispatch) (list []metalrun.Finding) {
	for _, a := range info.Args {
		if len(a.Fields) != 1 || significant[a.Fields[0].Type] == 0 {
			continue
		}
		for _, b := range d.Bindings {
			if b.Index == a.Index && a.Kind == metalrun.BufferArg && b.Exact != nil && b.Exact.Any() {
				list = append(list, loss(info, a, b))
			}
		}
	}
	return list
}

// loss is about one output.
func loss(info metalrun.KernelInfo, a metalrun.ArgInfo, b metalrun.Binding) metalrun.Finding {
	of, size := significant[a.Fields[0].Type], a.Fields[0].Size
	var any, here lostBits
	unknown, written := 0, 0
	for i := range b.Length / size {
		x, e, ok := b.Exact.Element(b.Offset + i*size)
		if !ok {
			continue
		}
		written++
		if e-e != 0 || x-x != 0 {
			unknown++
			continue
		}
		any.note(i, e, x, of)
		if size == 4 {
			got := float64(math.Float32frombits(binary.LittleEndian.Uint32(b.Data[b.Offset+4*i:])))
			here.note(i, math.Abs(got-x), x, of)
		}
	}
	text := fmt.Sprintf("%s: rounding can cost %s of %.0f bits on some device, at %s[%d]", a.Name, any.text(of), of,
		a.Name, any.at)
	if size == 4 {
		text += fmt.Sprintf("; it costs %s here, at [%d]", here.text(of), here.at)
	}
	if unknown > 0 {
		text += fmt.Sprintf("; nothing is known of %d of %s", unknown, printable.Count(written, "element"))
	}
	return metalrun.Finding{Check: "accuracy " + a.Name, Kernel: info.Name, Party: declared(info),
		Grade: metalrun.GradeNote, Message: text}
}

// lostBits is the largest relative error so far, in units of half the last place.
type lostBits struct {
	worst float64
	at    int
}

func (w *lostBits) note(i int, e, x, bits float64) {
	if e == 0 {
		return
	}
	units := math.Ldexp(e/math.Abs(x), int(bits))
	if units > w.worst {
		w.worst, w.at = units, i
	}
}

// text is the loss in bits: none for an error of half a unit.
func (w *lostBits) text(of float64) string {
	return fmt.Sprintf("%.1f", min(of, max(0, math.Log2(max(w.worst, 1)))))
}

// notes are those of a launch as findings.
func notes(info metalrun.KernelInfo, of []metalrun.Note) (list []metalrun.Finding) {
	means := map[metalrun.NoteKind]string{
		metalrun.UnstableDecision: "rounding decides here: another device may take the other way",
		metalrun.TakenApart: "bits of a float that devices need not have alike are taken for something else: " +
			"nothing is known of what follows",
		metalrun.Overflow: "a finite value is too large for its format",
		metalrun.Underflow: "a value other than zero is below the normal range, and zero on devices that " +
			"flush subnormals",
		metalrun.Tied: "a number is rounded just where it goes either way: float64 does not tell which " +
			"way exact arithmetic goes",
		metalrun.Snapped: "a constant rounds a sum: right where that is meant, and an error of up to half " +
			"its last place where it is not",
	}
	for _, n := range of {
		if means[n.Kind] == "" { // of literals
			continue
		}
		list = append(list, metalrun.Finding{
			Check: n.Kind.String(), Kernel: info.Name, Grade: metalrun.GradeNote,
			Message: fmt.Sprintf("%s (%s)", means[n.Kind], printable.Count(n.Times, "time")),
			Party:   metalrun.Party{Position: n.Position, Does: "operation"},
		})
	}
	return list
}
