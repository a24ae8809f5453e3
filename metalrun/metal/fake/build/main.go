// Command build compiles the double of Metal, an Objective-C library for Linux, with
// GCC and GNUstep:
//
//	go run ./metalrun/metal/fake/build -o DIR [-arch arm64 -sysroot DIR]
//
// It prints the path of the library, for the environment's METAL_DOUBLE_LIBRARY.
// Debian has what it needs in gobjc and libgnustep-base-dev; for another architecture
// also in gobjc-aarch64-linux-gnu, and in libgnustep-base1.28:arm64 unpacked with what it
// depends on.
package main

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
)

func main() {
	out := flag.String("o", ".", "`directory` for the library")
	source := flag.String("source", filepath.Join("metalrun", "metal", "fake", "objc"),
		"`directory` of the double's sources")
	arch := flag.String("arch", runtime.GOARCH, "`architecture` to build for, amd64 or arm64")
	sysroot := flag.String("sysroot", "", "`directory` with the libraries of another architecture")
	flag.Parse()
	library, err := build(*source, *out, *arch, *sysroot)
	if err != nil {
		fmt.Fprintln(os.Stderr, "build:", err)
		os.Exit(1)
	}
	fmt.Println(library)
}

// build compiles the sources in one directory to a library in another.
func build(source, out, arch, sysroot string) (library string, err error) {
	if out, err = filepath.Abs(out); err != nil {
		return "", err
	}
	if err := os.MkdirAll(out, 0o777); err != nil {
		return "", err
	}
	if err := writeEnums(source, filepath.Join(out, "enums.h")); err != nil {
		return "", err
	}
	compile, err := gnustep("--objc-flags")
	if err != nil {
		return "", err
	}
	link, err := gnustep("--base-libs")
	if err != nil {
		return "", err
	}
	files, err := filepath.Glob(filepath.Join(source, "*.m"))
	if err != nil {
		return "", err
	}
	library = filepath.Join(out, "libmetaldouble_"+arch+".so")
	args := append(compile, "-std=gnu11", "-fno-builtin", "-O1", "-g", "-fPIC", "-shared", "-Wall", "-Werror",
		"-Wno-unused-function", "-I", out, "-o", library, filepath.Join(source, "msgsend_"+arch+".S"))
	args = append(args, files...)
	gcc := "gcc"
	if arch == runtime.GOARCH {
		args = append(args, link...)
	} else {
		machine := map[string]string{"amd64": "x86_64-linux-gnu", "arm64": "aarch64-linux-gnu"}[arch]
		gcc = machine + "-gcc"
		args = append(args, "-pthread", "-Wl,--allow-shlib-undefined")
		for _, pattern := range []string{"libgnustep-base.so.*", filepath.Join(machine, "libobjc.so.*")} {
			found, err := filepath.Glob(filepath.Join(sysroot, "usr", "lib", pattern))
			if err != nil || len(found) == 0 {
				return "", fmt.Errorf("%s/usr/lib has no %s", sysroot, pattern)
			}
			args = append(args, found[0])
		}
	}
	if output, err := exec.Command(gcc, args...).CombinedOutput(); err != nil {
		return "", fmt.Errorf("%s: %w\n%s", gcc, err, output)
	}
	return library, nil
}

// gnustep is what GNUstep wants of the compiler, in the order of its words.
func gnustep(what string) ([]string, error) {
	output, err := exec.Command("gnustep-config", what).Output()
	if err != nil {
		return nil, fmt.Errorf("gnustep-config, of Debian's libgnustep-base-dev: %w", err)
	}
	var flags []string
	for _, f := range strings.Fields(string(output)) {
		if f != "-MMD" && f != "-MP" && f != "-O2" {
			flags = append(flags, f)
		}
	}
	return flags, nil
}

// writeEnums makes a C header of the tables of enumerations.
func writeEnums(source, header string) error {
	var b bytes.Buffer
	tables, err := filepath.Glob(filepath.Join(source, "enums*.tsv"))
	if err != nil {
		return err
	}
	for _, table := range tables {
		text, err := os.ReadFile(table)
		if err != nil {
			return err
		}
		for _, line := range strings.Split(strings.TrimSpace(string(text)), "\n")[1:] {
			cells := strings.Split(line, "\t")
			if len(cells) != 4 {
				return fmt.Errorf("%s: %q has %d cells, want 4", table, line, len(cells))
			}
			ctype := map[string]string{"NS::UInteger": "NSUInteger", "NS::Integer": "NSInteger"}[cells[1]]
			if ctype == "" {
				return fmt.Errorf("%s: %q is no integer type", table, cells[1])
			}
			fmt.Fprintf(&b, "static const %s MTL%s __attribute__((unused)) = %s;\n", ctype, cells[2],
				strings.ReplaceAll(cells[3], "NS::", "NS"))
		}
	}
	return os.WriteFile(header, b.Bytes(), 0o666)
}
