//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import Payments

/// People and their sessions, as they are shown and sent.
extension AdminSchemas {
    static let role = Schema.choice(Role.allCases.map(\.rawValue), "A named set of scopes (docs/people.md).")
    static let stage = Schema.choice(
        PersonSession.Stage.allCases.map(\.rawValue), "What the sign-in waits for; at open it is complete.")
    static let credential = Schema.choice(
        FirstCredential.allCases.map(\.rawValue),
        "What to sign in with at first: a secret to choose a password with, a password, or nothing of ours.")

    private static let merchantNames = Schema.nullable(
        .list(Self.anyText, max: 10_000, "Their names; null for all."))
    private static let refundLimits = Schema.nullable(
        .texts(max: 200, "The largest refund by the currency's code; nothing in another. null for no limit."))
    private static let externalIdentity = Schema.nullable(
        .object(.init("issuer", anyText), .init("subject", anyText)))

    static let person = Schema.object(
        .init("id", anyText), .init("userName", anyText), .init("displayName", anyText),
        .init("email", .nullable(anyText)), .init("role", role), .init("merchants", merchantNames),
        .init("refundLimits", refundLimits), .init("state", .choice(Person.State.allCases.map(\.rawValue))),
        .init("hasPassword", .flag()),
        .init("mustChangePassword", .flag("Whether somebody else has made the password.")),
        .init("hasSecondFactor", .flag()), .init("failures", .integer(0...Int64(Int32.max), "Since the last sign-in.")),
        .init("lockedUntil", .nullable(.moment())), .init("invitedUntil", .nullable(.moment())),
        .init("externalIdentity", externalIdentity), .init("createdAt", .moment()),
        .init("lastSignInAt", .nullable(.moment())))

    /// Whoever has not signed in wholly yet is shown what he has typed, and his name.
    static let ownPerson = Schema.object(
        .init("userName", anyText), .init("displayName", anyText), .optional("id", anyText),
        .optional("email", .nullable(anyText)), .optional("role", role),
        .optional("scopes", .list(anyText, max: 50)), .optional("merchants", merchantNames),
        .optional("sandboxOnly", .flag()), .optional("refundLimits", refundLimits), .optional("hasPassword", .flag()),
        .optional("hasSecondFactor", .flag()),
        .optional("mustHaveSecondFactor", .flag("Whether it cannot be taken away.")))

    static let session = Schema.object(
        .init("id", anyText), .init("stage", stage), .init("current", .flag("Whether it is the one that asks.")),
        .init("createdAt", .moment()), .init("lastSeenAt", .moment("To the minute.")),
        .init("endsAt", .moment("However busy it is.")), .init("address", .nullable(anyText)),
        .init("userAgent", .nullable(anyText)))

    /// A step of a sign-in that was taken.
    static let step: [Schema.Field] = [.init("stage", stage), .init("person", .named("OwnPerson"))]

    // MARK: - What is sent

    /// Whatever somebody types for a password or a name: whether it is one, the sign-in says.
    static func typed(_ max: Int = 256, _ meaning: String = "") -> Schema {
        // No store can keep U+0000.
        .text(
            Schema.Text(
                charactersMin: 1, charactersMax: max, pattern: #"^[^\u0000]*$"#, meaning: meaning,
                isValid: { !$0.utf8.contains(0) }))
    }

    static let code = Self.typed(64, "Of the app, or a recovery code.")

    /// What can be said of a person, and changed.
    static let personFields: [Schema.Field] = [
        .optional("email", .nullable(.line(254))),
        .optional("merchants", .nullable(.list(.name("A merchant's name."), max: 1000, "null for all."))),
        .optional(
            "refundLimits",
            .nullable(
                .texts(max: 200, "The largest refund by the currency's code: \"EUR\": \"100.00\". null for none."))),
        .optional(
            "externalIdentity",
            .nullable(
                .object(
                    .init("issuer", .line(255, "Of the OpenID Connect provider.")),
                    .init("subject", .line(255, "What it calls the person."))))),
    ]
}
