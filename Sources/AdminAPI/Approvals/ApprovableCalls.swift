//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import ApplePayToken
import BaseEncoding
import Crypto
import DialectKit
import Foundation
import HTTPTypes
import Money
import Payments
import Redaction
import StrictJSON

extension Endpoint {
    /// Why a call of it may need a second person; `nil` where it never does. Such a call may be answered 202.
    var approvalKind: Approval.Kind? {
        switch self.name {
        case "refundPayment", Approval.voidOperation: .refund
        case "createAccount", "changeAccountSettings", "bindAccount", "rotateCredential", "revokeCredential",
            "rotateWebhookSecret", "addAcquirer", "changeAcquirer", "importCertificate", "activateCertificate",
            "retireCertificate":
            .liveCredentials
        case "setRoutes", "resumeAcquirer": .route
        case "setApprovalPolicy": .policy
        default: nil
        }
    }

    /// What it answers that is shown once, as it is kept until whoever has asked collects it; `nil` where it is nothing.
    func secretsShownOnce(_ answer: JSON, path: RouteParameters) -> JSON? {
        switch self.name {
        case "createAccount", "rotateCredential": return answer
        case "rotateWebhookSecret":
            return [
                "merchant": .string(path["merchant"] ?? ""), "dialect": .string(path["dialect"] ?? ""),
                "credentials": ["webhookSecret": answer["secret"] ?? .null],
            ]
        default: return nil
        }
    }
}

extension Caller {
    /// Who it is, for those who may not decide what they have asked for themselves. A token is its maker.
    var party: Approval.Party {
        if let person { return Approval.Party(identities: [person.id.text, person.userName], actor: self.actor) }
        if let token { return Approval.Party(identities: [token.id.text, self.maker], actor: self.actor) }
        return Approval.Party(identities: ["shell", self.actor], actor: self.actor)
    }

    /// The same without those whom it counts as: what is handed out is for whoever has asked, and not for his tokens, nor for
    /// somebody who has got his name since.
    var partyItself: Approval.Party {
        guard let id = self.person?.id.text ?? self.token?.id.text else { return self.party }
        return Approval.Party(identities: [id], actor: self.actor)
    }

    /// Who has made what this one makes: a person, also behind a token, or an operator of the machine.
    var maker: String {
        if let person { return person.userName }
        guard let token else { return self.actor }
        return token.madeBy.split(separator: " from ").first.map(String.init) ?? token.madeBy
    }

    /// By what right it acts.
    var authority: Authority { self.authority(.own) }

    func authority(_ ground: Authority.Ground) -> Authority {
        Authority(ground, refundLimits: self.access.refundLimits, merchants: self.access.merchants)
    }
}

/// A call as it is kept until somebody approves it.
struct AskedCall: Sendable {
    let path: [String: String]
    let body: JSONObject
    let ifMatch: String?

    init(_ call: Call) {
        let names = call.endpoint.path.split(separator: "/").filter { $0.hasPrefix("{") }
            .map { String($0.dropFirst().dropLast()) }
        self.path = Dictionary(
            names.compactMap { name in call.path[name].map { (name, $0) } }, uniquingKeysWith: { first, _ in first })
        self.body = call.body
        self.ifMatch = call.request.headers[.ifMatch]
    }

    init?(_ text: Redacted<String>) {
        guard let json = try? JSON.parse(Array(text.reveal().utf8)), let body = json["body"]?.object,
            let path = json["path"]?.object
        else { return nil }
        self.path = Dictionary(
            path.members.compactMap { name, value in value.string.map { (name, $0) } },
            uniquingKeysWith: { first, _ in first })
        self.body = body
        self.ifMatch = json["ifMatch"]?.string
    }

    var text: Redacted<String> {
        var object = JSONObject()
        object["path"] = .object(JSONObject(texts: self.path))
        object["body"] = .object(self.body)
        object["ifMatch"] = .string(orNull: self.ifMatch)
        return Redacted(JSON.object(object).text())
    }

    /// The same call, made by whoever approves it.
    func call(to endpoint: Endpoint, by approving: Call) -> Call {
        var request = WireRequest(
            method: endpoint.method, path: AdminService.root + endpoint.path,
            remoteAddress: approving.request.remoteAddress)
        request.headers[.ifMatch] = self.ifMatch
        var call = Call(
            endpoint: endpoint, request: request, caller: approving.caller, house: approving.house,
            path: RouteParameters(values: self.path), query: [:], body: self.body)
        call.claim = approving.claim
        return call
    }
}

extension Call {
    /// What an earlier call with the same key has asked for, where keys are kept with what they do.
    ///
    /// - Throws: ``Problem`` `key_used`, and what keeps the caller from the payment.
    func earlierApproval() async throws -> Approval? {
        guard self.endpoint.approvalKind != nil, case .actKey = self.endpoint.precondition else { return nil }
        let key = try self.askKey
        guard let found = try await self.administration.read({ try $0.approval(askedUnder: key) }) else { return nil }
        let (payment, _) = try await self.payment()
        let amount = try self.text("amount").map {
            try AdminEndpoints.money($0, payment.amount.currency.code, at: "/amount")
        }
        guard found.paymentID == payment.id, amount == nil || amount == found.amount else {
            throw Problem(
                .keyUsed, "The key was used for another act or another amount. Use a new one for a new act.")
        }
        return found
    }

    /// Asks for a second person, in the place of doing it.
    ///
    /// - Parameter amount: what the act would move.
    func askForApproval(_ kind: Approval.Kind, amount: Money?) async throws -> Approval {
        let names = try await self.merchantNames()
        var merchant: MerchantID?
        var payment: PaymentID?
        if self.path["payment"] != nil {
            let found = try await self.payment()
            (payment, merchant) = (found.0.id, found.1.id)
        } else if self.path["merchant"] != nil {
            merchant = try await self.merchant().id
        }
        let name = merchant.flatMap { names[$0] } ?? ""
        let now = try await self.replacedByThis(names)
        let isKeyed = if case .actKey = self.endpoint.precondition { true } else { false }
        return try await self.administration.askForApproval(
            ApprovalDraft(
                kind: kind, operation: self.endpoint.name, merchantID: merchant, paymentID: payment, amount: amount,
                summary: self.summary(of: name, amount, now), reason: self.text("reason"), askKey: try self.askKey,
                keepsKey: isKeyed, act: AskedCall(self).text), by: self.caller.party)
    }

    /// Whether a refund above the caller's own limit waits for somebody else, by the policies that count for a merchant.
    func asksAboveOwnLimit(_ merchant: MerchantID) async throws -> Bool {
        try await self.administration.approvalPolicies().contains { policy in
            policy.aboveOwnLimit && (policy.merchantID == nil || policy.merchantID == merchant)
        }
    }

    /// What the same call again has in common with this one.
    private var askKey: String {
        get throws {
            let prefix = "\(self.endpoint.name) \(self.caller.holder) "
            if case .ifMatch = self.endpoint.precondition {
                let text = AskedCall(self).text.reveal()
                return prefix + Hex.encode(Array(SHA256.hash(data: Data(text.utf8))))
            }
            return prefix + (try RepeatedCalls.key(of: self.request))
        }
    }

    /// What is asked for, in a sentence.
    ///
    /// - Parameter now: what is there now, where the whole of it is replaced.
    private func summary(of merchant: String, _ amount: Money?, _ now: JSON?) -> String {
        func path(_ name: String) -> String { self.path[name] ?? "" }
        switch self.endpoint.name {
        case "refundPayment": return "Refund \(amount?.description ?? "all that is left") of \(path("payment"))."
        case Approval.voidOperation:
            return "Void \(path("payment")) and give back \(amount?.description ?? "all that is captured")."
        case "createAccount":
            let with = self.askedChanges.isEmpty ? "" : ", with \(self.askedChanges)"
            return "Make an account of \(merchant) in \(self.required("dialect"))\(with)."
        case "changeAccountSettings":
            return "Change \(self.askedChanges) of \(merchant)'s account in \(path("dialect"))."
        case "bindAccount":
            return "Seal \(merchant)'s account in \(path("dialect")) as somebody has changed it in the database."
        case "rotateCredential": return "Replace \(path("credential")) of \(merchant)'s account in \(path("dialect"))."
        case "revokeCredential": return "Revoke \(path("credential")) of \(merchant)'s account in \(path("dialect"))."
        case "rotateWebhookSecret":
            return "Replace the secret that signs the webhooks of \(merchant)'s account in \(path("dialect"))."
        case "importCertificate": return self.summaryOfImport(for: merchant)
        case "activateCertificate":
            return "Use the Apple Pay certificate \(path("certificate").prefix(16)) of \(merchant) from now on."
        case "retireCertificate":
            return "Use the Apple Pay certificate \(path("certificate").prefix(16)) of \(merchant) no more."
        case "resumeAcquirer":
            return "Let payments take \(merchant)'s acquirer account \(path("acquirer")) again."
        case "addAcquirer":
            let with = self.askedChanges.isEmpty ? "" : ", with \(self.askedChanges)"
            return
                "Add the acquirer account \(self.required("name")) (\(self.required("connector"))) to \(merchant)\(with)."
        case "changeAcquirer":
            return "Change \(self.askedChanges) of \(merchant)'s acquirer account \(path("acquirer"))."
        case "setRoutes":
            let routes = self.body["data"] ?? []
            return "Set the routes of \(merchant) to: \(routes.inWords). They are: \((now ?? []).inWords)."
        default:
            return
                "Change what needs a second person of \(path("policy")) to: \(self.askedPolicy.inWords). It is: \((now ?? [:]).inWords)."
        }
    }

    /// Which certificate that is, as far as it says so itself, for whoever compares it with Apple's page.
    private func summaryOfImport(for merchant: String) -> String {
        let certificate = try? AppleCertificate(Array(self.required("certificate").utf8))
        let identifier = certificate?.merchantIdentifier.map { " for \($0)" } ?? ""
        let key = certificate.map { " with the key \(Hex.encode($0.publicKeyHash).prefix(16))" } ?? ""
        let origin = self.text("privateKey") == nil ? "" : ", which was made elsewhere"
        let use = self.flag("activate") ? ", and use it from now on" : ""
        return "Import an Apple Pay certificate of \(merchant)\(identifier)\(key)\(origin)\(use)."
    }
}

extension Problem {
    /// Whether an error says that a second person must approve, and what the act would move.
    static func asksForApproval(_ error: any Error) -> (isAsked: Bool, amount: Money?) {
        switch error {
        case let error as AdministrationError: (error.code == .approvalRequired, nil)
        case let error as PaymentActError: (error.code == .approvalRequired, error.amount)
        default: (false, nil)
        }
    }
}
