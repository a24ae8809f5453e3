struct S90 { float a[1 << 28]; float b[1 << 28]; }; // ERROR 1 too-large "no flag allows more"
