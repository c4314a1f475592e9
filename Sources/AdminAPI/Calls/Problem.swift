//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import DialectKit
import Gateway
import HTTPTypes
import Payments
import StrictJSON

/// Why a call was refused, as problem details (RFC 9457). Nothing of it was done.
struct Problem: Error, Sendable {
    let status: HTTPResponse.Status
    /// A stable name.
    let code: String
    /// What was wrong and what to do, without secrets.
    let detail: String
    /// What is wrong with the body, member by member.
    var violations: [Schema.Violation] = []
    /// More that a program can use, by name.
    var members = JSONObject()
    var headers = HTTPFields()

    init(_ status: HTTPResponse.Status, _ code: String, _ detail: String) {
        self.status = status
        self.code = code
        self.detail = detail
    }

    /// - Parameter typeURL: where problems are described; the code follows as the fragment.
    func response(typeURL: String) -> WireResponse {
        var object = JSONObject()
        object["type"] = .string("\(typeURL)#\(self.code)")
        object["title"] = .string(self.status.reasonPhrase)
        object["status"] = JSON(self.status.code)
        object["code"] = .string(self.code)
        object["detail"] = .string(self.detail)
        if !self.violations.isEmpty {
            object["errors"] = .array(
                self.violations.map { ["pointer": .string($0.pointer), "detail": .string($0.detail)] })
        }
        for (name, value) in self.members.members { object[name] = value }
        var response = WireResponse(status: self.status, headers: self.headers, body: JSON.object(object).serialized())
        response.headers[.contentType] = "application/problem+json"
        return response.refused(as: WireRefusal(status: self.status))
    }
}

// MARK: - What the API itself refuses

extension Problem {
    static var unauthorized: Problem {
        var problem = Problem(
            .unauthorized, "unauthorized",
            "Show a token: Authorization: Bearer pomona_… Make one with pomona access create.")
        problem.headers[.wwwAuthenticate] = #"Bearer realm="pomona""#
        return problem
    }

    static func forbidden(_ scope: Scope?) -> Problem {
        Problem(
            .forbidden, "scope_missing",
            "The caller does not have the scope \(scope?.rawValue ?? "that this takes"), or not for this merchant.")
    }

    static func notFound(_ what: String) -> Problem {
        Problem(.notFound, "not_found", "There is no \(what).")
    }

    static func invalid(_ violations: [Schema.Violation]) -> Problem {
        let first = violations.first.map { "\($0.pointer.isEmpty ? "The body" : $0.pointer) \($0.detail)." } ?? ""
        let more = violations.count > 1 ? " There are \(violations.count) such errors." : ""
        var problem = Problem(.unprocessableContent, "body_invalid", first + more)
        problem.violations = violations
        return problem
    }

    /// Parameters that are well by themselves, and not with each other.
    static func unfit(_ detail: String) -> Problem {
        Problem(.unprocessableContent, "parameters_unfit", detail)
    }

    static func parameter(_ name: String, _ detail: String) -> Problem {
        Problem(.badRequest, "parameter_invalid", "The parameter \(name) \(detail).")
    }
}

// MARK: - What the rooms below refuse

extension Problem {
    /// `nil` for an error that is nobody's but ours.
    init?(_ error: any Error) {
        switch error {
        case let problem as Problem: self = problem
        case let error as AdministrationError: self.init(error)
        case let error as AccountPlanError: self.init(error)
        case let error as PaymentActError: self.init(error)
        case let refusal as SignInRefusal: self.init(refusal)
        case let refusal as PaymentRefusal:
            self.init(.conflict, "payment_\(refusal.rawValue)", GatewayRefusal.payment(refusal).explanation)
        case let failure as MerchantRegistrationFailure: self.init(failure)
        case GatewayRefusal.merchantSessionFailed(let reason): self.init(MerchantRegistrationFailure(reason))
        case is VaultError:
            self.init(
                .serviceUnavailable, "vault_unavailable",
                "What is sealed could not be opened: the keys are being changed, or somebody has changed the database. "
                    + "Try again, then look at pomona doctor.")
        case StoreError.unavailable:
            self.init(
                .serviceUnavailable, "store_unavailable", "The store cannot be reached. Nothing was done; try again.")
        case StoreError.conflict:
            self.init(.conflict, "conflict", "Somebody has changed the same at this moment. Read it again.")
        default: return nil
        }
    }

    private init(_ error: AdministrationError) {
        let name = error.code.rawValue
        let status: HTTPResponse.Status =
            if name.hasSuffix("_unknown"), !Self.namesOfMembers.contains(error.code) {
                .notFound
            } else if Self.conflicts.contains(where: { name.hasSuffix($0) }) {
                .conflict
            } else if Self.forbidden.contains(error.code) {
                .forbidden
            } else {
                .unprocessableContent
            }
        self.init(status, name, error.message)
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

    /// Apple's own words follow ours.
    private init(_ failure: MerchantRegistrationFailure) {
        self.init(.badGateway, "apple_\(failure.reason.rawValue)", failure.text)
    }

    private init(_ error: AccountPlanError) {
        let status: HTTPResponse.Status =
            switch error.code {
            case .credentialUnknown: .notFound
            case .credentialOverlaps, .credentialNotReplaced, .keyTaken: .conflict
            default: .unprocessableContent
            }
        self.init(status, error.code.rawValue, error.message)
    }

    private init(_ error: PaymentActError) {
        let status: HTTPResponse.Status =
            switch error.code {
            case .paymentUnknown, .captureUnknown: .notFound
            case .notPossible, .notOffered, .acquirerNotConnected, .keyUsed: .conflict
            case .keyMalformed, .reasonMalformed: .unprocessableContent
            case .storeUnavailable: .serviceUnavailable
            case .approvalRequired: .conflict
            case .aboveRefundLimit: .forbidden
            }
        self.init(status, error.code.rawValue, error.message)
        if let refusal = error.refusal { self.members["refusal"] = .string(refusal.rawValue) }
        if let possible = error.possible { self.members["possible"] = .object(possible.view) }
    }
}
