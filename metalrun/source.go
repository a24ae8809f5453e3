package metalrun

// Source is a translation unit: a main file and the files that its quoted
// includes can name.
type Source struct {
	Name  string            // the main file, a key of Files
	Files map[string]string // path to text
}

// SourceText is a Source of a single file.
func SourceText(name, text string) Source {
	return Source{Name: name, Files: map[string]string{name: text}}
}
