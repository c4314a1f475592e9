//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Money
public import Time

public enum RefusedCallTag: IdentifierTag { public static let prefix = "rfs_" }

public typealias RefusedCallID = Identifier<RefusedCallTag>

/// A call that was refused: nothing of it was begun, and nothing of it is kept but this. It says who called, what was
/// wrong and what to do, and holds nothing of a card, a token or a credential.
public struct RefusedCall: Hashable, Sendable, Identifiable {
    /// How far the call came. Those of a token follow each other as its checks do.
    public enum Stage: String, Hashable, Sendable, CaseIterable {
        /// It reached no route, or was turned away before it was looked at: a path, a method, a body too large, too
        /// many at once.
        case http
        /// Who calls is not known, or has to wait.
        case credentials
        /// What it asks for is not of the dialect's form.
        case fields
        /// The token's text: JSON, base64, lengths.
        case parse
        /// The token's signature.
        case signature
        /// The certificates of the token's signer.
        case chain
        /// The age of the token.
        case window
        /// What the merchant's request said beside the token.
        case expectation
        /// The key that the token was sealed for is none of the merchant's.
        case keySelection = "key_selection"
        case decryption
        /// What is in the token cannot be read.
        case payload
        /// The token is another amount's, another mode's, or has been used.
        case binding
        /// What the merchant has: certificates, acquirers, routes; or that it is suspended.
        case merchant
        /// What it names is not there.
        case lookup
        /// A rule of the payment or its order.
        case state
        /// A key or a reference that was used for something else.
        case idempotency
        /// Apple gave no merchant session.
        case session
        /// The gateway cannot record anything now.
        case store
    }

    public let id: RefusedCallID
    public let at: Timestamp
    /// Whose account the call named. Whether the caller has proved to be the merchant the stage says: not before
    /// ``Stage/credentials`` is passed. `nil` where no account was named, or there is none of that name.
    public let merchantID: MerchantID?
    public let dialect: DialectName
    /// What was asked for, in the dialect's word; "unknown" of a call that was refused before that was known.
    public let operation: String
    /// What the caller was answered: the dialect's code, "http_404" where it has none.
    public let wireCode: String
    public let stage: Stage
    /// The gateway's own stable name of what was wrong ("key_unknown"); the dialect's code where only the dialect
    /// knows.
    public let code: String
    /// What was wrong and what to do.
    public let text: String
    /// What the answer's X-Request-Id and the log call it.
    public let requestID: String
    /// Of a token: SHA-256 of the public key that it was sealed for, in lower-case hexadecimal.
    public let publicKeyHash: String?
    /// Whose key that is, "merchant.com.example.shop", where the store holds or held it.
    public let merchantIdentifier: String?
    /// What the call asked for, where it came that far.
    public let amount: Money?

    public init(
        id: RefusedCallID, at: Timestamp, merchantID: MerchantID?, dialect: DialectName, operation: String,
        wireCode: String, stage: Stage, code: String, text: String, requestID: String, publicKeyHash: String? = nil,
        merchantIdentifier: String? = nil, amount: Money? = nil
    ) {
        self.id = id
        self.at = at
        self.merchantID = merchantID
        self.dialect = dialect
        self.operation = operation
        self.wireCode = wireCode
        self.stage = stage
        self.code = code
        self.text = text
        self.requestID = requestID
        self.publicKeyHash = publicKeyHash
        self.merchantIdentifier = merchantIdentifier
        self.amount = amount
    }
}
