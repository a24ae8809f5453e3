package survey

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"metalconform/metalrun"
	"metalconform/metalrun/probe"
)

// built are the pipelines that the device has built.
func (r *Report) built() []Pipeline {
	return slices.DeleteFunc(slices.Clone(r.Pipelines), func(p Pipeline) bool { return p.Refused != "" })
}

func judgeWidth(r *Report) (Verdict, string) {
	var list []string
	reported := 0
	for _, p := range r.built() {
		if p.Width != 0 {
			reported++
		}
		if p.Width != 0 && p.Width != 32 {
			list = append(list, fmt.Sprintf("%s: %d", p.Kernel, p.Width))
		}
	}
	if r.Probe != nil && r.Probe.Facts.Width != 0 {
		reported++
		if w := r.Probe.Facts.Width; w != 32 {
			list = append(list, fmt.Sprintf("the smallest kernel: %d", w))
		}
	}
	return exceptions(reported, list)
}

func judgeThreads(r *Report) (Verdict, string) {
	var list []string
	for _, p := range r.built() {
		want := 1024
		if p.Own > 0 {
			want = min(want, p.Own)
		}
		if p.Threads < want {
			list = append(list, fmt.Sprintf("%s (%s): %d", p.Kernel, p.Build, p.Threads))
		}
	}
	return exceptions(len(r.built()), list)
}

// judgeStaticMemory takes what the system reports rounded up to 16 bytes as the same.
func judgeStaticMemory(r *Report) (Verdict, string) {
	var list []string
	reported := 0
	for _, p := range r.built() {
		if p.Width == 0 {
			continue // a simulator, which reports nothing of its own
		}
		reported++
		if (p.ThreadgroupMemory+15)&^15 != (p.Declared+15)&^15 {
			list = append(list, fmt.Sprintf("%s: %d bytes, counted %d", p.Kernel, p.ThreadgroupMemory, p.Declared))
		}
	}
	return exceptions(reported, list)
}

// firstFamilies are Apple's families that features begin with; the others begin with Apple7 or before.
var firstFamilies = map[string]int{string(metalrun.LongAtomics): 8}

func judgeFeatures(r *Report) (Verdict, string) {
	if r.Probe == nil {
		return NotAsked, ""
	}
	family := 0
	for _, f := range r.Probe.Facts.Families {
		if n, err := strconv.Atoi(strings.TrimPrefix(f, "Apple")); err == nil {
			family = max(family, n)
		}
	}
	if family < 7 {
		return NotAsked, "the device is of no family from Apple7 on"
	}
	var list []string
	for _, f := range r.Probe.Features {
		if want := family >= firstFamilies[f.Name]; f.Has != want {
			list = append(list, fmt.Sprintf("%s on Apple%d: %v %s", f.Name, family, f.Has, f.Why))
		}
	}
	return exceptions(len(r.Probe.Features), list)
}

func judgeClock(r *Report) (Verdict, string) {
	if r.Clock == "" {
		return NotAsked, ""
	}
	return verdict(r.Clock == metalrun.GPUClock), string(r.Clock)
}

func judgeLanguages(r *Report) (Verdict, string) {
	if r.Probe == nil {
		return NotAsked, ""
	}
	var list []string
	asked := 0
	for _, c := range r.Probe.Languages {
		if slices.Contains([]string{"2.4", "3.0", "3.1"}, c.Name) {
			asked++
			list = append(list, lacking(c)...)
		}
	}
	return exceptions(asked, list)
}

func lacking(c probe.Capability) []string {
	if c.Has {
		return nil
	}
	return []string{c.Name + ": " + c.Why}
}

func judgeModes(r *Report) (Verdict, string) {
	if r.Probe == nil {
		return NotAsked, ""
	}
	var list []string
	for _, c := range r.Probe.Modes {
		list = append(list, lacking(c)...)
	}
	return exceptions(len(r.Probe.Modes), list)
}

func judgeFiles(r *Report) (Verdict, string) {
	var list []string
	for _, f := range r.Files {
		if f.Refused != "" {
			list = append(list, fmt.Sprintf("%s (%s): %s", f.Name, f.Build, f.Refused))
		}
	}
	return exceptions(len(r.Files), list)
}

func judgeWarnings(r *Report) (Verdict, string) {
	if r.Device.Backend == "simulator" {
		return NotAsked, ""
	}
	var list []string
	for _, f := range r.Files {
		if f.Warnings != "" {
			list = append(list, f.Name+": "+strings.ReplaceAll(f.Warnings, "\n", "; "))
		}
	}
	return exceptions(len(r.Files), list)
}

// judgePipelines lets features be lacking: they are judged by themselves.
func judgePipelines(r *Report) (Verdict, string) {
	var list []string
	for _, p := range r.Pipelines {
		if p.Refused != "" && !strings.Contains(p.Refused, metalrun.ErrUnsupported.Error()) {
			list = append(list, fmt.Sprintf("%s (%s): %s", p.Kernel, p.Build, p.Refused))
		}
	}
	return exceptions(len(r.Pipelines), list)
}

func judgeControls(r *Report) (Verdict, string) {
	var list []string
	refused := 0
	for _, p := range r.Pipelines {
		if p.Refused == "" {
			continue
		}
		refused++
		if !p.Control {
			list = append(list, p.Kernel+": "+p.Refused)
		}
	}
	return exceptions(refused, list)
}

// judgePragma takes a compiler that refuses the pragma, or warns that it ignores it, for one that does not obey. Of one
// whose fast math shows no difference nothing is known.
func judgePragma(r *Report) (Verdict, string) {
	v, why := answer(probe.PragmaQuestion, "obeyed")(r)
	if v == NotAsked && why != "" && why != probe.PragmaUnseen {
		v = Refuted
	}
	return v, why
}

func judgeMethods(r *Report) (Verdict, string) {
	var list []string
	for _, m := range r.Methods {
		if m.Differs != "" {
			list = append(list, fmt.Sprintf("[%s %s]: %s", m.Class, m.Name, m.Differs))
		}
	}
	return exceptions(len(r.Methods), list)
}
