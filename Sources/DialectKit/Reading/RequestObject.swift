//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import StrictJSON

/// A JSON object of a request, read strictly field by field. The first field that does not fit is thrown, with its
/// path.
///
/// Fields that nobody asks for are ignored, so that a client's later version is understood. A field that is `null`
/// counts as left out.
public struct RequestObject: Sendable {
    private let object: JSONObject
    private let path: String

    /// The body of a request.
    public init(_ json: JSON) throws(FieldError) {
        try self.init(json, path: "")
    }

    private init(_ json: JSON, path: String) throws(FieldError) {
        guard let object = json.object else {
            throw FieldError(path: path, problem: "must be a JSON object, and is \(json.kind)")
        }
        self.object = object
        self.path = path
    }

    /// The path of one of the object's fields.
    public func path(of name: String) -> String {
        self.path.isEmpty ? name : "\(self.path).\(name)"
    }

    public func error(_ name: String, _ problem: String) -> FieldError {
        FieldError(path: self.path(of: name), problem: problem)
    }

    /// The field as it is, unless it is left out.
    public func value(_ name: String) -> JSON? {
        switch self.object[name] {
        case nil, .null: nil
        case let value: value
        }
    }
}

// MARK: - Strings

extension RequestObject {
    /// A string that must be there and not be empty.
    ///
    /// - Parameter charactersMax: counted in Unicode scalars, so that no combining marks hide behind one character.
    public func string(
        _ name: String, charactersMax: Int, as form: TextForm = .line
    ) throws(FieldError) -> String {
        guard let text = try self.optionalString(name, charactersMax: charactersMax, as: form) else {
            let isThere = self.value(name) != nil
            throw self.error(name, isThere ? "must not be empty" : "is required and must be a string")
        }
        return text
    }

    /// Whether there is a member of that name that is not null.
    public func contains(_ name: String) -> Bool { self.value(name) != nil }

    /// A string that may be left out. An empty one counts as left out.
    public func optionalString(
        _ name: String, charactersMax: Int, as form: TextForm = .line
    ) throws(FieldError) -> String? {
        guard let value = self.value(name) else { return nil }
        guard let text = value.string else { throw self.error(name, "must be a string, and is \(value.kind)") }
        if let problem = form.problem(of: text, charactersMax: charactersMax) { throw self.error(name, problem) }
        return text.isEmpty ? nil : text
    }
}

// MARK: - Numbers and objects

extension RequestObject {
    /// An integer within bounds that may be left out.
    public func optionalInteger(_ name: String, in bounds: ClosedRange<Int64>) throws(FieldError) -> Int64? {
        guard let value = self.value(name) else { return nil }
        guard let integer = value.integer, bounds.contains(integer) else {
            throw self.error(name, "must be an integer from \(bounds.lowerBound) to \(bounds.upperBound)")
        }
        return integer
    }

    /// An object that must be there.
    public func object(_ name: String) throws(FieldError) -> RequestObject {
        guard let object = try self.optionalObject(name) else {
            throw self.error(name, "is required and must be a JSON object")
        }
        return object
    }

    public func optionalObject(_ name: String) throws(FieldError) -> RequestObject? {
        guard let value = self.value(name) else { return nil }
        return try RequestObject(value, path: self.path(of: name))
    }
}
