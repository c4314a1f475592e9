//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ASCII
public import Money
public import Payments
import Settings

/// Somebody who is to administer.
public struct PersonDraft: Sendable {
    /// What signs in: 1–64 lower-case letters, digits, and ".", "-", "_", "@".
    public var userName: String
    public var displayName: String
    public var email: String?
    public var role: Role
    /// For these merchants; `nil` for all.
    public var merchants: Set<MerchantID>?
    /// What may be refunded at most in one refund, in minor units: nothing in a currency that is not named. `nil` for no
    /// limit.
    public var refundLimits: [Currency: Int64]?
    public var externalIdentity: ExternalIdentity?

    public init(
        userName: String, displayName: String, email: String? = nil, role: Role, merchants: Set<MerchantID>? = nil,
        refundLimits: [Currency: Int64]? = nil, externalIdentity: ExternalIdentity? = nil
    ) {
        self.userName = userName
        self.displayName = displayName
        self.email = email
        self.role = role
        self.merchants = merchants
        self.refundLimits = refundLimits
        self.externalIdentity = externalIdentity
    }
}

/// What is to be changed of a person.
public struct PersonChange: Sendable {
    /// Whether a field gets another value, which may be none.
    public enum Field<Value: Sendable>: Sendable {
        case unchanged
        case set(Value)

        func applied(to value: inout Value) {
            if case .set(let new) = self { value = new }
        }
    }

    public var displayName = Field<String>.unchanged
    public var email = Field<String?>.unchanged
    public var role = Field<Role>.unchanged
    public var merchants = Field<Set<MerchantID>?>.unchanged
    public var refundLimits = Field<[Currency: Int64]?>.unchanged
    public var externalIdentity = Field<ExternalIdentity?>.unchanged

    public init() {}
}

/// What a person's fields may be.
enum PersonRules {
    static func isUserName(_ name: String) -> Bool {
        let isPlain = name.utf8.allSatisfy {
            ASCII.isSmallLetter($0) || ASCII.isDigit($0) || Self.signs.contains($0)
        }
        let first = name.utf8.first.map { ASCII.isSmallLetter($0) || ASCII.isDigit($0) } ?? false
        return isPlain && first && name.utf8.count <= 64
    }

    private static let signs = Set(".-_@".utf8)

    static func check(userName: String) throws(AdministrationError) {
        guard Self.isUserName(userName) else {
            throw AdministrationError(
                .userNameMalformed,
                "A user name has 1 to 64 lower-case letters, digits, and . - _ @ after the first of them.")
        }
    }

    /// - Throws: ``AdministrationError`` `display_name_malformed`, `email_malformed`, `refund_limit_invalid`.
    static func check(_ person: Person) throws(AdministrationError) {
        if let problem = SettingRules.text(64)(person.displayName) {
            throw AdministrationError(.displayNameMalformed, "The display name \(problem).")
        }
        if let email = person.email, !Self.isEmail(email) {
            throw AdministrationError(.emailMalformed, "An e-mail address is written like name@shop.example.")
        }
        try person.refundLimits?.check()
    }

    /// Enough to see that a field holds an address: whether mail arrives, mail shows.
    private static func isEmail(_ text: String) -> Bool {
        let parts = text.split(separator: "@", omittingEmptySubsequences: false)
        let isPlain = text.unicodeScalars.allSatisfy { !ASCII.isControl($0) && !$0.properties.isWhitespace }
        return isPlain && parts.count == 2 && parts.allSatisfy { !$0.isEmpty } && text.utf8.count <= 254
    }
}
