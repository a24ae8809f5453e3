package spec

import (
	"fmt"
	"math/rand/v2"

	"go.starlark.net/starlark"

	"metalconform/oracles"
	"metalconform/suite"
)

// blocks fills bytes with blocks of a size: any bytes, but for halves at some places, which have
// a fill of their own. Quantised formats are made so: codes of any bits, and scales.
func blocks(_ *starlark.Thread, name string, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	var size int
	var halves *starlark.Dict
	if err := starlark.UnpackArgs(name, args, kwargs, "size", &size, "halves", &halves); err != nil {
		return nil, err
	}
	scales := map[int]suite.Fill{}
	var places []int
	for _, item := range halves.Items() {
		at, err := starlark.AsInt32(item[0])
		var f asFill
		if err == nil {
			err = f.Unpack(item[1])
		}
		if err != nil || at < 0 || at+2 > size {
			return nil, fmt.Errorf("blocks: %s: %s: want the place of a half in %d bytes, and a fill", item[0], item[1].Type(), size)
		}
		places, scales[at] = append(places, at), f.Fill
	}
	return filling{name, func(r *rand.Rand, s suite.Shape, x []float64) {
		if len(x)%size != 0 {
			panic(suite.Mistake(fmt.Sprintf("blocks of %d bytes in %d", size, len(x))))
		}
		for i := range x {
			x[i] = float64(r.Uint32() & 0xff)
		}
		for _, at := range places {
			half := make([]float64, len(x)/size)
			scales[at](r, s, half)
			for i, v := range half {
				word := oracles.F16.Bits(v)
				x[i*size+at], x[i*size+at+1] = float64(word&0xff), float64(word>>8)
			}
		}
	}}, nil
}
