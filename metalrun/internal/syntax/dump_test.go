package syntax

import (
	"fmt"
	"reflect"
	"strings"
)

// dump writes a tree without positions: two trees are equal when their dumps
// are. Fields that are empty are left out.
func dump(n any) string {
	var b strings.Builder
	dumpValue(&b, reflect.ValueOf(n))
	return b.String()
}

func dumpValue(b *strings.Builder, v reflect.Value) {
	switch v.Kind() {
	case reflect.Interface, reflect.Pointer:
		if v.IsNil() {
			b.WriteString("nil")
			return
		}
		if n, ok := v.Interface().(*Name); ok && isPlain(n) {
			b.WriteString(n.Parts[0].Ident)
			return
		}
		if n, ok := v.Interface().(*NamedType); ok && n.Keyword == "" {
			dumpValue(b, reflect.ValueOf(n.Name))
			return
		}
		if n, ok := v.Interface().(*NameExpr); ok {
			dumpValue(b, reflect.ValueOf(n.Name))
			return
		}
		if n, ok := v.Interface().(*IntLit); ok {
			b.WriteString(n.Text)
			return
		}
		dumpValue(b, v.Elem())
	case reflect.Slice:
		b.WriteByte('[')
		for i := range v.Len() {
			if i > 0 {
				b.WriteByte(' ')
			}
			dumpValue(b, v.Index(i))
		}
		b.WriteByte(']')
	case reflect.Struct:
		fmt.Fprintf(b, "%s{", v.Type().Name())
		sep := ""
		for i := range v.NumField() {
			f := v.Field(i)
			if !v.Type().Field(i).IsExported() || f.Type() == reflect.TypeFor[Pos]() || f.IsZero() {
				continue
			}
			b.WriteString(sep + v.Type().Field(i).Name + ":")
			dumpValue(b, f)
			sep = " "
		}
		b.WriteByte('}')
	case reflect.String:
		fmt.Fprintf(b, "%q", v.String())
	default:
		fmt.Fprint(b, v.Interface())
	}
}

func isPlain(n *Name) bool {
	return len(n.Parts) == 1 && !n.Global && !n.Parts[0].HasArgs && !n.Parts[0].Template && n.Parts[0].Conversion == nil
}
