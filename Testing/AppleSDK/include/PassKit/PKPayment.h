// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0

// After PassKit's PKPaymentMethod.h, PKPaymentToken.h, PKPayment.h, PKPaymentRequestStatus.h and PKPassLibrary.h.

#pragma once

#import <PassKit/PKPaymentRequest.h>

NS_ASSUME_NONNULL_BEGIN

typedef NS_ENUM(NSUInteger, PKPaymentMethodType) {
    PKPaymentMethodTypeUnknown = 0,
    PKPaymentMethodTypeDebit,
    PKPaymentMethodTypeCredit,
    PKPaymentMethodTypePrepaid,
    PKPaymentMethodTypeStore,
    PKPaymentMethodTypeEMoney,
} API_AVAILABLE(macos(11.0), ios(9.0), watchos(3.0));

API_AVAILABLE(macos(11.0), ios(9.0), watchos(3.0))
@interface PKPaymentMethod : NSObject
@property (nonatomic, copy, readonly, nullable) NSString *displayName;
@property (nonatomic, copy, readonly, nullable) PKPaymentNetwork network;
@property (nonatomic, assign, readonly) PKPaymentMethodType type;
@end

API_AVAILABLE(macos(11.0), ios(8.0), watchos(3.0))
@interface PKPaymentToken : NSObject
@property (nonatomic, strong, readonly) PKPaymentMethod *paymentMethod;
@property (nonatomic, copy, readonly) NSString *transactionIdentifier;
@property (nonatomic, copy, readonly) NSData *paymentData;
@end

API_AVAILABLE(macos(11.0), ios(8.0), watchos(3.0))
@interface PKPayment : NSObject
@property (nonatomic, strong, readonly) PKPaymentToken *token;
@property (nonatomic, strong, readonly, nullable) PKContact *billingContact;
@property (nonatomic, strong, readonly, nullable) PKContact *shippingContact;
@property (nonatomic, strong, readonly, nullable) PKShippingMethod *shippingMethod;
@end

typedef NS_ENUM(NSInteger, PKPaymentAuthorizationStatus) {
    PKPaymentAuthorizationStatusSuccess,
    PKPaymentAuthorizationStatusFailure,
} API_AVAILABLE(macos(11.0), ios(8.0), watchos(3.0));

API_AVAILABLE(macos(11.0), ios(11.0), watchos(4.0))
@interface PKPaymentAuthorizationResult : NSObject
- (instancetype)initWithStatus:(PKPaymentAuthorizationStatus)status
                        errors:(nullable NSArray<NSError *> *)errors NS_DESIGNATED_INITIALIZER;
@property (nonatomic, assign) PKPaymentAuthorizationStatus status;
@property (null_resettable, nonatomic, copy) NSArray<NSError *> *errors;
@end

API_AVAILABLE(macos(11.0), ios(11.0), watchos(4.0))
@interface PKPaymentRequestUpdate : NSObject
- (instancetype)initWithPaymentSummaryItems:(NSArray<PKPaymentSummaryItem *> *)paymentSummaryItems
    NS_DESIGNATED_INITIALIZER;
@property (nonatomic, assign) PKPaymentAuthorizationStatus status;
@property (nonatomic, copy) NSArray<PKPaymentSummaryItem *> *paymentSummaryItems;
@end

API_AVAILABLE(macos(11.0), ios(11.0), watchos(4.0))
@interface PKPaymentRequestPaymentMethodUpdate : PKPaymentRequestUpdate
@end

API_AVAILABLE(macos(11.0), ios(11.0), watchos(4.0))
@interface PKPaymentRequestShippingMethodUpdate : PKPaymentRequestUpdate
@end

API_AVAILABLE(macos(11.0), ios(6.0), watchos(2.0))
@interface PKPassLibrary : NSObject
- (void)openPaymentSetup API_AVAILABLE(ios(8.3)) API_UNAVAILABLE(macos);
@end

NS_ASSUME_NONNULL_END
