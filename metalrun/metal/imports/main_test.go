package main

import (
	"encoding/binary"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// program is a Mach-O file for arm64 that links libraries and has nothing else.
func program(t *testing.T, libraries ...string) string {
	t.Helper()
	le := binary.LittleEndian
	var commands []byte
	for _, library := range libraries {
		size := (24 + len(library) + 1 + 7) &^ 7
		command := make([]byte, size)
		le.PutUint32(command, 0xc) // LC_LOAD_DYLIB
		le.PutUint32(command[4:], uint32(size))
		le.PutUint32(command[8:], 24) // where the name begins
		copy(command[24:], library)
		commands = append(commands, command...)
	}
	var file []byte
	for _, word := range []uint32{0xfeedfacf, 0x0100000c, 0, 2, uint32(len(libraries)), uint32(len(commands)), 0, 0} {
		file = le.AppendUint32(file, word)
	}
	name := filepath.Join(t.TempDir(), "program")
	if err := os.WriteFile(name, append(file, commands...), 0o666); err != nil {
		t.Fatal(err)
	}
	return name
}

func TestForeign(t *testing.T) {
	const system, resolver = "/usr/lib/libSystem.B.dylib", "/usr/lib/libresolv.9.dylib"
	const framework = "/System/Library/Frameworks/Security.framework/Versions/A/Security"
	const xcode = "@rpath/libclang.dylib"
	for _, test := range []struct{ libraries, want []string }{
		{[]string{system, resolver, framework}, nil},
		{[]string{system, xcode, "/opt/homebrew/lib/libz.dylib"}, []string{xcode, "/opt/homebrew/lib/libz.dylib"}},
		{[]string{"/usr/lib/libc++.1.dylib"}, []string{"/usr/lib/libc++.1.dylib"}},
	} {
		if got, err := foreign(program(t, test.libraries...)); err != nil || !slices.Equal(got, test.want) {
			t.Errorf("%v: %v, %v, want %v", test.libraries, got, err, test.want)
		}
	}
	if got, err := foreign(program(t)); err == nil {
		t.Errorf("a program that links nothing: %v", got)
	}
	if got, err := foreign("main.go"); err == nil {
		t.Errorf("a text: %v", got)
	}
}
