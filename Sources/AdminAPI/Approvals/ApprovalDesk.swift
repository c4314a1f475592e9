//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Administration
public import DialectKit
import HTTPTypes
public import Payments
import Redaction
import StrictJSON

/// Decides what others have asked for: the call is made again, by whoever approves, and checked as it is then.
struct ApprovalDesk: Sendable {
    /// The call that decides.
    let call: Call

    private var administration: Administration { self.call.administration }

    /// An approval that the caller may see.
    ///
    /// - Throws: ``Problem`` `approval_unknown`.
    func approval(_ text: String) async throws -> Approval {
        let found: Approval? =
            if let id = ApprovalID(text) {
                try await self.administration.read { try $0.approval(id) }
            } else {
                nil
            }
        guard let found, self.sees(found) else {
            throw AdministrationError(.approvalUnknown, "Nobody has asked for an approval with this id.")
        }
        return found
    }

    /// Whether the caller may know of it: his own, his merchants', and the house's if he sees all.
    func sees(_ approval: Approval) -> Bool {
        let access = self.call.caller.access
        guard !approval.askedBy.isSame(as: self.call.caller.party) else { return true }
        return approval.merchantID.map { self.call.sees($0) } ?? (access.merchants == nil)
    }

    /// For what whoever has asked does with it. He may have lost the right since; and a token, which counts as its maker where
    /// somebody would decide on his own, may do no more than it may.
    ///
    /// - Throws: ``Problem`` `scope_missing` for whoever could not ask for it now.
    func checkMayAsk(_ approval: Approval) async throws {
        try await self.check(approval, needs: try self.endpoint(of: approval).scope)
    }

    /// - Throws: ``Problem`` `scope_missing` for whoever may not do it himself.
    private func checkScope(_ approval: Approval, _ endpoint: Endpoint) async throws {
        // A void that waits for somebody gives captured money back, as a refund does.
        try await self.check(approval, needs: approval.kind == .refund ? .paymentsRefund : endpoint.scope)
    }

    private func check(_ approval: Approval, needs needed: Scope?) async throws {
        let access = self.call.caller.access
        guard let scope = needed, access.allows(scope) else { throw Problem.forbidden(needed) }
        guard let id = approval.merchantID else {
            guard access.merchants == nil, !access.changesSandboxOnly else { throw Problem.forbidden(scope) }
            return
        }
        guard let merchant = try await self.administration.read({ try $0.merchant(id) }) else {
            throw Problem.notFound("such merchant any more")
        }
        try self.call.check(scope, of: merchant)
    }

    private func endpoint(of approval: Approval) throws -> Endpoint {
        let known = AdminEndpoints.all
        guard let found = known.first(where: { $0.name == approval.operation && $0.approvalKind == approval.kind })
        else { throw Problem.notFound("such act any more") }
        return found
    }

    /// Approves, and does it.
    func approve(_ approval: Approval, reason: String?) async throws -> Approval {
        let endpoint = try self.endpoint(of: approval)
        try await self.checkScope(approval, endpoint)
        let party = self.call.caller.party
        let decision = ApprovalDecision(approval.id, by: party, reason: reason)
        let administration = self.administration.by(self.call.caller.authority)
        if approval.kind == .refund {
            return try await administration.approveRefund(decision, plans: self.call.house.plans)
        }
        if approval.state == .approved, approval.decidedBy?.isSame(as: party) == true { return approval }
        try administration.checkDecidable(approval, by: party)
        guard let asked = try await administration.act(of: approval.id).flatMap({ AskedCall($0) }) else {
            // Somebody has been quicker.
            let now = try await self.approval(approval.id.text)
            try administration.checkDecidable(now, by: party)
            throw Problem.notFound("such act any more")
        }
        var again = asked.call(to: endpoint, by: self.call)
        again.authority = self.call.caller.authority(.approval(decision))
        do {
            let answer = try await endpoint.handle(again)
            if let secrets = endpoint.secretsShownOnce(answer.body, path: again.path) {
                try await administration.keepResult(Redacted(secrets.text()), of: approval.id)
            }
        } catch {
            guard let problem = Problem(error), problem.isOfTheAct else { throw error }
            return try await administration.fail(decision, code: problem.code, detail: problem.detail)
        }
        return try await self.approval(approval.id.text)
    }

    func reject(_ approval: Approval, reason: String) async throws -> Approval {
        try await self.checkScope(approval, try self.endpoint(of: approval))
        return try await self.administration.reject(
            ApprovalDecision(approval.id, by: self.call.caller.party, reason: reason))
    }
}

extension Problem {
    /// Whether it says that the act cannot be done as things are, and not that it was not tried.
    fileprivate var isOfTheAct: Bool {
        let isOfTheApproval = self.code.hasPrefix("approval_") || self.code == "above_refund_limit"
        let isOfTheCaller = self.status == .unauthorized || self.status == .forbidden
        // Two have changed the same at one moment: the next try sees what has become of it.
        return self.status.code < 500 && !isOfTheApproval && !isOfTheCaller && self.code != "conflict"
    }
}

/// The same for whoever administers the machine itself.
public struct ApprovalOffice: Sendable {
    private let house: House
    private let operatorName: String

    /// - Parameter operatorName: as the operating system knows him.
    public init(_ people: People, plans: [AccountPlan], tools: AccountTools, operatorName: String) {
        self.house = House(
            administration: people.administration, people: people,
            site: AdminSite(mode: .live, version: "", hasTLS: true), plans: plans, tools: tools)
        self.operatorName = operatorName
    }

    /// Who decides here. All who administer the machine are one: which of them it is, the machine cannot prove.
    public var party: Approval.Party { Caller(operatorNamed: self.operatorName).party }

    /// - Throws: `AdministrationError`, `StoreError`, and what the act throws.
    public func approve(_ id: ApprovalID, reason: String?) async throws -> Approval {
        let desk = ApprovalDesk(call: self.call)
        do {
            return try await desk.approve(try await desk.approval(id.text), reason: reason)
        } catch let problem as Problem {
            throw OfficeRefusal(code: problem.code, message: problem.detail)
        }
    }

    private var call: Call {
        Call(
            endpoint: Endpoint(
                method: .post, path: "/approvals/{approval}/approve", name: "approve", summary: "", group: "",
                audience: .anybody, answer: .anything()
            ) { _ in Answer(JSONObject()) },
            request: WireRequest(method: .post, path: "/"), caller: Caller(operatorNamed: self.operatorName),
            house: self.house, path: RouteParameters(), query: [:], body: JSONObject())
    }
}

/// Why something was refused at the machine itself.
public struct OfficeRefusal: Error, Hashable, Sendable {
    /// A stable name.
    public let code: String
    public let message: String
}
