//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Foundation
public import StrictJSON
public import Time
public import WalletSimulator

/// What a merchant session says, once its signature has been found good.
public struct MerchantSessionInfo: Hashable, Sendable {
    /// What makes this session itself and no other.
    public var identifier: String
    /// The merchant for whom it was given: "merchant.dev.pomona.tappay".
    public var merchantIdentifier: String
    public var displayName: String
    /// The domain for which it was given.
    public var domainName: String
    public var expiresAt: Timestamp

    public init(
        identifier: String, merchantIdentifier: String, displayName: String, domainName: String, expiresAt: Timestamp
    ) {
        self.identifier = identifier
        self.merchantIdentifier = merchantIdentifier
        self.displayName = displayName
        self.domainName = domainName
        self.expiresAt = expiresAt
    }
}

/// Why a merchant session is not taken.
public enum MerchantSessionFault: Error, Hashable, Sendable, CaseIterable {
    /// Not signed by the simulated Apple, or changed since.
    case forged
    case expired
    /// Given for another domain than the page's.
    case domainDiffers
}

/// Checks a session that a page has brought, against the page's host ("localhost") and the time.
public typealias MerchantSessionCheck =
    @Sendable (_ session: JSON, _ host: String, _ now: Timestamp) throws(MerchantSessionFault) -> MerchantSessionInfo

/// The sessions that sheets were opened with, until they expire anyway. Bounded: when it is full, nothing new is taken.
///
/// "You can only use a merchant session object a single time" (Apple Pay on the Web, `completeMerchantValidation`): it
/// is its first sheet's. That one stays open after a payment that the shop refuses with errors, and pays again.
struct SessionMemory {
    static let sessionsMax = 4096
    static let tokensPerSessionMax = 5

    private struct Use {
        let sheetID: String
        let expiresAt: Timestamp
        var tokensCount = 0
    }

    private var used: [String: Use] = [:]

    enum Verdict: Hashable {
        case fresh
        case otherSheet
        case usedUp
        case full
    }

    /// Opens a sheet with a session. The same sheet may ask again.
    mutating func open(_ session: MerchantSessionInfo, sheetID: String, now: Timestamp) -> Verdict {
        if let use = self.used[session.identifier] { return use.sheetID == sheetID ? .fresh : .otherSheet }
        if self.used.count >= Self.sessionsMax { self.used = self.used.filter { $0.value.expiresAt > now } }
        guard self.used.count < Self.sessionsMax else { return .full }
        self.used[session.identifier] = Use(sheetID: sheetID, expiresAt: session.expiresAt)
        return .fresh
    }

    /// Takes a session for one more token of its sheet.
    mutating func take(_ session: MerchantSessionInfo, sheetID: String, now: Timestamp) -> Verdict {
        let verdict = self.open(session, sheetID: sheetID, now: now)
        guard verdict == .fresh else { return verdict }
        let tokensCount = self.used[session.identifier]?.tokensCount ?? 0
        guard tokensCount < Self.tokensPerSessionMax else { return .usedUp }
        self.used[session.identifier]?.tokensCount += 1
        return .fresh
    }
}

extension WalletParts {
    /// Checks sessions that the sandbox's simulated Apple gave out, for these merchants. Sessions name a merchant by a
    /// digest; that of a merchant who is not among these stays one.
    public static func sessionCheck(
        authority: TestAuthority, merchantIdentifiers: [String]
    ) -> MerchantSessionCheck {
        { json, host, now throws(MerchantSessionFault) in
            let session: SimulatedMerchantSession
            do throws(SimulatorError) {
                session = try SimulatedMerchantSession.verify(
                    json.serialized(), host: host, now: now.walletDate, authority: authority)
            } catch {
                switch error.code {
                case .sessionExpired: throw .expired
                case .domainDiffers: throw .domainDiffers
                default: throw .forged
                }
            }
            let merchant = merchantIdentifiers.first { session.belongs(to: $0) }
            return MerchantSessionInfo(
                identifier: session.merchantSessionIdentifier,
                merchantIdentifier: merchant ?? session.merchantIdentifierHash, displayName: session.displayName,
                domainName: session.domainName, expiresAt: Timestamp(milliseconds: session.expiresAt))
        }
    }
}

extension Timestamp {
    /// For the parts that take a date.
    var walletDate: Date { Date(timeIntervalSince1970: TimeInterval(self.milliseconds) / 1000) }
}
