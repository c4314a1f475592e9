//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// How old a token may be.
public struct VerificationPolicy: Hashable, Sendable {
    public enum Window: Hashable, Sendable {
        /// The signing time must lie within these bounds of the clock that is passed to the verifier, both included.
        case live(ageMaxSeconds: Int64, futureMaxSeconds: Int64)
        /// The age does not matter: for reading tokens of the past. Never for taking payments.
        case archived
    }

    public var window: Window

    public init(window: Window) {
        self.window = window
    }

    /// Five minutes, as Apple's format asks for.
    public static let liveAgeMaxSeconds: Int64 = 300

    /// One minute into the future, for clocks that differ.
    public static let liveFutureMaxSeconds: Int64 = 60

    /// A token signed just now, as a gateway takes it: no older and no newer than the two bounds above.
    public static let live = VerificationPolicy(
        window: .live(ageMaxSeconds: liveAgeMaxSeconds, futureMaxSeconds: liveFutureMaxSeconds))

    /// Certificates are judged at the signing time and the token's age is not judged at all.
    public static let archived = VerificationPolicy(window: .archived)
}
