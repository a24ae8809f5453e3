package tensorfile

import (
	"archive/zip"
	"errors"
	"fmt"
	"io"
	"strings"
)

// mostDeflated is how many bytes one byte of a deflated file may become: a match of 258 takes two
// bits at least.
const mostDeflated = 1032

// readNPZ lists a .npz file: an archive of .npy files, stored or deflated.
func (f *File) readNPZ(r io.ReaderAt, size int64) error {
	archive, err := zip.NewReader(r, size)
	if err != nil {
		return err
	}
	f.Archive = true
	for _, member := range archive.File {
		name, ok := strings.CutSuffix(member.Name, ".npy")
		if !ok || name == "" {
			return fmt.Errorf("it has %q, which is no .npy file", member.Name)
		}
		if err := f.add(name, func() (Array, error) { return f.readMember(member, size) }); err != nil {
			return err
		}
	}
	return nil
}

func (f *File) readMember(member *zip.File, archive int64) (Array, error) {
	packed, size := member.CompressedSize64, member.UncompressedSize64
	switch {
	case packed > uint64(archive), member.Method == zip.Store && packed != size, size > mostDeflated*(packed+1):
		return Array{}, fmt.Errorf("%d bytes that become %d, in an archive of %d", packed, size, archive)
	case size > uint64(f.Most)+mostNPY:
		return Array{}, fmt.Errorf("%d bytes: at most %d are read", size, f.Most)
	}
	if f.Expand != nil {
		if err := f.Expand(int64(size)); err != nil {
			return Array{}, err
		}
	}
	content, err := member.Open()
	if err != nil {
		return Array{}, err
	}
	a, err := readNPY(content, int64(size), f.Most)
	return a, errors.Join(err, content.Close())
}
