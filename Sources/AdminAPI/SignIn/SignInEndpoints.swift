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
import Time

/// How people sign in. Each step answers with another session in the place of the last, and with its secret as a cookie:
/// what the browser held before opens nothing. None takes an idempotency key, since what answers it is such a secret; each
/// step can be taken once.
extension AdminEndpoints {
    private static let group = "Sign-in"

    static let signIn: [Endpoint] =
        [
            Endpoint(
                method: .get, path: "/sign-in", name: "describeSignIn", summary: "How people can sign in.",
                group: group,
                audience: .anybody,
                answer: .object(
                    .init("password", .flag()),
                    .init(
                        "openIDConnect",
                        .list(
                            .object(.init("name", AdminSchemas.anyText), .init("label", AdminSchemas.anyText)), max: 100
                        )),
                    .init("mode", AdminSchemas.mode), .init("version", AdminSchemas.anyText))
            ) { call in
                let site = call.house.site
                return Answer([
                    "password": true,
                    "openIDConnect": .array(
                        site.providers.map { ["name": .string($0.name), "label": .string($0.label)] }),
                    "mode": .string(site.mode.rawValue), "version": .string(site.version),
                ])
            },
            Endpoint(
                method: .post, path: "/session", name: "signIn", summary: "Sign in: the name and the password.",
                group: group, audience: .portal,
                body: .object(
                    .init("userName", AdminSchemas.typed()), .init("password", AdminSchemas.typed())),
                status: .created, answer: .object(Schema.Object(AdminSchemas.step))
            ) { call in
                let opened = try await call.people.signIn(
                    userName: call.required("userName"), password: call.secret("password"), from: call.origin)
                // What this browser was signed in with before is nobody's any more.
                if let earlier = call.caller.sessionSecret { try await call.people.end(session: earlier) }
                return try await call.answer(opened)
            },
            Endpoint(
                method: .get, path: "/session", name: "getSession",
                summary:
                    "Who is signed in, and what the sign-in waits for. Asking does not keep a session from ending idle.",
                group: group, audience: .signingIn,
                answer: .object(
                    Schema.Object(
                        AdminSchemas.step + [
                            .init(
                                "session",
                                .object(
                                    .init("id", AdminSchemas.anyText), .init("endsAt", .moment("However busy it is.")),
                                    .init("idleEndsAt", .moment("If nothing more comes."))))
                        ]))
            ) { call in
                guard let signedIn = call.caller.signedIn else { throw SignInRefusal.sessionEnded }
                let session = signedIn.session
                return Answer([
                    "stage": .string(session.stage.rawValue),
                    "person": .object(try await call.view(of: signedIn.person, at: session.stage)),
                    "session": [
                        "id": .string(session.id.text), "endsAt": .string(session.endsAt.description),
                        "idleEndsAt": .string(
                            session.idleEndsAt(after: call.house.people.settings.idleSeconds).description),
                    ],
                ])
            },
            Endpoint(
                method: .delete, path: "/session", name: "signOut",
                summary: "Sign out. Doing it again changes nothing.",
                group: group, audience: .portal, answer: .object(.init("signedOut", .flag()))
            ) { call in
                if let secret = call.caller.sessionSecret { try await call.people.end(session: secret) }
                var answer = Answer(["signedOut": true])
                answer.cookie = .clear
                return answer
            },
        ] + Self.steps

    private static let steps: [Endpoint] = [
        Endpoint(
            method: .post, path: "/session/code", name: "signInWithCode", summary: "The second step: a code.",
            group: group, audience: .signingIn, body: .object(.init("code", AdminSchemas.code)),
            answer: .object(Schema.Object(AdminSchemas.step))
        ) { call in
            try await call.answer(
                try await call.people.signIn(
                    code: call.required("code"), session: try call.sessionSecret, from: call.origin))
        },
        Endpoint(
            method: .post, path: "/session/second-factor", name: "beginSecondFactor",
            summary:
                "Make a key for an app that shows codes. It is shown this once, and proves nothing until confirmed.",
            group: group, audience: .signingIn,
            answer: .object(
                .init("key", AdminSchemas.anyText), .init("uri", AdminSchemas.anyText))
        ) { call in
            let key = try await call.people.beginSecondFactor(session: try call.sessionSecret)
            return Answer(["key": .string(key.text.reveal()), "uri": .string(key.uri.reveal())])
        },
        Endpoint(
            method: .post, path: "/session/second-factor/replacement", name: "beginSecondFactorReplacement",
            summary: "Make a key for a new app. The present one counts until a code of the new one has been shown.",
            group: group, audience: .signingIn, body: .object(.init("code", AdminSchemas.code)),
            answer: .object(
                .init("key", AdminSchemas.anyText), .init("uri", AdminSchemas.anyText),
                .init("ticket", AdminSchemas.anyText))
        ) { call in
            let new = try await call.people.beginSecondFactorReplacement(
                code: call.required("code"), session: try call.sessionSecret, from: call.origin)
            return Answer([
                "key": .string(new.key.text.reveal()), "uri": .string(new.key.uri.reveal()),
                "ticket": .string(new.ticket.reveal()),
            ])
        },
        Endpoint(
            method: .post, path: "/session/second-factor/confirm", name: "confirmSecondFactor",
            summary: "Show the first code. The recovery codes are shown this once.", group: group,
            audience: .signingIn,
            body: .object(
                .init("code", AdminSchemas.code),
                .optional("ticket", AdminSchemas.typed(1024, "Of a new app, in the present one's place."))),
            answer: .object(
                Schema.Object(
                    [.init("recoveryCodes", .list(AdminSchemas.anyText, max: 20))] + AdminSchemas.step))
        ) { call in
            let (code, session) = (call.required("code"), try call.sessionSecret)
            let confirmed =
                if call.body["ticket"] == nil {
                    try await call.people.confirmSecondFactor(code: code, session: session)
                } else {
                    try await call.people.replaceSecondFactor(
                        ticket: call.secret("ticket"), code: code, session: session)
                }
            let codes = JSON.array(confirmed.recoveryCodes.map { .string($0.reveal()) })
            return try await call.answer(confirmed.session, with: JSONObject([(name: "recoveryCodes", value: codes)]))
        },
        Endpoint(
            method: .post, path: "/session/password", name: "chooseNewPassword",
            summary: "Replace a password that somebody else has made, or change the own. All other sessions end.",
            group: group, audience: .signingIn,
            body: .object(
                .optional("password", AdminSchemas.typed(256, "The present one, of whoever is signed in.")),
                .init("newPassword", AdminSchemas.typed())),
            answer: .object(Schema.Object(AdminSchemas.step)), handle: Self.changePassword),
        Endpoint(
            method: .post, path: "/session/invitation", name: "acceptInvitation",
            summary: "Choose a password with an invitation. Sign in with it then.", group: group, audience: .portal,
            body: .object(
                .init("invitation", AdminSchemas.typed()), .init("newPassword", AdminSchemas.typed())),
            answer: .object(.init("userName", AdminSchemas.anyText), .init("displayName", AdminSchemas.anyText))
        ) { call in
            let person = try await call.people.acceptInvitation(
                call.secret("invitation"), password: call.secret("newPassword"))
            return Answer(person.briefView)
        },
    ]

    @Sendable static func changePassword(_ call: Call) async throws -> Answer {
        try await call.answer(
            try await call.people.changePassword(
                session: try call.sessionSecret, current: call.text("password").map { Redacted($0) },
                to: call.secret("newPassword"), from: call.origin))
    }
}

extension Call {
    /// The people, on the caller's behalf: the audit log names him.
    var people: People { self.house.people.with(self.administration) }

    /// Where the request comes from, for the list of sessions.
    var origin: SignInOrigin {
        SignInOrigin(address: self.request.remoteAddress, userAgent: self.request.headers[.userAgent])
    }

    /// Of the session that calls.
    var sessionSecret: Redacted<String> {
        get throws(SignInRefusal) {
            guard let secret = self.caller.sessionSecret else { throw .sessionEnded }
            return secret
        }
    }

    func secret(_ name: String) -> Redacted<String> { Redacted(self.required(name)) }

    /// What the person is shown of himself: little before the sign-in is complete.
    func view(of person: Person, at stage: PersonSession.Stage) async throws -> JSONObject {
        guard stage == .open else { return person.briefView }
        let view = try await self.administration.read { try PersonView(of: person, in: $0) }
        return view.ownJSON(mustHaveSecondFactor: self.house.people.settings.secondFactorRoles.contains(person.role))
    }

    /// A step that was taken, with the new session's cookie.
    ///
    /// - Parameter more: what is answered beside it.
    func answer(_ opened: OpenedSession, with more: JSONObject = JSONObject()) async throws -> Answer {
        var body = more
        body["stage"] = .string(opened.session.stage.rawValue)
        body["person"] = .object(try await self.view(of: opened.person, at: opened.session.stage))
        var answer = Answer(body)
        answer.cookie = .set(opened.secret)
        return answer
    }
}
