package syntax

import (
	"reflect"
	"testing"
)

// TestInspectMeetsEveryNode compares Inspect with a search by reflection,
// which no new field can escape.
func TestInspectMeetsEveryNode(t *testing.T) {
	for file, text := range programs(t) {
		f := parseText(t, file, text)
		want := map[Node]int{}
		reflectNodes(reflect.ValueOf(f), want)
		got := map[Node]int{}
		Inspect(f, func(n Node) bool { got[n]++; return true })
		for n := range want {
			if got[n] == 0 {
				t.Errorf("%s: Inspect does not meet %T at %v", file, n, n.Pos())
			}
		}
		if len(got) != len(want) {
			t.Errorf("%s: Inspect meets %d nodes, want %d", file, len(got), len(want))
		}
	}
}

func reflectNodes(v reflect.Value, found map[Node]int) {
	switch v.Kind() {
	case reflect.Interface:
		if !v.IsNil() {
			reflectNodes(v.Elem(), found)
		}
	case reflect.Pointer:
		if v.IsNil() {
			return
		}
		if n, ok := v.Interface().(Node); ok {
			found[n]++
		}
		reflectNodes(v.Elem(), found)
	case reflect.Slice:
		for i := range v.Len() {
			reflectNodes(v.Index(i), found)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				reflectNodes(v.Field(i), found)
			}
		}
	}
}

func TestInspectPrunes(t *testing.T) {
	f := parseText(t, "x.metal", "float f(float x) { return x; } float y = 1;")
	n := 0
	Inspect(f, func(n1 Node) bool {
		if _, ok := n1.(*FuncDecl); ok {
			return false
		}
		if _, ok := n1.(*Name); ok {
			n++
		}
		return true
	})
	if n != 1 {
		t.Errorf("got %d names outside the function, want 1", n)
	}
}
