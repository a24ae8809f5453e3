package metalrun_test

import (
	"errors"
	"io/fs"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"metalconform/metalrun"
)

func TestRead(t *testing.T) {
	files := fstest.MapFS{
		"k/main.metal": {Data: []byte("#include <metal_stdlib>\n#include \"lib/a.h\"\n// #include \"unused.h\"\n" +
			"#include \"gone.h\"\n")},
		"k/lib/a.h": {
			Data: []byte("#include \"b.h\"\n#include \"../main.metal\"\n#include \"../../../outside.h\"\n"),
		},
		"k/lib/b.h":     {Data: []byte("#include \"k/c.h\"\n")},
		"k/c.h":         {Data: []byte("int c;")},
		"k/unused.h":    {Data: []byte("int unused;")},
		"k/other.metal": {Data: []byte("int other;")},
	}
	read := func(name string) ([]byte, error) { return fs.ReadFile(files, name) }
	src, err := (metalrun.Source{Name: "k/main.metal"}).Read(read)
	if err != nil {
		t.Fatal(err)
	}
	want := metalrun.Source{Name: "k/main.metal", Files: map[string]string{}}
	for _, name := range []string{"k/main.metal", "k/lib/a.h", "k/lib/b.h", "k/c.h"} {
		want.Files[name] = string(files[name].Data)
	}
	if diff := cmp.Diff(want, src, cmp.AllowUnexported(metalrun.Source{})); diff != "" {
		t.Errorf("source (-want +got):\n%s", diff)
	}

	if _, err := (metalrun.Source{Name: "absent.metal"}).Read(read); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("absent main file: %v", err)
	}
	denied := func(name string) ([]byte, error) {
		if name == "k/lib/b.h" {
			return nil, fs.ErrPermission
		}
		return read(name)
	}
	if _, err := (metalrun.Source{Name: "k/main.metal"}).Read(denied); !errors.Is(err, fs.ErrPermission) {
		t.Errorf("unreadable include: %v", err)
	}
}
