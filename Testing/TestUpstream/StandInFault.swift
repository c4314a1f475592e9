//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import StrictJSON

/// What becomes of one call of a service's stand-in.
public enum StandInFault: Sendable {
    /// It is done, and the answer comes after the caller's deadline.
    case late
    /// Nothing is done, and the caller's deadline passes.
    case silent
    /// It is done, and this is the answer.
    case doneBut(JSON)
    /// Nothing is done, and this is the answer.
    case refused(JSON)
    /// Nothing is done: somebody in between, or the service before it began, answers with this HTTP status.
    case httpBefore(Int)
    /// It is done, and the answer is under this HTTP status.
    case http(Int)
    /// It is done, and this is the answer, as somebody in between has it.
    case text(String)
    /// It is done, and the answer is changed.
    case changed(@Sendable (inout JSONObject) -> Void)
    /// It is done, and the answer waits for the test.
    case waiting(@Sendable () async -> Void)
}

/// The faults of the next calls, in turn, by what is called.
public struct StandInFaults<Endpoint: Hashable & Sendable>: Sendable {
    private var faults: [Endpoint: [StandInFault]] = [:]

    public init() {}

    public mutating func append(_ fault: StandInFault, of endpoint: Endpoint) {
        self.faults[endpoint, default: []].append(fault)
    }

    /// - Parameters:
    ///   - done: does what is asked for, and answers.
    ///   - written: an answer, as the service writes it.
    ///   - deadline: the caller's.
    public mutating func answer(
        of endpoint: Endpoint, deadline: CallDeadline, written: (JSON) -> StubAnswer, done: () -> JSON
    ) -> StubAnswer {
        guard let fault = self.faults[endpoint]?.first else { return written(done()) }
        self.faults[endpoint]?.removeFirst()
        switch fault {
        case .silent: return Self.unheard(StubAnswer(status: 200, body: ""), deadline)
        case .refused(let json): return written(json)
        case .httpBefore(let status):
            return StubAnswer(status: status, body: "<html></html>", headers: [("Content-Type", "text/html")])
        default: break
        }
        let json = done()
        switch fault {
        case .silent, .refused, .httpBefore: return written(json)
        case .late: return Self.unheard(written(json), deadline)
        case .doneBut(let other): return written(other)
        case .http(let status):
            var answer = written(json)
            answer.status = status
            return answer
        case .text(let text): return StubAnswer(status: 200, body: text)
        case .changed(let change):
            var object = json.object ?? JSONObject()
            change(&object)
            return written(.object(object))
        case .waiting(let wait):
            var answer = written(json)
            answer.waits = wait
            return answer
        }
    }

    /// The caller's deadline passes, and nobody hears the answer.
    private static func unheard(_ answer: StubAnswer, _ deadline: CallDeadline) -> StubAnswer {
        var late = answer
        late.waits = { for await _ in AsyncStream<Void>.makeStream().stream {} }
        deadline.pass()
        return late
    }
}
