//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Foundation
public import Payments
public import WalletSimulator

/// The authorities of the test tokens, one whose root sandbox merchants trust and one whose root live merchants trust.
/// Made once, because making keys takes time.
public enum TestAuthorities {
    /// The moment at which every test gateway's clock begins: 2026-06-15T12:00:00Z.
    public static let now = Date(timeIntervalSince1970: 1_781_524_800)

    private static let sandboxResult = Result { try TestAuthority.make(now: Self.now) }
    private static let liveResult = Result { try TestAuthority.make(now: Self.now) }

    public static func authority(_ mode: Mode) throws -> TestAuthority {
        switch mode {
        case .sandbox: try Self.sandboxResult.get()
        case .live: try Self.liveResult.get()
        }
    }
}
