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
