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
    static func instruments() -> [PaymentInstrument] {
        let pan = Redacted(Bench.pan)
        return [
            Bench.card,
            .networkToken(
                NetworkToken(
                    pan: pan, expiryYearMonth: "3001",
                    proof: .emv(data: Redacted([0x9F, 0x26, 0x00]), encryptedPIN: Redacted("8F")), eci: nil)),
            .networkToken(
                NetworkToken(
                    pan: pan, expiryYearMonth: "3001", proof: .emv(data: Redacted([]), encryptedPIN: nil), eci: "07")),
            .networkToken(
                NetworkToken(pan: pan, expiryYearMonth: "3001", proof: .securityCode(Redacted("123")), eci: nil)),
            .networkToken(NetworkToken(pan: pan, expiryYearMonth: "3001", proof: .securityCode(nil), eci: nil)),
            .sealedApplePayToken(Redacted(Array("{\"version\":\"EC_v1\",\"data\":\"…\"}".utf8))),
        ]
    }

    /// What is said once more is the same, and a written request holds every field.
    private func expectPreserved(_ request: LinkRequest) throws {
        let json = request.json(number: 7)
        let (number, read) = try LinkRequest.read(json.serialized())
        #expect(number == 7)
        #expect(read.call == request.call && read.operationID == request.operationID)
        #expect(read.json(number: 7) == json)
    }

    @Test func everyInstrumentArrivesAsItWasSent() throws {
        let billing = BillingAddress(
            line1: "1 Main Street\u{1F34E}", city: "Ottawa", mainDivision: "ON", postalCode: "K1A 0B1",
            countryCode: "CA")
        for instrument in Self.instruments() {
            for address in [nil, BillingAddress(), billing] {
                let request = AcquirerAuthorization(
                    operationID: Bench.id(1), paymentID: PaymentID(at: Bench.at, random: [2]),
                    merchantID: MerchantID(at: Bench.at, random: [3]), amount: try Bench.money(.max), captures: true,
                    instrument: instrument, billing: address, at: Bench.at)
                try self.expectPreserved(.authorize(request))
                let (_, read) = try LinkRequest.read(LinkRequest.authorize(request).json(number: 1).serialized())
                guard case .authorize(let arrived) = read else {
                    Issue.record("another call")
                    return
                }
                #expect(arrived.amount == request.amount && arrived.captures && arrived.at == request.at)
                #expect(arrived.paymentID == request.paymentID && arrived.merchantID == request.merchantID)
                #expect(arrived.billing == address)
            }
        }
    }

    @Test func followUpsReversalsAndQueriesArriveAsTheyWereSent() throws {
        for request in try Bench.requests() { try self.expectPreserved(request) }
        let followUp = try Bench.followUp(2, of: 1, 5)
        guard
            case .refund(let arrived) = try LinkRequest.read(LinkRequest.refund(followUp).json(number: 1).serialized())
                .request
        else {
            Issue.record("another call")
            return
        }
        #expect(arrived == followUp)
        for reason in AcquirerReversal.Reason.allCases {
            let reversal = AcquirerReversal(
                operationID: Bench.id(5), paymentID: PaymentID(at: Bench.at, random: [2]),
                merchantID: MerchantID(at: Bench.at, random: [3]), targetID: Bench.id(1),
                targetReference: "000000000001",
                amount: try Bench.money(0), reason: reason, at: Bench.at)
            guard
                case .reverse(let arrived) = try LinkRequest.read(
                    LinkRequest.reverse(reversal).json(number: 1).serialized()
                ).request
            else {
                Issue.record("another call")
                return
            }
            #expect(arrived == reversal)
        }
    }

    /// Without any one of its members a request is not understood, unless that member may be missing.
    @Test func requestWithoutAMemberIsNotUnderstood() throws {
        let optional: Set = ["authorizationReference", "targetReference", "billing", "eci", "securityCode"]
        for request in try Bench.requests() {
            let json = try #require(request.json(number: 1).object)
            for name in json.names {
                var spoiled = json
                spoiled[name] = nil
                #expect(throws: LinkViolation.self) { try LinkRequest.read(JSON.object(spoiled).serialized()) }
            }
            let contents = try #require(json["request"]?.object)
            for name in contents.names where !optional.contains(name) {
                var spoiled = json
                var inner = contents
                inner[name] = nil
                spoiled["request"] = .object(inner)
                #expect(throws: LinkViolation.self) { try LinkRequest.read(JSON.object(spoiled).serialized()) }
                inner[name] = ["unlike": [1]]
                spoiled["request"] = .object(inner)
                #expect(throws: LinkViolation.self) { try LinkRequest.read(JSON.object(spoiled).serialized()) }
            }
            var strange = json
            var inner = contents
            inner["strange"] = 1
            strange["request"] = .object(inner)
            #expect(throws: LinkViolation("unknown_member")) {
                try LinkRequest.read(JSON.object(strange).serialized())
            }
        }
    }

    @Test func nothingSecretIsLogged() async throws {
        let bench = try Bench()
        let server = bench.server(SimulatorAcquirer(book: try .inMemory()))
        let port = try await server.listen(host: "127.0.0.1", port: 0)
        let client = try bench.client(port: port)
        _ = await client.make(.authorize(try Bench.authorization()))
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
        for secret in [Bench.pan, String(decoding: Bench.cryptogram, as: UTF8.self), "a secret that both ends know"] {
            #expect(!lines.contains { $0.contains(secret) })
        }
        #expect(!"\(bench.secret)".contains("97"), "the secret's bytes are not printed")
    }
}
