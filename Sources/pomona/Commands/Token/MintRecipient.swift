//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import ApplePayToken
import Payments
import SwiftASN1
import WalletSimulator
import X509

/// For which merchant identifier a token is minted, and for whose key.
struct MintRecipient {
    let merchantIdentifier: String
    let key: ProcessingPublicKey
}

extension MintRecipient {
    /// - Parameter path: a Payment Processing Certificate, whoever has its key.
    init(certificate path: String) throws {
        let bytes = try InputFile.bytes(of: path, what: "certificate", bytesMax: InputFile.pemBytesMax)
        let certificate = try AppleCertificate(bytes)
        guard let identifier = certificate.merchantIdentifier else {
            throw CommandFailure(
                .certificateOfNeitherKind, stage: .mint,
                "The certificate names no merchant identifier: it is no Payment Processing Certificate.")
        }
        self.init(
            merchantIdentifier: identifier,
            key: try ProcessingPublicKey(certificate: try Certificate(derEncoded: certificate.der)))
    }

    /// The newest key that the store has in use for a sandbox merchant: as wallets seal for the certificate that was
    /// activated last.
    ///
    /// - Parameter identifier: the merchant identifier that the merchant's card names: its keys come first.
    /// - Returns: `nil` where the directory has no store, or the store no such merchant or key.
    static func inStore(
        of directory: DataDirectory, merchant name: String, identifier: String?,
        _ version: WalletSimulator.PaymentRequest.Version
    ) async throws -> MintRecipient? {
        guard (try? directory.requireStore()) != nil else { return nil }
        let store = try await DirectoryAccess.readOnly(directory)
        let credentials: [AppleCredential]
        do {
            credentials = try await store.read { reader -> [AppleCredential] in
                guard let merchant = try reader.merchant(named: name), merchant.mode == .sandbox else { return [] }
                return try reader.appleCredentials(of: merchant.id)
            }
        } catch {
            try? await store.close()
            throw error
        }
        try await store.close()
        let inUse = credentials.reversed().filter { $0.isInUse && $0.purpose == .paymentProcessing }
        let ordered =
            inUse.filter { $0.merchantIdentifier == identifier } + inUse.filter { $0.merchantIdentifier != identifier }
        for credential in ordered {
            guard let pem = credential.certificatePEM,
                let key = try? ProcessingPublicKey(certificate: try Certificate(pemEncoded: pem)),
                key.version == version
            else { continue }
            return MintRecipient(merchantIdentifier: credential.merchantIdentifier, key: key)
        }
        return nil
    }
}
