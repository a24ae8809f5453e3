package mutation

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"metalconform/metalrun"
)

func TestCount(t *testing.T) {
	files, _ := filepath.Glob("../../shaders/*.metal")
	total := 0
	ops := map[string]int{}
	stat := map[string]map[string]int{}
	for _, f := range files {
		text, _ := os.ReadFile(f)
		src := metalrun.SourceText(filepath.Base(f), string(text))
		opts := metalrun.CompileOptions{}
		infos, err := metalrun.Inspect(src, opts)
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, i := range infos {
			names = append(names, i.Name)
		}
		begin := time.Now()
		u, err := Open(src, opts)
		if err != nil {
			t.Fatal(err)
		}
		ms := u.Mutants(names, Operators())
		took := time.Since(begin)
		begin = time.Now()
		n := 0
		for i, m := range ms {
			ops[m.Operator]++
			if i%10 != 0 {
				continue
			}
			n++
			c, err := m.Compare()
			if err != nil {
				t.Fatal(err)
			}
			s := "runs"
			switch {
			case c.Refused != nil:
				s = "refused"
			case len(c.Affected) == 0:
				s = string(c.Equal)
			}
			if stat[m.Operator] == nil {
				stat[m.Operator] = map[string]int{}
			}
			stat[m.Operator][s]++
			if i%200 == 0 {
				fmt.Println(m.Key, s)
			}
		}
		fmt.Println(f, len(ms), took, n, time.Since(begin))
		total += len(ms)
	}
	fmt.Println(total)
	for o, n := range ops {
		fmt.Println(o, n, stat[o])
	}
}
