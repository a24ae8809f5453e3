package oracles

// Mapping says which of Hg key heads value (or query) head h of H reads.
type Mapping uint8

const (
	BlockHeads Mapping = iota // h / (H/Hg)
	TiledHeads                // h mod Hg
)

func (m Mapping) String() string { return [...]string{"block", "tiled"}[m] }

// Head is the key head that head h of heads reads.
func (m Mapping) Head(h, heads, keyHeads int) int {
	if m == TiledHeads {
		return h % keyHeads
	}
	return h / (heads / keyHeads)
}

// RepeatTiled broadcasts each of hg heads to h heads:
//
//	dst[t, i, d] = src[t, i mod hg, d]
//
// src is src[seq, hg, k] and dst is dst[seq, h, k]. The result is exact: every
// bit is copied.
func RepeatTiled(src []float64, seq, hg, h, k int) Answer {
	a := Answer{Want: make([]float64, 0, seq*h*k), Exact: true}
	for t := range seq {
		for i := range h {
			first := (t*hg + TiledHeads.Head(i, h, hg)) * k
			a.Want = append(a.Want, src[first:first+k]...)
		}
	}
	return a
}
