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
    /// Which merchant, sub-account and mode are wrong is shown only to who knows the key.
    func authenticate(
        _ form: ReceivedForm, for name: RequestName, from request: WireRequest
    ) async throws(PAYONEError) -> MerchantContext {
        let parameters = try form.checked(by: ParameterTables.account(of: name))
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
            throw PAYONEError(.portalUnknown, "There is no portal with this {portalid}.")
        }
        let digest: MerchantContext.SecretDigest = key.reveal().utf8.count == 32 ? .md5 : .sha384
        guard
            let matching = merchant.matching(key, digest, of: AccountSettings.keyName, or: AccountSettings.secondKey)
        else {
            attempt.failed(of: merchant)
            throw PAYONEError(.keyWrong, "{key} is not the portal's, as MD5 or SHA-384.")
        }
        attempt.succeeded()
        try Self.check(parameters, against: merchant)
        self.gateway.noteUse(of: matching, by: merchant, in: request)
        if let seconds = self.limits.take(merchant) { throw .throttled(seconds) }
        return merchant
    }

    private static func check(
        _ parameters: CheckedParameters, against merchant: MerchantContext
    ) throws(PAYONEError) {
        let account = AccountSettings(merchant)
        guard account.merchantID == parameters["mid"] else {
            throw PAYONEError(.merchantIDUnknown, "{mid} is not that of the portal's merchant.")
        }
        if let aid = parameters["aid"], !account.subAccounts.contains(aid) {
            throw PAYONEError(.subAccountUnknown, "{aid} is none of the portal's sub-accounts.")
        }
        let mode = merchant.merchant.mode
        guard parameters["mode"] == mode.wireText else {
            let code: ErrorCode = mode == .live ? .testModeNotAvailable : .liveModeNotAvailable
            throw PAYONEError(code, "{mode} must be \(mode.wireText): the account has no other.")
        }
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
