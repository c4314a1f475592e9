//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ASCII
public import Settings

/// How long calls may take. A limit below the vendor's own makes unknown outcomes of slow approvals.
public struct UpstreamDeadlines: Sendable {
    /// Of an authorization, a sale and a verification, for which an issuer is asked.
    public var chargeMilliseconds: Int64
    public var otherMilliseconds: Int64

    public init(chargeMilliseconds: Int64 = 30_000, otherMilliseconds: Int64 = 20_000) {
        self.chargeMilliseconds = chargeMilliseconds
        self.otherMilliseconds = otherMilliseconds
    }

    var longestSeconds: Int64 { (max(self.chargeMilliseconds, self.otherMilliseconds) + 999) / 1000 }
}

// MARK: - Settings of an account

extension UpstreamDeadlines {
    public static let chargeSecondsName = "chargeSeconds"
    public static let otherSecondsName = "otherSeconds"
    /// No slow issuer is given up in fewer, and no shop waits for more.
    static let bounds: ClosedRange<Int64> = 5...120

    /// Of every account whose connector calls over HTTPS.
    public static let settings: [SettingDescription] = [
        SettingDescription(
            Self.chargeSecondsName, Self.rule,
            "how long a call may take for which an issuer is asked, in seconds; 30 if left out. acquirer.deadlineSeconds "
                + "of the gateway's configuration should be more"),
        SettingDescription(
            Self.otherSecondsName, Self.rule, "how long any other call may take, in seconds; 20 if left out"),
    ]

    static let rule: SettingDescription.Rule = { value in
        ASCII.isDigits(value, 1...3) && Self.bounds.contains(Int64(value) ?? 0)
            ? nil : "must be a number of seconds from \(Self.bounds.lowerBound) to \(Self.bounds.upperBound)"
    }

    /// What an account's settings say instead.
    ///
    /// - Parameter settings: have been checked by their rules.
    func with(_ settings: [String: String]) -> UpstreamDeadlines {
        func milliseconds(_ name: String) -> Int64? { settings[name].flatMap { Int64($0) }.map { $0 * 1000 } }
        return UpstreamDeadlines(
            chargeMilliseconds: milliseconds(Self.chargeSecondsName) ?? self.chargeMilliseconds,
            otherMilliseconds: milliseconds(Self.otherSecondsName) ?? self.otherMilliseconds)
    }
}
