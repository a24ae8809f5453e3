package metal

// systemLibraries are what the runner needs of macOS. CoreGraphics is among them
// because a process that has not loaded it gets no default device.
var systemLibraries = []string{
	"/System/Library/Frameworks/CoreGraphics.framework/CoreGraphics",
	"/System/Library/Frameworks/Foundation.framework/Foundation",
	"/System/Library/Frameworks/Metal.framework/Metal",
	"/usr/lib/libobjc.A.dylib",
}
