package simt

// outcomes is which way the threads of a launch went: per branch of the program,
// a hash of which threads took it whenever they came there.
type outcomes []uint64

// note adds one decision.
func (o outcomes) note(id int, taken []uint32) {
	h := o[id]
	for l, on := range taken {
		if on != 0 {
			h = (h ^ uint64(l+1)) * 0x100000001b3 // FNV-1a, by lanes
		}
	}
	o[id] = mix(h)
}

// differs is the first branch at which two launches went different ways.
func (o outcomes) differs(other outcomes) (id int, ok bool) {
	for i, h := range o {
		if h != other[i] {
			return i, true
		}
	}
	return 0, false
}
