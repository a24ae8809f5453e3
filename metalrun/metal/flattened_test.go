package metal

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"metalconform/metalrun"
)

func TestFlatten(t *testing.T) {
	tests := []struct {
		name  string
		files map[string]string // the main file is main.metal
		want  string
	}{
		{
			"system includes stay",
			map[string]string{"main.metal": "#include <metal_stdlib>\nusing namespace metal;\n"},
			"#include <metal_stdlib>\nusing namespace metal;\n",
		}, {
			"beside the includer, then by name",
			map[string]string{
				"main.metal": "#include \"lib/a.h\"\nint m;\n",
				"lib/a.h":    "#include \"b.h\"\n  # include \"c.h\" // last\nint a;",
				"lib/b.h":    "int b;\n",
				"b.h":        "int wrong;\n",
				"c.h":        "int c;\n",
			},
			"int b;\nint c;\nint a;\nint m;\n",
		}, {
			"an unknown file is the compiler's to report",
			map[string]string{"main.metal": "#if 0\n#include \"gone.h\"\n#endif\n"},
			"#if 0\n#include \"gone.h\"\n#endif\n",
		}, {
			"twice without a guard",
			map[string]string{"main.metal": "#include \"a.h\"\n#include \"a.h\"\n", "a.h": "X(1)\n"},
			"X(1)\nX(1)\n",
		}, {
			"pragma once becomes a guard",
			map[string]string{
				"main.metal": "#ifdef A\n#include \"a.h\"\n#endif\n#include \"a.h\"\n",
				"a.h":        "#pragma once\nint a;\n",
			},
			`#ifdef A
#ifndef conform_once_0
#define conform_once_0

int a;
#endif
#endif
#ifndef conform_once_0
#define conform_once_0

int a;
#endif
`,
		}, {
			"files with pragma once may include each other",
			map[string]string{
				"main.metal": "#pragma once\n#include \"a.h\"\n",
				"a.h":        "#include \"main.metal\"\nint a;\n",
			},
			"#ifndef conform_once_0\n#define conform_once_0\n\n\nint a;\n#endif\n",
		}, {
			"import is include with a guard",
			map[string]string{"main.metal": "#import \"a.h\"\n#include \"a.h\"\n", "a.h": "int a;\n"},
			"#ifndef conform_once_0\n#define conform_once_0\nint a;\n#endif\n#ifndef conform_once_0\n#define conform_once_0\nint a;\n#endif\n",
		}, {
			"what is no directive",
			map[string]string{
				"main.metal": "/* \n#include \"a.h\"\n*/ #include \"a.h\"\n// x \\\n#include \"a.h\"\n#define S \"/*\" \\\n#include \"a.h\"\n" +
					"x = \"\\\"/*\"; '\"';\n#include \"a.h\" /* tail */\r\nint z; // /*\n#include \"a.h\"\n",
				"a.h": "int a;\n",
			},
			"/* \n#include \"a.h\"\nint a;\n// x \\\n#include \"a.h\"\n#define S \"/*\" \\\n#include \"a.h\"\n" +
				"x = \"\\\"/*\"; '\"';\nint a;\nint z; // /*\nint a;\n",
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, err := flatten(metalrun.Source{Name: "main.metal", Files: test.files})
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.want, got.text); diff != "" {
				t.Errorf("text (-want +got):\n%s", diff)
			}
			if n := strings.Count(got.text, "\n"); len(got.lines) != n {
				t.Errorf("%d positions for %d lines", len(got.lines), n)
			}
		})
	}
}

func TestFlattenErrors(t *testing.T) {
	big := strings.Repeat(strings.Repeat("x", 1023)+"\n", 1024)
	tests := []struct {
		name  string
		files map[string]string
		want  string
	}{
		{"no main file", map[string]string{"a.h": ""}, `source has no file "main.metal"`},
		{
			"cycle",
			map[string]string{"main.metal": "\n#include \"a.h\"\n", "a.h": "#include \"b.h\"\n", "b.h": "int b;\n#include \"a.h\"\n"},
			"b.h:2:1: include cycle a.h -> b.h -> a.h: give the file a #pragma once",
		},
		{"self", map[string]string{"main.metal": "#include \"main.metal\"\n"}, "main.metal:1:1: include cycle main.metal -> main.metal: give the file a #pragma once"},
		{"NUL", map[string]string{"main.metal": "int a;\n\x00\n"}, "main.metal:2:1: not UTF-8 text"},
		{"Latin-1", map[string]string{"main.metal": "// caf\xe9\n"}, "main.metal:1:1: not UTF-8 text"},
		{
			"too much",
			map[string]string{"main.metal": strings.Repeat("#include \"big.h\"\n", 17), "big.h": big},
			"big.h:1:1: source exceeds 16 MiB with its includes",
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, err := flatten(metalrun.Source{Name: "main.metal", Files: test.files})
			if err == nil || err.Error() != test.want {
				t.Errorf("got error %v, want %s", err, test.want)
			}
		})
	}
}

// The log has the form in which newLibraryWithSource reports errors.
func TestCompilerLog(t *testing.T) {
	text, err := flatten(metalrun.Source{Name: "main.metal", Files: map[string]string{
		"main.metal": "#include <metal_stdlib>\n#include \"a.h\"\nint m = y;\n",
		"a.h":        "#pragma once\nint a = x;\n",
	}})
	if err != nil {
		t.Fatal(err)
	}
	log := `compiling main.metal: Compilation failed: 

program_source:5:9: error: use of undeclared identifier 'x'
int a = x;
        ^
program_source:5:5: warning: unused variable
program_source:7:9: fatal error: use of undeclared identifier 'y'
int m = y;
        ^
program_source:99:1: error: from nowhere
 (code 3)`
	want := metalrun.Diagnostics{
		{Position: metalrun.Position{File: "a.h", Line: 2, Col: 9}, Code: "metal", Message: "use of undeclared identifier 'x'"},
		{Position: metalrun.Position{File: "main.metal", Line: 3, Col: 9}, Code: "metal", Message: "use of undeclared identifier 'y'"},
	}
	if diff := cmp.Diff(want, text.diagnostics(log)); diff != "" {
		t.Errorf("diagnostics (-want +got):\n%s", diff)
	}
	if got := text.diagnostics("Compilation failed (code 2)"); got != nil {
		t.Errorf("a log without errors gave %v", got)
	}
}
