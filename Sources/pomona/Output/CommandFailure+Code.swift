//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

extension CommandFailure {
    /// What failed, where this program itself finds it out. The raw value is the stable name that is printed.
    enum Code: String, Hashable, Sendable, CaseIterable {
        case accountAmbiguous = "account_ambiguous"
        case accountUnknown = "account_unknown"
        case acquirerMalformed = "acquirer_malformed"
        case affiliateCodeInvalid = "affiliate_code_invalid"
        case affiliateUnknown = "affiliate_unknown"
        case amountMalformed = "amount_malformed"
        case argumentMalformed = "argument_malformed"
        case auditBroken = "audit_broken"
        case auditHeadMissing = "audit_head_missing"
        case binTableMalformed = "bin_table_malformed"
        case certificateAmbiguous = "certificate_ambiguous"
        case certificateOfNeitherKind = "certificate_of_neither_kind"
        case configurationFileMalformed = "configuration_file_malformed"
        case configurationKeyMissing = "configuration_key_missing"
        case configurationKeyUnknown = "configuration_key_unknown"
        case configurationValueInvalid = "configuration_value_invalid"
        case connectorCommandUnknown = "connector_command_unknown"
        case contactMalformed = "contact_malformed"
        case credentialsMalformed = "credentials_malformed"
        case credentialsNameUnknown = "credentials_name_unknown"
        case credentialsValueInvalid = "credentials_value_invalid"
        case currencyUnknown = "currency_unknown"
        case dataKeyInUse = "data_key_in_use"
        case demoExpectationFailed = "demo_expectation_failed"
        case dialectUnknown = "dialect_unknown"
        case directoryInUse = "directory_in_use"
        case directoryTooOpen = "directory_too_open"
        case eventUnknown = "event_unknown"
        case fileMalformed = "file_malformed"
        case fileMissing = "file_missing"
        case fileNotText = "file_not_text"
        case fileNotWritable = "file_not_writable"
        case fileOwnerWrong = "file_owner_wrong"
        case fileTooLarge = "file_too_large"
        case fileTooOpen = "file_too_open"
        case fileUnreadable = "file_unreadable"
        case gatewayNotReady = "gateway_not_ready"
        case gatewayUnreachable = "gateway_unreachable"
        case ledgerUnsound = "ledger_unsound"
        case listenFailed = "listen_failed"
        case masterKeyAmbiguous = "master_key_ambiguous"
        case masterKeyBusy = "master_key_busy"
        case masterKeyCommandFailed = "master_key_command_failed"
        case masterKeyMalformed = "master_key_malformed"
        case merchantUnknown = "merchant_unknown"
        case networkNotSupported = "network_not_supported"
        case newKeyFileMissing = "new_key_file_missing"
        case notPKCS12 = "not_pkcs12"
        case paymentAmbiguous = "payment_ambiguous"
        case decisionNotAllowed = "decision_not_allowed"
        case paymentUnknown = "payment_unknown"
        case permissionDenied = "permission_denied"
        case pkcs12PassphraseWrong = "pkcs12_passphrase_wrong"
        case pkcs12Unreadable = "pkcs12_unreadable"
        case privateKeyMismatch = "private_key_mismatch"
        case refused
        case settingInvalid = "setting_invalid"
        case settingIsSecret = "setting_is_secret"
        case settingUnknown = "setting_unknown"
        case setupDiffers = "setup_differs"
        case setupMalformed = "setup_malformed"
        case setupRepeated = "setup_repeated"
        case storeMalformed = "store_malformed"
        case storeSame = "store_same"
        case tokenVersionNotSupported = "token_version_not_supported"
        case unexpected
        case valuesDamaged = "values_damaged"
    }

    /// Where it failed, beside the stages of a token's road.
    enum Stage: String, Hashable, Sendable, CaseIterable {
        case acquirer
        case administration
        case audit
        case certificate
        case configuration
        case credentials
        case dataDirectory = "data_directory"
        case demo
        case input
        case `internal`
        case keys
        case ledger
        case listen
        case mint
        case onboarding
        case payment
        case store
        case webFiles = "web_files"
    }
}
