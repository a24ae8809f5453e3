package forecast

import (
	"cmp"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// RowOf is the name of the device of a GPU that reports itself as, for example, "Apple M1 Pro". If that has no row, it
// is the nearest of Apple's chips: of the same size if there is one, and of a generation as near as possible, rather an
// older one. It is "" of other GPUs. same says that the row is the GPU's own.
func RowOf(gpu string) (name string, same bool) {
	chip, _ := strings.CutPrefix(gpu, "Apple ")
	name = strings.ToLower(strings.ReplaceAll(chip, " ", ""))
	if _, err := Row(name); err == nil {
		return name, true
	}
	of, ok := parseChip(name)
	if !ok {
		return "", false
	}
	nearest := slices.MinFunc(devices, func(a, b Device) int { return cmp.Compare(of.distance(a), of.distance(b)) })
	return nearest.Name, false
}

// chip is one of Apple's: its generation, and its size from the plain one to the Ultra.
type chip struct{ generation, size int }

var (
	chips     = regexp.MustCompile(`^m(\d{1,3})(pro|max|ultra)?$`)
	chipSizes = []string{"", "pro", "max", "ultra"}
)

func parseChip(name string) (chip, bool) {
	m := chips.FindStringSubmatch(name)
	if m == nil {
		return chip{}, false
	}
	generation, _ := strconv.Atoi(m[1]) // it has digits alone
	return chip{generation, slices.Index(chipSizes, m[2])}, true
}

// distance orders rows by how near they are to a chip.
func (c chip) distance(row Device) int {
	other, ok := parseChip(row.Name)
	if !ok {
		return math.MaxInt
	}
	abs := func(n int) int { return max(n, -n) }
	distance := 1000*abs(c.size-other.size) + 2*abs(c.generation-other.generation)
	if other.generation > c.generation {
		distance++
	}
	return distance
}
