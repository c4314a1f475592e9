//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Payments
import Synchronization

/// Where a gateway keeps which book its acquirer keeps, so that the next start asks for the same.
public struct AcquirerLinkBookRecord: Sendable {
    public let known: AcquirerBookID?
    let keep: @Sendable (AcquirerBookID) throws -> Void

    /// - Parameters:
    ///   - known: what has been kept; `nil` where nothing has been.
    ///   - keep: keeps the first one durably, and throws where it can't.
    public init(known: AcquirerBookID?, keep: @escaping @Sendable (AcquirerBookID) throws -> Void) {
        self.known = known
        self.keep = keep
    }

    /// Of a client that takes whichever book it meets first for as long as it lives.
    public static let none = AcquirerLinkBookRecord(known: nil) { _ in }
}

/// The one book that a client deals with: the first that it has met.
///
/// What has been sent to one book is asked for in no other, which has never heard of it: that would be taken for
/// not found, and what the first one has approved would be taken for reversed.
final class LinkBook: Sendable {
    private let record: AcquirerLinkBookRecord
    private let known: Mutex<AcquirerBookID?>

    init(_ record: AcquirerLinkBookRecord) {
        self.record = record
        self.known = Mutex(record.known)
    }

    /// Keeps the first book before anything is sent to it. Blocks for the time of writing that, once.
    /// - Throws: ``LinkViolation/otherBook``; ``LinkViolation/bookNotKept``, and then it is tried again.
    func accept(_ book: AcquirerBookID?) throws(LinkViolation) {
        let violation = self.known.withLock { known -> LinkViolation? in
            guard known == nil else { return known == book ? nil : .otherBook }
            guard let book else { return nil }
            guard (try? self.record.keep(book)) != nil else { return .bookNotKept }
            known = book
            return nil
        }
        if let violation { throw violation }
    }
}

extension LinkViolation {
    static let otherBook = LinkViolation("other_book")
    static let bookNotKept = LinkViolation("book_not_kept")

    /// What an operator reads of a server that is refused. Waiting does not mend that.
    var advice: String {
        switch self {
        case .otherBook:
            "acquirer link refused: this is not the book that the gateway's operations are in; have the acquirer's process "
                + "use that one, or forget it (operations.md, Another book)"
        case .bookNotKept:
            "acquirer link refused: which book the acquirer keeps could not be kept; see that the data directory can be "
                + "written to"
        default: "acquirer link refused: compare the secret and the version of both ends"
        }
    }
}
