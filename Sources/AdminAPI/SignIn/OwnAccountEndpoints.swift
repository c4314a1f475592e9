//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import DialectKit
import HTTPTypes
import Payments
import Redaction
import StrictJSON

/// What people do with what is their own: sessions, password, second factor. Each change takes something that only the
/// person has, and that is used up by it.
extension AdminEndpoints {
    private static let group = "Own account"

    static let ownAccount: [Endpoint] = [
        Endpoint(
            method: .get, path: "/me/sessions", name: "listOwnSessions", summary: "Where the caller is signed in.",
            group: group, audience: .person, answer: AdminSchemas.list(of: "Session")
        ) { call in
            try await call.ownSessions()
        },
        Endpoint(
            method: .delete, path: "/me/sessions", name: "endOtherSessions",
            summary: "Sign out everywhere but here. Answers what is left.", group: group, audience: .person,
            answer: AdminSchemas.list(of: "Session")
        ) { call in
            let signedIn = try call.signedIn
            try await call.people.endSessions(of: signedIn.person.id, but: signedIn.session.id)
            return try await call.ownSessions()
        },
        Endpoint(
            method: .delete, path: "/me/sessions/{session}", name: "endOwnSession",
            summary: "End one session. Answers what is left.", group: group, audience: .person,
            answer: AdminSchemas.list(of: "Session")
        ) { call in
            let signedIn = try call.signedIn
            guard let id = call.path["session"].flatMap(PersonSessionID.init) else {
                throw Problem.notFound("such session")
            }
            try await call.people.endSession(id, of: signedIn.person.id)
            var answer = try await call.ownSessions()
            if id == signedIn.session.id { answer.cookie = .clear }
            return answer
        },
        Endpoint(
            method: .post, path: "/me/password", name: "changeOwnPassword",
            summary: "Change the own password. All other sessions end.", group: group, audience: .person,
            body: .object(
                .init("password", AdminSchemas.typed(256, "The present one.")),
                .init("newPassword", AdminSchemas.typed())),
            answer: .object(Schema.Object(AdminSchemas.step)), handle: Self.changePassword),
        Endpoint(
            method: .post, path: "/me/recovery-codes", name: "renewRecoveryCodes",
            summary: "Make new recovery codes, shown this once; the earlier ones are none any more.", group: group,
            audience: .person, body: .object(.init("code", AdminSchemas.code)),
            answer: .object(.init("recoveryCodes", .list(AdminSchemas.anyText, max: 20)))
        ) { call in
            let codes = try await call.people.renewRecoveryCodes(
                code: call.required("code"), session: try call.sessionSecret, from: call.origin)
            return Answer(["recoveryCodes": .array(codes.map { .string($0.reveal()) })])
        },
        Endpoint(
            method: .post, path: "/me/second-factor/remove", name: "removeOwnSecondFactor",
            summary: "Take the own second factor away, where the role need not have one.", group: group,
            audience: .person, body: .object(.init("code", AdminSchemas.code)),
            answer: .object(Schema.Object(AdminSchemas.step))
        ) { call in
            try await call.people.removeSecondFactor(
                code: call.required("code"), session: try call.sessionSecret, from: call.origin)
            let signedIn = try call.signedIn
            return Answer([
                "stage": .string(signedIn.session.stage.rawValue),
                "person": .object(try await call.view(of: signedIn.person, at: signedIn.session.stage)),
            ])
        },
    ]
}

extension Call {
    /// Who is signed in.
    fileprivate var signedIn: SignedIn {
        get throws(SignInRefusal) {
            guard let signedIn = self.caller.signedIn else { throw .sessionEnded }
            return signedIn
        }
    }

    fileprivate func ownSessions() async throws -> Answer {
        let signedIn = try self.signedIn
        let sessions = try await self.people.sessions(of: signedIn.person.id)
        return Answer(["data": .array(sessions.map { .object($0.view(current: signedIn.session.id)) })])
    }
}
