//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Crypto

/// How a token is minted, where Apple's own tokens differ or a test wants something fixed. The default is what
/// Apple has written since 2023.
public struct MintOptions: Sendable {
    // MARK: Variants that every verifier must accept

    /// SHA-256's AlgorithmIdentifier has NULL parameters, as in tokens until 2022.
    public var hasNullParameters = false
    /// The CMSAlgorithmProtection attribute is there; tokens of 2014 and 2015 lack it.
    public var hasAlgorithmProtection = true
    /// All lengths are definite. Apple's outer layers have indefinite ones.
    public var hasDefiniteLengths = false
    /// The intermediate stands before the leaf.
    public var putsIntermediateFirst = false
    /// The root stands among the certificates too.
    public var includesRoot = false
    /// JSON texts write `/` as `\/`; the payload too.
    public var escapesSolidus = false

    // MARK: Variants of the environment

    /// Base64 without `=`, as some integrations pass it on.
    public var omitsBase64Padding = false

    // MARK: Values to fix

    /// The device's ephemeral key for EC_v1; a new one if left out.
    public var ephemeralKey: P256.KeyAgreement.PrivateKey?
    /// Takes new ephemeral keys until the shared secret begins with a zero byte: about 256 of them.
    public var wantsLeadingZeroInSecret = false
    /// The content key of RSA_v1: 16 bytes; random if left out.
    public var contentKey: [UInt8]?
    /// Random and 32 bytes long if left out.
    public var transactionIdentifier: [UInt8]?
    /// The payload to encrypt, instead of the one that follows from request and card.
    public var plaintext: [UInt8]?

    /// What is to be wrong. Empty for a good token.
    public var forgeries: Set<Forgery> = []

    public init() {}

    /// The options for a token that is wrong in that way.
    public static func forged(_ forgeries: Forgery...) -> MintOptions {
        var options = MintOptions()
        options.forgeries = Set(forgeries)
        return options
    }

    func has(_ forgery: Forgery) -> Bool {
        self.forgeries.contains(forgery)
    }
}
