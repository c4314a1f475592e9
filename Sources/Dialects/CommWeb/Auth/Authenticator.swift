//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import DialectKit
import Gateway
import HTTPTypes
import Redaction

/// Finds out who calls.
struct Authenticator: Sendable {
    let gateway: Gateway
    let sessions: SessionStore

    /// The merchant of the URL, if the caller has shown to be it; otherwise one and the same refusal, whatever was
    /// wrong.
    func caller(
        merchantID: String, credentials: Credentials?, certificate: ClientCertificate?
    ) async throws(CommWebError) -> Caller {
        guard let merchant = try await self.account(merchantID) else { throw CommWebError(.credentialsInvalid) }
        if let certificate, AccountSettings(merchant).isOwnCertificate(sha256: certificate.sha256) {
            return Caller(merchant: merchant, means: .certificate)
        }
        guard let credentials, credentials.isUser(of: merchantID), !credentials.password.reveal().isEmpty else {
            throw CommWebError(.credentialsInvalid)
        }
        // Both are compared always, so that the time does not tell which one it was.
        let isFirst = merchant.matches(credentials.password, secret: AccountSettings.password)
        let isSecond = merchant.matches(credentials.password, secret: AccountSettings.secondPassword)
        if isFirst || isSecond { return Caller(merchant: merchant, means: .password) }
        let sessionID = credentials.password.reveal()
        guard Session.isID(sessionID), try await self.sessions.exists(sessionID, of: merchant) else {
            throw CommWebError(.credentialsInvalid)
        }
        return Caller(merchant: merchant, means: .session(sessionID))
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
        (1...40).contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "-"), UInt8(ascii: "_"):
                    true
                default: false
                }
            }
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
        guard try call.fields.choice(path, of: SensitiveData.self) != nil else { return false }
        guard self.means == .certificate else { throw CommWebError(.unmaskNotPermitted, field: path, .unsupported) }
        return true
    }
}
