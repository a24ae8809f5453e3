package differential

import (
	"reflect"

	"metalconform/metalrun"
)

// Launch is one launch that the witness is asked about.
type Launch struct {
	Source   metalrun.Source
	Options  metalrun.CompileOptions // with values for all function constants
	Kernel   string
	Dispatch metalrun.Dispatch // with what buffers hold before
}

// Answer is what the witness says of a launch: the bytes of each binding after it, or why
// it cannot say.
type Answer struct {
	Buffers [][]byte
	Refused string // by the translation, by clang or by the run
}

// Ask asks about all launches at once. What clang refuses of one program does not
// hinder the others, nor what it refuses of one kernel the others of its program. Files go to dir.
func Ask(path, dir string, launches []Launch) ([]Answer, error) {
	b := &batch{clang: clang{path, dir, knownFlags(path)}, launches: launches, answers: make([]Answer, len(launches))}
	if err := b.unpack(); err != nil {
		return nil, err
	}
	b.translate()
	if err := b.refuse(); err != nil {
		return nil, err
	}
	if err := b.build(); err != nil {
		return nil, err
	}
	return b.answers, b.run()
}

// batch is a program of many.
type batch struct {
	clang
	launches []Launch
	answers  []Answer
	texts    []*text
	of       []int    // the text of each launch
	entries  []*entry // all, each once
	entry    []*entry // of each launch; nil: it is refused
}

// translate makes a text for each program among the launches.
func (b *batch) translate() {
	for i, l := range b.launches {
		n := b.known(i)
		if n < 0 {
			n = len(b.texts)
			b.texts = append(b.texts, newText(l))
		}
		b.of = append(b.of, n)
		e, err := b.texts[n].entry(l.Kernel)
		b.entry = append(b.entry, e)
		switch {
		case e == nil:
			b.answers[i].Refused = err
		case e.number < 0:
			e.number = len(b.entries)
			b.entries = append(b.entries, e)
		}
	}
}

// known is the text of an earlier launch of the same program, -1 if there is none.
func (b *batch) known(i int) int {
	l := b.launches[i]
	for k := i - 1; k >= 0; k-- {
		x, y := b.launches[k].Options, l.Options
		if reflect.DeepEqual(b.launches[k].Source, l.Source) && x.LanguageVersion == y.LanguageVersion &&
			reflect.DeepEqual(x.FunctionConstants, y.FunctionConstants) && reflect.DeepEqual(x.Macros, y.Macros) {
			return b.of[k]
		}
	}
	return -1
}
