//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

// The shelf, the payment services, and the cart, as elements.

import { byId, make, sign } from "./dom.js";
import { shownMoney } from "./money.js";
import { quantityMax } from "./cart.js";

function picture(product) {
    return make("img", {
        src: product.image, alt: "", width: 320, height: 240, loading: "lazy",
        error: (event) => { event.target.src = "/shop/placeholder.svg"; },
    });
}

/** Shapes in the place of what is still being loaded. */
export function showGhosts() {
    byId("products").replaceChildren(...Array.from({ length: 4 }, () => make("li", { class: "ghost", "aria-hidden": "true" })));
    byId("dialects").replaceChildren(...Array.from({ length: 5 }, () => make("div", { class: "ghost", "aria-hidden": "true" })));
}

export function showDialects(dialects, chosen, onChoice) {
    const box = byId("dialects");
    box.removeAttribute("aria-busy");
    box.replaceChildren(...dialects.map((dialect) => make("label", { class: "dialect" },
        make("input", {
            type: "radio", name: "dialect", value: dialect.name, checked: dialect === chosen, "aria-describedby": "dialect-words",
            change: () => onChoice(dialect),
        }), make("strong", {}, dialect.title), make("small", {}, `${dialect.currency} · ${dialect.countryCode}`))));
}

export function showProducts(products, dialect, cart, onAdd) {
    const list = byId("products");
    const focused = document.activeElement?.dataset?.product;
    list.removeAttribute("aria-busy");
    list.replaceChildren(...products.map((product) => {
        const quantity = cart.quantity(product.id);
        return make("li", { class: quantity > 0 ? "product chosen" : "product" }, picture(product),
            quantity > 0 ? make("p", { class: "in-cart" }, sign("done"), `${quantity} in the cart`) : undefined,
            make("div", { class: "about" }, make("h3", {}, product.name), make("p", {}, product.description)),
            make("div", { class: "buy" },
                make("span", { class: "price" }, shownMoney(product.priceMinor[dialect.currency], dialect.currency,
                    dialect.decimals)),
                make("button", {
                    type: "button", class: "button", "data-product": product.id, "aria-label": `Add to cart: ${product.name}`,
                    "aria-disabled": quantity >= quantityMax ? "true" : undefined,
                    click: () => quantity >= quantityMax || onAdd(product.id),
                }, quantity >= quantityMax ? "Limit reached" : "Add to cart")));
    }));
    if (focused !== undefined) { list.querySelector(`[data-product="${CSS.escape(focused)}"]`)?.focus(); }
}

/** The cart's lines, shipping and sums. `onChange(id, step)` and `onShipping(id)` hear of changes. */
export function showCart(cart, dialect, { onChange, onShipping }) {
    const money = (minor) => shownMoney(minor, dialect.currency, dialect.decimals);
    const { isEmpty } = cart;
    byId("cart-empty").hidden = !isEmpty;
    for (const id of ["cart-lines", "shipping", "sums", "wire-amount"]) { byId(id).hidden = isEmpty; }
    showLines(cart, dialect, money, onChange);
    byId("shipping-options").replaceChildren(...cart.shipping.map((option) => make("label", { class: "choice" },
        make("input", {
            type: "radio", name: "shipping", value: option.id, checked: option.id === cart.shippingId,
                change: () => onShipping(option.id),
        }), make("span", {}, option.label, make("small", {}, option.detail)),
        make("span", { class: "price" }, money(option.priceMinor[dialect.currency])))));
    byId("sum-goods").textContent = money(cart.goods(dialect.currency));
}

/** The cart in short at the screen's lower edge, for as long as there is something in it and the button to pay is not in view. */
export class CartBar {
    #isPayInView = false;
    #count = 0;

    constructor() {
        byId("cart-bar-open").addEventListener("click", () => {
            byId("checkout").scrollIntoView({ block: "start" });
            byId("checkout").focus({ preventScroll: true });
        });
        new IntersectionObserver((entries) => {
            this.#isPayInView = entries.at(-1).isIntersecting;
            this.#refresh();
        }).observe(byId("pay"));
    }

    show(count, total) {
        this.#count = count;
        byId("cart-bar-count").textContent = count === 1 ? "1 item" : `${count} items`;
        byId("cart-bar-total").textContent = total;
        this.#refresh();
    }

    #refresh() {
        byId("cart-bar").hidden = this.#count === 0 || this.#isPayInView;
        // Its room stays when it goes: the page would move under the finger that is about to press the button.
        document.body.classList.toggle("with-cart-bar", this.#count > 0);
    }
}

/** Redrawing must not take the focus away: the button that was pressed gets it back, or the cart when its line is gone. */
function showLines(cart, dialect, money, onChange) {
    const list = byId("cart-lines");
    const focused = list.contains(document.activeElement) ? document.activeElement.dataset.step : undefined;
    const step = (product, amount, words, isDisabled) => make("button", {
        type: "button", "data-step": `${product.id}${amount}`, "aria-label": `${words}: ${product.name}`,
        "aria-disabled": isDisabled ? "true" : undefined, click: () => isDisabled || onChange(product.id, amount),
    }, amount > 0 ? "+" : "−");
    list.replaceChildren(...cart.lines.map(({ product, quantity }) => make("li", {}, picture(product),
        make("span", { class: "name" }, product.name),
        make("span", { class: "stepper" }, step(product, -1, quantity === 1 ? "Remove" : "One less", false),
            make("output", { "aria-label": `Quantity of ${product.name}` }, String(quantity)),
            step(product, 1, "One more", quantity >= quantityMax)),
        make("span", { class: "price" }, money(product.priceMinor[dialect.currency] * quantity)))));
    if (focused !== undefined) {
        (list.querySelector(`[data-step="${CSS.escape(focused)}"]`) ?? byId("checkout")).focus();
    }
}
