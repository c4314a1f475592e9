// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0

// After AppKit's headers of these classes.

#pragma once

#import <Foundation/Foundation.h>

NS_ASSUME_NONNULL_BEGIN

NS_SWIFT_UI_ACTOR
@interface NSResponder : NSObject
@end

NS_SWIFT_UI_ACTOR
@interface NSWindow : NSResponder
@end

NS_SWIFT_UI_ACTOR
@interface NSView : NSResponder
@end

NS_SWIFT_UI_ACTOR
@interface NSControl : NSView
@end

NS_SWIFT_UI_ACTOR
@interface NSButton : NSControl
@end

NS_SWIFT_UI_ACTOR
@interface NSApplication : NSResponder
@property (class, readonly, strong) NSApplication *sharedApplication NS_SWIFT_NAME(shared);
@property (nullable, readonly, weak) NSWindow *keyWindow;
@end

NS_ASSUME_NONNULL_END
