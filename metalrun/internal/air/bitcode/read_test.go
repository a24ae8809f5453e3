package bitcode

import "testing"

// FuzzRead reads what is no module, or nearly one.
func FuzzRead(f *testing.F) {
	f.Add([]byte("BC\xc0\xde"))
	f.Add(minimal())
	f.Fuzz(func(t *testing.T, data []byte) {
		m, err := Read(data)
		if (m == nil) == (err == nil) {
			t.Errorf("a module: %t; error: %v", m != nil, err)
		}
	})
}

// minimal is a module without anything: its block has the version alone.
func minimal() []byte {
	return append([]byte("BC\xc0\xde"),
		0x21, 0x0c, 0, 0, // ENTER_SUBBLOCK 8, abbreviations of 3 bits
		1, 0, 0, 0, // one word
		0x0b, 2, 1, 0) // UNABBREV_RECORD 1, one operand: 2; END_BLOCK
}

func TestRefused(t *testing.T) {
	if _, err := Read([]byte("MTLB")); err == nil {
		t.Error("a container is read as bitcode")
	}
	if _, err := Read(minimal()); err != nil {
		t.Errorf("a module that is empty: %v", err)
	}
	if _, err := Read(minimal()[:10]); err == nil {
		t.Error("a module that is cut off is read")
	}
}
