package forecast

import (
	"bytes"
	"os"
	"testing"
)

// A fit is read, or refused; what was read is written and read again.
func FuzzFit(f *testing.F) {
	fit, err := os.ReadFile("m1pro.json")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(fit)
	f.Add(fit[:len(fit)/2])
	f.Add(bytes.Replace(fit, []byte(`"spread"`),
		[]byte(`"known":[{"name":"clock, Hz","published":1e9,"measured":1.1e9}],"spread"`), 1))
	f.Add([]byte(
		`{"device":"m1","parameters":null,"spread":{"times":{"least":0.1,"low":-1e308,"high":1e308},"ratios":{"least":0.1}}}`,
	))
	f.Fuzz(func(t *testing.T, text []byte) {
		m, err := Read(text)
		if err != nil {
			return
		}
		again, err := m.Encode("again", 1)
		if err == nil {
			_, err = Read(again)
		}
		if err != nil {
			t.Errorf("read again: %v", err)
		}
	})
}
