package survey

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"testing"
)

// TestOpen has a report by itself, in the archive beside a recording, and archives without one.
func TestOpen(t *testing.T) {
	text, err := json.Marshal(expected())
	if err != nil {
		t.Fatal(err)
	}
	archive := func(files map[string]string) []byte {
		var b bytes.Buffer
		packed := gzip.NewWriter(&b)
		w := tar.NewWriter(packed)
		for name, text := range files {
			if err := w.WriteHeader(&tar.Header{Name: name, Size: int64(len(text)), Mode: 0o666}); err != nil {
				t.Fatal(err)
			}
			if _, err := w.Write([]byte(text)); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		if err := packed.Close(); err != nil {
			t.Fatal(err)
		}
		return b.Bytes()
	}
	whole := archive(map[string]string{"mac/record/device.json": "{}", "mac/device.json": string(text), "mac/x": "y"})
	for name, test := range map[string]struct {
		text []byte
		ok   bool
	}{
		"a report":         {text, true},
		"an archive":       {whole, true},
		"half of one":      {whole[:len(whole)/2], false},
		"nothing asked":    {archive(map[string]string{"mac/failed.txt": "x", "mac/record/device.json": "{}"}), false},
		"a broken archive": {[]byte{0x1f, 0x8b, 1}, false},
		"nothing":          {nil, false},
	} {
		if r, err := Open(test.text); (err == nil) != test.ok || test.ok && r.Device.Name != "as assumed" {
			t.Errorf("%s: %+v, %v", name, r, err)
		}
	}
}
