//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// Why an act of the operator's was refused. Nothing was done.
public struct AdministrationError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A stable name.
    public enum Code: String, Hashable, Sendable, CaseIterable {
        case merchantUnknown = "merchant_unknown"
        case merchantNameTaken = "merchant_name_taken"
        case merchantNameMalformed = "merchant_name_malformed"
        case displayNameMalformed = "display_name_malformed"
        case countryUnknown = "country_unknown"
        case merchantClosed = "merchant_closed"
        case acquirerUnknown = "acquirer_unknown"
        case acquirerNameTaken = "acquirer_name_taken"
        case acquirerHasPayments = "acquirer_has_payments"
        case acquirerNameMalformed = "acquirer_name_malformed"
        case connectorUnknown = "connector_unknown"
        case settingUnknown = "setting_unknown"
        case settingInvalid = "setting_invalid"
        case settingMissing = "setting_missing"
        case secretUnknown = "secret_unknown"
        case secretInvalid = "secret_invalid"
        case secretMissing = "secret_missing"
        case acceptorInvalid = "acceptor_invalid"
        case accountNotAllowed = "account_not_allowed"
        case routeInvalid = "route_invalid"
        case routeUnknown = "route_unknown"
        case accountExists = "account_exists"
        case accountUnknown = "account_unknown"
        case accountKeyTaken = "account_key_taken"
        case eventUnknown = "event_unknown"
        case messageUnknown = "message_unknown"
        case messageNotSent = "message_not_sent"
        case messageNotLoaded = "message_not_loaded"
        case messageNotWritable = "message_not_writable"
        case messageAccountGone = "message_account_gone"
        case alarmUnknown = "alarm_unknown"
        case operationUnknown = "operation_unknown"
        case operationResolved = "operation_resolved"
        case operationUnderWay = "operation_under_way"
        case certificateOfNeitherKind = "certificate_of_neither_kind"
        case certificateHasNoKey = "certificate_has_no_key"
        case keyDoesNotFit = "key_does_not_fit"
        case merchantIdentifierDiffers = "merchant_identifier_differs"
        case certificateExpired = "certificate_expired"
        case certificateNotYetValid = "certificate_not_yet_valid"
        case certificateNotOfApple = "certificate_not_of_apple"
        case certificateUnknown = "certificate_unknown"
        case certificateNotImported = "certificate_not_imported"
        case certificateInUse = "certificate_in_use"
        case certificateNotWaiting = "certificate_not_waiting"
        case approvalRequired = "approval_required"
        case approvalUnknown = "approval_unknown"
        case approvalDecided = "approval_decided"
        case approvalExpired = "approval_expired"
        case approvalOfOwnAct = "approval_of_own_act"
        case approvalNotYours = "approval_not_yours"
        case approvalResultGone = "approval_result_gone"
        case approvalKeyUsed = "approval_key_used"
        case aboveRefundLimit = "above_refund_limit"
        case domainUnknown = "domain_unknown"
        case domainTaken = "domain_taken"
        case domainFileMalformed = "domain_file_malformed"
        case platformUnknown = "platform_unknown"
        case registrationInvalid = "registration_invalid"
        case timeZoneUnknown = "time_zone_unknown"
        case dayUnknown = "day_unknown"
        case dayClosed = "day_closed"
        case dayNotNext = "day_not_next"
        case dayNotOver = "day_not_over"
        case sumTooLarge = "sum_too_large"
        case settlementMappingInvalid = "settlement_mapping_invalid"
        case settlementMalformed = "settlement_malformed"
        case settlementUnknown = "settlement_unknown"
        case settlementResolved = "settlement_resolved"
        case settlementTakenBack = "settlement_taken_back"
        case settlementRaced = "settlement_raced"
        case accessNotAllowed = "access_not_allowed"
        case tokenUnknown = "token_unknown"
        case tokenNameMalformed = "token_name_malformed"
        case tokenDurationInvalid = "token_duration_invalid"
        case personUnknown = "person_unknown"
        case personChanged = "person_changed"
        case userNameMalformed = "user_name_malformed"
        case userNameTaken = "user_name_taken"
        case emailMalformed = "email_malformed"
        case identityTaken = "identity_taken"
        case refundLimitInvalid = "refund_limit_invalid"
        case lastOwner = "last_owner"
        case passwordWeak = "password_weak"
        case passwordUnchanged = "password_unchanged"
        case invitationInvalid = "invitation_invalid"
        case secondFactorExists = "second_factor_exists"
        case secondFactorMissing = "second_factor_missing"
        case secondFactorRequired = "second_factor_required"
        case secondFactorTicketExpired = "second_factor_ticket_expired"
        case sessionUnknown = "session_unknown"
    }

    public let code: Code
    /// What was wrong, and what to do. Never a secret.
    public let message: String

    public init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    public var description: String { self.message }
}
