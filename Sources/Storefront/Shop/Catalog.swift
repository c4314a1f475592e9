//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Money
import StrictJSON

/// What the demo shop sells, and how it is sent. Prices are whole numbers of what the shop counts a currency in
/// (``ShopAccount/decimals``): whole dollars for Taiwan's, cents for the others.
///
/// No price has the digits of a test amount, and no sum of them either: all are multiples of 5, test amounts are not.
struct Catalog: Sendable {
    struct Product: Sendable {
        let id: String
        let name: String
        let description: String
        /// A path of the shop's.
        let image: String
        let prices: [String: Int64]
    }

    struct Shipping: Sendable {
        let id: String
        let label: String
        let detail: String
        let prices: [String: Int64]
    }

    static let quantityMax: Int64 = 10
    static let itemsMax = 20

    let products: [Product]
    let shipping: [Shipping]

    func product(_ id: String) -> Product? { self.products.first { $0.id == id } }

    func shipping(_ id: String) -> Shipping? { self.shipping.first { $0.id == id } }

    static let demo = Catalog(
        products: [
            Product(
                id: "teapot", name: "Teapot", description: "Stoneware, one liter, with a lid that stays on.",
                image: "/shop/teapot.svg", prices: ["TWD": 890, "CAD": 38_50, "USD": 28_00, "EUR": 26_50]),
            Product(
                id: "lamp", name: "Desk lamp", description: "Folded steel, warm light, a switch that clicks.",
                image: "/shop/lamp.svg", prices: ["TWD": 1_680, "CAD": 74_00, "USD": 54_00, "EUR": 49_50]),
            Product(
                id: "blanket", name: "Wool blanket", description: "130 by 180 centimeters, undyed.",
                image: "/shop/blanket.svg", prices: ["TWD": 2_350, "CAD": 99_00, "USD": 72_50, "EUR": 68_00]),
            Product(
                id: "notebook", name: "Notebook", description: "160 pages, dotted, opens flat.",
                image: "/shop/notebook.svg", prices: ["TWD": 320, "CAD": 14_50, "USD": 10_50, "EUR": 9_50]),
        ],
        shipping: [
            Shipping(
                id: "standard", label: "Standard", detail: "Arrives in 5 to 7 days",
                prices: ["TWD": 60, "CAD": 5_00, "USD": 4_00, "EUR": 3_50]),
            Shipping(
                id: "express", label: "Express", detail: "Arrives in 1 to 2 days",
                prices: ["TWD": 150, "CAD": 15_00, "USD": 12_00, "EUR": 9_50]),
            Shipping(
                id: "pickup", label: "Pickup", detail: "From our shop, today",
                prices: ["TWD": 0, "CAD": 0, "USD": 0, "EUR": 0]),
        ])

    var json: (products: JSON, shipping: JSON) {
        func prices(_ prices: [String: Int64]) -> JSON {
            var object = JSONObject()
            for (code, price) in prices.sorted(by: { $0.key < $1.key }) { object[code] = JSON(price) }
            return .object(object)
        }
        return (
            .array(
                self.products.map { product in
                    [
                        "id": .string(product.id), "name": .string(product.name),
                        "description": .string(product.description), "image": .string(product.image),
                        "priceMinor": prices(product.prices),
                    ]
                }),
            .array(
                self.shipping.map { shipping in
                    [
                        "id": .string(shipping.id), "label": .string(shipping.label),
                        "detail": .string(shipping.detail), "priceMinor": prices(shipping.prices),
                    ]
                })
        )
    }
}

/// What a customer has put into the cart, with the sum that the server makes of it.
struct Cart: Sendable {
    /// In what the shop counts the currency in.
    let units: Int64
    /// "2 Teapot, 1 Notebook".
    let summary: String

    /// - Throws: `item_unknown`, `shipping_unknown`, `quantity_wrong`, `cart_empty`, `currency_unknown`.
    init(_ json: JSON, in catalog: Catalog, currency: String) throws(APIError) {
        guard let items = json["items"]?.array, !items.isEmpty, items.count <= Catalog.itemsMax else {
            throw .badRequest("cart_empty", "items must hold 1 to \(Catalog.itemsMax) items.")
        }
        var units: Int64 = 0
        var words: [String] = []
        for item in items {
            guard let product = item["id"]?.string.flatMap(catalog.product) else {
                throw .badRequest("item_unknown", "The shop has no such item. GET /shop/api/config lists them.")
            }
            guard let quantity = item["quantity"]?.integer, (1...Catalog.quantityMax).contains(quantity) else {
                throw .badRequest("quantity_wrong", "A quantity must be a whole number from 1 to 10.")
            }
            units += try Self.price(product.prices, currency) * quantity
            words.append("\(quantity) \(product.name)")
        }
        guard let shipping = json["shippingId"]?.string.flatMap(catalog.shipping) else {
            throw .badRequest("shipping_unknown", "shippingId must be one of the shop's ways to send things.")
        }
        self.units = units + (try Self.price(shipping.prices, currency))
        self.summary = words.joined(separator: ", ")
    }

    private static func price(_ prices: [String: Int64], _ currency: String) throws(APIError) -> Int64 {
        guard let price = prices[currency] else {
            throw .badRequest("currency_unknown", "The shop has no prices in the payment service's currency.")
        }
        return price
    }
}
