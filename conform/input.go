package conform

import (
	"io/fs"
	"maps"
	"slices"

	"metalconform/suite"
	"metalconform/suite/spec"
)

// Input is one or more families of inputs: how each buffer is filled.
type Input struct{ call spec.Call }

func (in Input) made() spec.Call { return in.call }

// Standard are the families that every kernel should meet, over the floating-point arguments named, or over all: random
// ones, cancelling sums, small integers, subnormal, extreme, infinite and undefined numbers, ties between integers and
// between codes of eight and of four bits, and extremes in the first and in the last place.
func Standard(args ...string) Input { return standard(args) }

// Finite are the families without those that have infinite, undefined or the largest numbers.
func Finite(args ...string) Input {
	in := standard(args)
	in.call = in.call.With("finite", true)
	return in
}

// Without leaves families of [Standard] or [Finite] out: Standard().Without("subnormal").
func (in Input) Without(families ...string) Input { return Input{in.call.With("without", families)} }

func standard(args []string) Input {
	call := spec.Call{At: place(), Function: "standard"}
	for _, a := range args {
		call.Args = append(call.Args, a)
	}
	return Input{call}
}

// Family is one family of inputs with fills of its own.
func Family(name string, fills Fills) Input {
	return Input{spec.Call{At: place(), Function: "family", Args: []any{name, map[string]Fill(fills)}}}
}

// Random says that a family's elements are drawn independently: the sharper bounds apply.
func (in Input) Random() Input { return Input{in.call.With("random", true)} }

// Fill writes the elements of a buffer; a program's own function will do.
type Fill = suite.Fill

// Fills are fills by argument.
type Fills = suite.Fills

// Fills that need no numbers.
var (
	Normal     Fill = suite.Normal     // standard normal
	Wide       Fill = suite.Wide       // magnitudes over many binades
	Cancelling Fill = suite.Cancelling // sums that cancel
	Positive   Fill = suite.Positive
	Integers   Fill = suite.Integers // small
	Subnormal  Fill = suite.Subnormal
	Extremes   Fill = spec.Extremes
)

// Uniform draws from [low, high).
func Uniform(low, high float64) Fill { return suite.Uniform(low, high) }

// Choice draws from the values.
func Choice(values ...float64) Fill { return suite.Choice(values...) }

// Values are the first elements; zeros follow.
func Values(x ...float64) Fill { return suite.Values(x...) }

// Every is one value everywhere.
func Every(x float64) Fill { return suite.Every(x) }

// Scaled is a fill with every element multiplied.
func Scaled(fill Fill, factor float64) Fill { return suite.Scaled(fill, factor) }

// Below draws integers from 0 up to a length, and not that.
func Below(end Size) Fill {
	return spec.Filled(spec.Call{At: place(), Function: "below", Args: []any{end}})
}

// Offsets draws where parts of a length begin and the last one ends, as the rows of a sparse matrix and sequences of a
// batch do.
func Offsets(end Size) Fill {
	return spec.Filled(spec.Call{At: place(), Function: "offsets", Args: []any{end}})
}

// Distinct draws integers from 0 up to a length, each at most once: places that no two threads share. With a value for
// what is missing about every fourth element is that instead, and so are those that no integer is left for.
func Distinct(end Size, missing ...float64) Fill {
	call := spec.Call{At: place(), Function: "distinct", Args: []any{end}}
	for _, x := range missing {
		call = call.With("missing", x)
	}
	return spec.Filled(call)
}

// Blocks fills quantised blocks of so many bytes: any bytes, numbers in half precision at places, and single bytes.
func Blocks(bytes int, halves, single map[int]Fill) Fill {
	return spec.Filled(spec.Call{At: place(), Function: "blocks", Args: []any{bytes, halves}}.With("bytes", single))
}

// Data are the elements of an array of a .npy, .npz or .safetensors file: for [Values] and tables.
func Data(files fs.FS, file, array string) ([]float64, error) {
	return spec.Data(files, file, array)
}

// Recording is a case in files: a file with arrays named after arguments, results as NAME.want, or for each argument a
// file of its own.
type Recording struct {
	File   string
	Arrays map[string][]string // in place of File: by argument, a file and, if that has several, the name of the array
	Name   string              // of the case; "": File's
	At     Shape               // axes that no shape of an array says
}

func (r Recording) made() spec.Call {
	call := spec.Call{Function: "recording"}
	if r.Arrays != nil {
		call.Args = []any{recorded(r.Arrays)}
	} else {
		call.Args = []any{r.File}
	}
	if r.Name != "" {
		call = call.With("name", r.Name)
	}
	if r.At != nil {
		call = call.With("at", map[Axis]int(r.At))
	}
	return call
}

// recorded are arrays as specifications say them.
func recorded(arrays map[string][]string) []spec.Named {
	var list []spec.Named
	for _, arg := range slices.Sorted(maps.Keys(arrays)) {
		var of any = spec.Pair(arrays[arg])
		if len(arrays[arg]) == 1 {
			of = arrays[arg][0]
		}
		list = append(list, spec.Named{Name: arg, Value: of})
	}
	return list
}
