package bitcode

// Kinds of blocks (LLVM, LLVMBitCodes.h).
const (
	blockInfoBlock          = 0
	moduleBlock             = 8
	constantsBlock          = 11
	functionBlock           = 12
	identificationBlock     = 13
	valueSymtabBlock        = 14
	metadataBlock           = 15
	metadataAttachmentBlock = 16
	typeBlock               = 17
	strtabBlock             = 23
)

// Records of a module.
const (
	moduleVersion    = 1
	moduleTriple     = 2
	moduleDataLayout = 3
	moduleSection    = 5
	moduleGlobal     = 7
	moduleFunction   = 8
	moduleAlias      = 14
	moduleSource     = 16
	moduleIFunc      = 15
)

// Records of the table of types.
const (
	typeNumEntry      = 1
	typeVoid          = 2
	typeFloat         = 3
	typeDouble        = 4
	typeLabel         = 5
	typeOpaque        = 6
	typeInteger       = 7
	typePointer       = 8
	typeHalf          = 10
	typeArray         = 11
	typeVector        = 12
	typeMetadata      = 16
	typeStructAnon    = 18
	typeStructName    = 19
	typeStructNamed   = 20
	typeFunction      = 21
	typeBFloat        = 23
	typeOpaquePointer = 25
)

// Records of constants.
const (
	constSetType     = 1
	constNull        = 2
	constUndef       = 3
	constInteger     = 4
	constFloat       = 6
	constAggregate   = 7
	constString      = 8
	constCString     = 9
	constCast        = 11
	constGEP         = 12
	constInboundsGEP = 20
	constData        = 22
	constRangeGEP    = 24
	constPoison      = 26
	constNewGEP      = 32
)

// Records of functions.
const (
	instDeclareBlocks  = 1
	instBinary         = 2
	instCast           = 3
	instExtractElement = 6
	instInsertElement  = 7
	instShuffle        = 8
	instCompare        = 9
	instReturn         = 10
	instBranch         = 11
	instSwitch         = 12
	instUnreachable    = 15
	instPhi            = 16
	instAlloca         = 19
	instLoad           = 20
	instExtractValue   = 26
	instInsertValue    = 27
	instCompareFlags   = 28
	instSelect         = 29
	debugLocAgain      = 33
	instCall           = 34
	debugLoc           = 35
	instFence          = 36
	instGEP            = 43
	instStore          = 44
	operandBundle      = 55
	instUnary          = 56
	instFreeze         = 58
	blockAddressUsers  = 60
	firstDebugRecord   = 61
	lastDebugRecord    = 65
)

// Records of symbol tables.
const (
	symtabEntry    = 1
	symtabBlock    = 2
	symtabFunction = 3
)

// Records of metadata.
const (
	mdStringOld        = 1
	mdValue            = 2
	mdNode             = 3
	mdName             = 4
	mdDistinct         = 5
	mdKind             = 6
	mdLocation         = 7
	mdNamedNode        = 10
	mdFile             = 16
	mdCompileUnit      = 20
	mdSubprogram       = 21
	mdLexicalBlock     = 22
	mdLexicalBlockFile = 23
	mdStrings          = 35
	mdGlobalAttachment = 36
	mdIndexOffset      = 38
	mdIndex            = 39
)
