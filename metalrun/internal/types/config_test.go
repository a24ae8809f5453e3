package types

import (
	"strings"
	"testing"

	"metalconform/metalrun/internal/hir"
	"metalconform/metalrun/internal/syntax"
)

// kernelText is the printed tree of a program compiled with cfg.
func kernelText(t *testing.T, text string, cfg Config) string {
	t.Helper()
	f, errs := syntax.Parse("config.metal", map[string]string{"config.metal": text}, syntax.Config{Version: 310})
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	p, errs := Check(f, cfg)
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	return hir.Print(p)
}

// What the host chooses shows in the tree.
func TestConfig(t *testing.T) {
	const functions = `using namespace metal;
kernel void k(device float* f, device half* h) { f[0] = exp(f[1]) + precise::log(f[2]) + floor(f[3]);
h[0] = exp(h[1]); }`
	const constants = `using namespace metal;
constant int n [[function_constant(0)]];
constant bool on [[function_constant(1)]];
constant float scale [[function_constant(2)]];
constant int twice = n * 2;
kernel void k(device float* f, device float* g [[function_constant(on)]], device float* h)
{ float a[4]; a[0] = n + twice; f[0] = a[0] * scale; if (on) f[1] = g[0];
h[0] = is_function_constant_defined(scale) ? 1 : 2; }`
	for _, c := range []struct {
		name, text string
		cfg        Config
		want       []string
	}{
		{"library's own functions", functions, Config{},
			[]string{"((exp(load(*(load(f) + 1)))", "precise::log(", " = exp(load(*(load(h) + 1)))"}},
		{"fast functions", functions, Config{FastFunctions: true},
			[]string{"fast::exp(load(*(load(f) + 1)))", "precise::log(", " = exp(load(*(load(h) + 1)))"}},
		{"constants without value", constants, Config{},
			[]string{"g absent", "h buffer 2", "load(n) + load(twice)", "load(scale)", "+ 0) = 2.0f)"}},
		{"constants with value", constants, Config{FunctionConstants: map[int]any{0: 3, 1: true, 2: float32(0.5)}},
			[]string{"g buffer 1", "h buffer 2", "a[0] = 9.0f", "* 0.5f)", "+ 1) = load(*(load(g) + 0))",
				"+ 0) = 1.0f)"}},
		{"argument excluded", constants, Config{FunctionConstants: map[int]any{0: int64(-1), 1: false, 2: 2}},
			[]string{"g absent", "h buffer 2", "a[0] = -3.0f", "* 2.0f)"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := kernelText(t, c.text, c.cfg)
			for _, w := range c.want {
				if !strings.Contains(got, w) {
					t.Errorf("got\n%swant %q in it", got, w)
				}
			}
		})
	}
}

// The values of function constants have the type of the constant.
func TestFunctionConstantValues(t *testing.T) {
	const text = "constant int n [[function_constant(0)]];\nconstant bool b [[function_constant(1)]];\n" +
		"constant uchar c [[function_constant(2)]];\nconstant half h [[function_constant(3)]];\n"
	f, errs := syntax.Parse("config.metal", map[string]string{"config.metal": text}, syntax.Config{Version: 310})
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	for _, c := range []struct {
		index int
		value any
		ok    bool
		bits  uint64
	}{
		{0, 5, true, 5}, {0, uint8(255), true, 255}, {0, int64(-2), true, 0xfffffffffffffffe},
		{0, int64(1) << 40, false, 0}, {0, true, false, 0}, {0, 1.5, false, 0}, {0, "1", false, 0},
		{1, true, true, 1}, {1, 1, false, 0},
		{2, 255, true, 255}, {2, 256, false, 0}, {2, -1, false, 0},
		{3, 1.5, true, 0x3e00}, {3, float32(0.1), true, 0x2e66}, {3, 2, true, 0x4000},
	} {
		p, errs := Check(f, Config{FunctionConstants: map[int]any{c.index: c.value}})
		if ok := len(errs) == 0; ok != c.ok {
			t.Errorf("constant %d = %v: got %v, want ok = %v", c.index, c.value, errs, c.ok)
			continue
		}
		if !c.ok {
			continue
		}
		fc := p.FunctionConstants[c.index]
		if got := hir.BitsOf(fc.Var.Data, fc.Type); got != c.bits || !fc.Defined {
			t.Errorf("constant %d = %v: got %#x, want %#x", c.index, c.value, got, c.bits)
		}
	}
}
