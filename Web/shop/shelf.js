//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

// The shelf, the payment services, and the cart, as elements.

import { byId, make } from "./dom.js";
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

export function showProducts(products, dialect, onAdd) {
    const list = byId("products");
    const focused = document.activeElement?.dataset?.product;
    list.removeAttribute("aria-busy");
    list.replaceChildren(...products.map((product) => make("li", { class: "product" }, picture(product),
        make("div", { class: "about" }, make("h3", {}, product.name), make("p", {}, product.description)),
        make("div", { class: "buy" },
            make("span", { class: "price" }, shownMoney(product.priceMinor[dialect.currency], dialect.currency,
                dialect.decimals)),
            make("button", {
                type: "button", class: "button", "data-product": product.id, "aria-label": `Add to cart: ${product.name}`,
                click: () => onAdd(product.id),
            }, "Add")))));
    if (focused !== undefined) { list.querySelector(`[data-product="${CSS.escape(focused)}"]`)?.focus(); }
}

/** The cart's lines, shipping and sums. `onChange(id, step)` and `onShipping(id)` hear of changes. */
export function showCart(cart, dialect, { onChange, onShipping }) {
    const money = (minor) => shownMoney(minor, dialect.currency, dialect.decimals);
    const { isEmpty } = cart;
    byId("cart-empty").hidden = !isEmpty;
    for (const id of ["cart-lines", "shipping", "sums"]) { byId(id).hidden = isEmpty; }
    showLines(cart, dialect, money, onChange);
    byId("shipping-options").replaceChildren(...cart.shipping.map((option) => make("label", { class: "choice" },
        make("input", {
            type: "radio", name: "shipping", value: option.id, checked: option.id === cart.shippingId,
                change: () => onShipping(option.id),
        }), make("span", {}, option.label, make("small", {}, option.detail)),
        make("span", { class: "price" }, money(option.priceMinor[dialect.currency])))));
    byId("sum-goods").textContent = money(cart.goods(dialect.currency));
    byId("sum-shipping").textContent = money(cart.shippingPrice(dialect.currency));
    byId("sum-total").textContent = money(cart.total(dialect.currency));
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
