//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import ApplePayToken
import DialectKit
import Gateway
import HTTPTypes
import Payments
import StrictJSON

/// What a code means: the status that comes with it, and what to do about it.
struct ProblemKind: Sendable {
    let code: String
    let status: HTTPResponse.Status
    let advice: String

    private init(_ code: String, _ status: HTTPResponse.Status, _ advice: String? = nil) {
        self.code = code
        self.status = status
        self.advice = advice ?? Self.advice(status)
    }

    /// The code as words: "Merchant name taken".
    var title: String {
        let words = self.code.replacing("_", with: " ")
        return words.prefix(1).uppercased() + words.dropFirst()
    }

    var view: JSONObject {
        var object = JSONObject()
        object["code"] = .string(self.code)
        object["title"] = .string(self.title)
        object["status"] = JSON(self.status.code)
        object["advice"] = .string(self.advice)
        return object
    }

    /// Every one, by its code.
    static let all: [ProblemKind] = {
        let kinds =
            Problem.Code.allCases.map { Self($0) } + AdministrationError.Code.allCases.map { Self($0) }
            + AccountPlanError.Code.allCases.map { Self($0) } + PaymentActError.Code.allCases.map { Self($0) }
            + PaymentRefusal.allCases.map { Self($0) } + MerchantSessionFailure.allCases.map { Self($0) }
            + Self.certificateCodes.map { Self(ofCertificate: $0) }
        // Two rooms may have one name for one thing.
        return Dictionary(kinds.map { ($0.code, $0) }) { first, _ in first }.values.sorted { $0.code < $1.code }
    }()

    /// Where a room below says no more than a name and a sentence of the moment.
    private static func advice(_ status: HTTPResponse.Status) -> String {
        switch status {
        case .notFound: "Look at the list: it is not there, or not for this caller."
        case .conflict: "Read again what there is now: it is not as the call takes it to be. The detail says how."
        case .forbidden: "Ask somebody who may do it: the detail says why the caller may not."
        case .badGateway: "Look at pomona doctor: Apple has not done what was asked, and the detail says why."
        case .serviceUnavailable: "Nothing was done: try again."
        default: "Change what is sent: the detail says what."
        }
    }
}

// MARK: - From the rooms' own lists

extension ProblemKind {
    init(_ code: Problem.Code) {
        self.init(code.rawValue, code.status, code.advice)
    }

    init(_ code: AdministrationError.Code) {
        let name = code.rawValue
        let status: HTTPResponse.Status =
            if name.hasSuffix("_unknown"), !Self.namesOfMembers.contains(code) {
                .notFound
            } else if Self.conflicts.contains(where: { name.hasSuffix($0) }) {
                .conflict
            } else if Self.forbidden.contains(code) {
                .forbidden
            } else {
                .unprocessableContent
            }
        self.init(name, status)
    }

    /// What stands in a body and is not looked up.
    private static let namesOfMembers: Set<AdministrationError.Code> = [
        .countryUnknown, .settingUnknown, .secretUnknown, .timeZoneUnknown, .connectorUnknown,
    ]

    private static let forbidden: Set<AdministrationError.Code> = [
        .accessNotAllowed, .approvalOfOwnAct, .approvalNotYours, .aboveRefundLimit,
    ]

    /// Endings of codes that say that things are not as the call takes them to be.
    private static let conflicts = [
        "_taken", "_exists", "_closed", "_resolved", "_under_way", "_in_use", "_not_imported", "_expired", "_not_next",
        "_not_over",
        "_not_yet_valid", "_changed", "last_owner", "_decided", "_gone", "_key_used",
        "_not_sent", "_not_loaded", "_not_writable", "_not_waiting",
    ]

    init(_ code: AccountPlanError.Code) {
        let status: HTTPResponse.Status =
            switch code {
            case .credentialUnknown: .notFound
            case .credentialOverlaps, .credentialNotReplaced, .keyTaken: .conflict
            default: .unprocessableContent
            }
        self.init(code.rawValue, status)
    }

    init(_ code: PaymentActError.Code) {
        let status: HTTPResponse.Status =
            switch code {
            case .paymentUnknown, .captureUnknown: .notFound
            case .notPossible, .notOffered, .acquirerNotConnected, .keyUsed: .conflict
            case .keyMalformed, .reasonMalformed, .amountNotTaken: .unprocessableContent
            case .storeUnavailable: .serviceUnavailable
            case .approvalRequired: .conflict
            case .aboveRefundLimit: .forbidden
            }
        self.init(code.rawValue, status)
    }

    init(_ refusal: PaymentRefusal) {
        self.init("payment_\(refusal.rawValue)", .conflict, GatewayRefusal.payment(refusal).explanation)
    }

    init(_ failure: MerchantSessionFailure) {
        self.init("apple_\(failure.rawValue)", .badGateway)
    }

    /// - Parameter code: one that is about no certificate counts as ``TokenError/Code/certificateUnreadable``.
    init(ofCertificate code: TokenError.Code) {
        let known = Self.certificateCodes.contains(code) ? code : .certificateUnreadable
        self.init(known.rawValue, .unprocessableContent)
    }

    /// Why a certificate, its key or a request for one is not taken. The library's own list is open.
    private static let certificateCodes: [TokenError.Code] = [
        .certificateUnreadable, .certificateWrongKind, .certificateNotSelfIssued, .merchantIdentifierMissing,
        .merchantIdentifierMismatch, .merchantIdentifierHashMalformed, .privateKeyUnreadable, .privateKeyEncrypted,
        .privateKeyUnsupported, .privateKeyMismatch, .signingRequestFailed,
    ]
}

// MARK: - For logs and metrics

/// A problem's code, one of ``ProblemKind/all``: what is counted by it has an end.
struct ProblemName: RawRepresentable, CaseIterable, Hashable {
    let rawValue: String

    static let allCases = ProblemKind.all.map { Self(of: $0) }
    private static let codes = Set(ProblemKind.all.map(\.code))

    private init(of kind: ProblemKind) {
        self.rawValue = kind.code
    }

    init?(rawValue: String) {
        guard Self.codes.contains(rawValue) else { return nil }
        self.rawValue = rawValue
    }
}

/// An endpoint's name, one of ``AdminEndpoints/all``.
struct EndpointName: RawRepresentable, CaseIterable, Hashable {
    let rawValue: String

    static let allCases = AdminEndpoints.all.map { Self(of: $0) }
    private static let names = Set(AdminEndpoints.all.map(\.name))

    private init(of endpoint: Endpoint) {
        self.rawValue = endpoint.name
    }

    init?(rawValue: String) {
        guard Self.names.contains(rawValue) else { return nil }
        self.rawValue = rawValue
    }
}
