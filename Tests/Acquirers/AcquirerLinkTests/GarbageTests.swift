//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Payments
import StrictJSON
import Testing

@testable import AcquirerLink

/// What a bad acquirer may send in place of an answer: none of it is taken for one.
@Suite struct GarbageTests {
    enum Garbage: String, CaseIterable, CustomStringConvertible {
        case http, emptyFrame, hugeFrame, justTooLarge, noJSON, notUTF8, array, string, deep, duplicateName
        case trailingBytes, unknownMember, noOutcome, noNumber, numberAsText, fraction, negativeNumber, hugeNumber
        case neverSentNumber, anotherOperation, noOperation, brokenOperation, anotherCall, unknownCall, anotherType
        case approvedWithoutAmount, amountAsText, amountAsFraction, amountTooLarge, unknownCurrency
        case approvedWithoutAnswer, answerAsText, referenceAsNumber, longReference, unknownAnswerMember
        case declinedWithoutReason, unknownReason, acceptedWithoutAnswer, acceptedWithAmount
        case unknownWithoutReason, unknownWithoutWord, unknownForAnotherReason, wordThatIsNoWord, emptyWord, longWord
        case notProcessedWithoutReason, notProcessedWithoutWord, notProcessedForAnotherReason
        case notProcessedWithoutAWord, notProcessedWithAnswer, unknownOutcome, reversed, notFound, nullOutcome
        case requestInstead, challengeAgain

        var description: String { self.rawValue }

        private static let memo: JSON = ["entries": [], "handles": []]
        private static let operation = JSON.string(Bench.id(1).text)

        private static func answer(_ outcome: JSON, _ changes: (inout JSONObject) -> Void = { _ in }) -> [UInt8] {
            var object = JSONObject()
            object["type"] = "answer"
            object["number"] = 1
            object["call"] = "authorize"
            object["operation"] = Self.operation
            object["outcome"] = outcome
            changes(&object)
            return Wire.frame(JSON.object(object).serialized())
        }

        private static func changed(_ name: String, _ value: JSON?) -> [UInt8] {
            Self.answer(Self.approved()) { $0[name] = value }
        }

        private static func approved(_ name: String? = nil, _ value: JSON? = nil) -> JSON {
            Self.changed(
                [
                    "is": "approved", "amount": ["minorUnits": 1000, "currency": "CAD"],
                    "answer": ["reference": "000000000001"], "memo": Self.memo,
                ], name, value)
        }

        private static func unknown(_ name: String? = nil, _ value: JSON? = nil) -> JSON {
            Self.changed(
                ["is": "unknown", "reason": "unclear", "word": "http_502", "memo": Self.memo], name, value)
        }

        private static func notProcessed(_ name: String? = nil, _ value: JSON? = nil) -> JSON {
            Self.changed(["is": "notProcessed", "reason": "busy", "word": "http_429"], name, value)
        }

        private static func changed(_ outcome: JSON, _ name: String?, _ value: JSON?) -> JSON {
            guard let name, var object = outcome.object else { return outcome }
            object[name] = value
            return .object(object)
        }

        /// Answers with nothing wrong, of which the cases are made.
        static var templates: [[UInt8]] {
            [Self.approved(), Self.unknown(), Self.notProcessed()].map { Self.answer($0) }
        }

        private static func text(_ text: String) -> [UInt8] { Wire.frame(text.utf8) }

        /// The bytes. Those of the frame are what the case says, everything else about them is right.
        var bytes: [UInt8] {
            switch self {
            case .http: Array("HTTP/1.1 502 Bad Gateway\r\n\r\n".utf8)
            case .emptyFrame: [0, 0, 0, 0]
            case .hugeFrame: [0xFF, 0xFF, 0xFF, 0xFF, 0x7B]
            case .justTooLarge: [0, 1, 0, 1, 0x7B]
            case .noJSON: Self.text("approved")
            case .notUTF8: Wire.frame([0x7B, 0x22, 0xFF, 0x22, 0x3A, 0x31, 0x7D])
            case .array: Self.text("[]")
            case .string: Self.text("\"approved\"")
            case .deep: Self.text(String(repeating: "[", count: 30_000))
            case .duplicateName: Self.text("{\"type\":\"answer\",\"type\":\"answer\"}")
            case .trailingBytes: Self.text("{\"type\":\"answer\"}{}")
            case .unknownMember: Self.changed("extra", true)
            case .noOutcome: Self.changed("outcome", nil)
            case .noNumber: Self.changed("number", nil)
            case .numberAsText: Self.changed("number", "1")
            case .fraction: Self.changed("number", .number("1.0"))
            case .negativeNumber: Self.changed("number", -1)
            case .hugeNumber: Self.changed("number", .number("99999999999999999999"))
            case .neverSentNumber: Self.changed("number", 99)
            case .anotherOperation: Self.changed("operation", .string(Bench.id(2).text))
            case .noOperation: Self.changed("operation", nil)
            case .brokenOperation: Self.changed("operation", "op_1")
            case .anotherCall: Self.changed("call", "capture")
            case .unknownCall: Self.changed("call", "steal")
            case .anotherType: Self.changed("type", "reply")
            case .approvedWithoutAmount: Self.answer(Self.approved("amount", nil))
            case .amountAsText: Self.answer(Self.approved("amount", ["minorUnits": "1000", "currency": "CAD"]))
            case .amountAsFraction:
                Self.answer(Self.approved("amount", ["minorUnits": .number("10.00"), "currency": "CAD"]))
            case .amountTooLarge:
                Self.answer(Self.approved("amount", ["minorUnits": .number("9223372036854775808"), "currency": "CAD"]))
            case .unknownCurrency: Self.answer(Self.approved("amount", ["minorUnits": 1000, "currency": "ZZZ"]))
            case .approvedWithoutAnswer: Self.answer(Self.approved("answer", nil))
            case .answerAsText: Self.answer(Self.approved("answer", "00"))
            case .referenceAsNumber: Self.answer(Self.approved("answer", ["reference": 1]))
            case .longReference:
                Self.answer(Self.approved("answer", ["reference": .string(String(repeating: "0", count: 257))]))
            case .unknownAnswerMember: Self.answer(Self.approved("answer", ["pan": "4111111111111111"]))
            case .declinedWithoutReason: Self.answer(["is": "declined", "answer": [:], "memo": Self.memo])
            case .unknownReason: Self.answer(["is": "declined", "reason": "badMood", "answer": [:], "memo": Self.memo])
            case .acceptedWithoutAnswer: Self.answer(["is": "accepted", "memo": Self.memo])
            case .acceptedWithAmount: Self.answer(Self.approved("is", "accepted"))
            case .unknownWithoutReason: Self.answer(Self.unknown("reason", nil))
            case .unknownWithoutWord: Self.answer(Self.unknown("word", nil))
            case .unknownForAnotherReason: Self.answer(Self.unknown("reason", "busy"))
            case .wordThatIsNoWord: Self.answer(Self.unknown("word", "PAN 4111 1111\n"))
            case .emptyWord: Self.answer(Self.unknown("word", ""))
            case .longWord: Self.answer(Self.unknown("word", .string(String(repeating: "x", count: 65))))
            case .notProcessedWithoutReason: Self.answer(Self.notProcessed("reason", nil))
            case .notProcessedWithoutWord: Self.answer(Self.notProcessed("word", nil))
            case .notProcessedForAnotherReason: Self.answer(Self.notProcessed("reason", "timedOut"))
            case .notProcessedWithoutAWord: Self.answer(Self.notProcessed("word", "PAN 4111 1111\n"))
            case .notProcessedWithAnswer: Self.answer(Self.notProcessed("answer", [:]))
            case .unknownOutcome: Self.answer(["is": "perhaps"])
            case .reversed: Self.answer(["is": "reversed"])
            case .notFound: Self.answer(["is": "notFound"])
            case .nullOutcome: Self.answer(.null)
            case .requestInstead: Wire.frame(Bench.query(1).json(number: 1).serialized())
            case .challengeAgain: Wire.frame(LinkHandshake.ready(LinkSignOn(isSignedOff: false)).serialized())
            }
        }
    }

    @Test(arguments: Garbage.allCases) func garbageIsUnknownAndEndsTheConnection(_ garbage: Garbage) async throws {
        let bench = try Bench()
        let bytes = garbage.bytes
        let peer = try await RawPeer { connection, wire in
            try await wire.welcome(bench.secret)
            guard connection == 1 else { return try await wire.approveAll() }
            _ = try await wire.request()
            try await wire.send(bytes)
            _ = await wire.isEnded()
        }
        let client = try bench.client(port: peer.port)
        let request = Bench.authorization()
        #expect(await client.make(request) == request.ended(.garbledAnswer))
        #expect(await client.make(request) == request.approved())
        #expect(peer.connectionsCount == 2)
        #expect(!bench.log.all.contains { $0.contains("4111") })
        client.close()
        peer.close()
    }

    /// The templates of the cases above are themselves good answers, so that each is refused for its own fault.
    @Test func templatesOfTheGarbageAreAnswers() async throws {
        for template in Garbage.templates { #expect(try LinkAnswer(Array(template.dropFirst(4))).number == 1) }
        let answer = LinkAnswer(
            number: 1, call: .authorize, operationID: Bench.id(1),
            outcome: Bench.authorization().approved())
        #expect(try LinkAnswer(answer.json.serialized()) == answer)
        let unspoiled = Garbage.neverSentNumber.bytes.dropFirst(4)
        #expect(try LinkAnswer(Array(unspoiled)).number == 99)
        #expect(throws: LinkViolation("unknown_member")) {
            try LinkAnswer(Array(Garbage.unknownMember.bytes.dropFirst(4)))
        }
    }

    @Test func garbageAmongAnswersEndsEveryCallOfTheConnection() async throws {
        let bench = try Bench()
        let peer = try await RawPeer { connection, wire in
            try await wire.welcome(bench.secret)
            guard connection == 1 else { return try await wire.approveAll() }
            for _ in 1...5 { _ = try await wire.request() }
            try await wire.send(Garbage.neverSentNumber.bytes)
            _ = await wire.isEnded()
        }
        let client = try bench.client(port: peer.port)
        let requests = (1...5).map { Bench.authorization($0) }
        await withTaskGroup(of: LinkOutcome.self) { group in
            for request in requests { group.addTask { await client.make(request) } }
            for await outcome in group { #expect(outcome == requests[0].ended(.garbledAnswer)) }
        }
        #expect(await client.make(requests[0]) == requests[0].approved())
        client.close()
        peer.close()
    }

    /// Only a query finds nothing, or something that was taken back; only an operation was not processed.
    @Test func outcomeOfTheOtherKindOfCallIsRefused() throws {
        let notProcessed = NotProcessed(.busy, "http_429")
        for request in Bench.requests() {
            let outcomes: [LinkOutcome] =
                switch request.call {
                case .query: [.operation(.notProcessed(notProcessed)), .preparation(.ready(AcquirerMemo()))]
                case .prepare: [.query(.reversed), .query(.unknown(.timedOut()))]
                default: [.query(.reversed), .query(.notFound), .preparation(.ready(AcquirerMemo()))]
                }
            for outcome in outcomes {
                let answer = LinkAnswer(
                    number: 1, call: request.call, operationID: request.operationID, outcome: outcome)
                #expect(throws: LinkViolation("bad_is")) { try LinkAnswer(answer.json.serialized()) }
            }
        }
    }

    /// The port wants a word; what an acquirer may have put there instead goes no further.
    @Test func wordThatIsNoWordIsNotPassedOn() throws {
        for text in ["card 4111111111111111", "", "Unclear", "caf\u{E9}", String(repeating: "x", count: 65)] {
            for (call, outcome, passedOn) in [
                (LinkCall.query, LinkOutcome.query(.unknown(.timedOut(text))), .query(.unknown(.timedOut("unclear")))),
                (.capture, .operation(.timedOut(text)), .operation(.timedOut("unclear"))),
                (
                    .capture, .operation(.notProcessed(NotProcessed(.busy, text))),
                    .operation(.notProcessed(NotProcessed(.busy, "unclear")))
                ),
            ] as [(LinkCall, LinkOutcome, LinkOutcome)] {
                let answer = LinkAnswer(number: 1, call: call, operationID: Bench.id(1), outcome: outcome)
                #expect(try LinkAnswer(answer.json.serialized()).outcome == passedOn)
            }
        }
    }
}
