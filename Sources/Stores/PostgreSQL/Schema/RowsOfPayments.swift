//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// A payment's operations and its journal are written with it, by nobody but the store, and never deleted. A foreign key
/// between them keeps nobody from anything but deleting the parent, and its check reads and locks the parent once more for
/// each row (`FOR KEY SHARE`, postgresql.org/docs/15/explicit-locking.html#LOCKING-ROWS): six of eight checks of an
/// authorization. A trigger of the parent's keeps everybody from deleting it, whether it has rows below it or not, and
/// costs nothing else; that no posting is without its payment is what `ledger check` adds up.
///
/// What points to rows that others write keeps its key.
///
/// Each table's lock is waited for less long than it takes the server to look for a deadlock (`deadlock_timeout`, one
/// second), so that it is this step that lets the others pass, and none of them that fails.
let rowsOfPayments = """
    SET LOCAL lock_timeout = 500;
    LOCK TABLE payments, operations, journal_entries, postings IN ACCESS EXCLUSIVE MODE;
    ALTER TABLE operations DROP CONSTRAINT operations_payment_id_fkey;
    ALTER TABLE journal_entries DROP CONSTRAINT journal_entries_payment_id_fkey;
    ALTER TABLE postings DROP CONSTRAINT postings_payment_id_version_entry_ordinal_fkey;
    \(["payments", "operations"].map(neverDeleted).joined(separator: "\n"))
    """

private func neverDeleted(_ table: String) -> String {
    """
    CREATE TRIGGER \(table)_never_deleted BEFORE DELETE OR TRUNCATE ON \(table)
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
    """
}
