// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0

// After Contacts' CNPhoneNumber.h and CNPostalAddress.h.

#pragma once

#import <Foundation/Foundation.h>

NS_ASSUME_NONNULL_BEGIN

NS_SWIFT_SENDABLE
@interface CNPhoneNumber : NSObject <NSCopying>
+ (nullable instancetype)phoneNumberWithStringValue:(NSString *)stringValue;
- (nullable instancetype)initWithStringValue:(NSString *)string;
@property (readonly, copy, nonatomic) NSString *stringValue;
@end

@interface CNPostalAddress : NSObject <NSCopying>
@property (readonly, copy, nonatomic) NSString *street;
@property (readonly, copy, nonatomic) NSString *city;
@property (readonly, copy, nonatomic) NSString *postalCode;
@property (readonly, copy, nonatomic) NSString *country;
@property (readonly, copy, nonatomic) NSString *ISOCountryCode NS_SWIFT_NAME(isoCountryCode);
@end

FOUNDATION_EXPORT NSString *const CNPostalAddressCountryKey;

NS_ASSUME_NONNULL_END
