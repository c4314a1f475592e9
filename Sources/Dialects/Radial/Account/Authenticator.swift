//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import DialectKit
import Gateway
import HTTPTypes
import Payments
import Redaction

extension HTTPField.Name {
    static let apiKey = HTTPField.Name.known("apikey")
}

/// Finds out who calls, and makes sure of it.
struct Authenticator: Sendable {
    private static let keyBytesMax = 256

    let gateway: Gateway
    let dialect: DialectName
    let limits: CallerLimits

    /// The store that the path names, if the request has its key.
    ///
    /// A store that does not exist and a wrong key are answered alike: which stores there are is nobody's business.
    func authenticate(_ request: WireRequest, store: String) async throws(RadialFault) -> MerchantContext {
        guard let key = request.headers[.apiKey], !key.isEmpty else { throw RadialFault(.apiKeyMissing) }
        guard key.utf8.count <= Self.keyBytesMax, store.utf8.count <= 64 else { throw RadialFault(.apiKeyInvalid) }
        let attempt = self.limits.attempt(self.dialect, account: store, credential: key, from: request)
        if let seconds = attempt.waitSeconds { throw .throttled(seconds) }
        let found: MerchantContext?
        do throws(GatewayRefusal) {
            found = try await self.gateway.account(dialect: self.dialect, key: store)
        } catch {
            throw RadialFault(refusal: error)
        }
        guard let found, let matching = AccountSettings(found).secretName(ofAPIKey: Redacted(key)) else {
            attempt.failed(of: found)
            throw RadialFault(.apiKeyInvalid)
        }
        attempt.succeeded()
        self.gateway.noteUse(of: matching, by: found, in: request)
        if let seconds = self.limits.take(found) { throw .throttled(seconds) }
        return found
    }
}
