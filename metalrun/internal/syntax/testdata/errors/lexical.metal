// Characters and literals that are none.
float a = 1 @ /* ERROR "illegal-character: illegal character .@." */ 2;
float b = 1 ` /* ERROR "illegal character .\`." */ ;
float c = é /* ERROR "illegal character .é." */ ;
---
float a = 1.2.3 /* ERROR "bad-number: invalid suffix ..3. on floating constant" */ ;
---
int a = 08 /* ERROR "bad-number: invalid digit .8. in octal constant" */ ;
int b = 0x /* ERROR "bad-number: number 0x has no digits" */ ;
int c = 0b12 /* ERROR "bad-number: invalid digit .2. in binary constant" */ ;
int d = 18446744073709551616 /* ERROR "integer literal is too large to be represented in any integer type" */ ;
int e = 1 /* ERROR-AFTER "expected-token: expected .;., got .*" */'' 0;
---
float a = 1.0q /* ERROR "bad-number: invalid suffix .q. on floating constant" */ ;
float b = 1e /* ERROR "exponent has no digits" */ ;
float c = 0x1.8 /* ERROR "bad-number: hexadecimal floating literal requires an exponent" */ ;
float d = 1f /* ERROR "invalid suffix .f. on integer constant" */ ;
float e = 1h /* ERROR "invalid suffix .h. on integer constant" */ ;
int f = 1uu /* ERROR "invalid suffix .uu. on integer constant" */ ;
float g = 1.0L /* ERROR "not-a-metal-type: long double is not a Metal type" */ ;
long h = 1lul /* ERROR "invalid suffix .lul. on integer constant" */ ;
int i = 'é' /* ERROR "bad-character-constant: character too large for enclosing character literal type" */ ;
int j = '' /* ERROR "bad-character-constant: character constant is empty" */ ;
int k = '\q' /* ERROR "bad-character-constant: unknown escape .*q" */ ;
static_assert(true, "\q" /* ERROR "bad-character-constant" */);
