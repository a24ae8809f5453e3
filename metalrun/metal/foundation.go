//go:build (darwin && !ios) || (linux && metaldouble)

package metal

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// newObject is [[class alloc] init]; the caller releases it.
func newObject(class string) (id, error) {
	c := objc.getClass(class + "\x00")
	if c == 0 {
		return 0, fmt.Errorf("there is no class %s", class)
	}
	return nsObject.New(c), nil
}

// release gives up what the caller owns; nil is nothing.
func release(objects ...id) {
	for _, o := range objects {
		if o != 0 {
			nsObject.Release(o)
		}
	}
}

// newString is s as an autoreleased NSString. what names s in the error if it is
// none: Foundation makes nil of it, which Metal does not survive.
func newString(what, s string) (id, error) {
	if !utf8.ValidString(s) || strings.ContainsRune(s, 0) {
		return 0, fmt.Errorf("%s is not UTF-8 text: %q", what, clip(s))
	}
	object := nsString.StringWithUTF8String(objc.getClass("NSString\x00"), s+"\x00")
	if object == 0 {
		return 0, fmt.Errorf("%s: Foundation makes no string of it: %q", what, clip(s))
	}
	return object, nil
}

// clip is the beginning of s, for a message.
func clip(s string) string { return s[:min(len(s), 80)] }

// goString is an NSString, empty for nil.
func goString(s id) string {
	if s == 0 {
		return ""
	}
	return nsString.UTF8String(s)
}

// reason is an NSError as it is classified and reported.
func reason(e id) nsReason {
	if e == 0 {
		return nsReason{text: "Metal gave no reason"}
	}
	r := nsReason{domain: goString(nsError.Domain(e)), code: nsError.Code(e),
		text: goString(nsError.LocalizedDescription(e))}
	if info := nsError.UserInfo(e); info != 0 {
		if key, err := newString("key", "NSUnderlyingError"); err == nil {
			if under := nsDictionary.ObjectForKey(info, key); under != 0 {
				r.underlying = goString(nsError.LocalizedDescription(under))
			}
		}
	}
	return r
}
