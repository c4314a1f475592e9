//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Money
import Payments
import Redaction
import Settings
import SimulatorAcquirer
import Synchronization

/// What one connector may do wrong with notices.
enum NoticeFlaw: CaseIterable {
    /// It takes notices for a reason to ask, and is right.
    case none
    case namesAnother
    case namesShortlyUnannounced
    case turnsEndsAround
    case halvesAmounts
    case answersWithFailure
    case inventsReferences
    case comparesTheBeginning
    case takesMissingProof
    case takesAnyAccount
    case readsWithoutProof
    case refusesWithSuccess
    case acceptsGarbage
    case refusesEverything
}

/// The simulator's connector with one flaw.
final class FlawedNotices: Connector {
    private let flaw: NoticeFlaw
    private let base: SimulatorConnector
    private let secret: Redacted<String>
    private let readingsCount = Mutex(0)

    init(_ flaw: NoticeFlaw, _ base: SimulatorConnector, _ secret: Redacted<String>) {
        self.flaw = flaw
        self.base = base
        self.secret = secret
    }

    var name: AcquirerName { self.base.name }
    var settings: [SettingDescription] { self.base.settings }
    var secrets: [SecretDescription] { self.base.secrets }

    func open(_ account: OpenedAcquirerAccount) throws(ConnectorError) -> any Acquirer { try self.base.open(account) }

    func check(_ account: OpenedAcquirerAccount) async -> [ConnectorFinding] { await self.base.check(account) }

    func read(_ call: NoticeCall, for account: OpenedAcquirerAccount) -> NoticeReading? {
        let signature = call.headers[SimulatorNotice.signatureHeader]
        let right = SimulatorNotice.signature(of: call.body, secret: self.secret)
        switch self.flaw {
        case .refusesEverything: return .refused(NoticeAnswer(status: 400), word: "never")
        case .comparesTheBeginning where signature?.hasPrefix(right.prefix(8)) == true:
            return self.signed(call, account)
        case .takesMissingProof where signature == nil: return self.signed(call, account)
        case .takesAnyAccount: return self.base.read(call, for: NoticeConformanceTests.account(self.secret))
        case .readsWithoutProof: return self.signed(call, account)
        default: break
        }
        let reading = self.base.read(call, for: account)
        switch reading {
        case .notices(let notices, let answer):
            let status = self.flaw == .answersWithFailure ? 500 : answer.status
            return .notices(notices.map(self.changed), answer: NoticeAnswer(status: status))
        case .refused(_, let word) where self.flaw == .refusesWithSuccess:
            return .refused(NoticeAnswer(status: 200), word: word)
        case .refused where self.flaw == .acceptsGarbage:
            return .notices([AcquirerNotice(.handle("garbage"), .changed)], answer: NoticeAnswer())
        case .refused, nil: return reading
        }
    }

    /// The call as if it had a right signature.
    private func signed(_ call: NoticeCall, _ account: OpenedAcquirerAccount) -> NoticeReading? {
        let signature = SimulatorNotice.signature(of: call.body, secret: self.secret)
        return self.base.read(
            NoticeCall(headers: [SimulatorNotice.signatureHeader: signature], body: call.body), for: account)
    }

    private func changed(_ notice: AcquirerNotice) -> AcquirerNotice {
        switch (self.flaw, notice.subject, notice.event) {
        case (.none, _, _): return AcquirerNotice(notice.subject, .changed, reference: notice.reference)
        case (.namesAnother, _, let event):
            return AcquirerNotice(.operation(OperationID(at: Desk.now, random: [0xEE])), event)
        case (.namesShortlyUnannounced, .operation(let id), let event):
            return AcquirerNotice(.shortName(id.shortName), event)
        case (.turnsEndsAround, _, .resolved(.approved)):
            let decline = AcquirerDecline(reason: .unspecified, answer: AcquirerAnswer())
            return AcquirerNotice(notice.subject, .resolved(.declined(decline)))
        case (.halvesAmounts, _, .resolved(.approved(let approval))):
            let half = Money(minorUnits: approval.amount.minorUnits / 2, currency: approval.amount.currency)
            return AcquirerNotice(
                notice.subject, .resolved(.approved(AcquirerApproval(amount: half, answer: approval.answer))))
        case (.inventsReferences, _, _):
            let number = self.readingsCount.withLock { count in
                count += 1
                return count
            }
            return AcquirerNotice(notice.subject, notice.event, reference: "\(number)")
        default: return notice
        }
    }
}
