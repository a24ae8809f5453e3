package suite

import "maps"

// Texts are the texts of all files by name: the .metal files and what they may
// include.
func (s *Shaders) Texts() map[string]string { return maps.Clone(s.files) }
