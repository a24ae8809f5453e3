package witness

import (
	"bytes"
	_ "embed"
	"encoding/binary"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"metalconform/metalrun"
)

//go:embed cpp/shim.h
var shim []byte

//go:embed cpp/runtime.cc
var runtime []byte

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

// newest and oldest are the versions of clang that are looked for by their own names.
const newest, oldest = 40, 14

// Clang finds a compiler, the newest one that there is; "" if there is none. CONFORM_CLANG
// names another.
func Clang() string {
	if name := os.Getenv("CONFORM_CLANG"); name != "" {
		path, _ := exec.LookPath(name)
		return path
	}
	for n := newest; n >= oldest; n-- {
		if path, err := exec.LookPath(fmt.Sprintf("clang++-%d", n)); err == nil {
			return path
		}
	}
	path, _ := exec.LookPath("clang++")
	return path
}

// flags are those of every compilation: half is a type of its own, nothing fuses, and
// integers wrap.
var flags = []string{"-std=c++17", "-O1", "-w", "-fwrapv", "-fno-strict-aliasing", "-ffp-contract=off", "-ftemplate-depth=2000",
	"-Xclang", "-fnative-half-type", "-ferror-limit=0", "-Wno-invalid-constexpr", "-mf16c", "-mfma"}

// halfArguments are the names, in versions of clang, of the flag that lets functions take
// numbers of type half.
var halfArguments = []string{"-fnative-half-arguments-and-returns", "-fallow-half-arguments-and-returns"}

// knownFlags are flags and the one of halfArguments that a compiler knows.
func knownFlags(clang string) []string {
	for _, name := range halfArguments {
		if exec.Command(clang, "-x", "c++", "-fsyntax-only", "-Xclang", name, os.DevNull).Run() == nil {
			return append([]string{"-Xclang", name}, flags...)
		}
	}
	return flags
}

// Ask asks about all launches at once. What clang refuses of one program does not
// hinder the others. Files go to dir.
func Ask(clang, dir string, launches []Launch) ([]Answer, error) {
	b := &batch{clang: clang, flags: knownFlags(clang), dir: dir, launches: launches, answers: make([]Answer, len(launches)), units: map[string]int{}}
	b.translate()
	if err := b.write(); err != nil {
		return nil, err
	}
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
	clang, dir string
	flags      []string
	launches   []Launch
	answers    []Answer
	units      map[string]int // by what is compiled
	texts      []translation
	errors     []string // of each text
	of         []int    // the text of each launch
	entries    []string // in C++
	entry      []int    // of each launch
}

// translate makes a text for each program among the launches.
func (b *batch) translate() {
	for i, l := range b.launches {
		key := fmt.Sprint(l.Source, l.Options.FunctionConstants, l.Options.Macros, l.Options.LanguageVersion)
		n, known := b.units[key]
		if !known {
			n = len(b.texts)
			b.units[key] = n
			t, err := translate(l.Source, l.Options)
			b.texts = append(b.texts, t)
			b.errors = append(b.errors, "")
			if err != nil {
				b.errors[n] = err.Error()
			}
		}
		b.of = append(b.of, n)
		e, ok := b.texts[n].entries[l.Kernel]
		b.entry = append(b.entry, -1)
		if !ok {
			b.answers[i].Refused = b.errors[n]
			if b.answers[i].Refused == "" {
				b.answers[i].Refused = "a kernel whose arguments are not known from its text"
			}
			continue
		}
		b.entry[i] = len(b.entries)
		b.entries = append(b.entries, fmt.Sprintf("&p%d::%s", n, e.name))
	}
}

// write writes the header, the driver and one file for all texts that are not refused.
func (b *batch) write() error {
	var all strings.Builder
	all.WriteString("#include \"shim.h\"\n")
	for i, t := range b.texts {
		if b.errors[i] == "" {
			fmt.Fprintf(&all, "#line 1 \"p%d\"\nnamespace p%d {\nusing namespace metal;\n%s\n}\n", i, i, t.text)
		}
	}
	all.WriteString("#line 1 \"entries\"\n")
	used := map[int]int{}
	for i, e := range b.entry {
		if e >= 0 && b.errors[b.of[i]] == "" {
			used[e] = b.of[i]
		}
	}
	for e, name := range b.entries {
		if n, ok := used[e]; ok {
			fmt.Fprintf(&all, "#line 100000 \"p%d\"\nstatic void entry%d() { witness_enter(%s); }\n", n, e, name)
		}
	}
	all.WriteString("#line 1 \"entries\"\nextern void (*const witness_entries[])();\nvoid (*const witness_entries[])() = {\n")
	for e := range b.entries {
		if _, ok := used[e]; ok {
			fmt.Fprintf(&all, "entry%d,\n", e)
		} else {
			all.WriteString("nullptr,\n")
		}
	}
	all.WriteString("nullptr};\n")
	for name, text := range map[string][]byte{"shim.h": shim, "runtime.cc": runtime, "programs.cc": []byte(all.String())} {
		if err := os.WriteFile(filepath.Join(b.dir, name), text, 0o666); err != nil {
			return err
		}
	}
	return nil
}

// complaint is an error of clang, in a text or in what it asked of the header.
var complaint = regexp.MustCompile(`(?m)^(?:(p\d+)|([^:\n]+)):(\d+):\d+: (error|note): (.*)$`)

// refuse drops the texts that clang does not take, until it takes the rest.
func (b *batch) refuse() error {
	for round := 0; ; round++ {
		out, err := b.compile("-fsyntax-only", "programs.cc")
		if err == nil {
			return nil
		}
		dropped, message := false, ""
		for _, m := range complaint.FindAllStringSubmatch(out, -1) {
			if m[4] == "error" {
				message = m[5]
			}
			if m[1] == "" {
				continue
			}
			n, _ := strconv.Atoi(m[1][1:])
			if b.errors[n] == "" && message != "" {
				b.errors[n], dropped = fmt.Sprintf("clang, line %s: %s", m[3], message), true
			}
			if m[4] == "error" {
				message = ""
			}
		}
		if !dropped || round > 20 {
			return fmt.Errorf("clang refuses the programs: %.2000s", out)
		}
		for i := range b.launches {
			if e := b.errors[b.of[i]]; e != "" && b.answers[i].Refused == "" {
				b.answers[i].Refused = e
			}
		}
		if err := b.write(); err != nil {
			return err
		}
	}
}

func (b *batch) compile(args ...string) (string, error) {
	cmd := exec.Command(b.clang, append(append([]string{}, b.flags...), args...)...)
	cmd.Dir = b.dir
	out, err := cmd.CombinedOutput()
	return string(out), err
}

func (b *batch) build() error {
	if out, err := b.compile("programs.cc", "runtime.cc", "-o", "programs"); err != nil {
		return fmt.Errorf("clang: %w: %.2000s", err, out)
	}
	return nil
}

// run executes all launches that are not refused.
func (b *batch) run() error {
	var in bytes.Buffer
	word := func(n int) { in.Write(binary.LittleEndian.AppendUint32(nil, uint32(n))) }
	var asked []int
	for i, l := range b.launches {
		if b.answers[i].Refused != "" {
			continue
		}
		asked = append(asked, i)
		d := l.Dispatch
		grid, threads, per := d.Grid(), d.Threads, d.ThreadsPerThreadgroup
		if threads == (metalrun.Size{}) {
			threads = metalrun.Size{X: grid.X * per.X, Y: grid.Y * per.Y, Z: grid.Z * per.Z}
		}
		word(b.entry[i])
		for _, s := range []metalrun.Size{grid, threads, per} {
			word(s.X)
			word(s.Y)
			word(s.Z)
		}
		arguments := b.texts[b.of[i]].entries[l.Kernel].arguments
		word(len(arguments))
		for _, a := range arguments {
			word(int(a.kind))
			word(int(a.index))
		}
		word(len(d.Bindings))
		for _, x := range d.Bindings {
			word(x.Index)
			word(x.Length)
			in.Write(x.Data[x.Offset : x.Offset+x.Length])
		}
		word(len(d.ThreadgroupMemory))
		for _, n := range d.ThreadgroupMemory {
			word(n)
		}
	}
	cmd := exec.Command(filepath.Join(b.dir, "programs"))
	cmd.Stdin = &in
	out, err := cmd.Output()
	if err != nil {
		return err
	}
	for _, i := range asked {
		if len(out) < 4 {
			return fmt.Errorf("the witness ended early")
		}
		ok := binary.LittleEndian.Uint32(out)
		out = out[4:]
		for _, x := range b.launches[i].Dispatch.Bindings {
			b.answers[i].Buffers = append(b.answers[i].Buffers, out[:x.Length])
			out = out[x.Length:]
		}
		if ok == 0 {
			b.answers[i].Refused = "the run ended early: a fault, or threads that wait for each other"
		}
	}
	return nil
}
