package budget

import (
	"fmt"
	"strconv"
	"strings"
	"sync"
)

// Resource is one thing that a run takes.
type Resource int

const (
	// Cases are those of kernels that files specify, in each variant and math mode.
	Cases Resource = iota
	// Elements are those of the buffers of these cases, on each device.
	Elements
	// Held are the bytes that the largest case holds.
	Held
	// Families are the families of inputs that files specify.
	Families
	// Variants are the combinations of matrices in declarations.
	Variants
	// Definitions are the operations of all evaluations of definitions in files.
	Definitions
	// Steps are instructions of threads in all launches on simulators.
	Steps
	// Launches are the steps that check -exec takes for all files.
	Launches
	// Included are the bytes of what all sources include.
	Included
	// Arrays are those in archives of recordings.
	Arrays
	// Expanded are the bytes that archives become.
	Expanded
	// Rows are those of files of times.
	Rows
	resources
)

// Profile is how far a command trusts its input.
type Profile int

const (
	// Own is for input that the user has chosen: his own kernels and specifications.
	Own Profile = iota
	// Untrusted is for what a pull request brings, and for sources that nobody specifies.
	Untrusted
	profiles
)

// table has what flags, messages and manuals say of each resource, with its limits by profile. The quick sweep of the
// largest pack of specifications has 26,770 cases and 50 million elements on a device.
var table = [resources]struct {
	name  string
	limit [profiles]int64
	of    string
}{
	Cases: {"cases", [profiles]int64{1 << 17, 1 << 16}, "cases that files specify, in all variants and math modes"},
	Elements: {"elements", [profiles]int64{1 << 30, 1 << 27},
		"elements of the buffers of these cases, on all devices"},
	Held:        {"held", [profiles]int64{1 << 29, 1 << 28}, "bytes that the largest of these cases holds"},
	Families:    {"families", [profiles]int64{1 << 13, 1 << 12}, "families of inputs that files specify"},
	Variants:    {"variants", [profiles]int64{1 << 7, 1 << 6}, "combinations of matrices in conform.toml"},
	Definitions: {"definitions", [profiles]int64{1 << 36, 1 << 32}, "operations of definitions, for all cases"},
	Steps:       {"steps", [profiles]int64{1 << 44, 1 << 38}, "instructions of threads on simulators, for all cases"},
	Launches:    {"launches", [profiles]int64{1 << 37, 1 << 36}, "steps of the launches of check -exec, for all files"},
	Included:    {"included", [profiles]int64{1 << 29, 1 << 28}, "bytes of includes, each time that one is included"},
	Arrays:      {"arrays", [profiles]int64{1 << 14, 1 << 12}, "arrays in archives of recordings"},
	Expanded:    {"expanded", [profiles]int64{1 << 27, 1 << 26}, "bytes that such archives become"},
	Rows:        {"rows", [profiles]int64{1 << 18, 1 << 16}, "rows of files of times"},
}

// Budget is what a run may take, and what it has taken. Its methods may be called at once.
type Budget struct {
	mu      sync.Mutex
	profile Profile
	limits  [resources]int64 // that a flag sets; 0 for that of the profile
	used    [resources]int64
}

// New is a budget of which nothing is taken.
func New(p Profile) *Budget { return &Budget{profile: p} }

// Exceeded is that a run asks for more of a resource than its budget has.
type Exceeded struct {
	Resource Resource
	Limit    int64
}

func (e *Exceeded) Error() string {
	row := table[e.Resource]
	return fmt.Sprintf("more than %d %s, which -budget %s=N can raise", e.Limit, row.of, row.name)
}

// Trust sets the profile that holds where no flag does.
func (b *Budget) Trust(p Profile) { b.profile = p }

// Limit is how much there is of a resource.
func (b *Budget) Limit(r Resource) int64 {
	if b.limits[r] > 0 {
		return b.limits[r]
	}
	return table[r].limit[b.profile]
}

// Used is how much of a resource was taken.
func (b *Budget) Used(r Resource) int64 {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.used[r]
}

// Take takes n of a resource. The error is an [Exceeded]; then nothing is left.
func (b *Budget) Take(r Resource, n int64) error {
	if b == nil {
		return nil
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	limit := b.Limit(r)
	if n < 0 || n > limit-b.used[r] {
		b.used[r] = limit
		return &Exceeded{r, limit}
	}
	b.used[r] += n
	return nil
}

// Set sets the limit that text names, as NAME=N.
func (b *Budget) Set(text string) error {
	name, value, _ := strings.Cut(text, "=")
	for r, row := range table {
		if row.name != name {
			continue
		}
		n, err := strconv.ParseInt(value, 10, 64)
		if err != nil || n < 1 || n > most {
			return fmt.Errorf("want %s=N, with N from 1 to %d", name, int64(most))
		}
		b.limits[r] = n
		return nil
	}
	return fmt.Errorf("want NAME=N with one of these names, its limit, and that of conform gate and check -exec:\n%s",
		strings.TrimSuffix(Table(), "\n"))
}

// most is the largest limit: sums of a few of them stay far from 64 bits.
const most = 1 << 60

// Type names the value in help.
func (*Budget) Type() string { return "limit" }

// String are the limits that flags set, one after the other.
func (b *Budget) String() string {
	if b == nil {
		return ""
	}
	var set []string
	for r, n := range b.limits {
		if n > 0 {
			set = append(set, fmt.Sprintf("%s=%d", table[r].name, n))
		}
	}
	return strings.Join(set, " ")
}

// Table is a line for each resource: its name, its limit in both profiles, and what it is.
func Table() string {
	var b strings.Builder
	for _, row := range table {
		fmt.Fprintf(&b, "%-11s %14d %12d  %s\n", row.name, row.limit[Own], row.limit[Untrusted], row.of)
	}
	return b.String()
}

// Fits reports as an error that a resource has less than n. Nothing is taken.
func (b *Budget) Fits(r Resource, n int64) error {
	if b == nil || 0 <= n && n <= b.Limit(r) {
		return nil
	}
	return &Exceeded{r, b.Limit(r)}
}

// Left is what may still be taken of a resource.
func (b *Budget) Left(r Resource) int64 {
	if b == nil {
		return most
	}
	return b.Limit(r) - b.Used(r)
}
