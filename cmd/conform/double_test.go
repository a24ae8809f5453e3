//go:build linux && metaldouble

package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// TestDouble runs testdata/double: sessions on the double of Metal, whose driver hangs,
// aborts or wedges as the variable METAL_DOUBLE says.
func TestDouble(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/double",
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup: func(env *testscript.Env) error {
			env.Setenv("METAL_DOUBLE_LIBRARY", os.Getenv("METAL_DOUBLE_LIBRARY"))
			repository, err := filepath.Abs("../..")
			env.Setenv("REPOSITORY", repository)
			return err
		},
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){"status": status},
	})
}
