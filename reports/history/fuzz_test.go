package history

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"metalconform/reports"
	"metalconform/reports/trend"
)

// A file with any bytes or any text is read and searched, or refused in a line, and never by a panic.
func FuzzHistory(f *testing.F) {
	m := &month{draw: rand.New(rand.NewPCG(1, 1))}
	set := m.night(0, planted{fails: "attn"})
	set.Results = set.Results[:2*perKernel]
	run := runs(f, set)[0]
	sound, err := encode(run)
	if err != nil {
		f.Fatal(err)
	}
	text := unzipped(f, sound)
	f.Add(sound, false)
	f.Add(sound[:100], false)
	f.Add([]byte(text), true)
	f.Add([]byte(strings.Replace(text, `"lists":[0`, `"lists":[-1`, 1)), true)
	f.Add([]byte(strings.Replace(text, `"fail":[0`, `"error":[3`, 1)), true)
	f.Add([]byte(strings.ReplaceAll(text, `[["x"]]`, `[[],["x"]]`)), true)
	f.Fuzz(func(t *testing.T, bytes []byte, text bool) {
		if text {
			bytes = zipped(t, string(bytes))
		}
		s, err := Open(t.TempDir(), false)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(s.dir, fileName(run.Key)), bytes, 0o666); err != nil {
			t.Fatal(err)
		}
		nights, err := s.Nights()
		if err == nil {
			err = s.Fill(nights)
		}
		if err == nil && len(nights) == 1 {
			trend.Find([]trend.Night{nights[0], nights[0], nights[0]}, reports.DefaultPolicy())
		}
		if err != nil && strings.Contains(err.Error(), "\n") {
			t.Errorf("more than a line: %v", err)
		}
	})
}
