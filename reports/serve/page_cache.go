package serve

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

// cacheBytes is what the pages of one generation may take in memory; further ones are served from their files.
const cacheBytes = 32 << 20

// pageCache has the pages of one generation of results. A page is read once, and all who ask for it are written from
// the same bytes: a client costs neither a file nor a buffer, however slowly it reads. It is safe for several
// goroutines.
type pageCache struct {
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

func newPageCache(dir string, generation int) *pageCache {
	return &pageCache{dir: dir, generation: generation, held: map[string]*page{}, room: cacheBytes}
}

// page is a file of the pages. One that there is not is no page; those are not held, as anything may be asked for.
func (c *pageCache) page(name string) *page {
	c.lock.RLock()
	p := c.held[name]
	c.lock.RUnlock()
	if p != nil {
		return p
	}
	c.lock.Lock()
	defer c.lock.Unlock()
	if p := c.held[name]; p != nil {
		return p
	}
	p = c.read(name)
	if !p.none {
		c.held[name] = p
		c.room -= len(p.text)
	}
	return p
}

// read reads a file, if it may be held.
func (c *pageCache) read(name string) *page {
	file := filepath.Join(c.dir, filepath.FromSlash(name))
	info, err := os.Stat(file)
	switch {
	case err != nil || !info.Mode().IsRegular():
		return &page{none: true}
	case info.Size() > int64(c.room):
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
func (c *pageCache) open(name string) (*os.File, error) {
	f, err := os.Open(filepath.Join(c.dir, filepath.FromSlash(name)))
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
func (c *pageCache) serve(w http.ResponseWriter, r *http.Request, name string) bool {
	p := c.page(name)
	if p.none {
		return false
	}
	if p.tooLarge {
		f, err := c.open(name)
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
