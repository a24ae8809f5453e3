package metalrun

// Written is which bytes of a binding's Data launches have stored to, whatever the bytes are. The zero value
// knows nothing. A device that does not observe accesses leaves it alone.
type Written struct {
	Bytes []bool // nil: not recorded
}

// Recorded reports whether a device has recorded the launches.
func (w *Written) Recorded() bool { return w != nil && w.Bytes != nil }

// Room is the part of Bytes for a window of size bytes of Data.
func (w *Written) Room(size, offset, length int) []bool {
	if w.Bytes == nil {
		w.Bytes = make([]bool, size)
	}
	return w.Bytes[offset : offset+length]
}
