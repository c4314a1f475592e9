// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0

// After objc/objc.h, objc/NSObject.h and Foundation's NSObjCRuntime.h: the root class, and the macros that the other
// headers are written with.

#pragma once

typedef long NSInteger;
typedef unsigned long NSUInteger;
// objc.h: a Boolean on every system whose __OBJC_BOOL_IS_BOOL is 1, which is all of today's iPhones and Macs.
typedef _Bool BOOL;
#define YES __objc_yes
#define NO __objc_no

#define API_AVAILABLE(...) __API_AVAILABLE_GET(__VA_ARGS__, __API_A3, __API_A2, __API_A1)(__VA_ARGS__)
#define API_UNAVAILABLE(PLATFORM) __attribute__((availability(PLATFORM, unavailable)))
#define API_DEPRECATED(TEXT, ...) __API_AVAILABLE_GET(__VA_ARGS__, __API_D3, __API_D2, __API_D1)(TEXT, __VA_ARGS__)
#define __API_AVAILABLE_GET(_1, _2, _3, NAME, ...) NAME
#define __API_A(x) __attribute__((availability(__API_SINCE_##x)))
#define __API_A1(a) __API_A(a)
#define __API_A2(a, b) __API_A(a) __API_A(b)
#define __API_A3(a, b, c) __API_A(a) __API_A(b) __API_A(c)
#define __API_SINCE_ios(x) ios, introduced=x
#define __API_SINCE_macos(x) macos, introduced=x
#define __API_SINCE_watchos(x) watchos, introduced=x
#define __API_D(TEXT, x) __attribute__((availability(__API_SPAN_##x, message=TEXT)))
#define __API_D1(TEXT, a) __API_D(TEXT, a)
#define __API_D2(TEXT, a, b) __API_D(TEXT, a) __API_D(TEXT, b)
#define __API_D3(TEXT, a, b, c) __API_D(TEXT, a) __API_D(TEXT, b) __API_D(TEXT, c)
#define __API_SPAN_ios(x, y) ios, introduced=x, deprecated=y
#define __API_SPAN_macos(x, y) macos, introduced=x, deprecated=y
#define __API_SPAN_watchos(x, y) watchos, introduced=x, deprecated=y

#define NS_ASSUME_NONNULL_BEGIN _Pragma("clang assume_nonnull begin")
#define NS_ASSUME_NONNULL_END _Pragma("clang assume_nonnull end")
#define NS_DESIGNATED_INITIALIZER __attribute__((objc_designated_initializer))
#define NS_ENUM(TYPE, NAME) enum __attribute__((enum_extensibility(open))) NAME : TYPE NAME; enum NAME : TYPE
#define NS_OPTIONS(TYPE, NAME) \
    enum __attribute__((flag_enum, enum_extensibility(open))) NAME : TYPE NAME; enum NAME : TYPE
#define NS_TYPED_ENUM __attribute__((swift_newtype(enum)))
#define NS_TYPED_EXTENSIBLE_ENUM __attribute__((swift_newtype(struct)))
#define NS_SWIFT_NAME(NAME) __attribute__((swift_name(#NAME)))
#define NS_SWIFT_SENDABLE __attribute__((swift_attr("@Sendable")))
#define NS_SWIFT_UI_ACTOR __attribute__((swift_attr("@UIActor")))
#define NS_SWIFT_UNAVAILABLE(TEXT) __attribute__((availability(swift, unavailable, message=TEXT)))
#define FOUNDATION_EXPORT extern

@class NSString;
struct _NSZone;

NS_ASSUME_NONNULL_BEGIN

// NS_SWIFT_NAME by the API notes of the module: the class keeps the name, the protocol gives way.
NS_SWIFT_NAME(NSObjectProtocol)
@protocol NSObject
- (BOOL)isEqual:(nullable id)object;
@property (readonly) NSUInteger hash;
@property (readonly) Class superclass;
- (BOOL)isKindOfClass:(Class)aClass;
- (BOOL)respondsToSelector:(SEL)aSelector;
@property (readonly, copy) NSString *description;
@end

__attribute__((objc_root_class))
@interface NSObject <NSObject>
- (instancetype)init NS_DESIGNATED_INITIALIZER;
+ (instancetype)new NS_SWIFT_UNAVAILABLE("use object initializers instead");
+ (instancetype)alloc NS_SWIFT_UNAVAILABLE("use object initializers instead");
@end

NS_ASSUME_NONNULL_END
