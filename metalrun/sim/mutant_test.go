package sim_test

import (
	"errors"
	"io/fs"
	"math"
	"math/rand/v2"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"metalconform/internal/crash"
	"metalconform/metalrun"
	"metalconform/metalrun/internal/ir/eval"
	"metalconform/metalrun/sim"
)

// mutator changes programs where they have a structure: statements, blocks, operators,
// types, numbers and names, so that many of them are still accepted.
type mutator struct {
	*rand.Rand
	words []string // of the program: tokens, and the space between them
	other []string // of another program
}

var words = regexp.MustCompile(
	`//[^\n]*|#[^\n]*|[A-Za-z_]\w*|\d[\w.]*|\s+|<<=|>>=|[-+*/%&|^<>=!]=|&&|\|\||<<|>>|\+\+|--|->|::|.`,
)

// alike are words that stand for each other.
var alike = [][]string{
	strings.Fields("+ - * / % & | ^ << >>"), strings.Fields("< <= > >= == !="), strings.Fields("&& ||"),
	strings.Fields("= += -= *= /= %= &= |= ^= <<= >>="), strings.Fields("++ --"),
	strings.Fields("break continue return"),
	strings.Fields("bool char uchar short ushort int uint long ulong half bfloat float"),
	strings.Fields("int2 uint2 short2 float2 half2 char2 bool2"),
	strings.Fields("int3 uint3 float3 half3 packed_float3"),
	strings.Fields("int4 uint4 uchar4 float4 half4 ulong4"), strings.Fields("device constant thread threadgroup"),
	strings.Fields("min max pow fmod step"), strings.Fields("abs floor ceil rint sqrt exp log sin fract sign"),
	strings.Fields("clamp fma mix select"),
	strings.Fields("simd_sum simd_max simd_product simd_prefix_inclusive_sum quad_sum"), strings.Fields("if while"),
	strings.Fields("x y z w xy zw xyz wzyx"), strings.Fields("true false"),
	strings.Fields("const volatile static constexpr"),
}

var numbers = strings.Fields("0 1 2 3 7 8 31 32 33 63 64 255 256 1000 65535 65536 2147483647 4294967295u " +
	"0x7fffffffffffffffL 0.5f 1e30f 1e-40f 65504.0h 3.0f")

// mutate makes a few changes.
func (m *mutator) mutate() string {
	for range 1 + m.IntN(3) {
		[]func(){m.swap, m.repeat, m.drop, m.wrap, m.graft, m.substitute, m.substitute, m.substitute, m.count, m.count,
			m.rename, m.regroup}[m.IntN(12)]()
	}
	return strings.Join(m.words, "")
}

// span is a part of a program: words[from:to].
type span struct{ from, to int }

// statements are the spans of a program that end with a semicolon or a block, in blocks.
func statements(words []string) (list []span) {
	var blocks []int // where the statement begins that is read, block by block
	round := 0
	for i, w := range words {
		switch w {
		case "(":
			round++
		case ")":
			round--
		case "{":
			blocks = append(blocks, i+1)
		case ";":
			if n := len(blocks); n > 0 && round == 0 {
				list = append(list, span{blocks[n-1], i + 1})
				blocks[n-1] = i + 1
			}
		case "}":
			if n := len(blocks); n > 0 {
				blocks = blocks[:n-1]
			}
			if n := len(blocks); n > 0 {
				list = append(list, span{blocks[n-1], i + 1})
				blocks[n-1] = i + 1
			}
		}
	}
	return list
}

// groups are the spans between parentheses.
func groups(words []string) (list []span) {
	var open []int
	for i, w := range words {
		switch n := len(open); {
		case w == "(":
			open = append(open, i)
		case w == ")" && n > 0:
			list, open = append(list, span{open[n-1] + 1, i}), open[:n-1]
		}
	}
	return list
}

func (m *mutator) one(list []span) (span, bool) {
	if len(list) == 0 {
		return span{}, false
	}
	return list[m.IntN(len(list))], true
}

func (m *mutator) replace(s span, by ...string) {
	m.words = slices.Replace(m.words, s.from, s.to, by...)
}

func (m *mutator) text(s span) []string { return slices.Clone(m.words[s.from:s.to]) }

func (m *mutator) swap() {
	a, ok := m.one(statements(m.words))
	b, _ := m.one(statements(m.words))
	if a.from > b.from {
		a, b = b, a
	}
	if ok && a.to <= b.from {
		first, second := m.text(a), m.text(b)
		m.replace(b, first...)
		m.replace(a, second...)
	}
}

func (m *mutator) repeat() {
	if s, ok := m.one(statements(m.words)); ok {
		m.replace(span{s.to, s.to}, m.text(s)...)
	}
}

func (m *mutator) drop() {
	if s, ok := m.one(statements(m.words)); ok {
		m.replace(s)
	}
}

// wrap makes a statement the body of a loop or of a branch.
func (m *mutator) wrap() {
	s, ok := m.one(statements(m.words))
	if !ok {
		return
	}
	head := []string{
		"for (int turn = 0; turn < 3; turn++) {", "for (uint turn = 100; turn > 7; turn /= 2) {", "if (true) {",
		"if (sizeof(int) > 5) {",
		"do {", "switch (3) { case 1: default: {", "for (;;) {", "{",
	}[m.IntN(8)]
	tail := "}"
	switch head {
	case "do {":
		tail = "} while (false);"
	case "switch (3) { case 1: default: {":
		tail = "} }"
	case "for (;;) {":
		tail = "break; }"
	}
	m.replace(s, slices.Concat([]string{head, "\n"}, m.text(s), []string{"\n", tail})...)
}

// graft takes a statement of another program.
func (m *mutator) graft() {
	s, ok := m.one(statements(m.words))
	o, some := m.one(statements(m.other))
	if ok && some {
		m.replace(span{s.to, s.to}, m.other[o.from:o.to]...)
	}
}

// substitute puts another word of its kind in the place of one.
func (m *mutator) substitute() {
	start := m.IntN(len(m.words))
	for i := range m.words {
		i = (i + start) % len(m.words)
		for _, kind := range alike {
			if slices.Contains(kind, m.words[i]) {
				m.words[i] = kind[m.IntN(len(kind))]
				return
			}
		}
	}
}

// count puts another number in the place of one: bounds of loops, indices, sizes.
func (m *mutator) count() { m.exchange(regexp.MustCompile(`^\d`), numbers) }

// rename puts another name of the program in the place of one.
func (m *mutator) rename() {
	name := regexp.MustCompile(`^[a-z]\w*$`)
	m.exchange(name, slices.DeleteFunc(slices.Clone(m.words), func(w string) bool { return !name.MatchString(w) }))
}

func (m *mutator) exchange(kind *regexp.Regexp, by []string) {
	var at []int
	for i, w := range m.words {
		if kind.MatchString(w) {
			at = append(at, i)
		}
	}
	if len(at) > 0 && len(by) > 0 {
		m.words[at[m.IntN(len(at))]] = by[m.IntN(len(by))]
	}
}

// regroup puts what one pair of parentheses holds into another, often a group into itself.
func (m *mutator) regroup() {
	a, ok := m.one(groups(m.words))
	b, _ := m.one(groups(m.words))
	if ok {
		m.replace(a, m.text(b)...)
	}
}

// specimens are the programs of testdata/run that have one answer.
var specimens = sync.OnceValues(func() (list []*program, err error) {
	err = filepath.WalkDir("testdata/run", func(path string, d fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".metal") {
			return err
		}
		p, err := parseProgram(path)
		if err == nil && p.semantics == (sim.Semantics{}) && p.fault == "" && p.found == nil && !p.open {
			list = append(list, p)
		}
		return err
	})
	return list, err
})

// mutant is a program that differs from one of testdata/run.
func mutant(t *testing.T, seed uint64) *program {
	t.Helper()
	list, err := specimens()
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(seed, 11))
	p, other := *list[r.IntN(len(list))], list[r.IntN(len(list))]
	split := func(p *program) []string { return words.FindAllString(p.source.Files[p.source.Name], -1) }
	m := &mutator{r, split(&p), split(other)}
	files := map[string]string{}
	for name, text := range p.source.Files {
		files[name] = text
	}
	files[p.source.Name] = m.mutate()
	p.source.Files = files
	return &p
}

// fate is what came of a mutant.
type fate int

const (
	refused fate = iota // by the front end
	ended               // by a fault, a budget or a finding
	agreed
)

// launched is the dispatch of a program with memory of its own, and that memory.
func (p *program) launched() *program {
	q := *p
	q.dispatch.Bindings = slices.Clone(p.dispatch.Bindings)
	for i, b := range q.dispatch.Bindings {
		q.dispatch.Bindings[i].Data = slices.Clone(b.Data)
	}
	q.dispatch.Textures = slices.Clone(p.dispatch.Textures)
	for i, t := range p.dispatch.Textures {
		q.dispatch.Textures[i].Data = slices.Clone(t.Data)
	}
	return &q
}

// mutantAgrees runs a mutant under checks, without them, and by definition. What the checks
// find nothing in has one answer.
func mutantAgrees(t *testing.T, seed uint64) fate {
	t.Helper()
	p := mutant(t, seed)
	text := p.source.Files[p.source.Name]
	whole := func(err error) bool {
		var c *crash.Crash
		if errors.As(err, &c) {
			t.Fatalf("seed %d: %v\n%s\n%s", seed, c, c.Stack, text)
		}
		return err == nil
	}
	analysed, err := metalrun.Analyse(p.source, p.options)
	if !whole(err) {
		return refused
	}
	checked, plain, defined := p.launched(), p.launched(), p.launched()
	checked.semantics = sim.Semantics{Check: true, Steps: 1 << 14, ThreadMemory: 1 << 20}
	plain.semantics = sim.Semantics{Steps: 1 << 16, ThreadMemory: 1 << 20}
	outcomes, err := checked.run()
	if !whole(err) || slices.ContainsFunc(outcomes, func(o metalrun.Outcome) bool { return len(o.Findings) > 0 }) {
		return ended
	}
	if _, err := plain.run(); !whole(err) {
		t.Fatalf("seed %d: only without checks: %v\n%s", seed, err, text)
	}
	names, err := p.kernelNames(analysed)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		k, err := analysed.Lowered(name)
		if err != nil {
			t.Fatal(err)
		}
		err = eval.Run(k, defined.evalLaunch(k))
		if err != nil && strings.Contains(err.Error(), "inactive lane") {
			return ended // whose value is discarded: the definition has none
		}
		if err != nil {
			t.Fatalf("seed %d: only by definition: %v\n%s", seed, err, text)
		}
	}
	if strings.Contains(text, "atomic_") {
		return agreed // that it runs: the order of atomic operations is open
	}
	for i, b := range plain.dispatch.Bindings {
		for _, other := range []*program{checked, defined} {
			if at := unequal(b.Data, other.dispatch.Bindings[i].Data); at >= 0 {
				t.Fatalf("seed %d: byte %d of buffer(%d) is %x, checked %x, by definition %x\n%s", seed, at, b.Index,
					b.Data, checked.dispatch.Bindings[i].Data,
					defined.dispatch.Bindings[i].Data, text)
			}
		}
	}
	return agreed
}

// unequal is where two buffers differ in more than the bits of a NaN, or -1.
func unequal(a, b []byte) int {
	for i := range a {
		if a[i] == b[i] {
			continue
		}
		nan := false
		for _, typ := range []string{"half", "bfloat", "float"} {
			size := sizes[typ]
			if from := i / size * size; from+size <= len(a) {
				nan = nan || isNaN(typ, bitsOf(a[from:from+size])) && isNaN(typ, bitsOf(b[from:from+size]))
			}
		}
		if !nan {
			return i
		}
	}
	return -1
}

// TestMutants launches what the front end accepts of programs changed by lot.
func TestMutants(t *testing.T) {
	n := 150
	if testing.Short() {
		n = 40
	}
	var fates [agreed + 1]int
	for seed := range n {
		fates[mutantAgrees(t, uint64(seed))]++
	}
	if slices.Min(fates[:]) < n/20 {
		t.Errorf("%d mutants: %v are refused, ended and agreed upon", n, fates)
	}
}

// FuzzMutants is TestMutants for any seed.
func FuzzMutants(f *testing.F) {
	f.Add(uint64(math.MaxUint32))
	f.Fuzz(func(t *testing.T, seed uint64) { mutantAgrees(t, seed) })
}
