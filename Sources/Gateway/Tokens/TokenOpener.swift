//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ApplePayToken
import Foundation
import Payments
import Time

/// Opens tokens for a merchant: verifies, keeps sandbox and live apart, decrypts.
///
/// All roots are tried for every merchant, so that a crossing gets a sentence of its own instead of "untrusted";
/// nothing is decrypted before the modes have been compared.
struct TokenOpener: Sendable {
    private let live: TokenVerifier
    private let sandbox: TokenVerifier
    private let sandboxAnchorIDs: Set<String>
    /// `nil` once the simulator's root is there.
    private let late: LateSandboxTrust<TokenOpener>?

    init(_ parts: GatewayParts) {
        let late = parts.findSandboxTrustRoots.map { find in
            LateSandboxTrust(now: parts.steadyClock) { () -> TokenOpener? in
                let roots = find()
                guard !roots.isEmpty else { return nil }
                return TokenOpener(parts.liveTrustRoots, roots, parts.settings, late: nil)
            }
        }
        self.init(
            parts.liveTrustRoots, parts.sandboxTrustRoots, parts.settings,
            late: parts.sandboxTrustRoots.isEmpty ? late : nil)
    }

    private init(
        _ liveTrustRoots: [TrustAnchor], _ sandboxTrustRoots: [TrustAnchor], _ settings: GatewaySettings,
        late: LateSandboxTrust<TokenOpener>?
    ) {
        let cache = IssuerChainCache()
        let verifier = { (ageSecondsMax: Int64) in
            TokenVerifier(
                trustRoots: liveTrustRoots + sandboxTrustRoots,
                policy: VerificationPolicy(
                    window: .live(ageMaxSeconds: ageSecondsMax, futureMaxSeconds: settings.tokenClockSkewSecondsMax)),
                cache: cache)
        }
        self.live = verifier(settings.liveTokenAgeSecondsMax)
        self.sandbox = verifier(settings.sandboxTokenAgeSecondsMax)
        self.sandboxAnchorIDs = Set(sandboxTrustRoots.map(\.id))
        self.late = late
    }

    /// The simulator's root is sandbox altogether. Apple signs sandbox and live under one root and names the sandbox in
    /// the leaf ("ecc-smp-broker-sign_UC4-SANDBOX"); a leaf that says neither is live, which only a live merchant may
    /// take.
    private func mode(of token: VerifiedToken) -> Mode {
        if self.sandboxAnchorIDs.contains(token.anchor.id) { return .sandbox }
        return token.signerName?.uppercased().hasSuffix("-SANDBOX") == true ? .sandbox : .live
    }

    /// - Throws: ``GatewayRefusal/token(_:)``, ``GatewayRefusal/modeCrossed(merchant:token:)``.
    func open(
        _ token: UnverifiedToken, for mode: Mode, keys: TokenKeyring, applicationData: [UInt8]?, at now: Timestamp
    ) throws(GatewayRefusal) -> DecryptedToken {
        let verified = try self.verify(token, for: mode, applicationData: applicationData, at: now)
        do throws(TokenError) {
            return try verified.decrypt(with: keys)
        } catch {
            throw .token(error)
        }
    }

    /// What can be known without a key: that Apple signed it, when, and for which mode.
    ///
    /// - Throws: as ``open(_:for:keys:applicationData:at:)``.
    func verify(
        _ token: UnverifiedToken, for mode: Mode, applicationData: [UInt8]?, at now: Timestamp
    ) throws(GatewayRefusal) -> VerifiedToken {
        guard let late = self.late else {
            return try self.verifyAsItStands(token, for: mode, applicationData: applicationData, at: now)
        }
        // A live merchant's token costs a look only where it is refused, and never leads to one at the disk.
        let first = mode == .sandbox ? late.found ?? self : self
        do throws(GatewayRefusal) {
            return try first.verifyAsItStands(token, for: mode, applicationData: applicationData, at: now)
        } catch {
            guard case .token(let cause) = error, cause.code == .rootUntrusted,
                let other = mode == .sandbox ? late.look() : late.found
            else { throw error }
            return try other.verifyAsItStands(token, for: mode, applicationData: applicationData, at: now)
        }
    }

    private func verifyAsItStands(
        _ token: UnverifiedToken, for mode: Mode, applicationData: [UInt8]?, at now: Timestamp
    ) throws(GatewayRefusal) -> VerifiedToken {
        let verifier = mode == .live ? self.live : self.sandbox
        let verified: VerifiedToken
        do throws(TokenError) {
            verified = try verifier.verify(
                token, at: Date(timeIntervalSince1970: TimeInterval(now.seconds)),
                expecting: TokenExpectations(applicationData: applicationData))
        } catch {
            throw .token(error)
        }
        let tokenMode = self.mode(of: verified)
        guard tokenMode == mode else { throw .modeCrossed(merchant: mode, token: tokenMode) }
        return verified
    }
}
