package lower

// Translate is Lower without simplification, for comparing the two.
var Translate = translate
