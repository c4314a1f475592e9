//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Payments
import StoreRows

/// One step from an empty database to today's tables.
struct SchemaStep {
    /// Letters, digits and spaces.
    let name: String
    let sql: String
}

/// The steps, in order. A step that has been released is never changed; a change is a new step, and only adds (see
/// ``Migrator``).
let schemaSteps = [
    SchemaStep(name: "merchants", sql: merchantTables),
    SchemaStep(name: "payments", sql: paymentTables),
    SchemaStep(name: "ledger", sql: ledgerTables),
    SchemaStep(name: "delivery", sql: deliveryTables),
    SchemaStep(name: "audit", sql: auditTables),
    // Why an operation's outcome is not known; nothing for one that became so before this step.
    SchemaStep(name: "unknown reason", sql: "ALTER TABLE operations ADD COLUMN unknown_reason text;"),
    SchemaStep(name: "open events", sql: OpenWork.indexStep),
    SchemaStep(name: "certificate states", sql: AppleCredential.stateStep),
    SchemaStep(name: "accepted operations", sql: acceptedOperationsStep),
]

/// The state of what an acquirer has and has not decided, and failures that are nobody's decline, whose names are left to
/// the rows' reader. A token that was used up for such a failure may be used by another payment.
private let acceptedOperationsStep = """
    ALTER TABLE operations DROP CONSTRAINT operations_state_check, DROP CONSTRAINT operations_failure_check;
    ALTER TABLE operations ADD CONSTRAINT operations_state_check
        CHECK (state IN ('pending', 'unknown', 'accepted', 'succeeded', 'failed'));
    DROP TRIGGER seen_tokens_append_only ON seen_tokens;
    CREATE TRIGGER seen_tokens_append_only BEFORE DELETE OR TRUNCATE ON seen_tokens
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
    CREATE FUNCTION refuse_reuse() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        IF \(SeenTokenRow.isNotProcessed("OLD.payment_id")) THEN RETURN NEW; END IF;
        RAISE EXCEPTION 'a token that was paid with stays used';
    END
    $$;
    CREATE TRIGGER seen_tokens_taken_over BEFORE UPDATE ON seen_tokens
    FOR EACH ROW EXECUTE FUNCTION refuse_reuse();
    """

/// Triggers that keep a table as it was written.
func appendOnly(_ table: String) -> String {
    """
    CREATE TRIGGER \(table)_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON \(table)
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
    """
}
