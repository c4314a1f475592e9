//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Payments
import Redaction
import SimulatorAcquirer
import StrictJSON
import Testing

@testable import AcquirerLink

/// A request arrives as it was sent, and nobody sees what is secret in it.
@Suite struct RequestTests {
    /// What is said once more is the same.
    private func expectPreserved(_ request: LinkRequest, sourceLocation: SourceLocation = #_sourceLocation) throws {
        let json = request.json(number: 7)
        let (number, read) = try LinkRequest.read(json.serialized())
        #expect(number == 7, sourceLocation: sourceLocation)
        #expect(
            read.call == request.call && read.operationID == request.operationID, sourceLocation: sourceLocation)
        #expect(read.json(number: 7) == json, sourceLocation: sourceLocation)
    }

    private func performed(_ action: AcquirerRequest.Action) throws -> AcquirerRequest {
        let request = FullRequests.perform(action)
        try self.expectPreserved(request)
        guard case .perform(let arrived) = try request.sent() else { throw Arrived.asAnotherCall }
        #expect(arrived.operationID == FullRequests.operationID && arrived.paymentID == FullRequests.paymentID)
        #expect(arrived.merchantID == FullRequests.merchantID && arrived.amount == FullRequests.amount)
        #expect(arrived.begunAt == FullRequests.begunAt && arrived.memo == FullRequests.memo)
        #expect(arrived.statementDescriptor == FullRequests.statementDescriptor)
        return arrived
    }

    private enum Arrived: Error {
        case asAnotherCall
    }

    // MARK: - Charges

    /// - Parameter charge: what arrived must be like it, field by field.
    private func expectArrives(_ charge: Charge) throws {
        guard case .authorize(let authorized) = try self.performed(.authorize(charge)).action,
            case .verify(let verified) = try self.performed(.verify(charge)).action
        else { throw Arrived.asAnotherCall }
        for arrived in [authorized, verified] {
            #expect(arrived.instrument.isAlike(charge.instrument))
            #expect(arrived.network == charge.network && arrived.captures == charge.captures)
            #expect(arrived.acceptsPartialApproval == charge.acceptsPartialApproval)
            #expect(arrived.details == charge.details)
        }
    }

    @Test func everyInstrumentArrivesAsItWasSent() throws {
        for instrument in FullRequests.instruments {
            try self.expectArrives(Charge(instrument: instrument, network: .visa))
            try self.expectArrives(FullRequests.charge(instrument))
        }
    }

    @Test(arguments: CardNetwork.allCases) func everyNetworkAndFlagArrivesAsItWasSent(_ network: CardNetwork) throws {
        for captures in [false, true] {
            for acceptsPartialApproval in [false, true] {
                try self.expectArrives(
                    Charge(
                        instrument: Bench.card, network: network, captures: captures,
                        acceptsPartialApproval: acceptsPartialApproval))
            }
        }
    }

    @Test func whatTheMerchantSaysArrivesAsItWasSent() throws {
        let full = FullRequests.details
        self.expectFull(full)
        self.expectFull(full.customer)
        self.expectFull(full.device)
        try self.expectArrives(FullRequests.charge(Bench.card))
        for certainty in ChargeDetails.Certainty.allCases {
            try self.expectArrives(self.charge(ChargeDetails(certainty: certainty)))
        }
        for address in [nil, PostalAddress(), FullRequests.billing, PostalAddress(postalCode: "")] {
            try self.expectArrives(self.charge(ChargeDetails(billing: address)))
            try self.expectArrives(self.charge(ChargeDetails(shipping: address)))
        }
        for source in PaymentSource.allCases { try self.expectArrives(self.charge(ChargeDetails(source: source))) }
        for place in TerminalPlace.allCases { try self.expectArrives(self.charge(ChargeDetails(terminal: place))) }
        for kind in [nil] + PaymentAgreement.Kind.allCases {
            let agreement = PaymentAgreement(kind: kind, id: "1")
            for initiator in [
                PaymentInitiator.customer(agreement: agreement), .merchant(agreement), .merchant(PaymentAgreement()),
            ] {
                try self.expectArrives(self.charge(ChargeDetails(initiator: initiator)))
            }
        }
        for status in [nil] + PayerAuthentication.Status.allCases {
            let authentication = PayerAuthentication(status: status)
            try self.expectArrives(self.charge(ChargeDetails(authentication: authentication)))
        }
        // A text that is there and empty is not one that is missing.
        try self.expectArrives(self.charge(ChargeDetails(orderReference: "", customer: Customer(firstName: ""))))
    }

    /// What a merchant says has whatever length its dialect takes. Nothing that fits into a frame is refused for it, which
    /// would end the connection and everybody else's calls.
    @Test func longTextsArriveAsTheyWereSent() throws {
        let long = String(repeating: "a", count: 60_000)
        for details in [
            ChargeDetails(orderReference: long), ChargeDetails(description: long),
            ChargeDetails(statementDescriptor: long), ChargeDetails(customer: Customer(id: long)),
            ChargeDetails(customer: Customer(firstName: long)), ChargeDetails(customer: Customer(lastName: long)),
            ChargeDetails(customer: Customer(email: long)), ChargeDetails(customer: Customer(phone: long)),
            ChargeDetails(customer: Customer(ipAddress: long)), ChargeDetails(customer: Customer(userAgent: long)),
            ChargeDetails(billing: PostalAddress(lines: [long])), ChargeDetails(billing: PostalAddress(city: long)),
            ChargeDetails(shipping: PostalAddress(mainDivision: long)),
            ChargeDetails(shipping: PostalAddress(postalCode: long)),
            ChargeDetails(shipping: PostalAddress(countryCode: long)),
            ChargeDetails(device: PayerDevice(callerNumber: long)),
            ChargeDetails(device: PayerDevice(phoneModel: long)),
        ] {
            try self.expectArrives(self.charge(details))
        }
        try self.expectArrives(
            Charge(
                instrument: .networkToken(
                    NetworkToken(
                        pan: Redacted(Bench.pan), expiryYearMonth: "3001",
                        proof: .emv(data: Redacted([0x9F]), encryptedPIN: Redacted(long)), eci: nil)), network: .visa))
    }

    private func charge(_ details: ChargeDetails) -> Charge {
        Charge(instrument: Bench.card, network: .visa, details: details)
    }

    /// Whether nothing is missing of what may be: a member that is added has to be added to the test's values too.
    private func expectFull(_ value: some Sendable, sourceLocation: SourceLocation = #_sourceLocation) {
        for (name, member) in Mirror(reflecting: value).children {
            let mirror = Mirror(reflecting: member)
            #expect(
                mirror.displayStyle != .optional || !mirror.children.isEmpty, "\(name ?? "?") is missing",
                sourceLocation: sourceLocation)
        }
    }

    // MARK: - What follows

    @Test func originalOperationsArriveAsTheyWereSent() throws {
        self.expectFull(FullRequests.authorization)
        self.expectFull(FullRequests.authorization.answer)
        var originals = [FullRequests.authorization, FullRequests.capture, Bench.original()]
        for kind in PaymentOperation.Kind.allCases {
            for isSale in [false, true] {
                originals.append(
                    OriginalOperation(
                        id: Bench.id(5), kind: kind, isSale: isSale, amount: Bench.money(.max), begunAt: Bench.at,
                        ordinal: .max, authorizedTotal: Bench.money(0), capturedTotal: Bench.money(.min)))
            }
        }
        for original in originals {
            for isFinal in [false, true] {
                let request = try self.performed(.capture(of: original, isFinal: isFinal))
                guard case .capture(let arrived, let isLast) = request.action else { throw Arrived.asAnotherCall }
                #expect(arrived == original && isLast == isFinal)
            }
            for capture in [nil, FullRequests.capture, original] {
                let request = try self.performed(.refund(of: original, capture: capture))
                guard case .refund(let arrived, let captured) = request.action else { throw Arrived.asAnotherCall }
                #expect(arrived == original && captured == capture)
            }
            guard case .adjust(let adjusted) = try self.performed(.adjust(original)).action,
                case .void(let voided) = try self.performed(.void(original)).action,
                case .reverse(let reversed) = try self.performed(.reverse(original)).action
            else { throw Arrived.asAnotherCall }
            #expect(adjusted == original && voided == original && reversed == original)
        }
    }

    @Test func queriesArriveAsTheyWereSent() throws {
        for original in [FullRequests.authorization, FullRequests.capture, Bench.original()] {
            let query = AcquirerQuery(
                paymentID: FullRequests.paymentID, merchantID: FullRequests.merchantID, original: original,
                at: FullRequests.begunAt)
            try self.expectPreserved(.query(query))
            guard case .query(let arrived) = try LinkRequest.query(query).sent() else { throw Arrived.asAnotherCall }
            #expect(arrived == query)
        }
    }

    @Test func preparationsArriveAsTheyWereSent() throws {
        for request in FullRequests.all {
            guard case .perform(let performed) = request else { continue }
            try self.expectPreserved(.prepare(performed))
            guard case .prepare(let arrived) = try LinkRequest.prepare(performed).sent() else {
                throw Arrived.asAnotherCall
            }
            #expect(LinkCall(arrived.action) == request.call && arrived.memo == FullRequests.memo)
        }
    }

    @Test func everyCallIsSentByItsOwnName() throws {
        let names = Bench.requests().map { $0.json(number: 1)["call"]?.string }
        #expect(names == ["authorize", "verify", "capture", "refund", "adjust", "void", "reverse", "query", "prepare"])
        for request in Bench.requests() + FullRequests.all { try self.expectPreserved(request) }
    }

    @Test func nothingSecretIsLogged() async throws {
        let bench = try Bench()
        let server = bench.server(SimulatorAcquirer(book: try .inMemory()))
        let port = try await server.listen(host: "127.0.0.1", port: 0)
        let client = try bench.client(port: port)
        for request in FullRequests.all + Bench.requests() { _ = await client.make(request) }
        try await connect(port: port) { wire in
            try await wire.greet(bench.secret)
            try await wire.send(
                Wire.frame("{\"type\":\"request\",\"pan\":\"\(Bench.pan)\",\"number\":\"\(Bench.pan)\"}".utf8))
            #expect(await wire.isEnded())
        }
        client.close()
        await server.stop()
        let lines = bench.log.all
        #expect(lines.contains { $0.contains("cut off") })
        for secret in [
            Bench.pan, String(decoding: Bench.cryptogram, as: UTF8.self), "a secret that both ends know", "Ottawa",
            "ada@example.com",
        ] {
            #expect(!lines.contains { $0.contains(secret) })
        }
        #expect(!"\(bench.secret)".contains("97"), "the secret's bytes are not printed")
    }
}
