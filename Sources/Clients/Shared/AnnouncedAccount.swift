//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// The account of a demo merchant, as a sandbox announces it and writes it on the merchant's card: values and files by their
/// names. Every client reads its credentials from it.
public struct AnnouncedAccount {
    private let find: (String) throws -> String
    private let read: (_ name: String, _ isSecret: Bool) throws -> String

    /// - Parameters:
    ///   - find: the value of that name.
    ///   - read: the text of the file of that name; a secret one may be its owner's alone.
    public init(
        find: @escaping (String) throws -> String, read: @escaping (_ name: String, _ isSecret: Bool) throws -> String
    ) {
        self.find = find
        self.read = read
    }

    func value(_ name: String) throws -> String { try self.find(name) }

    func number(_ name: String) throws -> Int {
        guard let number = Int(try self.find(name)) else {
            throw ClientError(.fieldMissing, "\(name) of the account must be a number.")
        }
        return number
    }

    func file(_ name: String) throws -> String { try self.read(name, false) }

    func secretFile(_ name: String) throws -> String { try self.read(name, true) }
}
