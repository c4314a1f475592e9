//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ASCII

/// Why a text is no list of affiliate codes, or a code or BIN none.
public struct AffiliateCodesError: Error, Hashable, Sendable, CustomStringConvertible {
    public let description: String

    init(_ description: String) {
        self.description = description
    }
}

/// The codes of a merchant's co-branded cards, by BIN: what the vendor's portal calls co-brand card management.
///
/// An account keeps them in one setting: "424242=ABC,DEF;489537=XYZ".
public struct AffiliateCodes: Hashable, Sendable {
    public static let settingName = "affiliateCodes"

    /// The vendor's bound.
    static let codeCharactersMax = 20
    static let codesMax = 20
    static let binsMax = 1000
    /// ISO/IEC 7812-1:2015 gives issuers six digits, or of late eight; six are what is kept of a number.
    static let binDigitsCount = BINTable.digitsMax

    /// Codes by BIN, in the order in which they were given.
    public private(set) var codes: [String: [String]] = [:]

    public init() {}

    /// Reads the setting; an empty text has none.
    public init(setting: String) throws(AffiliateCodesError) {
        guard !setting.isEmpty else { return }
        for entry in setting.split(separator: ";", omittingEmptySubsequences: false) {
            let parts = entry.split(separator: "=", omittingEmptySubsequences: false)
            guard parts.count == 2 else {
                throw AffiliateCodesError("must be BIN=CODE,CODE;BIN=CODE, for example 424242=ABC,DEF;489537=XYZ")
            }
            let bin = String(parts[0])
            guard self.codes[bin] == nil else { throw AffiliateCodesError("names the BIN \(bin) twice") }
            try self.set(
                parts[1].split(separator: ",", omittingEmptySubsequences: false).map(String.init), bin: bin)
        }
    }

    /// As the setting has it, the BINs in their order.
    public var setting: String {
        self.codes.keys.sorted().map { "\($0)=\((self.codes[$0] ?? []).joined(separator: ","))" }
            .joined(separator: ";")
    }

    /// Puts the codes of a BIN in the place of earlier ones.
    public mutating func set(_ codes: [String], bin: String) throws(AffiliateCodesError) {
        guard bin.utf8.count == Self.binDigitsCount, bin.utf8.allSatisfy(ASCII.isDigit) else {
            throw AffiliateCodesError("a BIN must have \(Self.binDigitsCount) digits")
        }
        guard (1...Self.codesMax).contains(codes.count) else {
            throw AffiliateCodesError("a BIN must have 1 to \(Self.codesMax) codes")
        }
        guard codes.allSatisfy(Self.isCode) else {
            throw AffiliateCodesError(
                "a code must have 1 to \(Self.codeCharactersMax) half-width letters and digits")
        }
        guard Set(codes).count == codes.count else { throw AffiliateCodesError("a BIN has a code twice") }
        guard self.codes[bin] != nil || self.codes.count < Self.binsMax else {
            throw AffiliateCodesError("there may be at most \(Self.binsMax) BINs")
        }
        self.codes[bin] = codes
    }

    /// Takes the codes of a BIN away.
    ///
    /// - Returns: whether there were any.
    @discardableResult
    public mutating func remove(bin: String) -> Bool {
        self.codes.removeValue(forKey: bin) != nil
    }

    /// The codes of a card by its first digits.
    func codes(of bin: String) -> [String] { self.codes[String(bin.prefix(Self.binDigitsCount))] ?? [] }

    private static func isCode(_ code: String) -> Bool {
        (1...self.codeCharactersMax).contains(code.utf8.count)
            && code.utf8.allSatisfy(ASCII.isAlphanumeric)
    }
}
