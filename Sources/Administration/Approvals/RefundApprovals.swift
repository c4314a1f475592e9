//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import DialectKit
@_spi(Administration) import Gateway
import Money
public import Payments
import Redaction
import StrictJSON
import Time

/// A refund, or a void that gives captured money back, that was approved is claimed first, durably, and then done under
/// the approval's id as its key: whatever ends the process between, the same refund is asked for again, and money goes
/// back once.
extension Administration {
    /// Approves a refund or a void of captured money, and does it. Approved again by the same person, it is finished or
    /// answered as it is.
    ///
    /// - Returns: the approval with its outcome, which may be why the refund could not be done any more, that the acquirer
    ///   has declined it, or that its end is open.
    /// - Throws: ``AdministrationError``, ``PaymentActError`` `store_unavailable` after which it is under way;
    ///   ``VaultError``, `StoreError`.
    public func approveRefund(_ decision: ApprovalDecision, plans: [AccountPlan]) async throws -> Approval {
        let id = decision.id
        let known = try await self.read { try Self.approval(id, in: $0) }
        if known.state == .approved, known.decidedBy?.isSame(as: decision.party) == true {
            return known.isUnderWay ? try await self.finish(known, plans: plans) : known
        }
        let claimed = try await self.gateway.administer(AuditDraft(.approvalApprove, id.text)) { transaction, entry in
            let merchant = try Self.approval(id, in: transaction).merchantID
            let approval = try self.take(decision, of: .refund, merchant, nil, in: transaction, &entry)
            entry.others = []
            entry.details = Self.draft(.approvalApprove, of: approval).details
            return approval
        }
        return try await self.finish(claimed, plans: plans)
    }

    /// Finishes refunds that were approved and are not done: after a crash, or while the store was away.
    ///
    /// - Returns: how many have an outcome now.
    /// - Throws: what finishing one throws; the others are left for the next time.
    @discardableResult
    public func finishApprovedRefunds(plans: [AccountPlan]) async throws -> Int {
        // What has just been approved is being done by whoever has approved it.
        let latest = self.gateway.now().adding(seconds: -60)
        guard try await self.gateway.mayActByTime() else { return 0 }
        // What is done has no act any more: only what is under way is looked at, whenever it was asked for.
        let approved = try await self.allApprovals(ApprovalQuery(states: [.approved], part: .act))
        var count = 0
        var failure: (any Error)?
        for approval in approved where approval.isUnderWay && approval.decidedAt ?? latest <= latest {
            do {
                count += try await self.finish(approval, plans: plans).outcome == nil ? 0 : 1
            } catch {
                failure = failure ?? error
            }
        }
        if let failure { throw failure }
        return count
    }

    private func finish(_ approval: Approval, plans: [AccountPlan]) async throws -> Approval {
        guard let payment = approval.paymentID, let amount = approval.amount,
            let act = try await self.content(.act, of: approval.id)
        else { return try await self.read { try Self.approval(approval.id, in: $0) } }
        let capture = (try? JSON.parse(Array(act.reveal().utf8)))?["body"]?["capture"]?.string
        let outcome: Approval.Outcome
        do {
            let administration = self.acting(as: approval.decidedBy?.actor ?? self.gateway.actor)
            let key = Self.key(of: approval)
            let done =
                approval.isOfVoid
                ? try await administration.void(
                    payment, key: key, reason: approval.reason, approval: approval, plans)
                : try await administration.refund(
                    payment, amount: amount, of: capture.flatMap { OperationID($0) }, key: key,
                    reason: approval.reason, approval: approval, plans)
            outcome = Approval.Outcome(of: done.operation)
        } catch let error where self.maySucceedLater(error, approval) {
            throw error
        } catch {
            outcome = Approval.Outcome(code: error.code.rawValue, detail: error.message)
        }
        let end = outcome.isFailure ? AuditAct.approvalFail : .approvalFinish
        // The claim of the call's own key was written when it was approved.
        let administration = self.acting(as: self.gateway.actor)
        return try await administration.gateway.administer(AuditDraft(end, approval.id.text)) { transaction, entry in
            var stored = try Self.approval(approval.id, in: transaction)
            entry.isNothing = !stored.isUnderWay
            guard stored.isUnderWay else { return stored }
            stored.outcome = outcome
            if outcome.isFailure { stored.state = .failed }
            try transaction.update(stored)
            try transaction.deleteApprovalContent(.act, of: stored.id)
            entry.details = Self.draft(end, of: stored).details
            return stored
        }
    }

    /// Whether another try may do it: the store is away, or the acquirer's account cannot be opened from here.
    private func maySucceedLater(_ error: PaymentActError, _ approval: Approval) -> Bool {
        switch error.code {
        case .storeUnavailable: return true
        case .acquirerNotConnected:
            let seconds = self.gateway.settings.approvalSeconds
            return approval.decidedAt?.isOlder(than: seconds, at: self.gateway.now()) == false
        default: return false
        }
    }

    private static func key(of approval: Approval) -> String { "approval \(approval.id)" }
}

// MARK: - The refund's own commit

extension Administration {
    /// Looks, in the commit that begins a refund, whether whoever acts may do it alone.
    ///
    /// - Parameter approval: what allows it, whatever the policies say.
    /// - Returns: what the log says of it besides.
    func permitRefund(
        of amount: Money, _ payment: Payment, approval: Approval?, in reader: any StoreReader
    ) throws -> RefundPermit {
        if let approval {
            // A void takes all that is captured, which may be more by now than what was approved.
            guard approval.amount == nil || approval.amount == amount else { return .needsApproval }
            return .allowed(["approval": approval.id.text, "askedBy": approval.askedBy.actor])
        }
        let policies = try Self.policies(of: payment.merchantID, in: reader)
        let isCovered = self.authority.covers(amount)
        let isFree = policies.allSatisfy { $0.allowsRefund(amount) }
        switch self.authority.ground {
        case .override(let reason): return .allowed(isFree && isCovered ? [:] : ["override": reason])
        case .own, .approval:
            if !isCovered, !policies.contains(where: \.aboveOwnLimit) { return .aboveLimit }
            return isCovered && isFree ? .allowed([:]) : .needsApproval
        }
    }
}

extension Approval {
    /// What the API calls a void.
    public static let voidOperation = "voidPayment"

    fileprivate var isOfVoid: Bool { self.operation == Self.voidOperation }
}

enum RefundPermit: Sendable {
    /// With what the log says of it.
    case allowed([String: String])
    case needsApproval
    case aboveLimit
}
