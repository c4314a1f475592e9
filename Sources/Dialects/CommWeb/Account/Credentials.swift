//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import DialectKit
import Gateway
import HTTPTypes
import Redaction
import StrictJSON

/// What a caller shows: the user name and the password, from a header or from a form.
struct Credentials: Sendable {
    static let userPrefix = "merchant."

    let user: String
    let password: Redacted<String>

    /// Basic authentication (RFC 7617); the vendor's mobile SDK leaves the word "Basic" out.
    ///
    /// - Returns: `nil` without the header.
    static func header(of request: WireRequest) throws(CommWebError) -> Credentials? {
        guard let value = request.headers[.authorization] else { return nil }
        guard let pair = BasicCredentials(header: value) ?? BasicCredentials(base64: value) else {
            throw CommWebError(.credentialsInvalid)
        }
        return Credentials(user: pair.user, password: pair.password)
    }

    /// `apiUsername` and `apiPassword` of the form flavor.
    static func fields(_ fields: RequestFields) throws(CommWebError) -> Credentials? {
        guard let password = try fields.text("apiPassword", max: 256) else { return nil }
        let user = try fields.text("apiUsername", max: 128) ?? ""
        return Credentials(user: user, password: Redacted(password))
    }

    /// Whether the user name is the merchant's: "merchant.ID", or nothing, as very old clients have it.
    func isUser(of merchantID: String) -> Bool {
        self.user.isEmpty || self.user.isExactly(Self.userPrefix + merchantID)
    }
}

/// Who calls, and how that is known.
struct Caller: Sendable {
    enum Means: Hashable, Sendable {
        case password
        case certificate
        /// With a session's id for a password: for that session's own operations only.
        case session(String)
        /// An old mobile SDK's update of a session: whoever knows the id.
        case sessionID(String)
    }

    let merchant: MerchantContext
    let means: Means
}
