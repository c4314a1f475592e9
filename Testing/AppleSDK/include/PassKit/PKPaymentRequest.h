// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0

// After PassKit's PKConstants.h, PKPaymentSummaryItem.h, PKShippingMethod.h, PKContact.h and PKPaymentRequest.h.

#pragma once

#import <Contacts/Contacts.h>
#import <Foundation/Foundation.h>

NS_ASSUME_NONNULL_BEGIN

typedef NSString *PKPaymentNetwork NS_TYPED_EXTENSIBLE_ENUM;
FOUNDATION_EXPORT PKPaymentNetwork const PKPaymentNetworkAmex;
FOUNDATION_EXPORT PKPaymentNetwork const PKPaymentNetworkMasterCard;
FOUNDATION_EXPORT PKPaymentNetwork const PKPaymentNetworkVisa;
// API notes: upper case in Swift.
FOUNDATION_EXPORT PKPaymentNetwork const PKPaymentNetworkJCB NS_SWIFT_NAME(JCB) API_AVAILABLE(macos(11.0), ios(10.1));
FOUNDATION_EXPORT PKPaymentNetwork const PKPaymentNetworkGirocard API_AVAILABLE(macos(12.3), ios(15.4))
    NS_SWIFT_NAME(girocard);

typedef NSString *PKContactField NS_TYPED_ENUM API_AVAILABLE(macos(11.0), ios(11.0), watchos(4.0));
FOUNDATION_EXPORT PKContactField const PKContactFieldPostalAddress;
FOUNDATION_EXPORT PKContactField const PKContactFieldEmailAddress;
FOUNDATION_EXPORT PKContactField const PKContactFieldPhoneNumber;
FOUNDATION_EXPORT PKContactField const PKContactFieldName;

typedef NS_OPTIONS(NSUInteger, PKMerchantCapability) {
    // Renamed in Swift by the SDK of iOS 17; the name of before is in interfaces/PassKit.swiftinterface.
    PKMerchantCapability3DS NS_SWIFT_NAME(threeDSecure) = 1UL << 0,
    PKMerchantCapabilityEMV = 1UL << 1,
    PKMerchantCapabilityCredit = 1UL << 2,
    PKMerchantCapabilityDebit = 1UL << 3,
} API_AVAILABLE(macos(11.0), ios(8.0), watchos(3.0));

typedef NS_OPTIONS(NSUInteger, PKAddressField) {
    PKAddressFieldNone = 0UL,
    PKAddressFieldPostalAddress = 1UL << 0,
    PKAddressFieldPhone = 1UL << 1,
    PKAddressFieldEmail = 1UL << 2,
    PKAddressFieldName = 1UL << 3,
    PKAddressFieldAll =
        (PKAddressFieldPostalAddress | PKAddressFieldPhone | PKAddressFieldEmail | PKAddressFieldName),
} API_DEPRECATED("Use PKContactField and -requiredShippingContactFields / -requiredBillingContactFields",
                 ios(8.0, 11.0), watchos(3.0, 4.0));

typedef NS_ENUM(NSUInteger, PKShippingType) {
    PKShippingTypeShipping,
    PKShippingTypeDelivery,
    PKShippingTypeStorePickup,
    PKShippingTypeServicePickup,
} API_AVAILABLE(macos(11.0), ios(8.3), watchos(3.0));

typedef NS_ENUM(NSUInteger, PKPaymentSummaryItemType) {
    PKPaymentSummaryItemTypeFinal,
    PKPaymentSummaryItemTypePending,
} API_AVAILABLE(macos(11.0), ios(9.0), watchos(3.0));

API_AVAILABLE(macos(11.0), ios(8.0), watchos(3.0))
@interface PKPaymentSummaryItem : NSObject
+ (instancetype)summaryItemWithLabel:(NSString *)label amount:(NSDecimalNumber *)amount;
+ (instancetype)summaryItemWithLabel:(NSString *)label
                              amount:(NSDecimalNumber *)amount
                                type:(PKPaymentSummaryItemType)type;
@property (nonatomic, copy) NSString *label;
@property (nonatomic, copy) NSDecimalNumber *amount;
@property (nonatomic, assign) PKPaymentSummaryItemType type;
@end

API_AVAILABLE(macos(11.0), ios(8.0), watchos(3.0))
@interface PKShippingMethod : PKPaymentSummaryItem
@property (nonatomic, copy, nullable) NSString *identifier;
@property (nonatomic, copy, nullable) NSString *detail;
@end

API_AVAILABLE(macos(11.0), ios(9.0), watchos(3.0))
@interface PKContact : NSObject
@property (nonatomic, strong, nullable) NSPersonNameComponents *name;
@property (nonatomic, retain, nullable) CNPostalAddress *postalAddress;
@property (nonatomic, strong, nullable) CNPhoneNumber *phoneNumber;
@property (nonatomic, retain, nullable) NSString *emailAddress;
@end

API_AVAILABLE(macos(11.0), ios(8.0), watchos(3.0))
@interface PKPaymentRequest : NSObject
+ (NSArray<PKPaymentNetwork> *)availableNetworks;
+ (NSError *)paymentShippingAddressInvalidErrorWithKey:(NSString *)postalAddressKey
                                  localizedDescription:(nullable NSString *)localizedDescription;
+ (NSError *)paymentShippingAddressUnserviceableErrorWithLocalizedDescription:(nullable NSString *)localizedDescription;
@property (nonatomic, copy) NSString *merchantIdentifier;
@property (nonatomic, copy) NSString *countryCode;
@property (nonatomic, copy) NSArray<PKPaymentNetwork> *supportedNetworks;
@property (nonatomic, assign) PKMerchantCapability merchantCapabilities;
@property (nonatomic, copy) NSArray<PKPaymentSummaryItem *> *paymentSummaryItems;
@property (nonatomic, copy) NSString *currencyCode;
@property (nonatomic, strong) NSSet<PKContactField> *requiredBillingContactFields;
@property (nonatomic, strong, nullable) PKContact *billingContact;
@property (nonatomic, strong) NSSet<PKContactField> *requiredShippingContactFields;
@property (nonatomic, strong, nullable) PKContact *shippingContact;
@property (nonatomic, copy, nullable) NSArray<PKShippingMethod *> *shippingMethods;
@property (nonatomic, assign) PKShippingType shippingType;
@property (nonatomic, copy, nullable) NSData *applicationData;
@end

NS_ASSUME_NONNULL_END
