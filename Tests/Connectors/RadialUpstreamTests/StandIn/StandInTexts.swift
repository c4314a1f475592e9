//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// What the stand-in writes, and in which ways it may be written.
enum StandInTexts {
    enum Style: String, Sendable, CaseIterable {
        /// As the vendor's page prints it: a declaration, comments, lines of their own.
        case page
        /// On one line, without a declaration or a namespace.
        case bare
        /// Every name with a prefix.
        case prefixed
        /// A byte order mark, CDATA, spaces in tags, single quotes.
        case odd
        /// With elements that nobody has announced, some in the places of others.
        case extended
        /// The order in `PaymentContextBase`, as the vendor's SDK reads it too.
        case contextBase
    }

    private static let namespace = #"xmlns="http://api.gsicommerce.com/schema/checkout/1.0""#

    /// The reply of the vendor's Apple Pay page ("Reply Example"), with the order, the account, the codes and the amount
    /// in their places; `nil` leaves an element out.
    static func authorization(
        _ order: StandInOrder, code: String?, issuer: String?, amount: String, hasAccount: Bool = true, _ style: Style
    ) -> String {
        let account =
            hasAccount ? "<PaymentAccountUniqueId isToken=\"true\">\(order.account)</PaymentAccountUniqueId>" : ""
        let codes =
            (code.map { "<ResponseCode>\($0)</ResponseCode>\n" } ?? "")
            + (issuer.map { "<AuthorizationResponseCode>\($0)</AuthorizationResponseCode>" } ?? "")
        return self.styled(
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <CreditCardAuthReply \(self.namespace)>
            <PaymentContext>
            <OrderId>\(order.id)</OrderId>
            <!-- You will receive a token in the response, which is a scrambled version of the Credit Card number.
            This token gets passed to the Order Service, not the original credit card number -->
            \(account)
            </PaymentContext>
            \(codes)
            <BankAuthorizationCode>614653</BankAuthorizationCode>
            <CVV2ResponseCode>0</CVV2ResponseCode>
            <AVSResponseCode>E</AVSResponseCode>
            <PhoneResponseCode></PhoneResponseCode> <!-- AmEX only -->
            <NameResponseCode></NameResponseCode> <!-- AmEX only -->
            <EmailResponseCode></EmailResponseCode> <!-- AmEX only -->
            <AmountAuthorized currencyCode="USD">\(amount)</AmountAuthorized>
            <TenderType>\(order.tender)</TenderType>
            <PaymentAccountInformation>
            <BinPrefix>4054131</BinPrefix>
            <PanSuffix>6965</PanSuffix>
            <OriginalPanSuffix>3238</OriginalPanSuffix>
            </PaymentAccountInformation>
            </CreditCardAuthReply>
            """, style)
    }

    /// After the SDK's `ConfirmFundsReply`, which writes a boolean as 1 or 0.
    static func funds(_ order: StandInOrder, _ word: String, reauthorized: Bool, _ style: Style) -> String {
        self.styled(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<ConfirmFundsReply \(self.namespace)>\(self.context(order))"
                + "<FundsAvailable>\(word)</FundsAvailable>"
                + "<ReauthorizationAttempted>\(reauthorized ? 1 : 0)</ReauthorizationAttempted></ConfirmFundsReply>",
            style)
    }

    /// "200 + XML response": which, is not public. The SDK reads any, and its types name one for each request.
    static func acknowledgement(of root: String, _ order: StandInOrder, _ style: Style) -> String {
        let name = root.replacing("Request", with: "Reply")
        return self.styled(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<\(name) \(self.namespace)>\(self.context(order))"
                + "<ResponseCode>Success</ResponseCode></\(name)>", style)
    }

    /// After the schema Checkout-Service-Fault-1.0.
    static func fault(_ code: String) -> String {
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<Fault \(self.namespace)><CreateTimestamp>2026-06-15T12:00:00-04:00"
            + "</CreateTimestamp><Code>\(code)</Code><Description>\(code)</Description></Fault>"
    }

    // MARK: - Events

    static func settlementStatus(
        _ order: StandInOrder, _ settlement: StandInOrder.Settlement, reason: String?
    ) -> String {
        "<PaymentSettlementStatus>\(self.context(order))<TenderType>\(order.tender)</TenderType>"
            + "<Amount currencyCode=\"USD\">\(self.decimal(settlement.cents))</Amount>"
            + "<SettlementType>\(settlement.isDebit ? "Debit" : "Credit")</SettlementType>"
            + "<SettlementStatus>\(reason == nil ? "S" : "R")</SettlementStatus>"
            + (reason.map { "<DeclineReason>\($0)</DeclineReason>" } ?? "")
            + "<ClientContext>\(settlement.context)</ClientContext><StoreId>\(Bench.storeID)</StoreId>"
            + "</PaymentSettlementStatus>"
    }

    static func cancelReply(_ order: StandInOrder, _ word: String, reason: String?) -> String {
        "<PaymentAuthCancelReply>\(self.context(order))<TenderType>\(order.tender)</TenderType>"
            + "<ResponseCode>\(word)</ResponseCode><Amount currencyCode=\"USD\">\(self.decimal(order.cents))</Amount>"
            + (reason.map { "<ExtendedResponseCode>\($0)</ExtendedResponseCode>" } ?? "")
            + "<StoreId>\(Bench.storeID)</StoreId></PaymentAuthCancelReply>"
    }

    /// Lists of both kinds, as webhooks bring them.
    static func list(_ events: [String], _ style: Style) -> String {
        let name =
            events.first?.contains("PaymentAuthCancelReply") == true
            ? "PaymentAuthCancelReplyList" : "PaymentSettlementStatusList"
        return self.styled(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<\(name) \(self.namespace)>\(events.joined(separator: "\n"))"
                + "</\(name)>", style)
    }

    private static func context(_ order: StandInOrder) -> String {
        "<PaymentContext><OrderId>\(order.id)</OrderId><PaymentAccountUniqueId isToken=\"true\">\(order.account)"
            + "</PaymentAccountUniqueId></PaymentContext>"
    }

    static func decimal(_ cents: Int64) -> String { "\(cents / 100)." + String("\(cents % 100 + 100)".suffix(2)) }

    // MARK: - Ways to write

    private static func styled(_ text: String, _ style: Style) -> String {
        switch style {
        case .page: return text
        case .bare:
            return text.replacing(/<\?xml[^>]*\?>\s*/, with: "").replacing(/<!--[\s\S]*?-->/, with: "")
                .replacing("\n", with: "").replacing(" " + self.namespace, with: "")
        case .prefixed:
            return text.replacing(/<(\/?)([A-Z])/) { "<\($0.1)pay:\($0.2)" }
                .replacing("xmlns=", with: "xmlns:pay=")
        case .odd:
            return "\u{FEFF}"
                + text.replacing(/<OrderId>([^<]*)</) { "<OrderId  ><![CDATA[\($0.1)]]><" }
                .replacing("isToken=\"true\"", with: "isToken = 'true' ").replacing("</Amount", with: "</Amount")
                .replacing("<ResponseCode>", with: "<ResponseCode\n>")
        case .extended:
            return text.replacing("</PaymentContext>", with: "<Extension><Note>new</Note></Extension></PaymentContext>")
                .replacing(/<TenderType>VC<\/TenderType>/) { "<Mandate a=\"1\"/>\($0.0)<Later><X>1</X></Later>" }
        case .contextBase: return text.replacing("PaymentContext>", with: "PaymentContextBase>")
        }
    }
}
