// Package attack is what names and texts of others can try on those who print them, for tests of
// reports. Whatever a report is made of is taken by reflection, so that no field is forgotten.
package attack

import (
	"reflect"
	"strings"
	"time"
)

// Texts are attacks, each on one of the formats or on all.
var Texts = []string{
	// terminals and logs
	"\x1b[2J\x1b[H", "\x1b]0;title\x07", "\x1b]8;;http://evil.example\x1b\\link\x1b]8;;\x1b\\", "\x1b[8mhidden",
	"\u009b31m", "\rover", "\b\b\b\b", "\x00", "\x7f",
	"\n", "\r\n", "\u2028", "\u2029", "\u0085", "\u202egnp.exe", "\u2066rtl\u2069", "\v\f", "\x1bc", "\xff\xfe",
	"\xc3(",
	// CI systems
	"\n::error::forged", "\n::set-output name=x::y", "\n  ::add-mask::a", "##[error]forged",
	"##vso[task.setvariable variable=x]y", "%0A::error::forged", "\n::stop-commands::x", "::endgroup::",
	// pages
	"<script>window.pwned=1</script>", `"><img src=x onerror="window.pwned=1">`, "' onmouseover='window.pwned=1",
	"javascript:window.pwned=1", "</title><script>window.pwned=1</script>", "--><svg onload=window.pwned=1>", "]]><x>",
	"{{.}}",
	"&lt;script&gt;", "</style><style>*{display:none}",
	// Markdown
	"[link](http://evil.example)", "![pixel](http://evil.example/a.png)", "`` ` ```\n```\n", "| a | b |", "# heading",
	"@everyone", "<details open>", "~~~\n",
	// spreadsheets, files and formats
	`=HYPERLINK("http://evil.example")`, "+1+cmd|' /C calc'!A0", "-2+3", "@SUM(1)", `","x`, "../../../etc/passwd",
	"/etc/passwd", "%s%n%d", strings.Repeat("A", 5000),
}

// Spread replaces all texts of what p points to, those of maps' keys among them, by what f makes of
// them. The same text becomes the same. Types that keep lists names.
func Spread(p any, f func(string) string, keep ...any) {
	s := spreading{f: f, keep: map[reflect.Type]bool{reflect.TypeFor[time.Time](): true}}
	for _, k := range keep {
		s.keep[reflect.TypeOf(k)] = true
	}
	s.visit(reflect.ValueOf(p).Elem())
}

type spreading struct {
	f    func(string) string
	keep map[reflect.Type]bool
}

func (s spreading) visit(v reflect.Value) {
	if s.keep[v.Type()] || !v.CanSet() {
		return
	}
	switch v.Kind() {
	case reflect.String:
		if v.Len() > 0 {
			v.SetString(s.f(v.String()))
		}
	case reflect.Pointer:
		if !v.IsNil() {
			made := reflect.New(v.Type().Elem())
			made.Elem().Set(v.Elem())
			s.visit(made.Elem())
			v.Set(made)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			s.visit(v.Field(i))
		}
	case reflect.Array:
		for i := range v.Len() {
			s.visit(v.Index(i))
		}
	case reflect.Slice:
		if v.Len() > 0 {
			made := reflect.MakeSlice(v.Type(), v.Len(), v.Len())
			reflect.Copy(made, v)
			for i := range made.Len() {
				s.visit(made.Index(i))
			}
			v.Set(made)
		}
	case reflect.Map:
		if v.Len() == 0 {
			return
		}
		made := reflect.MakeMap(v.Type())
		for it := v.MapRange(); it.Next(); {
			key, value := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
			key.Set(it.Key())
			value.Set(it.Value())
			s.visit(key)
			s.visit(value)
			made.SetMapIndex(key, value)
		}
		v.Set(made)
	}
}

// Fill gives everything that p points to and that is empty a value: texts "text", numbers 1, lists
// one element. What refers to its own type is left as it is the second time.
func Fill(p any) { fill(reflect.ValueOf(p).Elem(), map[reflect.Type]bool{}) }

func fill(v reflect.Value, above map[reflect.Type]bool) {
	if !v.CanSet() || above[v.Type()] || v.Type() == reflect.TypeFor[time.Time]() {
		return
	}
	if v.Kind() == reflect.Struct {
		above[v.Type()] = true
		defer delete(above, v.Type())
	}
	switch v.Kind() {
	case reflect.String:
		if v.Len() == 0 {
			v.SetString("text")
		}
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		if v.IsZero() {
			v.SetInt(1)
		}
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		if v.IsZero() {
			v.SetUint(1)
		}
	case reflect.Float32, reflect.Float64:
		if v.IsZero() {
			v.SetFloat(1)
		}
	case reflect.Pointer:
		if v.IsNil() && !above[v.Type().Elem()] {
			v.Set(reflect.New(v.Type().Elem()))
		}
		if !v.IsNil() {
			fill(v.Elem(), above)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			fill(v.Field(i), above)
		}
	case reflect.Array:
		for i := range v.Len() {
			fill(v.Index(i), above)
		}
	case reflect.Slice:
		if v.Len() == 0 {
			v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		}
		for i := range v.Len() {
			fill(v.Index(i), above)
		}
	case reflect.Map:
		if v.Len() == 0 {
			key, value := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
			fill(key, above)
			fill(value, above)
			v.Set(reflect.MakeMap(v.Type()))
			v.SetMapIndex(key, value)
		}
	}
}
