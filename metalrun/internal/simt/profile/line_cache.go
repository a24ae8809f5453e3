package profile

// lineCache is the cache of a core: lines in LRU order, divided into segments. A share of the cache holds the first
// segments. Invariant: every line is in one segment, whose size segmentLines gives.
type lineCache struct {
	lines   [cacheLines]cachedLine
	first   uint8
	last    [Shares]uint8 // of each segment
	chains  [2 * cacheLines]uint8
	fetched int64 // number of misses
}

// cachedLine is a line: its number or noLine, and the window that used it last.
type cachedLine struct {
	line         uint64
	window       int64
	before, next uint8 // in LRU order
	segment      uint8
	chained      uint8 // the next with the same hash, and 1
}

// noLine is the number of no line.
const noLine = ^uint64(0)

// segmentLines is the number of lines of a segment: those of the smallest share, and then those that each further share
// has more than the one before.
func segmentLines(segment int) int {
	if segment == 0 {
		return cacheLines >> (Shares - 1)
	}
	return cacheLines >> (Shares - segment)
}

// emptyCache has no lines.
var emptyCache = func() (c lineCache) {
	at := 0
	for segment := range Shares {
		for range segmentLines(segment) {
			c.lines[at] = cachedLine{line: noLine, before: uint8(at - 1), next: uint8(at + 1), segment: uint8(segment)}
			at++
		}
		c.last[segment] = uint8(at - 1)
	}
	return c
}()

// use gives the number of shares of the cache that hold a line, the largest first, and makes it the most recently used.
// A line that was used in the same window is in flight, so all shares hold it.
func (c *lineCache) use(line uint64, window int64) (held int) {
	if l := &c.lines[c.first]; l.line == line {
		l.window = window
		return Shares
	}
	chain := &c.chains[hashLine(line)]
	for at := *chain; at != 0; at = c.lines[at-1].chained {
		l := &c.lines[at-1]
		if l.line != line {
			continue
		}
		held = Shares - int(l.segment)
		if l.window == window {
			held = Shares
		}
		l.window = window
		c.forward(at - 1)
		return held
	}
	c.fetched++
	at := c.replace()
	l := &c.lines[at]
	l.line, l.window, l.chained = line, window, *chain
	*chain = at + 1
	return 0
}

// age takes in so many lines that are not requested again.
func (c *lineCache) age(lines int64) {
	for range min(lines, cacheLines) {
		c.replace()
	}
}

// replace evicts the least recently used line, and gives its entry as the most recently used.
func (c *lineCache) replace() uint8 {
	at := c.last[Shares-1]
	l := &c.lines[at]
	if l.line != noLine {
		for chain := &c.chains[hashLine(l.line)]; ; chain = &c.lines[*chain-1].chained {
			if *chain == at+1 {
				*chain = l.chained
				break
			}
		}
		l.line = noLine
	}
	c.forward(at)
	return at
}

// forward makes a line the most recently used. The last line of each segment before its own moves to the next segment.
func (c *lineCache) forward(at uint8) {
	if at == c.first {
		return
	}
	l := &c.lines[at]
	if c.last[l.segment] == at {
		c.last[l.segment] = l.before
	}
	for segment := range l.segment {
		falls := &c.lines[c.last[segment]]
		falls.segment++
		c.last[segment] = falls.before
	}
	c.lines[l.before].next = l.next
	if int(l.next) < cacheLines {
		c.lines[l.next].before = l.before
	}
	c.lines[c.first].before = at
	l.next, l.segment = c.first, 0
	c.first = at
}

// hashLine is the chain of a line: most chains have one line.
func hashLine(line uint64) uint8 { return uint8(line^line>>7^line>>objectShift) % (2 * cacheLines) }
