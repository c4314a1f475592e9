//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

extension Gateway {
    /// Of the names that a dialect draws, two in a row are not taken by chance.
    private static let drawsMax = 8

    /// Begins something under a reference that is drawn at random, and that must be free: where it is taken, nothing has
    /// been begun and no token used up, and another one will do.
    ///
    /// - Parameters:
    ///   - kind: the reference's, as it stands in the command that `begin` makes.
    ///   - bytesCount: how many random bytes `begin` makes the reference of.
    /// - Throws: what `begin` throws; ``GatewayRefusal/referenceTaken(kind:)`` when something else must be wrong.
    public func fresh<Outcome: Sendable>(
        _ kind: String, bytesCount: Int,
        begin: (_ random: [UInt8]) async throws(GatewayRefusal) -> Outcome
    ) async throws(GatewayRefusal) -> Outcome {
        for _ in 1..<Self.drawsMax {
            do throws(GatewayRefusal) {
                return try await begin(self.random(bytesCount))
            } catch {
                guard error == .referenceTaken(kind: kind) else { throw error }
            }
        }
        return try await begin(self.random(bytesCount))
    }
}
