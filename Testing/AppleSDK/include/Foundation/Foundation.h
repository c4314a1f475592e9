// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0

// After the headers of Foundation that each part names. NS_SWIFT_BRIDGE stands for what Foundation's API notes say:
// which Swift type a class is imported as.

#pragma once

#import <ObjectiveC/NSObject.h>

#define NS_SWIFT_BRIDGE(NAME) __attribute__((swift_bridge(#NAME)))

NS_ASSUME_NONNULL_BEGIN

// NSObject.h
@protocol NSCopying
- (id)copyWithZone:(nullable struct _NSZone *)zone;
@end

// NSString.h
NS_SWIFT_BRIDGE(Swift.String) NS_SWIFT_SENDABLE
@interface NSString : NSObject <NSCopying>
@end

@interface NSConstantString : NSString
@end

FOUNDATION_EXPORT void NSLog(NSString *format, ...) __attribute__((format(__NSString__, 1, 2)));

// NSArray.h, NSDictionary.h, NSSet.h
NS_SWIFT_BRIDGE(Swift.Array)
@interface NSArray<__covariant ObjectType> : NSObject <NSCopying>
@property (readonly) NSUInteger count;
- (ObjectType)objectAtIndexedSubscript:(NSUInteger)index;
+ (instancetype)arrayWithObjects:(const ObjectType _Nonnull [_Nonnull])objects count:(NSUInteger)count;
@end

NS_SWIFT_BRIDGE(Swift.Dictionary)
@interface NSDictionary<__covariant KeyType, __covariant ObjectType> : NSObject <NSCopying>
@property (readonly) NSUInteger count;
- (nullable ObjectType)objectForKeyedSubscript:(KeyType)key;
@end

NS_SWIFT_BRIDGE(Swift.Set)
@interface NSSet<__covariant ObjectType> : NSObject <NSCopying>
@property (readonly) NSUInteger count;
@end

// NSValue.h
NS_SWIFT_SENDABLE
@interface NSNumber : NSObject <NSCopying>
@property (readonly, copy) NSString *stringValue;
@end

// NSDecimal.h
typedef struct {
    signed int _exponent : 8;
    unsigned int _length : 4;
    unsigned int _isNegative : 1;
    unsigned int _isCompact : 1;
    unsigned int _reserved : 18;
    unsigned short _mantissa[8];
} NSDecimal NS_SWIFT_NAME(Decimal);

// NSDecimalNumber.h
NS_SWIFT_SENDABLE
@interface NSDecimalNumber : NSNumber
- (instancetype)initWithDecimal:(NSDecimal)dcm NS_DESIGNATED_INITIALIZER;
- (instancetype)initWithString:(nullable NSString *)numberValue;
+ (NSDecimalNumber *)decimalNumberWithString:(nullable NSString *)numberValue;
@property (readonly) NSDecimal decimalValue;
@property (class, readonly, copy) NSDecimalNumber *zero;
@end

// NSData.h, NSURL.h, NSUUID.h, NSError.h, NSPersonNameComponents.h
NS_SWIFT_BRIDGE(Foundation.Data)
@interface NSData : NSObject <NSCopying>
@end

NS_SWIFT_BRIDGE(Foundation.URL) NS_SWIFT_SENDABLE
@interface NSURL : NSObject <NSCopying>
@end

NS_SWIFT_BRIDGE(Foundation.UUID) NS_SWIFT_SENDABLE
@interface NSUUID : NSObject <NSCopying>
@end

NS_SWIFT_BRIDGE(Swift.Error) NS_SWIFT_SENDABLE
@interface NSError : NSObject <NSCopying>
@property (readonly) NSInteger code;
@property (readonly, copy) NSString *localizedDescription;
@end

NS_SWIFT_BRIDGE(Foundation.PersonNameComponents)
@interface NSPersonNameComponents : NSObject <NSCopying>
@property (copy, nullable) NSString *givenName;
@property (copy, nullable) NSString *familyName;
@end

// NSThread.h, NSProcessInfo.h, NSBundle.h
NS_SWIFT_NAME(Thread)
@interface NSThread : NSObject
@property (class, readonly) BOOL isMainThread;
@end

typedef struct {
    NSInteger majorVersion;
    NSInteger minorVersion;
    NSInteger patchVersion;
} NSOperatingSystemVersion NS_SWIFT_NAME(OperatingSystemVersion);

NS_SWIFT_SENDABLE NS_SWIFT_NAME(ProcessInfo)
@interface NSProcessInfo : NSObject
@property (class, readonly, strong) NSProcessInfo *processInfo;
@property (readonly, copy) NSString *processName;
@property (readonly) NSOperatingSystemVersion operatingSystemVersion;
@end

NS_SWIFT_SENDABLE NS_SWIFT_NAME(Bundle)
@interface NSBundle : NSObject
@property (class, readonly, strong) NSBundle *mainBundle NS_SWIFT_NAME(main);
@property (nullable, readonly, copy) NSString *bundleIdentifier;
@end

// NSURLRequest.h, NSURLResponse.h, NSURLSession.h
NS_SWIFT_BRIDGE(Foundation.URLRequest) NS_SWIFT_SENDABLE
@interface NSURLRequest : NSObject <NSCopying>
@end

typedef NS_ENUM(NSUInteger, NSURLRequestCachePolicy) {
    NSURLRequestUseProtocolCachePolicy = 0,
    NSURLRequestReloadIgnoringLocalCacheData = 1,
} NS_SWIFT_NAME(NSURLRequest.CachePolicy);

NS_SWIFT_SENDABLE NS_SWIFT_NAME(URLResponse)
@interface NSURLResponse : NSObject <NSCopying>
@end

NS_SWIFT_SENDABLE NS_SWIFT_NAME(HTTPURLResponse)
@interface NSHTTPURLResponse : NSURLResponse
@property (readonly) NSInteger statusCode;
@end

typedef double NSTimeInterval NS_SWIFT_NAME(TimeInterval);

NS_SWIFT_SENDABLE NS_SWIFT_NAME(OperationQueue)
@interface NSOperationQueue : NSObject
@end

NS_SWIFT_SENDABLE NS_SWIFT_NAME(URLSessionConfiguration)
@interface NSURLSessionConfiguration : NSObject <NSCopying>
@property (class, readonly, strong) NSURLSessionConfiguration *ephemeralSessionConfiguration NS_SWIFT_NAME(ephemeral);
@property NSTimeInterval timeoutIntervalForRequest;
@property NSTimeInterval timeoutIntervalForResource;
@end

@class NSURLSession;

NS_SWIFT_SENDABLE NS_SWIFT_NAME(URLSessionTask)
@interface NSURLSessionTask : NSObject <NSCopying>
@end

NS_SWIFT_SENDABLE NS_SWIFT_NAME(URLSessionDelegate)
@protocol NSURLSessionDelegate <NSObject>
@optional
- (void)URLSession:(NSURLSession *)session didBecomeInvalidWithError:(nullable NSError *)error;
@end

NS_SWIFT_SENDABLE NS_SWIFT_NAME(URLSessionTaskDelegate)
@protocol NSURLSessionTaskDelegate <NSURLSessionDelegate>
@optional
- (void)URLSession:(NSURLSession *)session
                          task:(NSURLSessionTask *)task
    willPerformHTTPRedirection:(NSHTTPURLResponse *)response
                    newRequest:(NSURLRequest *)request
             completionHandler:(void (NS_SWIFT_SENDABLE ^)(NSURLRequest *_Nullable))completionHandler;
@end

NS_SWIFT_SENDABLE NS_SWIFT_NAME(URLSession)
@interface NSURLSession : NSObject
+ (NSURLSession *)sessionWithConfiguration:(NSURLSessionConfiguration *)configuration
                                  delegate:(nullable id<NSURLSessionDelegate>)delegate
                             delegateQueue:(nullable NSOperationQueue *)queue;
- (void)finishTasksAndInvalidate;
@end

NS_ASSUME_NONNULL_END
