package spec

import (
	"path"
	"strings"
)

// PacksFolder is where the directory of a specification shows the files of packs. They define functions for others; the
// kernels that they specify are those of their pack.
const PacksFolder = "@packs"

// loaded is the file that another one means by a name: one next to it, or for "@ggml//rows.star" one of a pack.
func loaded(by, name string) string {
	if pack, file, is := strings.Cut(strings.TrimPrefix(name, "@"), "//"); is && strings.HasPrefix(name, "@") {
		return path.Join(PacksFolder, pack, file)
	}
	return path.Join(path.Dir(by), name)
}
