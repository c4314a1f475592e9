//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

// What is in the cart and what it costs, in the currency of the chosen payment service. The server computes the amount of the
// order again by itself; this one is for the eyes and for the sheet.

export const quantityMax = 9;

export class Cart {
    constructor(products, shipping) {
        this.products = products;
        this.shipping = shipping;
        this.quantities = new Map();
        this.shippingId = shipping[0]?.id;
    }

    /** Takes what an earlier visit left, as far as the shop still has it. */
    restore({ quantities, shippingId }) {
        for (const [id, quantity] of quantities) {
            const isSold = this.products.some((product) => product.id === id);
            if (isSold && quantity > 0) { this.quantities.set(id, Math.min(quantityMax, quantity)); }
        }
        if (this.shipping.some((option) => option.id === shippingId)) { this.shippingId = shippingId; }
    }

    /** The cart as it is now. What is added later does not change an order that is under way. */
    snapshot() {
        const copy = new Cart(this.products, this.shipping);
        copy.quantities = new Map(this.quantities);
        copy.shippingId = this.shippingId;
        return copy;
    }

    /** Takes out what was bought, and leaves what was added since. */
    remove(bought) {
        for (const [id, quantity] of bought.quantities) { this.change(id, -quantity); }
    }

    /** Puts back what turned out not to be bought. */
    add(goods) {
        for (const [id, quantity] of goods.quantities) { this.change(id, quantity); }
    }

    /** The lines in the order of the shelf: {product, quantity}. */
    get lines() {
        return this.products.filter((product) => this.quantities.has(product.id))
            .map((product) => ({ product, quantity: this.quantities.get(product.id) }));
    }

    get isEmpty() { return this.quantities.size === 0; }

    get count() { return [...this.quantities.values()].reduce((sum, quantity) => sum + quantity, 0); }

    quantity(id) { return this.quantities.get(id) ?? 0; }

    /** Changes a quantity by a step; none is no line. */
    change(id, step) {
        const quantity = Math.min(quantityMax, this.quantity(id) + step);
        if (quantity > 0) {
            this.quantities.set(id, quantity);
        } else {
            this.quantities.delete(id);
        }
    }

    goods(currency) {
        return this.lines.reduce((sum, { product, quantity }) => sum + product.priceMinor[currency] * quantity, 0);
    }

    shippingPrice(currency, id = this.shippingId) {
        return this.shipping.find((option) => option.id === id)?.priceMinor[currency] ?? 0;
    }

    total(currency, id = this.shippingId) { return this.goods(currency) + this.shippingPrice(currency, id); }

    /** The order as the server takes it. */
    order(dialect, shippingId = this.shippingId) {
        return {
            dialect, shippingId, items: this.lines.map(({ product, quantity }) => ({ id: product.id, quantity })),
        };
    }
}
