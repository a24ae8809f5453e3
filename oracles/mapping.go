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
