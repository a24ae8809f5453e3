// What the files of the library share.
#import <Foundation/Foundation.h>
#include <Block.h>
#include <objc/runtime.h>
#include <objc/message.h>
#include <stdint.h>
