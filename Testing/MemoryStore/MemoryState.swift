//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Ledger
import Payments
import StrictJSON

/// The tables.
struct MemoryState: Sendable {
    struct AccountKey: Hashable, Sendable {
        let dialect: DialectName
        let merchantID: MerchantID
    }

    struct CredentialKey: Hashable, Sendable {
        let merchantID: MerchantID
        let id: String
    }

    struct SeenToken: Hashable, Sendable {
        let mode: Mode
        let transactionIdentifier: [UInt8]
    }

    struct OrderReference: Hashable, Sendable {
        let merchantID: MerchantID
        let dialect: DialectName
        let reference: ExactText
    }

    struct DayKey: Hashable, Sendable {
        let merchantID: MerchantID
        let day: String
    }

    struct SettlementLine: Hashable, Sendable {
        let accountID: AcquirerAccountID
        let identity: String
    }

    struct ApprovalPart: Hashable, Sendable {
        let approvalID: ApprovalID
        let part: ApprovalContent.Part
    }

    struct DomainKey: Hashable, Sendable {
        let merchantID: MerchantID
        let name: String
    }

    struct MemoKey: Hashable {
        let operationID: OperationID
        let part: StoredMemo.Part
    }

    struct JobKey: Hashable, Sendable {
        let kind: Job.Kind
        let paymentID: PaymentID
    }

    var merchants: [MerchantID: Merchant] = [:]
    var accounts: [AccountKey: MerchantAccount] = [:]
    var acquirerAccounts: [AcquirerAccountID: AcquirerAccount] = [:]
    /// By their numbers.
    var routes: [MerchantID: [Route]] = [:]
    var credentials: [CredentialKey: AppleCredential] = [:]
    var dataKeys: [String: SealedDataKey] = [:]
    var storeSecrets: [String: SealedBytes] = [:]
    var auditEntries: [Int64: AuditEntry] = [:]
    var people: [PersonID: Person] = [:]
    var secondFactors: [PersonID: SecondFactor] = [:]
    var personSessions: [PersonSessionID: PersonSession] = [:]
    var accessTokens: [AccessTokenID: AccessToken] = [:]
    var approvals: [ApprovalID: Approval] = [:]
    var approvalContents: [ApprovalPart: ApprovalContent] = [:]
    /// By merchants' ids; the house's under none.
    var approvalPolicies: [String: ApprovalPolicy] = [:]
    var domains: [DomainKey: MerchantDomain] = [:]
    var payments: [PaymentID: Payment] = [:]
    var paymentsOfOperations: [OperationID: PaymentID] = [:]
    var orders: [OrderID: Order] = [:]
    var ordersOfReferences: [OrderReference: OrderID] = [:]
    var keptItems: [KeptItemName: KeptItem] = [:]
    var adminClaims: [AdminClaim.Key: AdminClaim] = [:]
    var memos: [MemoKey: StoredMemo] = [:]
    var claims: [IdempotencyKey: IdempotencyClaim] = [:]
    var references: [Reference: OperationID] = [:]
    var seenTokens: [SeenToken: PaymentID] = [:]
    var events: [EventID: OutboxEvent] = [:]
    /// In the order inserted.
    var eventsOfPayments: [PaymentID: [EventID]] = [:]
    var jobs: [JobKey: Job] = [:]
    var refusedCalls: [RefusedCallID: RefusedCall] = [:]
    var alarms: [AlarmID: Alarm] = [:]
    var observations: [ObservationKey: Observation] = [:]

    struct ObservationKey: Hashable {
        let kind: Observation.Kind
        let merchantID: MerchantID
        let subject: String
        let number: Int

        init(_ observation: Observation) {
            self.kind = observation.kind
            self.merchantID = observation.merchantID
            self.subject = observation.subject
            self.number = observation.number
        }
    }

    var closedDays: [DayKey: ClosedDay] = [:]
    var settlementFiles: [SettlementFileID: SettlementFile] = [:]
    var settlementItems: [SettlementItem.ID: SettlementItem] = [:]
    var itemsOfLines: [SettlementLine: SettlementItem.ID] = [:]
    var itemsOfOperations: [OperationID: SettlementItem.ID] = [:]
    var settlementJournals: [SettlementItem.ID: [JournalEntry]] = [:]
    /// In the order booked.
    var journals: [PaymentID: [JournalEntry]] = [:]
    var paymentsOfEntries: [String: PaymentID] = [:]
}
