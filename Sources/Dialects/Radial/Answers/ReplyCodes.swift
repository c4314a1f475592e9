//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// `FundsAvailable` of a ConfirmFundsReply, and `ResponseCode` of a PaymentAuthCancelReply.
enum SuccessFailCode: String, CaseIterable, Hashable, Sendable {
    case success = "Success"
    case fail = "Fail"
    case timeout = "Timeout"
}

/// `ResponseCode` of a TenderTypeLookupReply.
enum TenderLookupCode: String, CaseIterable, Hashable, Sendable {
    case found = "TENDER_TYPE_FOUND"
    case panFailsLuhn = "PAN_FAILS_LUHN_CHECK"
    case notFound = "NO_TENDER_TYPE_FOUND"
    case notConfigured = "PAN_NOT_CONFIGURED_TO_STORE"
    case unknownFailure = "UNKNOWN_FAILURE"
}
