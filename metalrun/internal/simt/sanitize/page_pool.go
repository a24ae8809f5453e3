package sanitize

import (
	"slices"
	"sync"

	"metalconform/metalrun/internal/simt/machine"
)

// pagePool is the memory that it takes to observe a launch: pages of shadows, and copies of buffers. Launches are many
// and short, so that it is taken over from those before, of whatever program.
type pagePool struct {
	writes pages[record]
	reads  pages[[2]record]
	saved  []saved
	bytes  []byte // of these, one after the other
	copies [][]byte
	taken  int // of the copies
}

// saved is what a part of a buffer held before the launch wrote there.
type saved struct{ object, offset, end int }

// A page is so many cells of a shadow.
const (
	pageLog   = 11
	pageCells = 1 << pageLog
)

type page[T any] = [pageCells]T

// pages are those of a pagePool, and how many the launch has taken.
type pages[T any] struct {
	list  []*page[T]
	taken int
}

// take is an empty page.
func (p *pages[T]) take() *page[T] {
	if p.taken == len(p.list) {
		p.list = append(p.list, new(page[T]))
	} else {
		clear(p.list[p.taken][:])
	}
	p.taken++
	return p.list[p.taken-1]
}

// release keeps so many of them for other launches.
func (p *pages[T]) release(most int) {
	if p.taken = 0; len(p.list) > most {
		clear(p.list[most:])
		p.list = p.list[:most]
	}
}

// What a pagePool keeps between launches. These bound the memory of idle pools. To keep one page costs a sample of the
// launches of the quick sweep 4 % (BenchmarkAblation). 2⁸ and 2¹³ pages change nothing there, nor do 2²³ and 2²⁸
// bytes.
const (
	mostPages = 1 << 10
	mostBytes = 1 << 25 // of copies
)

// pagePools are those that no launch has. There are as many as there were launches at once.
var pagePools struct {
	sync.Mutex
	list []*pagePool
}

// NewPagePool is one for a launch.
func NewPagePool(p *machine.Program) *pagePool {
	if !p.Does(machine.PassPagePool) {
		return &pagePool{}
	}
	pagePools.Lock()
	defer pagePools.Unlock()
	n := len(pagePools.list)
	if n == 0 {
		return &pagePool{}
	}
	l := pagePools.list[n-1]
	pagePools.list = pagePools.list[:n-1]
	return l
}

// Release lets other launches have the pagePool.
func (l *pagePool) Release() {
	l.writes.release(mostPages)
	l.reads.release(mostPages)
	l.saved, l.bytes, l.taken = l.saved[:0], l.bytes[:0], 0
	if cap(l.bytes) > mostBytes {
		l.bytes = nil
	}
	bytes := 0
	for i, b := range l.copies {
		if bytes += cap(b); bytes > mostBytes {
			l.copies[i] = nil
		}
	}
	pagePools.Lock()
	defer pagePools.Unlock()
	pagePools.list = append(pagePools.list, l)
}

// copy is a copy of some bytes for the time of the launch.
func (l *pagePool) copy(b []byte) []byte {
	if l.taken == len(l.copies) {
		l.copies = append(l.copies, nil)
	}
	c := append(l.copies[l.taken][:0], b...)
	l.copies[l.taken] = c
	l.taken++
	return c
}

// save keeps what a part of a buffer holds.
func (l *pagePool) save(object, offset int, part []byte) {
	l.saved = append(l.saved, saved{object, offset, offset + len(part)})
	l.bytes = append(l.bytes, part...)
}

// undo gives buffers back what they held before, the first that was saved last.
func (l *pagePool) undo(contents func(object int) []byte) {
	end := len(l.bytes)
	for _, x := range slices.Backward(l.saved) {
		begin := end - (x.end - x.offset)
		copy(contents(x.object)[x.offset:x.end], l.bytes[begin:end])
		end = begin
	}
}

// restart is for the launch from its beginning.
func (l *pagePool) restart() {
	l.writes.taken, l.reads.taken = 0, 0
	l.saved, l.bytes = l.saved[:0], l.bytes[:0]
}
