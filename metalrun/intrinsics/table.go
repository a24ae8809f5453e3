package intrinsics

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"metalconform/internal/regular"
	"metalconform/metalrun/internal/scalar"
)

// Table is how accurate the functions of a device are, as far as what was measured says
// more than the specification does.
type Table struct {
	Device     string
	Accuracies []Accuracy
}

// Accuracy is the largest error of a function.
type Accuracy struct {
	Function string
	Fast     bool
	Ulps     float64 // of the exact value
	// Holds says that all arguments were tried and the limits of the specification hold;
	// otherwise they do not.
	Holds bool
}

// Of is the largest error of a function that keeps to the specification.
func (t Table) Of(function string, fast bool) (ulps float64, ok bool) {
	for _, a := range t.Accuracies {
		if a.Holds && a.Function == function && a.Fast == fast {
			return max(0.5, a.Ulps), true
		}
	}
	return 0, false
}

// ReadTable reads results, a JSON object each, of one device. A function whose limits hold
// at samples of its arguments may still be off by as much as they allow, and is left out.
func ReadTable(r io.Reader) (Table, error) {
	var t Table
	decoder := json.NewDecoder(r)
	seen := map[[2]string]bool{}
	for n := 1; ; n++ {
		var text json.RawMessage
		err := decoder.Decode(&text)
		if errors.Is(err, io.EOF) {
			break
		}
		var result Result
		if err == nil {
			err = regular.KnownJSON(text, &result)
		}
		if err != nil {
			return t, fmt.Errorf("object %d: %w", n, err)
		}
		name := [2]string{result.Class, result.Function}
		if seen[name] {
			return t, fmt.Errorf("object %d: %s::%s is there twice", n, result.Class, result.Function)
		}
		seen[name] = true
		if err := t.add(result); err != nil {
			return t, fmt.Errorf("object %d: %w", n, err)
		}
	}
	if len(t.Accuracies) == 0 {
		return t,
			errors.New("says no more than the specification: only -exhaustive finds the largest error of a function")
	}
	return t, nil
}

// add enters a result.
func (t *Table) add(r Result) error {
	f, ok := find(r.Function, r.Class)
	switch {
	case !ok:
		return fmt.Errorf("there is no function %s::%s", r.Class, r.Function)
	case r.Device == "" || t.Device != "" && t.Device != r.Device:
		return fmt.Errorf("%s::%s was measured on device %q, what comes before it on %q", r.Class, r.Function, r.Device,
			t.Device)
	}
	t.Device = r.Device
	if r.Failed != "" {
		return fmt.Errorf("%s::%s was not measured: %s", r.Class, r.Function, r.Failed)
	}
	if r.Missing != "" || r.Sampled && r.Holds {
		return nil
	}
	if !r.Holds && f.limit.Absolute != (scalar.Absolute{}) {
		return fmt.Errorf("%s::%s breaks a limit that is no number of ulp: no bound follows for kernels that call it",
			r.Class, r.Function)
	}
	worst := 0.0
	for _, d := range r.Domains {
		switch {
		case d.Closest != nil && d.Closest.Ulps >= never:
			return fmt.Errorf("%s::%s(%s) is not a number, or infinite, and should not be: no bound follows for "+
				"kernels that call it", r.Class, r.Function, d.Closest.Arguments())
		case d.Worst != nil:
			worst = max(worst, d.Worst.Ulps)
		}
	}
	if !(worst > 0) {
		return fmt.Errorf("%s::%s has no error", r.Class, r.Function)
	}
	t.Accuracies = append(t.Accuracies, Accuracy{r.Function, r.Class == "fast", worst, r.Holds})
	return nil
}

// find is the function of a class.
func find(name, class string) (Function, bool) {
	for _, f := range Functions() {
		if f.Name == name && f.Class() == class {
			return f, true
		}
	}
	return Function{}, false
}
