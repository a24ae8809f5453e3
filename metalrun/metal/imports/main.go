// Command imports holds programs for macOS to what every Mac has: it fails if one links a library that is neither the
// system's own nor one of its frameworks, as those of developers' tools are.
//
//	go run ./metalrun/metal/imports conform-darwin-arm64 conform-darwin-amd64
package main

import (
	"debug/macho"
	"fmt"
	"os"
	"strings"
)

func main() {
	failed := false
	for _, name := range os.Args[1:] {
		list, err := foreign(name)
		switch {
		case err != nil:
			fmt.Fprintf(os.Stderr, "imports: %s: %v\n", name, err)
		case len(list) > 0:
			fmt.Fprintf(os.Stderr, "imports: %s links what not every Mac has: %s\n", name, strings.Join(list, ", "))
		default:
			continue
		}
		failed = true
	}
	if failed {
		os.Exit(1)
	}
}

// foreign lists the libraries of a program that are not the system's.
func foreign(name string) (list []string, err error) {
	file, err := macho.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	libraries, err := file.ImportedLibraries()
	if err != nil {
		return nil, err
	}
	if len(libraries) == 0 {
		return nil, fmt.Errorf("it links nothing, not even the system's library: macOS does not start it")
	}
	for _, library := range libraries {
		if library != "/usr/lib/libSystem.B.dylib" && library != "/usr/lib/libresolv.9.dylib" &&
			!strings.HasPrefix(library, "/System/Library/Frameworks/") {
			list = append(list, library)
		}
	}
	return list, nil
}
