package syntax

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestUnits is the contract of NewUnit: the text needs no other file and no option,
// its tokens are those of the program, and each knows where it came from.
func TestUnits(t *testing.T) {
	for file, text := range programs(t) {
		files := map[string]string{file: text}
		toks, errs := Preprocess(file, files, Config{})
		if errs != nil {
			t.Fatal(errs)
		}
		unit, errs := NewUnit(file, files, Config{})
		if errs != nil {
			t.Fatal(errs)
		}
		again, errs := Preprocess("unit", map[string]string{"unit": unit.Text}, Config{})
		if errs != nil {
			t.Errorf("%s, as a unit: %v", file, errs)
			continue
		}
		if diff := cmp.Diff(spelling(toks), spelling(again)); diff != "" {
			t.Errorf("%s changes in its unit (-first +second):\n%s", file, diff)
			continue
		}
		for i, tok := range again {
			col := int(tok.Pos.Col)
			if tok.Kind == Pragma {
				col = 1
			}
			if got, ok := unit.Origin(int(tok.Pos.Line), col); !ok || got != toks[i].Pos {
				t.Errorf("%s: %s at %v of the unit is from %v, %v, want %v", file, &tok, tok.Pos, got, ok, toks[i].Pos)
				break
			}
		}
	}
}

func TestUnit(t *testing.T) {
	files := map[string]string{
		"main.metal": "#include <metal_stdlib>\n#define M_PI_F 3\n#if __has_include(\"a.h\")\n" +
			"#define header \"a.h\"\n#include header\n#endif\n#pragma unroll\nfloat f = TWICE(M_PI_F);\n",
		"a.h": "#ifndef A\n#define A\n#include \"b.h\"\n#define TWICE(x) (x + N)\n#endif\n",
		"b.h": "#ifndef B\n#define B\n#include \"a.h\"\nint b;\n#endif\n",
	}
	unit, errs := NewUnit("main.metal", files, Config{Macros: map[string]string{"N": "N2"}})
	if errs != nil {
		t.Fatal(errs)
	}
	want := "#include <metal_stdlib>\n#undef M_PI_F\nint b;\n#pragma unroll\nfloat f = (3 + N2);\n"
	if diff := cmp.Diff(want, unit.Text); diff != "" {
		t.Errorf("text (-want +got):\n%s", diff)
	}
	at := func(text string) string {
		before := unit.Text[:strings.Index(unit.Text, text)]
		pos, ok := unit.Origin(1+strings.Count(before, "\n"), len(before)-strings.LastIndexByte(before, '\n'))
		if !ok {
			return "nowhere"
		}
		return pos.String()
	}
	for text, want := range map[string]string{
		"#include": "nowhere", "int b": "b.h:4:1", "b;": "b.h:4:5", "#pragma": "main.metal:7:1",
		" f =": "main.metal:8:1", "= (": "main.metal:8:9", "3 +": "main.metal:8:17", "N2": "main.metal:8:11",
	} {
		if got := at(text); got != want {
			t.Errorf("%q is from %s, want %s", text, got, want)
		}
	}
}
