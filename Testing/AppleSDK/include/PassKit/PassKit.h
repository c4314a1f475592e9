// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0

#pragma once

#import <PassKit/PKPaymentRequest.h>
#import <PassKit/PKPayment.h>
#import <PassKit/PKPaymentAuthorizationController.h>
#import <PassKit/PKPaymentButton.h>
