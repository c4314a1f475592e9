//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import DialectKit
import HTTPTypes
import Money
import Payments
import Redaction
import StrictJSON
import Time

extension AdminEndpoints {
    private static let group = "Approvals"
    private static let states = Approval.State.allCases.map(\.rawValue)

    static let approvals: [Endpoint] = [
        Endpoint(
            method: .get, path: "/approvals", name: "listApprovals",
            summary: "What waits for a second person, or has: newest first.", group: group, scope: .merchantsRead,
            query: Self.approvalFilters + [.init("after", .id("apr_"), "`next` of the page before."), limit],
            answer: AdminSchemas.page(of: "Approval")
        ) { call in
            var query = try await call.approvalQuery()
            query.limit = call.limit + 1
            query.before = call.query["after"].flatMap { ApprovalID($0) }
            let (asked, now) = (query, call.administration.now())
            let found = try await call.administration.read { reader in
                try reader.approvals(asked).map { try ShownApproval($0, at: now, in: reader) }
            }
            let names = try await call.merchantNames()
            return .page(
                found, limit: call.limit, view: { .object(call.view(of: $0, names)) },
                cursor: { $0.approval.id.text })
        },
        Endpoint(
            method: .get, path: "/approvals/{approval}", name: "getApproval", summary: "One of them.", group: group,
            scope: .merchantsRead, answer: .named("Approval")
        ) { call in
            try await call.answer(try await call.approval())
        },
        Endpoint(
            method: .post, path: "/approvals/{approval}/approve", name: "approve",
            summary:
                "Approve what somebody else has asked for, and do it. What could not be done any more is `failed`.",
            group: group, scope: .merchantsRead, body: .object(.optional("reason", .line(255, "For the audit log."))),
            answer: .named("Approval"), precondition: .idempotencyKey
        ) { call in
            let approval = try await call.approval()
            return try await call.answer(
                try await ApprovalDesk(call: call).approve(approval, reason: call.text("reason")))
        },
        Endpoint(
            method: .post, path: "/approvals/{approval}/reject", name: "reject",
            summary: "Say that it is not to be done.", group: group, scope: .merchantsRead,
            body: .object(.init("reason", .line(255, "For whoever has asked, and the audit log."))),
            answer: .named("Approval"), precondition: .idempotencyKey
        ) { call in
            let approval = try await call.approval()
            return try await call.answer(
                try await ApprovalDesk(call: call).reject(approval, reason: call.required("reason")))
        },
        Endpoint(
            method: .post, path: "/approvals/{approval}/withdraw", name: "withdraw",
            summary: "Take back what one has asked for.", group: group, scope: .merchantsRead,
            answer: .named("Approval"), precondition: .idempotencyKey
        ) { call in
            let approval = try await call.approval()
            try await ApprovalDesk(call: call).checkMayAsk(approval)
            return try await call.answer(
                try await call.administration.withdraw(ApprovalDecision(approval.id, by: call.caller.party)))
        },
        Endpoint(
            method: .post, path: "/approvals/{approval}/collect", name: "collectResult",
            summary: "What the call would have answered: credentials, this once, for whoever has asked for them.",
            group: group, scope: .merchantsRead, answer: .named("Credentials"), precondition: .idempotencyKey
        ) { call in
            let approval = try await call.approval()
            try await ApprovalDesk(call: call).checkMayAsk(approval)
            let text = try await call.administration.collectResult(of: approval.id, by: call.caller.partyItself)
            return Answer(try JSON.parse(Array(text.reveal().utf8)))
        },
        Endpoint(
            method: .get, path: "/approval-policies", name: "listApprovalPolicies",
            summary:
                "What needs a second person: the house's policy, which counts for all merchants, then merchants' own.",
            group: group, scope: .peopleRead, answer: AdminSchemas.list(of: "ApprovalPolicy")
        ) { call in
            let names = try await call.merchantNames()
            let policies = try await call.administration.read { reader in
                let others = try reader.approvalPolicies().filter { $0.merchantID != nil }
                return [try Administration.approvalPolicy(of: nil, in: reader)] + others
            }
            let seen = policies.filter { policy in policy.merchantID.map { call.sees($0) } ?? true }
            return Answer(["data": .array(seen.map { .object($0.view(names)) })])
        },
        Endpoint(
            method: .get, path: "/approval-policies/{policy}", name: "getApprovalPolicy",
            summary: "The policy of the house, or of the merchant of that name.", group: group, scope: .peopleRead,
            answer: .named("ApprovalPolicy")
        ) { call in
            let merchant = try await call.policyOwner()
            let names = try await call.merchantNames()
            return .resource(
                try await call.administration.read { reader in
                    try Administration.approvalPolicy(of: merchant, in: reader).view(names)
                })
        },
        Endpoint(
            method: .put, path: "/approval-policies/{policy}", name: "setApprovalPolicy",
            summary: "Set what needs a second person. Once anything does, so does this.", group: group,
            scope: .peopleWrite, body: AdminSchemas.approvalPolicyBody, answer: .named("ApprovalPolicy"),
            precondition: .ifMatch
        ) { call in
            try call.checkChangesHouse()
            let merchant = try await call.policyOwner()
            let names = try await call.merchantNames()
            let policy = ApprovalPolicy(
                merchantID: merchant, refundsAbove: try call.limits("refundsAbove"),
                aboveOwnLimit: call.flag("aboveOwnLimit"), liveCredentials: call.flag("liveCredentials"),
                routes: call.flag("routes"))
            let administration = try call.acting(changing: { reader in
                try Administration.approvalPolicy(of: merchant, in: reader).view(names)
            })
            return .resource(try await administration.setApprovalPolicy(policy).view(names))
        },
    ]
}

extension AdminSchemas {
    private static let limits = Schema.nullable(
        .texts(max: 200, "By the currency's code; every refund in another. null where refunds need nobody."))

    static let approval = Schema.object(
        .init("id", anyText), .init("state", .choice(Approval.State.allCases.map(\.rawValue))),
        .init("kind", .choice(Approval.Kind.allCases.map(\.rawValue))),
        .init("operation", anyText), .init("merchant", .nullable(anyText)), .init("payment", .nullable(anyText)),
        .init("amount", .nullable(anyText)), .init("currency", .nullable(.currency)), .init("summary", anyText),
        .init("reason", .nullable(anyText)), .init("askedBy", anyText), .init("askedAt", .moment()),
        .init("endsAt", .moment()), .init("decidedBy", .nullable(anyText)), .init("decidedAt", .nullable(.moment())),
        .init("decisionReason", .nullable(anyText)),
        .init("outcome", Self.approvalOutcome),
        .init(
            "subject",
            .nullable(
                .object(
                    .init("orderReference", .nullable(anyText)), .init("card", Self.card),
                    .init("state", .choice(PaymentState.allCases.map(\.rawValue))), .init("currency", .currency),
                    .init("captured", anyText), .init("refunded", anyText),
                    .init("waiting", .list(Self.waitingApproval, max: 1000, "Other acts on it that wait."))))),
        .init("hasResult", .flag("Whether credentials wait to be collected.")),
        .init("collectable", .flag("Whether they are the caller's to collect: not what a token of his has asked for.")),
        .init("mine", .flag("Whether the caller has asked for it himself, or a token of his.")))

    private static let approvalOutcome = Schema.nullable(
        .object(
            .init("code", anyText), .optional("detail", anyText), .optional("operation", anyText),
            .optional("state", .choice(Operation.State.names, "How the operation stands now.")),
            .optional("failure", anyText)))

    private static let waitingFields: [Schema.Field] = [
        .init("id", anyText), .init("act", .choice(["refund", "void"])), .init("amount", .nullable(anyText)),
        .init("currency", .nullable(.currency)), .init("askedBy", anyText), .init("askedAt", .moment()),
        .init("endsAt", .moment()),
    ]

    /// An act on a payment that waits for somebody.
    static let waitingApproval = Schema.object(Schema.Object(Self.waitingFields))

    /// One that waits no more.
    static let decidedApproval = Schema.object(
        Schema.Object(
            Self.waitingFields + [
                .init("state", .choice(Approval.State.allCases.filter { $0 != .waiting }.map(\.rawValue))),
                .init("decidedBy", .nullable(anyText)), .init("decidedAt", .nullable(.moment())),
                .init("outcome", Self.approvalOutcome),
            ]))

    /// What is answered in the place of an act that needs a second person.
    static let askedApproval = Schema.object(.init("approval", .named("Approval")))

    static let approvalPolicy = Schema.object(
        .init("policy", anyText), .init("refundsAbove", limits), .init("aboveOwnLimit", .flag()),
        .init("liveCredentials", .flag()), .init("routes", .flag()))

    static let approvalPolicyBody = Schema.object(
        .optional("refundsAbove", limits),
        .optional("aboveOwnLimit", .flag("Whether a refund above one's own limit waits, and is not refused.")),
        .optional("liveCredentials", .flag("Accounts and credentials of live merchants.")),
        .optional("routes", .flag("Routes of live merchants.")))
}

extension AdminEndpoints {
    static let approvalFilters: [Endpoint.Parameter] = [
        .init("merchant", .name(""), "Only this merchant's."),
        .init("state", .choice(states), "Only those in this state."),
    ]
}

extension Call {
    /// Those that the caller sees and the filters are about.
    func approvalQuery() async throws -> ApprovalQuery {
        var query = ApprovalQuery()
        query.merchants = self.caller.access.merchants
        if self.query["merchant"] != nil { query.merchants = try await self.merchantFilter().map { [$0] } }
        if let state = self.query["state"].flatMap(Approval.State.init(rawValue:)) { query.states = [state] }
        return query
    }

    fileprivate func approval() async throws -> Approval {
        try await ApprovalDesk(call: self).approval(self.path["approval"] ?? "")
    }

    fileprivate func answer(_ approval: Approval) async throws -> Answer {
        .resource(try await self.view(of: approval))
    }

    /// An approval as it is shown to the caller.
    func view(of approval: Approval) async throws -> JSONObject {
        let names = try await self.merchantNames()
        let now = self.administration.now()
        let shown = try await self.administration.read { try ShownApproval(approval, at: now, in: $0) }
        return self.view(of: shown, names)
    }

    fileprivate func view(of shown: ShownApproval, _ names: [MerchantID: String]) -> JSONObject {
        let approval = shown.approval
        var object = approval.view(names, at: self.administration.now(), shown.subject?.payment)
        let isShown = self.caller.access.allows(.paymentsRead)
        object["subject"] = (isShown ? shown.subject?.view(for: approval.id) : nil).map { .object($0) } ?? .null
        object["hasResult"] = .bool(shown.hasResult)
        object["collectable"] = .bool(shown.hasResult && approval.askedBy.isSame(as: self.caller.partyItself))
        object["mine"] = .bool(approval.askedBy.isSame(as: self.caller.party))
        return object
    }

    /// Whose policy the path names: `nil` for the house's.
    func policyOwner() async throws -> MerchantID? {
        let name = self.path["policy"] ?? ""
        guard name != ApprovalPolicy.houseName else { return nil }
        let merchant = try await self.administration.read { try $0.merchant(named: name) }
        guard let merchant, self.sees(merchant) else { throw Problem.notFound("merchant \(name)") }
        return merchant.id
    }

    /// Amounts by currency; `nil` for `null` and what is left out.
    fileprivate func limits(_ member: String) throws(Problem) -> [Currency: Int64]? {
        guard let object = self.body[member]?.object else { return nil }
        var limits: [Currency: Int64] = [:]
        for (code, value) in object.members {
            let pointer = "/\(member)".appending(member: code)
            guard let currency = Currency.alphabetic(code) else {
                throw .invalid([Schema.Violation(pointer: pointer, detail: "is no currency of ISO 4217")])
            }
            limits[currency] = try AdminEndpoints.money(value.string ?? "", code, at: pointer).minorUnits
        }
        return limits
    }
}

/// An approval with what is shown beside it.
private struct ShownApproval: Sendable {
    let approval: Approval
    let hasResult: Bool
    /// The payment that it is about, as it stands now.
    let subject: ApprovalSubject?

    init(_ approval: Approval, at now: Timestamp, in reader: any StoreReader) throws {
        self.approval = approval
        self.hasResult =
            try approval.state == .approved && reader.approvalContent(.result, of: approval.id) != nil
        self.subject = try approval.paymentID.flatMap { try reader.payment($0) }.map {
            try ApprovalSubject($0, at: now, in: reader)
        }
    }
}
