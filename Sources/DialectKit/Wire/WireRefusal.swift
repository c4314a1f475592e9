//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import HTTPTypes

/// What a refused call is counted and logged as. Several dialects answer refusals with HTTP status 200, so that the
/// status alone does not show them.
///
/// Both words come from enumerations of the program, which the initializers demand: nothing that was sent can become a
/// label, and there are no more labels than cases.
public struct WireRefusal: Hashable, Sendable {
    /// Of a call that was refused before it was known what it asks for.
    public static let operationUnknown = "unknown"

    /// What was asked for, in the dialect's word.
    public let operation: String
    /// The dialect's code.
    public let code: String

    public init<Code, Operation>(_ code: Code, of operation: Operation?)
    where
        Code: RawRepresentable & CaseIterable, Code.RawValue: LosslessStringConvertible,
        Operation: RawRepresentable & CaseIterable, Operation.RawValue == String
    {
        self.operation = operation?.rawValue ?? Self.operationUnknown
        self.code = String(code.rawValue)
    }

    public init<Code>(_ code: Code)
    where Code: RawRepresentable & CaseIterable, Code.RawValue: LosslessStringConvertible {
        self.operation = Self.operationUnknown
        self.code = String(code.rawValue)
    }

    /// Where no dialect has a code: "http_404".
    public init(status: HTTPResponse.Status) {
        self.operation = Self.operationUnknown
        self.code = "http_\(status.code)"
    }
}

extension WireResponse {
    /// The same answer as that of a refused call.
    public func refused(as refusal: WireRefusal) -> WireResponse {
        var response = self
        response.refusal = refusal
        return response
    }
}
