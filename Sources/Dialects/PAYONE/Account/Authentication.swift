//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import DialectKit
import Gateway
import Payments
import Redaction

extension PAYONE {
    /// Finds the account by its portal, and makes sure of the caller by its key.
    ///
    /// Which merchant, sub-account and mode are wrong is said only to a caller who knows the key.
    func authenticate(_ form: ReceivedForm, from request: WireRequest) async throws(PAYONEError) -> MerchantContext {
        let parameters = try form.checked(by: ParameterTables.account)
        let portalID = try parameters.required("portalid")
        let key = Redacted(try parameters.required("key"))
        let attempt = self.limits.attempt(self.name, account: portalID, credential: key.reveal(), from: request)
        if let seconds = attempt.waitSeconds { throw .throttled(seconds) }
        let found: MerchantContext?
        do throws(GatewayRefusal) {
            found = try await self.gateway.account(dialect: self.name, key: portalID)
        } catch {
            throw PAYONEError(error)
        }
        guard let merchant = found else {
            attempt.failed()
            throw PAYONEError(.portalUnknown)
        }
        let digest: MerchantContext.SecretDigest = key.reveal().utf8.count == 32 ? .md5 : .sha384
        guard merchant.matches(key, digest: digest, of: AccountSettings.keyName) else {
            attempt.failed(of: merchant)
            throw PAYONEError(.keyWrong)
        }
        attempt.succeeded()
        let account = AccountSettings(merchant)
        guard account.merchantID == parameters["mid"] else { throw PAYONEError(.merchantIDWrong) }
        guard account.subAccounts.contains(try parameters.required("aid")) else {
            throw PAYONEError(.subAccountWrong)
        }
        guard parameters["mode"] == merchant.merchant.mode.wireText else {
            let mode = merchant.merchant.mode.wireText
            throw PAYONEError(.modeWrong, "This is an account for mode \(mode). Send mode=\(mode).")
        }
        if let seconds = self.limits.take(merchant) { throw .throttled(seconds) }
        return merchant
    }
}

extension Mode {
    /// What the wire calls it.
    var wireText: String {
        switch self {
        case .sandbox: "test"
        case .live: "live"
        }
    }
}
