//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ASCII
import Gateway
import StrictJSON

/// What an account says of its front end, besides its app key.
struct FrontEndSettings: Sendable {
    static let allowedAppNamesName = "allowedAppNames"
    static let disabledMerchantIdentifiersName = "disabledMerchantIdentifiers"
    static let iosSDKVersionMinName = "iosSDKVersionMin"

    private let settings: [String: String]

    init(_ merchant: MerchantContext) {
        self.settings = merchant.settings
    }

    /// Whether `app_name` is the app's. An account that lists no names takes any.
    func permits(appName: String) -> Bool {
        let names = self.list(Self.allowedAppNamesName)
        return names.isEmpty || names.contains(where: appName.isExactly)
    }

    /// Whether the operator has switched an Apple merchant identifier off.
    func isDisabled(merchantIdentifier: String) -> Bool {
        self.list(Self.disabledMerchantIdentifiersName).contains(merchantIdentifier)
    }

    /// Whether the operator has switched the identifier off that a token was made for.
    func isDisabled(_ token: KeptToken) -> Bool {
        self.list(Self.disabledMerchantIdentifiersName).contains { token.isFor(merchantIdentifier: $0) }
    }

    /// The oldest TPDirect for iOS that is taken; `nil` for any.
    var iosSDKVersionMin: SDKVersion? { self.settings[Self.iosSDKVersionMinName].flatMap(SDKVersion.init) }

    /// Comma-separated; blanks around a name don't count, within it they do.
    private func list(_ name: String) -> [String] {
        (self.settings[name] ?? "").split(separator: ",").map { element in
            String(element.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
        }.filter { !$0.isEmpty }
    }
}

/// "2.17.0": two to four numbers.
struct SDKVersion: Hashable, Sendable, Comparable {
    private let numbers: [Int]

    init?(_ text: String) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        let numbers = parts.compactMap { part in
            ASCII.isDigits(part, 1...5) ? Int(part) : nil
        }
        guard (2...4).contains(parts.count), numbers.count == parts.count else { return nil }
        self.numbers = numbers + Array(repeating: 0, count: 4 - numbers.count)
    }

    static func < (lhs: SDKVersion, rhs: SDKVersion) -> Bool { lhs.numbers.lexicographicallyPrecedes(rhs.numbers) }
}
