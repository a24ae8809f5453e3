package kit

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// modernRuntime is the runtime that programs are compiled for. Version 1.6 is the last one whose exceptions are those
// of GCC's runtime.
const modernRuntime = "gnustep-1.6"

// Flags are what the build of a program needs.
type Flags struct {
	Clang   string   `json:"clang"`
	Compile []string `json:"compile"`
	Link    []string `json:"link"`
}

// languageFlags are those of a compilation for a runtime.
func languageFlags(dir, gnustep, runtime string) []string {
	return []string{"-fobjc-runtime=" + runtime, "-fblocks", "-fPIC", "-fconstant-string-class=NSConstantString",
		"-fobjc-exceptions", "-fexceptions", "-D_NATIVE_OBJC_EXCEPTIONS", "-DGNUSTEP", "-DGNUSTEP_BASE_LIBRARY=1",
		"-DGNU_RUNTIME=1", "-I" + filepath.Join(dir, "include"), "-I" + gnustep}
}

const flagsFile = "flags.json" // in the folder of the library

// writeFlags writes what ReadFlags reads, a toolchain file of CMake and a file of pkg-config.
func writeFlags(dir string, t tools) error {
	at, err := filepath.Abs(dir)
	if err != nil {
		return err
	}
	f := Flags{Clang: t.clang, Compile: languageFlags(at, t.gnustep, modernRuntime),
		Link: []string{"-L" + at, "-lMetal", "-lgnustep-base", "-lobjc", "-lpthread", "-Wl,-rpath," + at}}
	text, err := json.MarshalIndent(f, "", "  ")
	if err != nil {
		return err
	}
	compile, link := strings.Join(f.Compile, " "), strings.Join(f.Link, " ")
	cxx := strings.Replace(t.clang, "clang", "clang++", 1)
	cmake := fmt.Sprintf(`set(CMAKE_C_COMPILER %[1]s)
set(CMAKE_CXX_COMPILER %[2]s)
set(CMAKE_OBJC_COMPILER %[1]s)
set(CMAKE_OBJCXX_COMPILER %[2]s)
foreach(language OBJC OBJCXX)
  set(CMAKE_${language}_FLAGS_INIT "%[3]s")
endforeach()
# What the headers of libc++ include, on which programs for Macs rely.
set(CMAKE_CXX_FLAGS_INIT "-include memory -include algorithm -include cstring")
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
include_directories(SYSTEM %[5]s/include)
foreach(kind EXE SHARED MODULE)
  set(CMAKE_${kind}_LINKER_FLAGS_INIT "%[4]s")
endforeach()
foreach(framework FOUNDATION_LIBRARY METAL_FRAMEWORK METALKIT_FRAMEWORK)
  set(${framework} "%[5]s/libMetal.so" CACHE FILEPATH "" FORCE)
endforeach()
`, t.clang, cxx, compile, link, at)
	pkgconfig := fmt.Sprintf("Name: conform-host\nDescription: Metal on the simulator of Conform\nVersion: 1\n"+
		"Cflags: %s\nLibs: %s\n", compile, link)
	return errors.Join(os.WriteFile(filepath.Join(dir, flagsFile), text, 0o666),
		os.WriteFile(filepath.Join(dir, "conform-host.cmake"), []byte(cmake), 0o666),
		os.WriteFile(filepath.Join(dir, "conform-host.pc"), []byte(pkgconfig), 0o666))
}

// ReadFlags reads what the build of a program needs from the folder of the library.
func ReadFlags(dir string) (f Flags, err error) {
	text, err := os.ReadFile(filepath.Join(dir, flagsFile))
	if errors.Is(err, fs.ErrNotExist) {
		return f, fmt.Errorf("%s has no library: conform host build makes it", dir)
	}
	if err == nil {
		err = json.Unmarshal(text, &f)
	}
	return f, err
}

// Folder is where the library is if nobody says where.
func Folder() (string, error) {
	cache, err := os.UserCacheDir()
	return filepath.Join(cache, "conform", "host"), err
}
