//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

@_spi(Administration) import Gateway
import Logging
public import Payments
import StrictJSON
import Time

/// A sign-in that somebody else has proved: an OpenID Connect provider.
public struct ExternalSignIn: Hashable, Sendable {
    /// What the provider is called here, for the audit log.
    public var provider: String
    /// Who it is there.
    public var identity: ExternalIdentity
    /// The address that the provider has proved; `nil` for none.
    public var verifiedEmail: String?
    /// Whether a person who is known by no identity yet is known by that address, from then on by the identity.
    public var linksByEmail: Bool
    /// Whether the provider asks for a second factor itself, so that none is asked for here.
    public var provesSecondFactor: Bool

    public init(
        provider: String, identity: ExternalIdentity, verifiedEmail: String? = nil, linksByEmail: Bool = false,
        provesSecondFactor: Bool = false
    ) {
        self.provider = provider
        self.identity = identity
        self.verifiedEmail = verifiedEmail
        self.linksByEmail = linksByEmail
        self.provesSecondFactor = provesSecondFactor
    }
}

/// Why somebody who has signed in elsewhere is not signed in here. Whoever reads it has proved who he is, so it may say
/// what is the matter.
public enum ExternalSignInRefusal: String, Error, Hashable, Sendable, CaseIterable {
    /// Nobody here is known by that identity, nor by the address where that counts.
    case personUnknown = "person_unknown"
    case personSuspended = "person_suspended"
    /// Several people have that address.
    case identityAmbiguous = "identity_ambiguous"
}

extension People {
    /// Signs in whom a provider has proved, as the person whom the store has for that identity. What he may do the store
    /// says alone, never the provider.
    ///
    /// Neither a person's lock-out nor an address' wait counts here: they keep those away who guess, and nothing was
    /// guessed. A code that is asked for next counts as ever.
    /// - Returns: a session whose stage says what comes next.
    /// - Throws: ``ExternalSignInRefusal``; `StoreError`.
    public func signIn(external proof: ExternalSignIn, from origin: SignInOrigin) async throws -> OpenedSession {
        let draft = AuditDraft(.personSignIn, "", ["provider": proof.provider])
        do {
            let found = try await self.administration.read { try Self.person(for: proof, in: $0).id }
            let made = PersonSession.Stage.allCases.map { self.makeSession(of: found, $0, from: origin) }
            let opened = try await self.gateway.administer(draft) { transaction, entry in
                // Again, by what is so now.
                var person = try Self.person(for: proof, in: transaction)
                guard person.id == found else { throw ExternalSignInRefusal.personUnknown }
                entry.subject = person.userName
                if person.externalIdentity != proof.identity {
                    let version = person.version
                    person.externalIdentity = proof.identity
                    person.version += 1
                    try transaction.update(person, from: version)
                    entry.details["linkedBy"] = "email"
                }
                let hasFactor = try transaction.secondFactor(of: person.id)?.confirmedAt != nil
                let stage =
                    proof.provesSecondFactor
                    ? PersonSession.Stage.open : self.stage(of: person, hasFactor: hasFactor, isProven: false)
                let isLinked = entry.details["linkedBy"] != nil
                let opened = try self.advance(person, to: stage, made, transaction, &entry)
                // That somebody is known by another identity from now on is something, whatever becomes of the sign-in.
                if isLinked { entry.isNothing = false }
                return opened
            }
            self.reportStep(opened)
            return opened
        } catch let refusal as ExternalSignInRefusal {
            self.reportRefused(proof, origin)
            throw refusal
        }
    }

    /// Who it is here.
    private static func person(for proof: ExternalSignIn, in reader: any StoreReader) throws -> Person {
        if let person = try reader.person(proof.identity) {
            guard person.state == .active else { throw ExternalSignInRefusal.personSuspended }
            return person
        }
        guard proof.linksByEmail, let email = proof.verifiedEmail.map(Self.comparable), !email.isEmpty else {
            throw ExternalSignInRefusal.personUnknown
        }
        // Who is known by another identity is somebody else, whatever his address is.
        let all = try reader.people().filter {
            $0.externalIdentity == nil && $0.email.map(Self.comparable).isExactly(email)
        }
        // Whoever administers some merchants' people gives them any address: it keeps nobody of the house out.
        let house = all.filter { $0.merchants == nil }
        let people = house.isEmpty ? all : house
        guard let person = people.first else { throw ExternalSignInRefusal.personUnknown }
        guard people.count == 1 else { throw ExternalSignInRefusal.identityAmbiguous }
        guard person.state == .active else { throw ExternalSignInRefusal.personSuspended }
        return person
    }

    /// Capitals of ASCII alone are made small: other letters that look alike may be other people's.
    private static func comparable(_ email: String) -> String {
        String(decoding: email.utf8.map { (0x41...0x5A).contains($0) ? $0 + 0x20 : $0 }, as: UTF8.self)
    }

    private func reportRefused(_ proof: ExternalSignIn, _ origin: SignInOrigin) {
        self.report(.refused)
        self.gateway.logger.notice(
            "external sign-in refused",
            metadata: [
                "provider": "\(proof.provider)", "issuer": "\(proof.identity.issuer)",
                "subject": "\(proof.identity.subject)", "address": "\(origin.address ?? "unknown")",
            ])
    }
}
