//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Redaction
import StrictJSON
public import Time

/// A sign-in that is under way at a provider: what the browser carries there and back, in a cookie that is sealed.
///
/// There is no table of these. What a row would be for is done by the cookie: that the way back ends in the browser in
/// which it began (RFC 6819, section 5.3.5), at the provider that it left for, in time. And what a row that is deleted would prevent, a second
/// use, fails anyway: the code is redeemed once (RFC 6749, section 4.1.2), and the ID token that it gives is bound to
/// this nonce. Within one process a second use is refused without asking the provider (``UsedStates``).
public struct PendingSignIn: Hashable, Sendable {
    /// The provider's name.
    public let provider: String
    /// What the provider hands back unchanged: 256 random bits, so that nobody else can make a way back.
    let state: Redacted<String>
    /// What the ID token has to name: a token of another sign-in does not.
    let nonce: Redacted<String>
    /// RFC 7636: who redeems the code shows that he has asked for it.
    let verifier: Redacted<String>
    public let endsAt: Timestamp

    init(provider: String, state: String, nonce: String, verifier: String, endsAt: Timestamp) {
        self.provider = provider
        self.state = Redacted(state)
        self.nonce = Redacted(nonce)
        self.verifier = Redacted(verifier)
        self.endsAt = endsAt
    }

    /// To be sealed.
    public var serialized: Redacted<[UInt8]> {
        Redacted(
            JSON.array([
                .string(self.provider), .string(self.state.reveal()), .string(self.nonce.reveal()),
                .string(self.verifier.reveal()), JSON(self.endsAt.milliseconds),
            ]).serialized())
    }

    public init?(serialized: Redacted<[UInt8]>) {
        guard let parts = (try? JSON.parse(serialized.reveal()))?.array, parts.count == 5,
            let provider = parts[0].string, let state = parts[1].string, let nonce = parts[2].string,
            let verifier = parts[3].string, let milliseconds = parts[4].integer
        else { return nil }
        self.init(
            provider: provider, state: state, nonce: nonce, verifier: verifier,
            endsAt: Timestamp(milliseconds: milliseconds))
    }
}
