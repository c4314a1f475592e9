//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Payments

/// The gateway's numbers. The defaults are those of docs/configuration.md, for the keys that there are: the program takes
/// them from here. What a dialect's notifications wait is said by the program alone, since no dialect is known here.
public struct GatewaySettings: Hashable, Sendable {
    /// How long an acquirer may take before its answer counts as unknown. More than a connector's own limit for a charge,
    /// 30 seconds by default: the connector's ending says whether anything was sent, and the gateway's does not.
    public var acquirerDeadlineSeconds: Int64
    /// How long after it was begun a pending operation is left alone by recovery. More than the deadline.
    public var recoveryGraceSeconds: Int64
    /// How often recovery asks the acquirer before it takes the operation back.
    public var recoveryQueriesMax: Int
    /// How long a recovery, or a planned capture, is left to the worker that took it. More than the deadline, or two
    /// workers do the same.
    public var jobLeaseSeconds: Int64
    /// The same of a notification; more than one attempt to send it may take.
    public var deliveryLeaseSeconds: Int64
    /// The age of a token, from its signing time. Apple, "Payment token format reference": a few minutes.
    public var liveTokenAgeSecondsMax: Int64
    /// Longer than for live tokens, so that a tester may take his time.
    public var sandboxTokenAgeSecondsMax: Int64
    /// How far in the future a signing time may lie, for clocks that differ.
    public var tokenClockSkewSecondsMax: Int64
    /// How long an account may be served from memory after it has been changed by another process.
    public var accountCacheSeconds: Int64
    /// How often a data key seals before a new one is made. NIST SP 800-38D, section 8.3 ends it at 2^32.
    public var dataKeyMessagesMax: Int64
    /// How often this process seals before it adds that to the store's count.
    public var dataKeyMessagesStep: Int64
    /// How long a dialect's events wait before they are sent, by its name; nothing for those that are not named.
    public var notificationDelaysSeconds: [DialectName: Int64]
    /// The longest wait of any dialect's schedule between two attempts to notify: PAYONE's last.
    public var notificationStepSecondsMax: Int64 = 28_800
    /// How long an event is kept of which its merchant has been notified.
    public var eventsKeptSeconds: Int64
    /// How long a refused call is kept.
    public var refusalsKeptSeconds: Int64
    /// How many refused calls are kept at most; the newest are.
    public var refusalsKeptMax: Int
    /// How long repeats of a call are known, no less than ``IdempotencyClaim/secondsKeptMin``; `nil` for ever.
    public var claimsKeptSeconds: Int64?
    /// How long what needs a second person waits for one.
    public var approvalSeconds: Int64
    /// The merchant whose identity Apple is shown for merchants that have none: a platform integrator, who has
    /// registered them ("Apple Pay Web Merchant Registration API"). `nil` for none.
    public var platformMerchant: String?
    /// On which hosts pages of sandbox merchants need no registered domain: a sandbox's own, in lower case.
    public var sandboxPageHosts: Set<String> = []
    /// How long a call's answer may take: a walk over a merchant's payments goes on no longer, and no reversal is waited
    /// for beyond it.
    public var answerSecondsMax: Int64 = 45
    /// Whether those who administer some merchants alone may name acquirers' hosts on this machine and in its network.
    public var allowsPrivateAcquirers: Bool
    /// Whether one process owns the store. Then whatever was pending when it started was orphaned by a crash and is
    /// recovered at once.
    public var ownsStore: Bool

    /// - Parameters:
    ///   - recoveryGraceSeconds: ten seconds more than the deadline for `nil`.
    ///   - jobLeaseSeconds: likewise, and no less than 30.
    public init(
        acquirerDeadlineSeconds: Int64 = 32, recoveryGraceSeconds: Int64? = nil, recoveryQueriesMax: Int = 3,
        jobLeaseSeconds: Int64? = nil, deliveryLeaseSeconds: Int64 = 30, liveTokenAgeSecondsMax: Int64 = 300,
        sandboxTokenAgeSecondsMax: Int64 = 3600, tokenClockSkewSecondsMax: Int64 = 60,
        accountCacheSeconds: Int64 = 10, dataKeyMessagesMax: Int64 = 1 << 30, dataKeyMessagesStep: Int64 = 1024,
        notificationDelaysSeconds: [DialectName: Int64] = [:],
        eventsKeptSeconds: Int64 = 90 * 86_400, refusalsKeptSeconds: Int64 = 30 * 86_400,
        refusalsKeptMax: Int = 100_000, claimsKeptSeconds: Int64? = nil,
        approvalSeconds: Int64 = 86_400, platformMerchant: String? = nil,
        allowsPrivateAcquirers: Bool = false, ownsStore: Bool = true
    ) {
        self.acquirerDeadlineSeconds = acquirerDeadlineSeconds
        self.recoveryGraceSeconds = recoveryGraceSeconds ?? acquirerDeadlineSeconds + 10
        self.recoveryQueriesMax = recoveryQueriesMax
        self.jobLeaseSeconds = jobLeaseSeconds ?? max(30, acquirerDeadlineSeconds + 10)
        self.deliveryLeaseSeconds = deliveryLeaseSeconds
        self.liveTokenAgeSecondsMax = liveTokenAgeSecondsMax
        self.sandboxTokenAgeSecondsMax = sandboxTokenAgeSecondsMax
        self.tokenClockSkewSecondsMax = tokenClockSkewSecondsMax
        self.accountCacheSeconds = accountCacheSeconds
        self.dataKeyMessagesMax = dataKeyMessagesMax
        self.dataKeyMessagesStep = dataKeyMessagesStep
        self.notificationDelaysSeconds = notificationDelaysSeconds
        self.eventsKeptSeconds = eventsKeptSeconds
        self.refusalsKeptSeconds = refusalsKeptSeconds
        self.refusalsKeptMax = refusalsKeptMax
        self.claimsKeptSeconds = claimsKeptSeconds
        self.approvalSeconds = approvalSeconds
        self.platformMerchant = platformMerchant
        self.allowsPrivateAcquirers = allowsPrivateAcquirers
        self.ownsStore = ownsStore
    }

    /// How long at most, from now, a token may still be taken that is taken now: until it is too old, by a device's
    /// clock that is ahead.
    func tokenAcceptanceSecondsMax(_ mode: Mode) -> Int64 {
        let age =
            switch mode {
            case .live: self.liveTokenAgeSecondsMax
            case .sandbox: self.sandboxTokenAgeSecondsMax
            }
        // A second more, since both bounds are still within.
        return age + self.tokenClockSkewSecondsMax + 1
    }
}
