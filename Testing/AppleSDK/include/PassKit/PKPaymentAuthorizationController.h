// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0

// After PassKit's header of the same name. NS_SWIFT_NAME stands for PassKit's API notes, which keep the nouns that Swift
// would drop.

#pragma once

#import <PassKit/PKPayment.h>

#if TARGET_OS_IPHONE
@class UIWindow;
#else
@class NSWindow;
#endif

NS_ASSUME_NONNULL_BEGIN

@class PKPaymentAuthorizationController;

@protocol PKPaymentAuthorizationControllerDelegate <NSObject>

@required

- (void)paymentAuthorizationControllerDidFinish:(PKPaymentAuthorizationController *)controller NS_SWIFT_UI_ACTOR;

@optional

- (void)paymentAuthorizationController:(PKPaymentAuthorizationController *)controller
                   didAuthorizePayment:(PKPayment *)payment
                               handler:(void (^)(PKPaymentAuthorizationResult *result))completion
    API_AVAILABLE(macos(11.0), ios(11.0), watchos(4.0)) NS_SWIFT_UI_ACTOR;

- (void)paymentAuthorizationController:(PKPaymentAuthorizationController *)controller
                   didAuthorizePayment:(PKPayment *)payment
                            completion:(void (^)(PKPaymentAuthorizationStatus status))completion
    API_DEPRECATED("Use paymentAuthorizationController:didAuthorizePayment:handler: instead to provide more granular errors",
                   ios(10.0, 11.0), watchos(3.0, 4.0));

- (void)paymentAuthorizationController:(PKPaymentAuthorizationController *)controller
               didSelectShippingMethod:(PKShippingMethod *)shippingMethod
                               handler:(void (^)(PKPaymentRequestShippingMethodUpdate *requestUpdate))completion
    API_AVAILABLE(macos(11.0), ios(11.0), watchos(4.0)) NS_SWIFT_UI_ACTOR
    NS_SWIFT_NAME(paymentAuthorizationController(_:didSelectShippingMethod:handler:));

- (void)paymentAuthorizationController:(PKPaymentAuthorizationController *)controller
                didSelectPaymentMethod:(PKPaymentMethod *)paymentMethod
                               handler:(void (^)(PKPaymentRequestPaymentMethodUpdate *requestUpdate))completion
    API_AVAILABLE(macos(11.0), ios(11.0), watchos(4.0)) NS_SWIFT_UI_ACTOR
    NS_SWIFT_NAME(paymentAuthorizationController(_:didSelectPaymentMethod:handler:));

#if TARGET_OS_OSX || TARGET_OS_MACCATALYST || TARGET_OS_VISION
@required
#endif

#if TARGET_OS_OSX
- (nullable NSWindow *)presentationWindowForPaymentAuthorizationController:
    (PKPaymentAuthorizationController *)controller API_AVAILABLE(macos(11.0));
#else
- (nullable UIWindow *)presentationWindowForPaymentAuthorizationController:
    (PKPaymentAuthorizationController *)controller API_AVAILABLE(ios(14.0), watchos(7.0));
#endif

@end

API_AVAILABLE(macos(11.0), ios(10.0), watchos(3.0))
@interface PKPaymentAuthorizationController : NSObject
+ (BOOL)canMakePayments;
+ (BOOL)canMakePaymentsUsingNetworks:(NSArray<PKPaymentNetwork> *)supportedNetworks;
@property (nonatomic, weak, nullable) id<PKPaymentAuthorizationControllerDelegate> delegate;
- (instancetype)initWithPaymentRequest:(PKPaymentRequest *)request NS_DESIGNATED_INITIALIZER;
- (void)presentWithCompletion:(nullable void (^)(BOOL success))completion;
- (void)dismissWithCompletion:(nullable void (^)(void))completion;
@end

NS_ASSUME_NONNULL_END
