package metal

import (
	"fmt"
	"reflect"
	"strings"
)

// id is an object or a class of Objective-C; 0 is nil.
type id uintptr

// selector is a registered name of a method.
type selector uintptr

// mtlSize is MTLSize: three NSUIntegers, passed by value.
type mtlSize struct{ Width, Height, Depth uint }

// compareEncoding says how the function of a message differs from a method with an
// encoding such as v32@0:8Q16^v24: the result, the object and the selector, the
// arguments, with the offsets of an obsolete calling convention between them.
//
// Width and kind decide how a value travels, and have to agree. The sign of an integer
// does not: signs are what differs in it alone, which shows an enumeration that is another.
func compareEncoding(function reflect.Type, encoding string) (signs string, err error) {
	differs := compareTypes(function, encoding, fits)
	if differs == nil {
		return "", nil
	}
	if compareTypes(function, encoding, fitsUnsigned) != nil {
		return "", differs
	}
	return differs.Error(), nil
}

// fitsUnsigned is fits for integers of either sign.
func fitsUnsigned(t reflect.Type, encoding string) bool {
	if t.Kind() == reflect.Int {
		t = reflect.TypeFor[uint]()
	}
	return fits(t, strings.NewReplacer("q", "Q", "l", "Q").Replace(encoding))
}

func compareTypes(function reflect.Type, encoding string, fits func(reflect.Type, string) bool) error {
	types, err := splitEncoding(encoding)
	if err != nil {
		return err
	}
	if len(types) < 3 || types[1] != "@" && types[1] != "#" || types[2] != ":" {
		return fmt.Errorf("encoding %q is not that of a method", encoding)
	}
	if got, want := function.NumIn()-1, len(types)-3; got != want {
		return fmt.Errorf("%d arguments are sent, the method takes %d (%s)", got, want, encoding)
	}
	for i, want := range types[3:] {
		if got := function.In(i + 1); !fits(got, want) {
			return fmt.Errorf("argument %d is sent as %v, the method takes %s (%s)", i+1, got, want, encoding)
		}
	}
	switch {
	case function.NumOut() == 0 && types[0] != "v":
		return fmt.Errorf("the result is ignored, the method returns %s (%s)", types[0], encoding)
	case function.NumOut() == 1 && !fits(function.Out(0), types[0]):
		return fmt.Errorf("the result is read as %v, the method returns %s (%s)", function.Out(0), types[0], encoding)
	}
	return nil
}

// fits reports whether a Go type is what a type encoding names.
func fits(t reflect.Type, encoding string) bool {
	switch t {
	case reflect.TypeFor[id]():
		return encoding == "#" || encoding[0] == '@'
	case reflect.TypeFor[selector]():
		return encoding == ":"
	}
	switch t.Kind() {
	case reflect.Bool:
		return strings.Contains("BcC", encoding) // BOOL is a char on x86-64
	case reflect.Uint:
		return strings.Contains("QL", encoding)
	case reflect.Int:
		return strings.Contains("ql", encoding)
	case reflect.Float64:
		return encoding == "d"
	case reflect.String:
		return encoding == "*"
	case reflect.UnsafePointer:
		return encoding == "^v"
	case reflect.Pointer:
		return encoding[0] == '^' && fits(t.Elem(), encoding[1:])
	case reflect.Struct:
		return fitsStruct(t, encoding)
	}
	return false
}

// fitsStruct compares member by member: {?=QQQ}, with any name.
func fitsStruct(t reflect.Type, encoding string) bool {
	_, members, ok := strings.Cut(strings.Trim(encoding, "{}"), "=")
	if encoding[0] != '{' || !ok {
		return false
	}
	types, err := splitEncoding(members)
	if err != nil || len(types) != t.NumField() {
		return false
	}
	for i, member := range types {
		if !fits(t.Field(i).Type, member) {
			return false
		}
	}
	return true
}

// splitEncoding takes an encoding apart, without qualifiers, offsets and the names
// that follow some objects.
func splitEncoding(encoding string) ([]string, error) {
	var types []string
	for rest := encoding; rest != ""; {
		n := encodedLength(rest)
		if n == 0 {
			return nil, fmt.Errorf("type encoding %q is not understood at %q", encoding, rest)
		}
		if t := strings.TrimLeft(rest[:n], "rnNoORVA+-0123456789"); t != "" {
			types = append(types, withoutQualifiers(t))
		}
		rest = rest[n:]
	}
	return types, nil
}

// withoutQualifiers drops those after a pointer's caret: ^r@.
func withoutQualifiers(t string) string {
	if t[0] == '^' {
		return "^" + withoutQualifiers(strings.TrimLeft(t[1:], "rnNoORVA"))
	}
	return t
}

// encodedLength is how many bytes the first type takes, with what stands before it;
// 0 if it is broken off.
func encodedLength(s string) int {
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case strings.IndexByte("rnNoORVA+-0123456789^", c) >= 0:
			if i == len(s)-1 && c != '^' {
				return len(s) // the last offset
			}
		case c == '{' || c == '(' || c == '[':
			return closing(s, i)
		case c == '@' && strings.HasPrefix(s[i:], "@?"):
			return i + 2
		case c == '@' && strings.HasPrefix(s[i:], `@"`):
			if end := strings.IndexByte(s[i+2:], '"'); end >= 0 {
				return i + 2 + end + 1
			}
			return 0
		default:
			return i + 1
		}
	}
	return 0
}

// closing is where the brackets that open at s[i] have closed, 0 for nowhere.
func closing(s string, i int) int {
	for depth := 0; i < len(s); i++ {
		switch s[i] {
		case '{', '(', '[':
			depth++
		case '}', ')', ']':
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return 0
}
