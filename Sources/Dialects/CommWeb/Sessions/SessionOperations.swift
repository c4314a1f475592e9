//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Gateway
import HTTPTypes
import Redaction
import StrictJSON

extension CommWeb {
    /// CREATE_SESSION.
    func createSession(_ call: Call, _ caller: Caller) async throws(CommWebError) -> Answer {
        let limit = try call.fields.integer("session.authenticationLimit", in: Session.authenticationLimits)
        let session = try await self.sessions.create(
            authenticationLimit: limit ?? Session.authenticationLimitDefault, of: caller.merchant)
        var answer = self.answer(of: session, caller)
        answer.set("session.aes256Key", session.aes256Key.reveal())
        return Answer(status: .created, answer)
    }

    /// UPDATE_SESSION: fields are added, and replace those that are there.
    func updateSession(_ call: Call, _ caller: Caller) async throws(CommWebError) -> Answer {
        let id = try self.sessionID(of: call)
        let expected = try call.fields.text("session.version", max: 10)
        let added = call.sessionPayload.keptInSession
        // An invalid field is reported, and noted in the session: what it holds is then not what the client meant.
        var invalid: CommWebError?
        let session = try await self.sessions.change(id, of: caller.merchant) { session throws(CommWebError) in
            try session.countAuthentication(by: caller)
            if let expected, expected != session.version {
                throw CommWebError(.sessionVersionDiffers, field: "session.version")
            }
            do throws(CommWebError) {
                try call.fields.checkShapes()
                try session.add(added, by: caller)
                invalid = nil
            } catch {
                session.updateStatus = .failure
                invalid = error
            }
        }
        if let invalid { throw invalid }
        var answer = self.answer(of: session, caller)
        answer.merge(session.fields.shown)
        answer.set("version", call.version.text)
        return Answer(status: .created, answer)
    }

    /// RETRIEVE_SESSION.
    func retrieveSession(_ call: Call, _ caller: Caller) async throws(CommWebError) -> Answer {
        let id = try self.sessionID(of: call)
        let session: Session
        switch caller.means {
        case .password, .certificate: session = try await self.sessions.session(id, of: caller.merchant)
        case .session, .sessionID:
            session = try await self.sessions.change(id, of: caller.merchant) { session throws(CommWebError) in
                try session.countAuthentication(by: caller)
            }
        }
        var answer = self.answer(of: session, caller)
        answer.merge(session.fields.shown)
        answer.set("version", call.version.text)
        return Answer(answer)
    }

    private func sessionID(of call: Call) throws(CommWebError) -> String {
        guard let id = call.sessionID else { throw .missing("session.id") }
        return id
    }

    private func answer(of session: Session, _ caller: Caller) -> AnswerFields {
        var answer = AnswerFields()
        answer.set("merchant", caller.merchant.accountKey)
        answer.set("result", TransactionResult.success.rawValue)
        answer["session.authenticationLimit"] = JSON(session.authenticationLimit)
        answer.set("session.id", session.id)
        answer.set("session.updateStatus", session.updateStatus.rawValue)
        answer.set("session.version", session.version)
        return answer
    }
}

extension Session {
    /// Counts a call that authenticated with the session's id.
    fileprivate mutating func countAuthentication(by caller: Caller) throws(CommWebError) {
        switch caller.means {
        case .password, .certificate: return
        case .session, .sessionID:
            guard self.authenticationsCount < self.authenticationLimit else {
                throw CommWebError(.sessionLimitReached)
            }
            self.authenticationsCount += 1
        }
    }

    /// New payment details replace the old ones as a whole: a token and a number do not go together.
    fileprivate mutating func add(_ added: RequestFields, by caller: Caller) throws(CommWebError) {
        let isMerchant =
            switch caller.means {
            case .password, .certificate: true
            case .session, .sessionID: false
            }
        if !isMerchant { try self.checkMerchantFields(added) }
        let isNewPayment = added.hasPaymentDetails
        let base = isNewPayment || self.isUsed ? self.fields.withoutSourceOfFunds : self.fields
        let merged = added.over(base)
        _ = try PaymentFields(reading: merged, for: caller.merchant)
        guard merged.paths.count <= 256, merged.canonical.reveal().serialized().count <= CommWeb.bodyBytesMax else {
            throw CommWebError(.bodyTooLarge, "The session holds too much.")
        }
        self.fields = merged
        if isMerchant { self.merchantPaths.formUnion(added.paths.filter(RequestFields.isOfOrder)) }
        if isNewPayment {
            self.isUsed = false
            self.claim = nil
        }
        self.updateStatus = .success
        self.revision += 1
    }

    /// Who has only the session's id is the payer, or somebody who saw it: what the merchant has said of the order stays,
    /// and some of it is the merchant's alone to say. The same value again is no change.
    private func checkMerchantFields(_ added: RequestFields) throws(CommWebError) {
        for path in added.paths where added[path] != self.fields[path] {
            guard added.isPayers(path) else {
                throw CommWebError(
                    .sessionNotPermitted,
                    "The session's id does not permit to set the field \(path); the merchant's server may, with its password.",
                    field: path, .unsupported)
            }
            guard
                self.merchantPaths.contains(where: {
                    $0 == path || $0.hasPrefix(path + ".") || path.hasPrefix($0 + ".")
                })
            else { continue }
            throw CommWebError(
                .sessionNotPermitted,
                "The merchant has set the field \(path); the session's id does not permit to change it.",
                field: path, .unsupported)
        }
    }
}
