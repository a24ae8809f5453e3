package session

import (
	"runtime/debug"
)

// Release is the version of the program, such as v1.2.0 or (devel).
func Release() string {
	if info, ok := debug.ReadBuildInfo(); ok {
		return info.Main.Version
	}
	return ""
}

// Commit is the commit that the program was built from, and whether anything has been
// changed since; "" where that is not known.
func Commit() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return ""
	}
	settings := map[string]string{}
	for _, s := range info.Settings {
		settings[s.Key] = s.Value
	}
	revision := settings["vcs.revision"]
	if revision != "" && settings["vcs.modified"] == "true" {
		revision += "+changes"
	}
	return revision
}
