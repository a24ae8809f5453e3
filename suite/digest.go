package suite

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
)

// digest is the start of the SHA-256 of all writable buffers, one after the
// other: equal where all bits are.
func (t *CaseRun) digest() string {
	h := sha256.New()
	for _, b := range t.buffers {
		if b != nil && b.arg.Writable() {
			h.Write(b.payload())
		}
	}
	return short(h.Sum(nil))
}

// joined is the digest of a sequence of which one digest is that of the first
// part and the other that of the rest.
func joined(first, rest string) string {
	sum := sha256.Sum256([]byte(first + rest))
	return short(sum[:])
}

// short are the first 16 hexadecimal digits of a sum.
func short(sum []byte) string { return hex.EncodeToString(sum[:8]) }

// again launches a case that has run once as often as was asked, each time from
// the same inputs, and counts the different outputs. The buffers then hold those
// of the first run.
func (t *CaseRun) again(before Contents, r *Result) {
	first := t.Contents()
	seen := map[string]bool{r.Digest: true}
	var failures []Failure
	for run := 2; run <= t.repeat; run++ {
		t.Restore(before)
		if _, ok := t.Run(r); !ok {
			return
		}
		d := t.digest()
		if len(seen) == 1 && !seen[d] {
			failures = []Failure{t.differs(first, run)}
		}
		seen[d] = true
	}
	t.Restore(first)
	r.Distinct = len(seen)
	if failures != nil {
		failures[0].Repeat.Runs, failures[0].Repeat.Distinct = t.repeat, len(seen)
		r.FailBy(append(r.Failures, failures...))
	}
}

// differs says where the buffers differ from those of the first run.
func (t *CaseRun) differs(first Contents, run int) Failure {
	f := Failure{Check: CheckDeterminism}
	for k, data := range first {
		b := t.buffers[k]
		if data == nil || bytes.Equal(data[Guard:len(data)-Guard], b.payload()) {
			continue
		}
		other := buffer{arg: b.arg, data: data}
		var found counter
		for i := range b.count() {
			if b.arg.Type.word(b.payload(), i) != b.arg.Type.word(other.payload(), i) {
				found.note(i, 0)
			}
		}
		f = b.differing(CheckDeterminism, t.Shape, found.first, b.value(found.first), other.value(found.first))
		f.First, f.Count, f.Of = f.Index, found.count, b.count()
		break
	}
	f.Repeat = &Repetition{Run: run}
	return f
}
