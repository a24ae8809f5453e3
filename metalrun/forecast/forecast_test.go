package forecast_test

import (
	"bytes"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"metalconform/metalrun"
	"metalconform/metalrun/forecast"

	"github.com/google/go-cmp/cmp"
)

// launch is one of 256 threads in each of so many threadgroups, whose costs are those of a
// simdgroup.
func launch(groups int, each metalrun.Costs, read float64) forecast.Launch {
	n := float64(groups * 8)
	for i := range each.Issued {
		each.Issued[i] *= n
	}
	for i := range each.Chain {
		each.Chain[i] *= n
	}
	for _, a := range []*metalrun.Accesses{&each.Device, &each.Shared, &each.Private, &each.Atomics} {
		a.Requests, a.Lines, a.Transactions = a.Requests*n, a.Lines*n, a.Transactions*n
		for i := range a.Missed {
			a.Missed[i] *= n
		}
	}
	return forecast.NewLaunch(&metalrun.Profile{
		Threadgroups: groups, Threads: 256, Registers: 8, Waiting: 1, Uneven: 1, Read: read,
		Lines: []metalrun.ProfileLine{{Line: 1, Costs: each}},
	}, 1)
}

func issued(class metalrun.Class, n float64) (c metalrun.Costs) {
	c.Issued[class] = n
	return c
}

func waited(link metalrun.Link, n float64) (c metalrun.Costs) {
	c.Chain[link] = n
	return c
}

// bounds are launches that are short of one thing, with about the milliseconds that it takes
// by what is published of the M1 Pro: 16 cores at 1.296 GHz, 4 instructions a cycle each,
// 200 GB/s.
var bounds = []struct {
	what         forecast.Resource
	launch       forecast.Launch
	milliseconds float64
}{
	{forecast.Arithmetic, launch(4096, issued(metalrun.FloatFused, 1e4), 0), 4096 * 8 * 1e4 / (16 * 4 * 1.296e9) * 1e3},
	{forecast.Arithmetic, launch(4096, issued(metalrun.Root, 1e3), 0), 4096 * 8 * 8e3 / (16 * 4 * 1.296e9) * 1e3},
	{forecast.Bandwidth, launch(65536, issued(metalrun.FloatAdd, 1), 1e9), 1e9 / 200e9 * 1e3},
	{forecast.Bandwidth, launch(65536, metalrun.Costs{Private: metalrun.Accesses{Requests: 10}}, 0),
		65536 * 8 * 10 * 128 / 200e9 * 1e3},
	{forecast.Latency, launch(1, waited(metalrun.DeviceLink, 1e4), 0), 1e4 * 200 / 1.296e9 * 1e3},
	{forecast.Cache, launch(4096, metalrun.Costs{Device: metalrun.Accesses{Requests: 100, Lines: 3200}}, 0),
		4096 * 8 * 3200 / (16 * 1.296e9) * 1e3},
	{forecast.Shared, launch(4096, metalrun.Costs{Shared: metalrun.Accesses{Requests: 100, Transactions: 3200}}, 0),
		4096 * 8 * 3200 / (16 * 1.296e9) * 1e3},
}

func TestBounds(t *testing.T) {
	m, err := forecast.Find("m1pro")
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range bounds {
		f := m.Forecast([]forecast.Launch{b.launch})
		if f.Bound != b.what {
			t.Errorf("bound by %s, want %s: %v", f.Bound, b.what, f.Terms)
		}
		if ms := f.Seconds * 1e3; ms < b.milliseconds/2.5 || ms > b.milliseconds*2.5 {
			t.Errorf("%s: %.2f ms, want about %.2f", b.what, ms, b.milliseconds)
		}
		for r, halved := range f.Halved {
			if halved > f.Seconds || forecast.Resource(r) != b.what && halved < f.Halved[b.what] {
				t.Errorf("%s: halving %s gives %v of %v", b.what, forecast.Resource(r), halved, f.Seconds)
			}
		}
		if f.Low >= f.Seconds || f.High <= f.Seconds {
			t.Errorf("%v in %v to %v", f.Seconds, f.Low, f.High)
		}
	}
}

// TestResidency runs the same launch with the registers and the threadgroup memory of few
// simdgroups: nothing hides the latency then. What keeps others out is said.
func TestResidency(t *testing.T) {
	m, err := forecast.Find("m1pro")
	if err != nil {
		t.Fatal(err)
	}
	forecasts := func(groups int, change func(*metalrun.Profile)) forecast.Forecast {
		l := launch(groups, waited(metalrun.DeviceLink, 100), 0)
		change(l.Profile)
		return m.Forecast([]forecast.Launch{l})
	}
	free := forecasts(1024, func(*metalrun.Profile) {})
	for name, test := range map[string]struct {
		change func(*metalrun.Profile)
		limit  forecast.Limit
	}{
		"registers": {func(p *metalrun.Profile) { p.Registers = 100 }, forecast.RegisterLimit},
		"memory":    {func(p *metalrun.Profile) { p.Memory = 32 << 10 }, forecast.MemoryLimit},
		"waiting":   {func(p *metalrun.Profile) { p.Waiting = 3 }, forecast.CoreLimit},
	} {
		f := forecasts(1024, test.change)
		if f.Seconds < 1.5*free.Seconds {
			t.Errorf("%s: %v, and %v without", name, f.Seconds, free.Seconds)
		}
		if f.Residence.Limit != test.limit {
			t.Errorf("%s: %s", name, f.Residence.Limit)
		}
	}
	want := forecast.Residence{Threadgroups: 20, Threads: 256, Cores: 16, Of: 16, Simdgroups: 16, Room: 96,
		Limit: forecast.GridLimit, Registers: free.Residence.Registers}
	if diff := cmp.Diff(want, forecasts(20, func(*metalrun.Profile) {}).Residence); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if few := forecasts(1024, func(p *metalrun.Profile) { p.Threads = 32 }); few.Residence.Limit !=
		forecast.ThreadgroupLimit {
		t.Errorf("threadgroups of one simdgroup: %s", few.Residence.Limit)
	}
}

// TestUneven has threadgroups one of which does all the work, or half of which do it, or that do as much as there are
// before them: one waits for the one, as many do the work of all, and the longest come last.
func TestUneven(t *testing.T) {
	m, err := forecast.Find("m1pro")
	if err != nil {
		t.Fatal(err)
	}
	seconds := func(groups int, uneven, typical float64) float64 {
		l := launch(groups, issued(metalrun.FloatFused, 1e4), 0)
		l.Uneven, l.Typical = uneven, typical
		return m.Forecast([]forecast.Launch{l}).Terms[forecast.Arithmetic]
	}
	for _, test := range []struct{ uneven, typical, least, most float64 }{
		{1, 1, 1, 1}, {64, 64, 15.9, 24}, {2, 2, 1, 1.2}, {2, 4. / 3, 1.1, 1.3},
	} {
		if got := seconds(64, test.uneven, test.typical) / seconds(64, 1, 1); got < test.least || got > test.most {
			t.Errorf("%+v: %v times as long", test, got)
		}
		if got := seconds(1<<16, test.uneven, test.typical) / seconds(1<<16, 1, 1); got > 1.1 {
			t.Errorf("%+v of very many: %v times as long", test, got)
		}
	}
}

// TestAtomics has atomics in threadgroup memory, in lines of their own, in one line, and of floats at one address:
// more cores help the first two.
func TestAtomics(t *testing.T) {
	seconds := func(device string, change func(c *metalrun.Costs)) float64 {
		m, err := forecast.Find(device)
		if err != nil {
			t.Fatal(err)
		}
		c := metalrun.Costs{Atomics: metalrun.Accesses{Requests: 100, Transactions: 3200}}
		l := launch(4096, c, 0)
		change(&l.Lines[0].Costs)
		return m.Forecast([]forecast.Launch{forecast.NewLaunch(l.Profile, 1)}).Terms[forecast.Atomics]
	}
	turns := 4096 * 8 * 3200.
	for _, test := range []struct {
		name   string
		change func(c *metalrun.Costs)
		helps  bool
	}{
		{"local", func(c *metalrun.Costs) { c.Local = c.Atomics }, true},
		{"apart", func(c *metalrun.Costs) { c.Hottest = 100 }, true},
		{"hottest", func(c *metalrun.Costs) { c.Hottest = turns }, false},
		{"raced", func(c *metalrun.Costs) { c.Raced = turns }, false},
	} {
		if r := seconds("m1pro", test.change) / seconds("m1max", test.change); math.Abs(r/2-1) < .1 != test.helps ||
			!test.helps && math.Abs(r-1) > .01 {
			t.Errorf("%s: %v times as fast with twice the cores", test.name, r)
		}
	}
	if one, all := seconds("m1pro", func(c *metalrun.Costs) { c.Hottest = turns }),
		seconds("m1pro", func(*metalrun.Costs) {}); math.Abs(one/all-16) > .1 {
		t.Errorf("one line takes %v times as long as many", one/all)
	}
}

// TestSpills gives a thread more registers than there are for one, however few threads there are.
func TestSpills(t *testing.T) {
	m, err := forecast.Find("m1pro")
	if err != nil {
		t.Fatal(err)
	}
	seconds := func(registers int) float64 {
		l := launch(1, issued(metalrun.FloatFused, 1e4), 0)
		l.Limit, l.Registers = 32, registers
		f := m.Forecast([]forecast.Launch{l})
		if left := f.Residence.Registers - f.Residence.Spilled; f.Residence.Spilled > 0 && left != 128 ||
			(f.Residence.Spilled > 0) != (registers > 100) {
			t.Errorf("%d of %d registers spilled", f.Residence.Spilled, f.Residence.Registers)
		}
		return f.Seconds
	}
	if few, many := seconds(20), seconds(400); many < 1.2*few {
		t.Errorf("%v with 400 registers, %v with 20", many, few)
	}
}

// TestArrays has a thread wait for what an array of its own holds, which lies in device memory: it waits as long
// as for another address there that no cache holds.
func TestArrays(t *testing.T) {
	m, err := forecast.Find("m1pro")
	if err != nil {
		t.Fatal(err)
	}
	missed := waited(metalrun.DeviceLink, 1e4)
	missed.Device = metalrun.Accesses{Requests: 1, Lines: 1, Missed: metalrun.Misses{1, 1, 1, 1, 1}}
	device := m.Forecast([]forecast.Launch{launch(1, missed, 0)}).Terms[forecast.Latency]
	array := m.Forecast([]forecast.Launch{launch(1, waited(metalrun.PrivateLink, 1e4), 0)}).Terms[forecast.Latency]
	if math.Abs(array/device-1) > 1e-9 {
		t.Errorf("%v for an array, %v for a buffer", array, device)
	}
}

// TestArraysAtWork has threads go through arrays that are small or large for as long: those of the threads at work fit
// the last cache, or do not.
func TestArraysAtWork(t *testing.T) {
	m, err := forecast.Find("m1pro")
	if err != nil {
		t.Fatal(err)
	}
	bandwidth := func(bytes int) float64 {
		l := launch(65536, metalrun.Costs{Private: metalrun.Accesses{Requests: 100}}, 0)
		l.Private = bytes
		return m.Forecast([]forecast.Launch{l}).Terms[forecast.Bandwidth]
	}
	if small, large := bandwidth(128), bandwidth(1<<14); small > .7*large {
		t.Errorf("%v with 128 bytes a thread, %v with 16 KiB", small, large)
	}
}

// TestJumps has a simdgroup that nothing else is beside go through a loop: it waits where it jumps.
func TestJumps(t *testing.T) {
	m, err := forecast.Find("m1pro")
	if err != nil {
		t.Fatal(err)
	}
	straight, turns := waited(metalrun.ArithmeticLink, 1e4), waited(metalrun.ArithmeticLink, 1e4)
	turns.Jumps = 8 * 1e4
	a, b := m.Forecast([]forecast.Launch{launch(1, straight, 0)}).Terms[forecast.Latency],
		m.Forecast([]forecast.Launch{launch(1, turns, 0)}).Terms[forecast.Latency]
	if b < 2*a {
		t.Errorf("%v with as many jumps as links, %v without", b, a)
	}
}

// TestLinesOfARequest has loads of two lines each, of which the cache holds all, one or none: who waits for one
// that it does not hold waits as long as for both.
func TestLinesOfARequest(t *testing.T) {
	m, err := forecast.Find("m1pro")
	if err != nil {
		t.Fatal(err)
	}
	latency := func(missed float64) float64 {
		c := waited(metalrun.DeviceLink, 1e4)
		c.Device = metalrun.Accesses{Requests: 1e4, Lines: 2e4,
			Missed: metalrun.Misses{missed, missed, missed, missed, missed}}
		return m.Forecast([]forecast.Launch{launch(1, c, 0)}).Terms[forecast.Latency]
	}
	if none, half, all := latency(0), latency(1e4), latency(2e4); none >= half || half != all {
		t.Errorf("%v for none, %v for half and %v for all", none, half, all)
	}
}

// TestCrowding has instructions of few simdgroups, which wait for their turn in the pipeline: those
// that keep it busy for longer do not.
func TestCrowding(t *testing.T) {
	m, err := forecast.Find("m1pro")
	if err != nil {
		t.Fatal(err)
	}
	seconds := func(class metalrun.Class, groups int) float64 {
		l := launch(groups, issued(class, 1e5/float64(groups)), 0)
		l.Threads = 128
		return m.Forecast([]forecast.Launch{l}).Terms[forecast.Arithmetic]
	}
	for class, want := range map[metalrun.Class]float64{metalrun.FloatFused: 2.75, metalrun.Root: 1} {
		if got := seconds(class, 16) / seconds(class, 1600); math.Abs(got-want) > .05*want {
			t.Errorf("class %d takes %.3f times as long with 4 simdgroups on a core, want %v", class, got, want)
		}
	}
}

// TestSharedCache has lines that a threadgroup finds in the cache of its core if it is alone
// there.
func TestSharedCache(t *testing.T) {
	m, err := forecast.Find("m1pro")
	if err != nil {
		t.Fatal(err)
	}
	seconds := func(groups int) float64 {
		l := launch(groups,
			metalrun.Costs{Device: metalrun.Accesses{Requests: 10, Lines: 100,
				Missed: metalrun.Misses{10, 20, 40, 80, 100}}}, 0)
		return m.Forecast([]forecast.Launch{l}).Terms[forecast.Transfer] / float64(groups)
	}
	if alone, crowded := seconds(16), seconds(160); crowded < 2*alone {
		t.Errorf("a threadgroup takes %v beside others, %v alone", crowded, alone)
	}
	for groups, want := range map[float64]float64{0: 10, 1: 10, 2: 20, 4: 40, 16: 100, 100: 100} {
		if got := (metalrun.Misses{10, 20, 40, 80, 100}).Beside(groups); math.Abs(got-want) > 1e-9 {
			t.Errorf("%v missed beside %v, want %v", got, groups, want)
		}
	}
}

// TestLinesThatWrite has a line that loads and one that stores what the first has brought to the core:
// both move as many bytes.
func TestLinesThatWrite(t *testing.T) {
	m, err := forecast.Find("m1pro")
	if err != nil {
		t.Fatal(err)
	}
	const requests, lines = 1e6, 1e6
	all := metalrun.Misses{lines, lines, lines, lines, lines}
	loads := metalrun.Accesses{Requests: requests, Lines: lines, Missed: all}
	stores := metalrun.Accesses{Requests: requests, Lines: lines}
	f := m.Forecast([]forecast.Launch{forecast.NewLaunch(&metalrun.Profile{
		Threadgroups: 1 << 15, Threads: 1024, Registers: 8, Waiting: 1, Uneven: 1, Read: lines * metalrun.CacheLine,
		Written: lines * metalrun.CacheLine,
		Lines: []metalrun.ProfileLine{{Line: 1, Costs: metalrun.Costs{Device: loads}},
			{Line: 2, Costs: metalrun.Costs{Device: stores, Stored: stores}}},
	}, 1)})
	if f.Bound != forecast.Bandwidth || len(f.Lines) != 2 || f.Lines[1].Bound != forecast.Bandwidth ||
		f.Lines[1].Seconds < .8*f.Lines[0].Seconds {
		t.Errorf("bound by %s: %+v", f.Bound, f.Lines)
	}
}

// TestClock has a launch that is over before the clock has risen, and one that is not. A GPU that is at work takes
// neither the time of a command buffer nor that of a low clock, and both intervals are as wide.
func TestClock(t *testing.T) {
	m, err := forecast.Find("m1pro")
	if err != nil {
		t.Fatal(err)
	}
	short := []forecast.Launch{launch(16, issued(metalrun.FloatFused, 1), 0)}
	long := []forecast.Launch{launch(4096, issued(metalrun.FloatFused, 1e6), 0)}
	alone, none := m.Forecast(short), m.Forecast(nil)
	if last := m.Forecast(long); alone.Slower < 1.5 || last.Slower > 1.1 || none.Seconds >= alone.Seconds {
		t.Errorf("%.2f and %.2f times as long; an empty command buffer %v of %v", alone.Slower, last.Slower,
			none.Seconds, alone.Seconds)
	}
	if sum := none.Seconds + float64(alone.Slower*alone.Terms[forecast.Overhead]); math.Abs(sum/alone.Seconds-1) > .05 {
		t.Errorf("an empty command buffer and a launch take %v, an empty launch %v", sum, alone.Seconds)
	}
	busy, often := m.Busy(short), m.Busy(slices.Repeat(short, 100))
	if math.Abs(often.Seconds/busy.Seconds-100) > 1e-6 || busy.Alone != alone.Seconds ||
		busy.Seconds < busy.Terms[forecast.Overhead] || busy.Seconds > 1.1*busy.Terms[forecast.Overhead] {
		t.Errorf("among others it takes %v, a hundred of them %v; alone %v, where %v was forecast", busy.Seconds,
			often.Seconds, busy.Alone, alone.Seconds)
	}
	if math.Abs(busy.High/busy.Low-alone.High/alone.Low) > 1e-9 {
		t.Errorf("intervals of %v and %v", busy.High/busy.Low, alone.High/alone.Low)
	}
}

func TestCompare(t *testing.T) {
	m, err := forecast.Find("m1pro")
	if err != nil {
		t.Fatal(err)
	}
	f := func(n float64) forecast.Forecast {
		return m.Forecast([]forecast.Launch{launch(4096, issued(metalrun.FloatFused, n), 0)})
	}
	same, twice := f(1e4).Compare(f(1.01e4)), f(1e4).Compare(f(2e5))
	if same.Slower(.05) || !twice.Slower(.05) || f(2e5).Compare(f(1e4)).Slower(0) {
		t.Errorf("%v, %v", same, twice)
	}
	if back := f(2e5).Compare(f(1e4)); math.Abs(back.Low*twice.High-1) > 1e-9 ||
		math.Abs(back.High*twice.Low-1) > 1e-9 {
		t.Errorf("%v, and the other way round %v", twice, back)
	}
	c := forecast.Comparison{Device: "m1pro", Ratio: 1.6, Low: 1.2, High: 2.1}
	if got, want := c.String(), "1.60 × slower on m1pro (forecast, 80 % interval 1.20 – 2.10)"; got != want {
		t.Errorf("%s", got)
	}
	c = forecast.Comparison{Device: "m1pro", Ratio: .5, Low: .4, High: 1.25}
	if got, want := c.String(), "2.00 × faster on m1pro (forecast, 80 % interval 0.80 – 2.50)"; got != want {
		t.Errorf("%s", got)
	}
}

func TestFind(t *testing.T) {
	if _, err := forecast.Find("h100"); err == nil || !strings.Contains(err.Error(), "m1pro") {
		t.Errorf("%v", err)
	}
	measured, err := forecast.Find("m1pro")
	if err != nil {
		t.Fatal(err)
	}
	other, err := forecast.Find("m2")
	if err != nil {
		t.Fatal(err)
	}
	width := func(m *forecast.Model) float64 {
		f := m.Forecast([]forecast.Launch{launch(4096, issued(metalrun.FloatFused, 1e6), 0)})
		return f.High / f.Low
	}
	if width(other) <= width(measured) {
		t.Errorf("as sure of %+v as of %+v", other.Spread, measured.Spread)
	}
	better := 0 // parameters that are known better than before their fit
	for i, factor := range forecast.Doubts() {
		if measured.Factors[i] < .99*factor {
			better++
		}
	}
	if better < len(measured.Factors)/2 {
		t.Errorf("%d of %d parameters are known better than before: the curvature of the fit is of no use", better,
			len(measured.Factors))
	}
	data, err := measured.Encode("test", 1)
	if err != nil {
		t.Fatal(err)
	}
	if back, err := forecast.Read(data); err != nil || !reflect.DeepEqual(back, measured) {
		t.Errorf("%v, %v", back, err)
	}
	if _, err := forecast.Decode(bytes.Replace(data, []byte("launch, s"), []byte("lunch, s"), 1)); err == nil ||
		!strings.Contains(err.Error(), "fit again") {
		t.Errorf("%v", err)
	}
}

// TestFit fits to times that a GPU of other parameters would take, give or take a tenth: the
// times of a task that the fit has not seen come out.
func TestFit(t *testing.T) {
	if testing.Short() {
		t.Skip("a fit takes most of a second")
	}
	row, err := forecast.Row("m1pro")
	if err != nil {
		t.Fatal(err)
	}
	truth := forecast.Model{Device: row, Fitted: forecast.Fitted{Parameters: forecast.Medians()}}
	truth.Device.Clock, truth.Device.Bandwidth = row.Clock*.8, row.Bandwidth*.7
	random := rand.New(rand.NewPCG(1, 2))
	var list []forecast.Observation
	for i := range 36 {
		b := bounds[i%len(bounds)].launch
		c := b.Total()
		for k := range c.Issued {
			c.Issued[k] /= b.Simdgroups()
		}
		c.Chain[metalrun.DeviceLink] = 40 * random.Float64()
		c.Issued[metalrun.FloatAdd] += 4000 * random.Float64()
		l := launch(512+512*(i%4), c, 1e8*random.Float64())
		list = append(list,
			forecast.Observation{Task: string(rune('a' + i%3)), Kernel: "k", Launches: []forecast.Launch{l},
				Seconds: truth.Forecast([]forecast.Launch{l}).Seconds * math.Exp(.1*random.NormFloat64())})
	}
	left, err := forecast.LeaveOut(row, list)
	if err != nil {
		t.Fatal(err)
	}
	s := forecast.Summarise(forecast.Scores(left))
	if s.Rank < .9 || s.Right < .95 || s.Twice < 1 || s.Held < .6 {
		t.Errorf("%+v", s)
	}
	if _, err := forecast.LeaveOut(row, list[:1]); err == nil {
		t.Error("one task left out of one")
	}
}

// TestScores judges four kernels by hand: one pair of six is named wrongly.
func TestScores(t *testing.T) {
	kernel := func(name string, seconds, expected, simulated float64) forecast.Expected {
		e := forecast.Expected{Observation: forecast.Observation{Task: "t", Size: "s", Kernel: name, Seconds: seconds,
			Simulated: simulated}}
		e.Forecast.Seconds, e.Forecast.Low, e.Forecast.High = expected, expected/2, expected*1.5
		return e
	}
	got := forecast.Scores([]forecast.Expected{kernel("a", 1, 2, 8), kernel("b", 2, 1.9, 4), kernel("c", 4, 4, 2),
		kernel("d", 12, 4.003, 1)})
	got[0].RatiosHeld = 0
	want := []forecast.Score{{Task: "t", Size: "s", Kernels: 4, Rank: .8, Apart: 6, Right: 5, Twice: 3, Held: 3,
		Alike: 3, SimRank: -1, SimRight: 0}}
	got[0].Rank = math.Round(got[0].Rank*1e9) / 1e9
	got[0].SimRank = math.Round(got[0].SimRank*1e9) / 1e9
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestSpread has a kernel of each of eleven tasks, whose times are 1 to 11 times the forecast. Of
// twelve tasks, one of which is not known, four in five lie between the first and the last.
func TestSpread(t *testing.T) {
	var list []forecast.Expected
	for i := range 11 {
		e := forecast.Expected{Observation: forecast.Observation{Task: string(rune('a' + i)), Seconds: float64(i + 1)}}
		e.Forecast.Seconds = 1
		list = append(list, e)
	}
	s := forecast.SpreadOf(list)
	low, high := s.Factors(0)
	if math.Abs(low-1) > 1e-9 || math.Abs(high-11) > 1e-9 {
		t.Errorf("%v to %v, want 1 to 11", low, high)
	}
	a, b := list[0].Forecast, list[1].Forecast // no two are of one task
	a.Spread, b.Spread = s, s
	if c := a.Compare(b); c.Low > 1./11 || c.High < 11 {
		t.Errorf("a ratio of two of them: %v", c)
	}
}

// TestSpreadByClock has kernels whose times lie a tenth from the forecast at the full clock, and a half where half of
// the time is lost to the low one: intervals are as wide as that, and all hold.
func TestSpreadByClock(t *testing.T) {
	var list []forecast.Expected
	for i := range 40 {
		e := forecast.Expected{Observation: forecast.Observation{Task: string(rune('a' + i%5))}}
		e.Forecast.Seconds, e.Forecast.Slower = 1, 1+float64(i%2)
		e.Seconds = math.Exp(float64(.1+.4*float64(i%2)) * float64(1-i/20*2))
		list = append(list, e)
	}
	s := forecast.SpreadOf(list)
	for idle, want := range map[float64]float64{0: .1, .25: .3, .5: .5} {
		low, high := s.Factors(idle)
		if math.Abs(math.Log(low)+want) > 1e-6 || math.Abs(math.Log(high)-want) > 1e-6 {
			t.Errorf("with %v of the time lost, %v to %v", idle, low, high)
		}
	}
}

// TestMemoryClock has a launch that waits for the memory alone, whose clock is not that of the GPU.
func TestMemoryClock(t *testing.T) {
	m, err := forecast.Find("m1pro")
	if err != nil {
		t.Fatal(err)
	}
	f := m.Forecast([]forecast.Launch{launch(4096, metalrun.Costs{}, 1e8)})
	if f.Bound != forecast.Bandwidth || f.Slower > 1.1 {
		t.Errorf("%v times as long while the clock is low, bound by %s", f.Slower, f.Bound)
	}
}
