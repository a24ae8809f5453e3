// Characters and literals that are none.
float a = 1 @ /* ERROR "illegal-character: illegal character .@." */ 2;
float b = 1 ` /* ERROR "illegal character .\`." */ ;
float c = é /* ERROR "illegal character .é." */ ;
---
float a = 1.2.3 /* ERROR "bad-number: number 1.2.3 has the unknown suffix" */ ;
---
int a = 08 /* ERROR "bad-number: octal number 08 has a digit above 7" */ ;
int b = 0x /* ERROR "bad-number: number 0x has no digits" */ ;
int c = 0b12 /* ERROR "bad-number: binary number 0b12 has a digit above 1" */ ;
int d = 18446744073709551616 /* ERROR "does not fit in 64 bits" */ ;
int e = 1 /* ERROR-AFTER "expected-token: expected .;., got .*" */'' 0;
---
float a = 1.0q /* ERROR "bad-number: number 1.0q has the unknown suffix .q." */ ;
float b = 1e /* ERROR "exponent without digits" */ ;
float c = 0x1.8 /* ERROR "bad-number: hexadecimal number 0x1.8 has a point but no exponent" */ ;
float d = 1f /* ERROR "integer 1f has the unknown suffix .f." */ ;
float e = 1h /* ERROR "integer 1h has the unknown suffix .h." */ ;
int f = 1uu /* ERROR "unknown suffix .uu." */ ;
float g = 1.0L /* ERROR "not-a-metal-type: long double is not a Metal type" */ ;
long h = 1lul /* ERROR "unknown suffix .lul." */ ;
int i = 'ab' /* ERROR "bad-character-constant: character constant 'ab' holds more than one byte" */ ;
int j = '' /* ERROR "bad-character-constant: character constant is empty" */ ;
int k = '\q' /* ERROR "bad-character-constant: unknown escape .*q" */ ;
static_assert(true, "\q" /* ERROR "bad-character-constant" */);
