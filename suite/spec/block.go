package spec

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"go.starlark.net/starlark"

	"metalconform/oracles"
	"metalconform/suite"
)

// blocks fills bytes with blocks of a size: any bytes, but for halves and bytes at some places, which
// have fills of their own. Quantised formats are made so: codes of any bits, and scales.
func blocks(_ *starlark.Thread, name string, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	var size int
	var halves, single *starlark.Dict
	if err := starlark.UnpackArgs(name, args, kwargs, "size", &size, "halves", &halves, "bytes?", &single); err != nil {
		return nil, err
	}
	scales, err := placed(halves, size, 2)
	if err != nil {
		return nil, err
	}
	others, err := placed(single, size, 1)
	if err != nil {
		return nil, err
	}
	return filling{name, func(r *rand.Rand, s suite.Shape, x []float64) {
		if len(x)%size != 0 {
			panic(suite.Mistake(fmt.Sprintf("blocks of %d bytes in %d", size, len(x))))
		}
		for i := range x {
			x[i] = float64(r.Uint32() & 0xff)
		}
		for _, p := range slices.Concat(scales, others) {
			values := make([]float64, len(x)/size)
			p.fill(r, s, values)
			for i, v := range values {
				if p.bytes == 1 {
					x[i*size+p.at] = v
					continue
				}
				word := oracles.F16.Bits(v)
				x[i*size+p.at], x[i*size+p.at+1] = float64(word&0xff), float64(word>>8)
			}
		}
	}}, nil
}

// place is where a block has a number with a fill of its own.
type place struct {
	at, bytes int
	fill      suite.Fill
}

// placed reads places of numbers in blocks of a size.
func placed(dict *starlark.Dict, size, bytes int) ([]place, error) {
	if dict == nil {
		return nil, nil
	}
	var places []place
	for _, item := range dict.Items() {
		at, err := starlark.AsInt32(item[0])
		var f asFill
		if err == nil {
			err = f.Unpack(item[1])
		}
		if err != nil || at < 0 || at+bytes > size {
			return nil, fmt.Errorf("blocks: %s: %s: want the place of a %s in %d bytes, and a fill", item[0],
				item[1].Type(), []string{"byte", "half"}[bytes-1], size)
		}
		places = append(places, place{at, bytes, f.Fill})
	}
	return places, nil
}
