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

extension AdminEndpoints {
    private static let group = "People"

    static let people: [Endpoint] = [
        Endpoint(
            method: .get, path: "/people", name: "listPeople",
            summary: "The people who administer, oldest first: those who are for none but the caller's merchants.",
            group: group, scope: .peopleRead, query: Self.peopleFilters + MadePlace.parameters,
            answer: AdminSchemas.page(of: "Person")
        ) { call in
            let place = { @Sendable (person: Person) in MadePlace(person.createdAt, person.id.text) }
            let found = try await call.administration.read { reader in
                try call.slice(try call.filteredPeople(in: reader), after: call.placeAfter, place)
                    .map { try PersonView(of: $0, in: reader) }
            }
            return .page(
                found, limit: call.limit, view: { .object($0.json) }, cursor: { place($0.person).text })
        },
        Endpoint(
            method: .post, path: "/people", name: "createPerson",
            summary:
                "Let somebody administer, with no more than the caller may. What to sign in with is shown this once.",
            group: group, scope: .peopleWrite,
            body: .object(
                Schema.Object(
                    [
                        .init("userName", .line(64, "What signs in: lower-case letters, digits, and . - _ @.")),
                        .init("displayName", .line(64)), .init("role", AdminSchemas.role),
                        .optional("credential", AdminSchemas.credential),
                    ] + AdminSchemas.personFields)),
            status: .created, answer: Self.withCredential, precondition: .idempotencyKey
        ) { call in
            let made = try await call.people.create(
                PersonDraft(
                    userName: call.required("userName"), displayName: call.required("displayName"),
                    email: call.text("email"), role: try call.role(), merchants: try await call.merchants(),
                    refundLimits: try call.refundLimits(), externalIdentity: call.externalIdentity()),
                with: call.credential(), by: call.caller.access)
            return try await call.answer(made, location: "/people/\(made.person.id)")
        },
        Endpoint(
            method: .get, path: "/people/{person}", name: "getPerson", summary: "One person, by id or user name.",
            group: group, scope: .peopleRead, answer: .named("Person")
        ) { call in
            try await call.answer(try await call.namedPerson())
        },
        Endpoint(
            method: .patch, path: "/people/{person}", name: "changePerson",
            summary: "Change what a person is shown as and may do. Whose role changes is signed out everywhere.",
            group: group, scope: .peopleWrite,
            body: .object(
                Schema.Object(
                    [.optional("displayName", .line(64)), .optional("role", AdminSchemas.role)]
                        + AdminSchemas.personFields)),
            answer: .named("Person"), precondition: .ifMatch
        ) { call in
            let person = try await call.namedPerson()
            var change = PersonChange()
            if let name = call.text("displayName") { change.displayName = .set(name) }
            if call.body["email"] != nil { change.email = .set(call.text("email")) }
            if call.body["role"] != nil { change.role = .set(try call.role()) }
            if call.body["merchants"] != nil { change.merchants = .set(try await call.merchants()) }
            if call.body["refundLimits"] != nil { change.refundLimits = .set(try call.refundLimits()) }
            if call.body["externalIdentity"] != nil { change.externalIdentity = .set(call.externalIdentity()) }
            let changed = try await call.people(changing: person).change(person.id, change, by: call.caller.access)
            return try await call.answer(changed)
        },
        Endpoint(
            method: .delete, path: "/people/{person}", name: "removePerson",
            summary: "Remove a person, and all that he signs in with. What he has done stays in the audit log.",
            group: group, scope: .peopleWrite, answer: .object(.init("removed", .flag())), precondition: .ifMatch
        ) { call in
            let person = try await call.namedPerson()
            try await call.people(changing: person).remove(person.id, by: call.caller.access)
            return Answer(["removed": true])
        },
        Endpoint(
            method: .post, path: "/people/{person}/reset-password", name: "resetPersonPassword",
            summary: "Take a password away and make another credential, shown this once. The person is signed out.",
            group: group, scope: .peopleWrite, body: .object(.optional("credential", AdminSchemas.credential)),
            answer: Self.withCredential, precondition: .idempotencyKey
        ) { call in
            let person = try await call.namedPerson()
            return try await call.answer(
                try await call.people.resetPassword(of: person.id, with: call.credential(), by: call.caller.access))
        },
        Endpoint(
            method: .get, path: "/people/{person}/sessions", name: "listPersonSessions",
            summary: "Where a person is signed in.", group: group, scope: .peopleRead,
            answer: AdminSchemas.list(of: "Session")
        ) { call in
            let sessions = try await call.people.sessions(of: try await call.namedPerson().id)
            return Answer([
                "data": .array(sessions.map { .object($0.view(current: call.caller.session?.id)) })
            ])
        },
        Self.act("suspend", "Sign a person out everywhere, and let him not sign in.") {
            try await $0.suspend($1, by: $2)
        },
        Self.act("resume", "Let a suspended person sign in again.") { try await $0.resume($1, by: $2) },
        Self.act("unlock", "Forgive wrong tries, and end a lock-out.") { try await $0.unlock($1, by: $2) },
        Self.act("reset-second-factor", "Take a second factor away, with its recovery codes. The person is signed out.")
        {
            try await $0.resetSecondFactor(of: $1, by: $2)
        },
        Self.act("end-sessions", "Sign a person out everywhere.") {
            try await $0.endSessions(of: $1, by: $2)
            return try await $0.person($1)
        },
    ]

    static let peopleFilters: [Endpoint.Parameter] = [
        .init("name", .line(64), "Only those whose user name, name or e-mail address has this text in it."),
        .init("state", .choice(Person.State.allCases.map(\.rawValue)), "Only those in this state."),
    ]

    private static let withCredential = Schema.object(
        .init("person", .named("Person")), .init("credential", AdminSchemas.credential),
        .init("secret", .nullable(AdminSchemas.anyText)))

    private static func act(
        _ verb: String, _ summary: String,
        _ act: @escaping @Sendable (People, PersonID, _ by: Access) async throws -> Person
    ) -> Endpoint {
        let words = verb.split(separator: "-").map(String.init)
        let name = words.dropFirst().reduce(words[0]) { $0 + $1.prefix(1).uppercased() + $1.dropFirst() }
        return Endpoint(
            method: .post, path: "/people/{person}/\(verb)", name: "\(name)OfPerson", summary: summary, group: group,
            scope: .peopleWrite, answer: .named("Person"), precondition: .idempotencyKey
        ) { call in
            let person = try await call.namedPerson()
            return try await call.answer(try await act(call.people, person.id, call.caller.access))
        }
    }
}

extension Call {
    /// Those whom the caller sees and the filters are about, oldest first.
    func filteredPeople(in reader: any StoreReader) throws -> [Person] {
        let state = self.query["state"]
        return try reader.people().filter { person in
            self.seesThose(for: person.merchants) && self.isNamed(person.userName, person.displayName, person.email)
                && state.map { $0 == person.state.rawValue } ?? true
        }
    }

    /// Whether the caller may know that there is a person or a token for these merchants: for no more than his own.
    ///
    /// - Parameter merchants: `nil` for all.
    func seesThose(for merchants: Set<MerchantID>?) -> Bool {
        guard let own = self.caller.access.merchants else { return true }
        return merchants.map { !$0.isEmpty && $0.isSubset(of: own) } ?? false
    }

    /// The person that the path names.
    ///
    /// - Throws: ``Problem`` 404 for one whom there is not, and for one whom the caller cannot see.
    fileprivate func namedPerson() async throws -> Person {
        let name = self.path["person"] ?? ""
        let found = try await self.administration.read { reader in
            try PersonID(name).flatMap { try reader.person($0) } ?? reader.person(named: name.lowercased())
        }
        guard let person = found, self.seesThose(for: person.merchants) else { throw Problem.notFound("such person") }
        return person
    }

    /// For a change of a person: refused unless nobody else has changed him since he was read. That he signs in is no such
    /// change.
    fileprivate func people(changing person: Person) throws -> People {
        let id = person.id
        return self.house.people.with(try self.acting(changing: { try $0.person(id)?.tagged }))
    }

    fileprivate func answer(_ person: Person) async throws -> Answer {
        let view = try await self.administration.read { try PersonView(of: person, in: $0).json }
        return Answer(view, tag: EntityTag(of: person.tagged))
    }

    fileprivate func answer(_ made: PersonWithCredential, location: String? = nil) async throws -> Answer {
        let view = try await self.administration.read { try PersonView(of: made.person, in: $0) }
        return Answer(made.view(view), location: location)
    }

    // MARK: - The body

    fileprivate func role() throws(Problem) -> Role {
        guard let role = self.text("role").flatMap(Role.init(rawValue:)) else {
            throw .invalid([.init(pointer: "/role", detail: "is no role")])
        }
        return role
    }

    fileprivate func credential() -> FirstCredential {
        self.text("credential").flatMap(FirstCredential.init(rawValue:)) ?? .invitation
    }

    fileprivate func externalIdentity() -> ExternalIdentity? {
        guard let object = self.body["externalIdentity"]?.object, let issuer = object["issuer"]?.string,
            let subject = object["subject"]?.string
        else { return nil }
        return ExternalIdentity(issuer: issuer, subject: subject)
    }

    fileprivate func refundLimits() throws(Problem) -> [Currency: Int64]? {
        guard let object = self.body["refundLimits"]?.object else { return nil }
        var limits: [Currency: Int64] = [:]
        for (code, value) in object.members {
            let pointer = "/refundLimits/\(code)"
            guard let currency = Currency.alphabetic(code) else {
                throw .invalid([.init(pointer: pointer, detail: "is no currency of ISO 4217")])
            }
            guard let money = try? Money(decimalText: value.string ?? "", currency: currency) else {
                throw .invalid([
                    .init(
                        pointer: pointer,
                        detail: "must be an amount in the major unit with no more decimals than \(code) has")
                ])
            }
            limits[currency] = money.minorUnits
        }
        return limits
    }
}

extension Person {
    /// What its tag is made of.
    fileprivate var tagged: JSONObject {
        JSONObject([(name: "id", value: .string(self.id.text)), (name: "version", value: JSON(self.version))])
    }
}
