package survey

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"path"
	"strings"
)

// Open reads a report, or the one in the archive that examples/mac/run makes.
func Open(text []byte) (*Report, error) {
	if !bytes.HasPrefix(text, []byte{0x1f, 0x8b}) {
		return Parse(text)
	}
	unpacked, err := gzip.NewReader(bytes.NewReader(text))
	if err != nil {
		return nil, err
	}
	// An archive of a few megabytes may unpack to any number.
	files := tar.NewReader(io.LimitReader(unpacked, 64*MostBytes))
	for {
		header, err := files.Next()
		if errors.Is(err, io.EOF) {
			return nil, errors.New("the archive has no device.json: conform device did not come to write it")
		}
		if err != nil {
			return nil, err
		}
		name := path.Clean(header.Name)
		if path.Base(name) != "device.json" || strings.Count(name, "/") != 1 { // a recording has one of its own
			continue
		}
		if header.Size > MostBytes {
			return nil, fmt.Errorf("%s has %d bytes: no report of conform device has", name, header.Size)
		}
		report, err := io.ReadAll(files)
		if err != nil {
			return nil, err
		}
		return Parse(report)
	}
}
