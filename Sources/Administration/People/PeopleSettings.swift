//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import DialectKit
public import Payments

/// What signing in takes, and how long it lasts. The composition decides it, once for all people.
public struct PeopleSettings: Sendable {
    /// Of new passwords. A password that was made with less work is proved anew at the next sign-in.
    public var passwordCost = ScryptCost.production
    /// How many passwords are proved at once: each takes 128 MiB at the production cost.
    public var derivationsMax = 2
    /// How many sign-ins wait for that; more are refused as busy.
    public var waitingDerivationsMax = 16
    /// Who must have a second factor (PCI DSS 4.0, 8.4.2: whoever gets at payments).
    public var secondFactorRoles = Set(Role.allCases)
    /// What an app that shows codes calls this Pomona.
    public var issuer = "Pomona"

    /// After how long without a request a session ends (PCI DSS 4.0, 8.2.8: 15 minutes at most where cardholder data is
    /// shown, which no page here does; NIST SP 800-63B, 4.2.3: 30 minutes).
    public var idleSeconds: Int64 = 1800
    /// After how long it ends in any case.
    public var sessionSeconds: Int64 = 12 * 3600
    /// How long a sign-in waits for its second factor.
    public var secondFactorSeconds: Int64 = 300
    /// How long it waits for a second factor to be enrolled, or for a new password.
    public var firstStepsSeconds: Int64 = 900
    /// How long somebody who was invited may choose a password.
    public var invitationSeconds: Int64 = 72 * 3600

    /// From which wrong password or code on a person is locked out.
    public var failuresToLock = 5
    /// For how long at first. Each further failure doubles it.
    public var lockSeconds: Int64 = 60
    public var lockSecondsMax: Int64 = 1800
    /// How long after a lock-out the failures are forgotten.
    public var failuresMemorySeconds: Int64 = 86_400

    /// Wrong tries of an address, at whatever names, that cost nothing.
    public var freeFailuresOfAddress = 20
    /// The longest wait of an address.
    public var addressWaitSecondsMax: Int64 = 900
    /// How long after its last failure an address is forgotten.
    public var addressMemorySeconds: Int64 = 3600
    /// The operator's own proxies, where everybody is: nothing is counted there.
    public var exemptAddresses = ClientNetworks()

    public init() {}

    func lockSeconds(afterFailures count: Int) -> Int64? {
        guard count >= self.failuresToLock else { return nil }
        let doublings = min(count - self.failuresToLock, 20)
        return min(self.lockSeconds << Int64(doublings), self.lockSecondsMax)
    }

    func seconds(of stage: PersonSession.Stage) -> Int64 {
        switch stage {
        case .secondFactor: self.secondFactorSeconds
        case .enrollment, .newPassword: self.firstStepsSeconds
        case .open: self.sessionSeconds
        }
    }
}
