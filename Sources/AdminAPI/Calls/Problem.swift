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

    init(_ code: Code, _ detail: String) {
        self.init(ProblemKind(code), detail)
    }

    /// - Parameter kind: one that ``ProblemKind/all`` has.
    fileprivate init(_ kind: ProblemKind, _ detail: String) {
        self.status = kind.status
        self.code = kind.code
        self.detail = detail
    }

    /// - Parameters:
    ///   - typeURL: where problems are described; the code follows as the fragment.
    ///   - endpoint: what was asked for; `nil` where that is not known.
    func response(typeURL: String, of endpoint: Endpoint? = nil) -> WireResponse {
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
        let operation = endpoint.flatMap { EndpointName(rawValue: $0.name) }
        return response.refused(
            as: ProblemName(rawValue: self.code).map { WireRefusal($0, of: operation) }
                ?? WireRefusal(status: self.status))
    }
}

// MARK: - What the API itself refuses

extension Problem {
    static var unauthorized: Problem {
        var problem = Problem(
            .unauthorized, "Show a token: Authorization: Bearer pomona_… Make one with pomona access create.")
        problem.headers[.wwwAuthenticate] = #"Bearer realm="pomona""#
        return problem
    }

    static func forbidden(_ scope: Scope?) -> Problem {
        Problem(
            .scopeMissing,
            "The caller does not have the scope \(scope?.rawValue ?? "that this takes"), or not for this merchant.")
    }

    static func notFound(_ what: String) -> Problem {
        Problem(.notFound, "There is no \(what).")
    }

    static func invalid(_ violations: [Schema.Violation]) -> Problem {
        let first = violations.first.map { "\($0.pointer.isEmpty ? "The body" : $0.pointer) \($0.detail)." } ?? ""
        let more = violations.count > 1 ? " There are \(violations.count) such errors." : ""
        var problem = Problem(.bodyInvalid, first + more)
        problem.violations = violations
        return problem
    }

    /// Parameters that are well by themselves, and not with each other.
    static func unfit(_ detail: String) -> Problem {
        Problem(.parametersUnfit, detail)
    }

    static func parameter(_ name: String, _ detail: String) -> Problem {
        Problem(.parameterInvalid, "The parameter \(name) \(detail).")
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
            self.init(ProblemKind(refusal), GatewayRefusal.payment(refusal).explanation)
        case let failure as MerchantRegistrationFailure: self.init(failure)
        case GatewayRefusal.merchantSessionFailed(let reason): self.init(MerchantRegistrationFailure(reason))
        case is VaultError:
            self.init(
                .vaultUnavailable,
                "What is sealed could not be opened: the keys are being changed, or somebody has changed the database. "
                    + "Try again, then look at pomona doctor.")
        case StoreError.unavailable:
            self.init(
                .storeUnavailable, "The store cannot be reached. Nothing was done; try again.")
        case StoreError.conflict:
            self.init(.conflict, "Somebody has changed the same at this moment. Read it again.")
        default: return nil
        }
    }

    private init(_ error: AdministrationError) {
        self.init(ProblemKind(error.code), error.message)
    }

    /// Apple's own words follow ours.
    private init(_ failure: MerchantRegistrationFailure) {
        self.init(ProblemKind(failure.reason), failure.text)
    }

    private init(_ error: AccountPlanError) {
        self.init(ProblemKind(error.code), error.message)
    }

    private init(_ error: PaymentActError) {
        self.init(ProblemKind(error.code), error.message)
        if let refusal = error.refusal { self.members["refusal"] = .string(refusal.rawValue) }
        if let possible = error.possible { self.members["possible"] = .object(possible.view) }
    }

    /// A certificate, its key or a request for one that cannot be taken as it is.
    init(_ error: TokenError) {
        self.init(ProblemKind(ofCertificate: error.code), error.message)
    }
}
