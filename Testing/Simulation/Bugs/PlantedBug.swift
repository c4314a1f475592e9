//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// What can be made wrong, to see that the laws find it.
public enum PlantedBug: String, Hashable, Sendable, CaseIterable {
    /// Commits are acknowledged and now and then not kept.
    case storeForgetsCommits
    /// A payment is read as it was one version ago, and written over what has come since.
    case storeForgetsVersions
    case storeForgetsTokens
    case storeForgetsClaims
    case storeForgetsEvents
    /// Captures are booked twice.
    case acquirerBooksTwice
    /// Refunds are approved and not booked.
    case acquirerForgets
    /// Unknown outcomes stay so.
    case recoveryIsOff
    /// Later events are sent before earlier ones.
    case webhooksOvertake
}
