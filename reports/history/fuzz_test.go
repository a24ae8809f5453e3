package history

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A history with other bytes somewhere is read, or refused in a line, and never by a panic.
func FuzzHistory(f *testing.F) {
	dir := f.TempDir()
	file := filepath.Join(dir, "sound.db")
	s, err := Open(file, true)
	if err != nil {
		f.Fatal(err)
	}
	_, err = s.Add((&month{draw: rand.New(rand.NewPCG(1, 1))}).nights()[:2], false, nowhen)
	if closed := s.Close(); err != nil || closed != nil {
		f.Fatal(err, closed)
	}
	sound, err := os.ReadFile(file)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(uint32(0), "SQLite", len(sound))
	f.Add(uint32(100), "\x0d\x00\x00\xff\xff", len(sound))
	f.Add(uint32(4096), "\x05\x00\x01", 5000)
	f.Add(uint32(len(sound)-40), "2026-12-01T25:00:00Z", len(sound))
	f.Fuzz(func(t *testing.T, at uint32, bytes string, size int) {
		text := append([]byte(nil), sound...)
		copy(text[int(at)%len(text):], bytes)
		name := filepath.Join(t.TempDir(), "h.db")
		if err := os.WriteFile(name, text[:max(0, min(size, len(text)))], 0o666); err != nil {
			t.Fatal(err)
		}
		s, err := Open(name, false)
		if err == nil {
			defer s.Close()
			nights, failed := s.Nights()
			if err = failed; err == nil {
				err = s.Fill(nights)
			}
		}
		if err != nil && strings.Contains(err.Error(), "\n") {
			t.Errorf("more than a line: %v", err)
		}
	})
}
