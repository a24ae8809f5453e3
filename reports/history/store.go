package history

import (
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"metalconform/internal/regular"
	"metalconform/reports/trend"
)

// Store is the directory of a history.
type Store struct {
	dir string

	mutex  sync.Mutex
	sweeps map[string]*trend.Sweep // by the line that names the cases
	text   int64                   // bytes that may still be read
}

// What a directory may have: 180 years of nights, and seven years of the full sweep read together.
const (
	mostFiles = 1 << 16
	mostRead  = 1 << 30 // bytes of text
)

// Open opens a history. With create there may be none yet: then Add makes the directory.
func Open(dir string, create bool) (*Store, error) {
	s := &Store{dir: dir, sweeps: map[string]*trend.Sweep{}, text: mostRead}
	info, err := os.Stat(dir)
	switch {
	case errors.Is(err, os.ErrNotExist) && create:
		return s, nil
	case errors.Is(err, os.ErrNotExist):
		return nil, fmt.Errorf("%s: there is no such history; conform history add makes one", dir)
	case err != nil:
		return nil, err
	case info.IsDir():
		return s, nil
	case isDatabase(dir):
		return nil, fmt.Errorf("%s: a database, which is what earlier versions wrote: examples/history imports it", dir)
	}
	return nil, fmt.Errorf("%s: no history of conform: it is not a directory; name another one", dir)
}

// isDatabase reports whether a file is an SQLite database, as earlier versions made one.
func isDatabase(name string) bool {
	f, err := regular.Open(name, regular.Results)
	if err != nil {
		return false
	}
	defer f.Close()
	const magic = "SQLite format 3\x00"
	head := make([]byte, len(magic))
	_, err = io.ReadFull(f, head)
	return err == nil && string(head) == magic
}

// Nights returns all runs without their results, in the order in which they started. Files whose names do not end
// in .jsonl.gz are not read.
func (s *Store) Nights() ([]trend.Night, error) {
	dir, err := os.Open(s.dir)
	if err != nil {
		return nil, err
	}
	defer dir.Close()
	entries, err := dir.ReadDir(mostFiles + 1)
	switch {
	case err != nil && !errors.Is(err, io.EOF):
		return nil, err
	case len(entries) > mostFiles:
		return nil, fmt.Errorf("%s: more than %d files", s.dir, mostFiles)
	}
	var list []trend.Night
	for _, e := range entries {
		if !strings.HasSuffix(e.Name(), suffix) {
			continue
		}
		h, err := s.header(e.Name())
		if err != nil {
			return nil, err
		}
		list = append(list, h.night())
	}
	slices.SortFunc(list, func(a, b trend.Night) int { return strings.Compare(fileName(a.Key), fileName(b.Key)) })
	return list, nil
}

// header reads the header of a file, and checks that it belongs there.
func (s *Store) header(name string) (h header, err error) {
	err = s.read(name, func(r *reader) error {
		if h, err = r.header(); err != nil {
			return err
		}
		if want := fileName(h.Key); want != name {
			return fmt.Errorf("the run is that of %s", want)
		}
		return nil
	})
	return h, err
}

// Fill reads the results of nights, on all cores.
func (s *Store) Fill(nights []trend.Night) error {
	failed := make([]error, len(nights))
	var next atomic.Int64
	var all sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), len(nights)) {
		all.Go(func() {
			for i := next.Add(1) - 1; i < int64(len(nights)); i = next.Add(1) - 1 {
				failed[i] = s.fill(&nights[i])
			}
		})
	}
	all.Wait()
	for _, err := range failed {
		if err != nil {
			return err
		}
	}
	return nil
}

// fill reads the results of a night.
func (s *Store) fill(n *trend.Night) error {
	n.Kernels = nil
	return s.read(fileName(n.Key), func(r *reader) error {
		h, err := r.header()
		if err != nil {
			return err
		}
		if h.Key != n.Key {
			return errors.New("the file has changed")
		}
		n.Kernels, err = s.kernels(r)
		return err
	})
}

// errMuch says that a history is larger than what may be read together.
var errMuch = fmt.Errorf("the runs have more than %d MiB of text together: look at fewer", mostRead>>20)

// kernels reads what follows the header.
func (s *Store) kernels(r *reader) ([]trend.Kernel, error) {
	var list []trend.Kernel
	cases := 0
	for {
		line, ok, err := r.next()
		if err != nil || !ok {
			return list, err
		}
		sweep, err := s.sweep(line)
		if err != nil {
			return nil, err
		}
		if n := len(list); n > 0 && list[n-1].Kernel >= sweep.Kernel {
			return nil, fmt.Errorf("the kernel %.100q is not in order", sweep.Kernel)
		}
		if line, ok, err = r.next(); err != nil {
			return nil, err
		} else if !ok {
			return nil, fmt.Errorf("there are no results of %.100q", sweep.Kernel)
		}
		if !s.take(len(line)) {
			return nil, errMuch
		}
		k, err := results(line, sweep)
		if err != nil {
			return nil, err
		}
		if cases += k.Cases(); cases > mostCases {
			return nil, fmt.Errorf("more than %d cases", mostCases)
		}
		list = append(list, k)
	}
}

// take counts bytes of text that were read, and reports whether there may be so many.
func (s *Store) take(n int) bool {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.text -= int64(n)
	return s.text >= 0
}

// sweep returns what a line of cases says. The same line is kept once.
func (s *Store) sweep(line []byte) (*trend.Sweep, error) {
	s.mutex.Lock()
	known := s.sweeps[string(line)]
	s.mutex.Unlock()
	if known != nil {
		return known, nil
	}
	if !s.take(len(line)) {
		return nil, errMuch
	}
	made, err := sweep(line)
	if err != nil {
		return nil, err
	}
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if known := s.sweeps[string(line)]; known != nil { // another file had it meanwhile
		return known, nil
	}
	s.sweeps[string(line)] = made
	return made, nil
}

// read opens a file, and says what can be done about one that is damaged.
func (s *Store) read(name string, do func(*reader) error) error {
	file, err := regular.OpenIn(s.dir, name, mostFile)
	if err != nil {
		return err
	}
	defer file.Close()
	r, err := newReader(file)
	if err == nil {
		err = do(r)
	}
	var later *laterError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &later), errors.Is(err, errMuch), errors.As(err, new(*os.PathError)):
		return fmt.Errorf("%s: %w", file.Name(), err)
	}
	text := strings.ReplaceAll(err.Error(), "\n", "; ")
	return fmt.Errorf("%s: damaged: %s; restore the file, or remove it and conform history add the results again",
		file.Name(), text)
}
