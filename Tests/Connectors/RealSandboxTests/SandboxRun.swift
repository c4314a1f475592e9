//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ConnectorKit
import Payments
import Redaction
import Time

/// One account at a sandbox, looked at and paid through, step by step.
struct SandboxRun: Sendable {
    let service: RealService
    let file: SandboxFile
    let client: UpstreamClient
    let surroundings: Surroundings

    /// What was seen, a line each, without anything confidential; and what was not as it must be.
    struct Report: Sendable {
        var lines: [String] = []
        var problems: [String] = []
        var steps: Set<SandboxStep> = []
    }

    private var connector: any Connector { self.service.connector(self.client, self.surroundings) }

    private func account(_ secrets: [String: Redacted<String>]) -> OpenedAcquirerAccount {
        let at = self.surroundings.clock()
        let account = AcquirerAccount(
            id: AcquirerAccountID(at: at, random: self.surroundings.random(10)),
            merchantID: MerchantID(at: at, random: self.surroundings.random(10)), name: self.service.rawValue,
            connector: self.connector.name, mode: .sandbox, settings: self.file.settings, createdAt: at)
        return OpenedAcquirerAccount(account, secrets: secrets)
    }

    func report() async -> Report {
        var report = Report()
        await self.check(&report)
        guard report.problems.isEmpty else { return report }
        await self.checkWrongCredentials(&report)
        do throws(ConnectorError) {
            let acquirer = try self.connector.open(self.account(self.file.secrets))
            await self.pay(acquirer, &report)
        } catch {
            report.problems.append("the account can't be opened: \(error)")
        }
        return report
    }

    // MARK: - Credentials

    private func check(_ report: inout Report) async {
        for finding in await self.connector.check(self.account(self.file.secrets)) {
            self.note(.check, "\(finding.isGood ? "good" : "bad"): \(finding.subject): \(finding.text)", &report)
            if !finding.isGood { report.problems.append("check: \(finding.subject): \(finding.text)") }
        }
    }

    /// Each credential, in turn another.
    private func checkWrongCredentials(_ report: inout Report) async {
        for name in self.service.credentials {
            guard let value = self.file.secrets[name]?.reveal() else { continue }
            var secrets = self.file.secrets
            secrets[name] = Redacted(WrongCredential.instead(of: value))
            let findings = await self.connector.check(self.account(secrets))
            let bad = findings.filter { !$0.isGood }
            for finding in bad {
                self.note(.wrongCredentials, "\(name): \(finding.subject): \(finding.text)", &report)
            }
            if bad.isEmpty { report.problems.append("a wrong \(name) is not found out") }
        }
    }

    // MARK: - Payments

    /// The first token takes money and gives it back, the second is reserved and let go.
    private func pay(_ acquirer: any Acquirer, _ report: inout Report) async {
        guard let first = self.file.payments.first else {
            report.lines.append("no payment: the file has no token")
            return
        }
        await self.takeAndGiveBack(SandboxPayment(acquirer, first, self.surroundings), &report)
        guard self.file.payments.count > 1 else { return }
        guard acquirer.capabilities.authorizes, acquirer.capabilities.voids.contains(.authorization) else {
            report.lines.append("void: the service does not offer it")
            return
        }
        let second = SandboxPayment(acquirer, self.file.payments[1], self.surroundings)
        let outcome = await second.pay(captures: false)
        self.note(.pay, outcome, .approvedOrAccepted, &report)
        guard outcome.isApprovedOrAccepted else { return }
        self.note(.void, await second.void(), .approvedOrAccepted, &report)
    }

    private func takeAndGiveBack(_ payment: SandboxPayment, _ report: inout Report) async {
        let capabilities = payment.acquirer.capabilities
        if capabilities.memos == .prepared, let isSame = await payment.prepareTwice() {
            self.note(.repeatOrder, isSame ? "the same again" : "another one", &report)
        }
        let outcome = await payment.pay(captures: !capabilities.authorizes)
        self.note(.pay, outcome, .approvedOrAccepted, &report)
        guard outcome.isApprovedOrAccepted else { return }
        if capabilities.recovery.answersQueries {
            self.note(.ask, await payment.ask(), &report)
        } else if capabilities.recovery.repeats == true {
            self.note(.ask, await payment.payAgain(), .approvedOrAccepted, &report)
        }
        if capabilities.authorizes {
            let captured = await payment.capture()
            self.note(.capture, captured, .approvedOrAccepted, &report)
            guard captured.isApprovedOrAccepted else { return }
        }
        self.note(.refundBeyond, await payment.refundBeyond(), .notApproved, &report)
        let refunded = await payment.refund()
        self.note(.refund, refunded, .approvedOrAccepted, &report)
        guard refunded.isApprovedOrAccepted else { return }
        if capabilities.recovery.answersQueries { self.note(.askForRefund, await payment.askForRefund(), &report) }
        // What is never sent again need not be.
        guard capabilities.recovery.repeats != false else { return }
        self.note(.repeatRefund, await payment.refundAgain(), .anything, &report)
    }

    // MARK: - Notes

    private enum Expected {
        case approvedOrAccepted, notApproved, anything
    }

    private func note(_ step: SandboxStep, _ outcome: AcquirerOutcome, _ expected: Expected, _ report: inout Report) {
        self.note(step, OutcomeText.of(outcome), &report)
        let isAsExpected =
            switch expected {
            case .approvedOrAccepted: outcome.isApprovedOrAccepted
            case .notApproved: if case .approved = outcome { false } else { true }
            case .anything: true
            }
        if !isAsExpected { report.problems.append("\(step.rawValue): \(OutcomeText.of(outcome))") }
    }

    /// What stands cannot be declined, nor be unknown to the service for long: the second is printed, and no law.
    private func note(_ step: SandboxStep, _ outcome: AcquirerQueryOutcome, _ report: inout Report) {
        self.note(step, OutcomeText.of(outcome), &report)
        switch outcome {
        case .declined, .reversed: report.problems.append("\(step.rawValue): \(OutcomeText.of(outcome))")
        case .approved, .accepted, .notFound, .unknown: break
        }
    }

    private func note(_ step: SandboxStep, _ text: String, _ report: inout Report) {
        report.steps.insert(step)
        let belief = self.service.belief(about: step).map { " (believed: \($0))" } ?? ""
        report.lines.append("\(self.service.rawValue): \(step.rawValue): \(text)\(belief)")
    }
}

/// Outcomes as lines: the kinds, our own words and the bank's codes; of references that they are there.
enum OutcomeText {
    static func of(_ outcome: AcquirerOutcome) -> String {
        switch outcome {
        case .approved(let approval): "approved, \(self.of(approval.answer))"
        case .declined(let decline): "declined (\(decline.reason)), \(self.of(decline.answer))"
        case .accepted: "accepted, to be decided later"
        case .notProcessed(let not): "not processed (\(not.reason), \(not.word))"
        case .unknown(let unknown): "unknown (\(unknown.word))"
        }
    }

    static func of(_ outcome: AcquirerQueryOutcome) -> String {
        switch outcome {
        case .approved(let approval): "found, \(self.of(approval.answer))"
        case .declined(let decline): "found declined (\(decline.reason)), \(self.of(decline.answer))"
        case .accepted: "found, to be decided later"
        case .reversed: "found taken back"
        case .notFound: "not found"
        case .unknown(let unknown): "not found out (\(unknown.word))"
        }
    }

    private static func of(_ answer: AcquirerAnswer) -> String {
        let reference = answer.reference.map { "a reference of \($0.count)" } ?? "no reference"
        let code = answer.authorizationCode == nil ? "no authorization code" : "an authorization code"
        return "\(reference), \(code), response code \(answer.responseCode ?? "none")"
    }
}

extension AcquirerOutcome {
    var isApprovedOrAccepted: Bool {
        switch self {
        case .approved, .accepted: true
        case .declined, .notProcessed, .unknown: false
        }
    }
}
