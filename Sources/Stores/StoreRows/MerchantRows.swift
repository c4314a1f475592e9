//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Payments
import Time

extension Merchant {
    public static let columnNames = "id, name, display_name, mode, acquirer, country_code, created_at"

    public var columnValues: RowArguments {
        [
            self.id.text, self.name, self.displayName, self.mode.rawValue, self.acquirer.text, self.countryCode,
            self.createdAt.milliseconds,
        ]
    }

    @inlinable public init(_ columns: inout some RowColumns) throws {
        self.init(
            id: try columns.id(), name: try columns.text(), displayName: try columns.text(), mode: try columns.choice(),
            acquirer: AcquirerName(try columns.name()), countryCode: try columns.text(),
            createdAt: try columns.timestamp())
    }
}

extension AppleCredential {
    public static let columnNames = """
        merchant_id, id, purpose, merchant_identifier, certificate_pem, not_after, key_id, box, created_at, state
        """

    /// The step of the schema by which a certificate has a state: all that were imported before it are in use.
    public static let stateStep = """
        ALTER TABLE apple_credentials ADD COLUMN state TEXT NOT NULL DEFAULT 'active'
            CHECK (state IN ('requested', 'imported', 'active', 'retired'));
        UPDATE apple_credentials SET state = 'requested' WHERE certificate_pem IS NULL;
        """

    public var columnValues: RowArguments {
        [
            self.merchantID.text, self.id, self.purpose.rawValue, self.merchantIdentifier, self.certificatePEM,
            self.notAfter?.milliseconds, self.sealedPrivateKey.keyID, self.sealedPrivateKey.box,
            self.createdAt.milliseconds, self.state.rawValue,
        ]
    }

    @inlinable public init(_ columns: inout some RowColumns) throws {
        let merchantID: MerchantID = try columns.id()
        self.init(
            id: try columns.text(), merchantID: merchantID, purpose: try columns.choice(),
            merchantIdentifier: try columns.text(), certificatePEM: try columns.optionalText(),
            notAfter: try columns.optionalTimestamp(), sealedPrivateKey: try columns.sealed(),
            createdAt: try columns.timestamp(), state: try columns.choice())
    }
}
