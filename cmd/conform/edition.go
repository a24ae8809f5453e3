package main

import (
	"io/fs"
	"mime"
	"net/http"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"sync"
	"time"
)

// editionMemory is what the pages of one edition may take in memory; further ones are served from their files.
const editionMemory = 32 << 20

// edition is the pages of one generation of results. A page is read once, and all who ask for it are written from the same
// bytes: a client costs neither a file nor a buffer, however slowly it reads. It is safe for several goroutines.
type edition struct {
	dir        string
	generation int

	lock sync.RWMutex
	held map[string]*page
	room int // bytes left
}

// page is a file as it goes out.
type page struct {
	text           []byte
	kind, length   []string // its headers
	tooLarge, none bool
}

func newEdition(dir string, generation int) *edition {
	return &edition{dir: dir, generation: generation, held: map[string]*page{}, room: editionMemory}
}

// page is a file of the pages. One that there is not is no page; those are not held, as anything may be asked for.
func (e *edition) page(name string) *page {
	e.lock.RLock()
	p := e.held[name]
	e.lock.RUnlock()
	if p != nil {
		return p
	}
	e.lock.Lock()
	defer e.lock.Unlock()
	if p := e.held[name]; p != nil {
		return p
	}
	p = e.read(name)
	if !p.none {
		e.held[name] = p
		e.room -= len(p.text)
	}
	return p
}

// read reads a file, if it may be held.
func (e *edition) read(name string) *page {
	file := filepath.Join(e.dir, filepath.FromSlash(name))
	info, err := os.Stat(file)
	switch {
	case err != nil || !info.Mode().IsRegular():
		return &page{none: true}
	case info.Size() > int64(e.room):
		return &page{tooLarge: true}
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return &page{none: true}
	}
	kind := mime.TypeByExtension(path.Ext(name))
	if kind == "" {
		kind = http.DetectContentType(text)
	}
	return &page{text: text, kind: []string{kind}, length: []string{strconv.Itoa(len(text))}}
}

// open opens a file that is not held.
func (e *edition) open(name string) (*os.File, error) {
	f, err := os.Open(filepath.Join(e.dir, filepath.FromSlash(name)))
	if err != nil {
		return nil, err
	}
	if info, err := f.Stat(); err != nil || !info.Mode().IsRegular() {
		f.Close()
		return nil, fs.ErrNotExist
	}
	return f, nil
}

// serve writes a file of the pages, and reports false if there is none.
func (e *edition) serve(w http.ResponseWriter, r *http.Request, name string) bool {
	p := e.page(name)
	if p.none {
		return false
	}
	if p.tooLarge {
		f, err := e.open(name)
		if err != nil {
			return false
		}
		defer f.Close()
		http.ServeContent(w, r, name, time.Time{}, f)
		return true
	}
	w.Header()["Content-Type"], w.Header()["Content-Length"] = p.kind, p.length
	w.Write(p.text)
	return true
}
