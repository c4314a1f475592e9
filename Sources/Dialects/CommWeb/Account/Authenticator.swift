//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ASCII
import DialectKit
import Gateway
import HTTPTypes
import Redaction

/// Finds out who calls.
struct Authenticator: Sendable {
    let gateway: Gateway
    let sessions: SessionStore
    let limits: CallerLimits

    /// The merchant of the URL, if the caller has shown to be it; otherwise one and the same refusal, whatever was
    /// wrong.
    ///
    /// A session's id cannot be guessed, and comes from customers' devices: it neither counts as a guess nor waits, and
    /// takes nothing from what the merchant may ask.
    func caller(
        merchantID: String, credentials: Credentials?, from request: WireRequest
    ) async throws(CommWebError) -> Caller {
        let password = credentials?.password.reveal() ?? ""
        let isSession = Session.isID(password)
        let attempt = self.limits.attempt(
            CommWeb.dialectName, account: merchantID, credential: password, from: request)
        let certificate = request.clientCertificate
        if let seconds = attempt.waitSeconds, certificate == nil, !isSession { throw .throttled(seconds) }
        let account = try await self.account(merchantID)
        if let certificate, let account, AccountSettings(account).isOwnCertificate(sha256: certificate.sha256) {
            self.gateway.noteUse(of: AccountSettings.clientCertificateSHA256Name, by: account, in: request)
            return try self.rated(Caller(merchant: account, means: .certificate))
        }
        if let seconds = attempt.waitSeconds, !isSession { throw .throttled(seconds) }
        guard let merchant = account else {
            if !isSession { attempt.failed() }
            throw CommWebError(.credentialsInvalid)
        }
        guard let credentials, credentials.isUser(of: merchantID), !password.isEmpty else {
            throw CommWebError(.credentialsInvalid)
        }
        let matching = merchant.matching(
            credentials.password, of: AccountSettings.password, or: AccountSettings.secondPassword)
        if let matching, attempt.waitSeconds == nil {
            attempt.succeeded()
            self.gateway.noteUse(of: matching, by: merchant, in: request)
            return try self.rated(Caller(merchant: merchant, means: .password))
        }
        guard isSession else {
            attempt.failed(of: merchant)
            throw CommWebError(.credentialsInvalid)
        }
        guard try await self.sessions.exists(password, of: merchant) else { throw CommWebError(.credentialsInvalid) }
        return Caller(merchant: merchant, means: .session(password))
    }

    private func rated(_ caller: Caller) throws(CommWebError) -> Caller {
        if let seconds = self.limits.take(caller.merchant) { throw .throttled(seconds) }
        return caller
    }

    /// Mobile SDKs for versions below 50 update a session with nothing but its id, which nobody can guess.
    func legacyCaller(merchantID: String, sessionID: String) async throws(CommWebError) -> Caller {
        guard let merchant = try await self.account(merchantID) else { throw CommWebError(.credentialsInvalid) }
        return Caller(merchant: merchant, means: .sessionID(sessionID))
    }

    private func account(_ merchantID: String) async throws(CommWebError) -> MerchantContext? {
        guard Self.isMerchantID(merchantID) else { return nil }
        do throws(GatewayRefusal) {
            return try await self.gateway.account(dialect: CommWeb.dialectName, key: merchantID)
        } catch {
            throw CommWebError(error, of: nil)
        }
    }

    private static func isMerchantID(_ text: String) -> Bool {
        (1...40).contains(text.utf8.count) && text.utf8.allSatisfy(ASCII.isNameCharacter)
    }
}

extension Caller {
    /// Refuses what the caller may not do, whether for how it authenticated or for its profile.
    func checkPermission(for call: Call) throws(CommWebError) {
        switch self.means {
        case .password, .certificate: break
        case .session(let id), .sessionID(let id):
            guard call.operation.isOfSession, call.sessionID == id else {
                throw CommWebError(.sessionNotPermitted, field: "apiOperation", .unsupported)
            }
        }
        guard AccountSettings(self.merchant).permits(call.operation) else {
            throw CommWebError(
                .operationNotPermitted, "The merchant's profile does not permit \(call.operation.rawValue).",
                field: "apiOperation", .unsupported)
        }
    }

    /// Whether the answer shows the card's number: only a caller with a certificate may ask for that.
    func unmasks(_ call: Call) throws(CommWebError) -> Bool {
        let path = "responseControls.sensitiveData"
        // Of any characters, at most 50 (Mastercard Gateway, API reference): what is no UNMASK leaves it masked.
        guard try call.fields.text(path, max: 50, as: .text) == "UNMASK" else { return false }
        guard self.means == .certificate else { throw CommWebError(.unmaskNotPermitted, field: path, .unsupported) }
        return true
    }
}
