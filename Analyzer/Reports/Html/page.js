"use strict";
/* Helpers, the theme, tables. Texts reach the page as text nodes only. */
const $ = (selector, root = document) => root.querySelector(selector);
const $$ = (selector, root = document) => [...root.querySelectorAll(selector)];
const make = (tag, attributes = {}, ...children) => {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) if (value !== null && value !== undefined) element.setAttribute(name, value);
    element.append(...children);
    return element;
};
const svgNs = "http://www.w3.org/2000/svg";
const draw = (tag, attributes = {}, text = "") => {
    const element = document.createElementNS(svgNs, tag);
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    if (text) element.textContent = text;
    return element;
};
const data = id => {
    const element = document.getElementById(id);
    return element ? JSON.parse(element.textContent) : null;
};
const bytes = text => Uint8Array.from(atob(text), character => character.charCodeAt(0));
const later = (() => {
    const timers = new Map();
    return (key, action) => {
        clearTimeout(timers.get(key));
        timers.set(key, setTimeout(action, 16));
    };
})();

(() => {
    const button = $("#theme"),
        root = document.documentElement,
        dark = matchMedia("(prefers-color-scheme: dark)");
    const stored = () => {
        try {
            return localStorage.getItem("esp-theme");
        } catch {
            return null;
        }
    };
    const now = () => root.dataset.theme || (dark.matches ? "dark" : "light");
    const show = () => {
        button.textContent = now() === "dark" ? "Light" : "Dark";
        button.setAttribute("aria-label", "Switch to " + button.textContent.toLowerCase() + " colours");
    };
    if (stored() === "dark" || stored() === "light") root.dataset.theme = stored();
    button.hidden = false;
    button.addEventListener("click", () => {
        root.dataset.theme = now() === "dark" ? "light" : "dark";
        try {
            localStorage.setItem("esp-theme", root.dataset.theme);
        } catch {
            /* a file need not have storage */
        }
        show();
    });
    dark.addEventListener("change", show);
    show();
})();

/* Tables: sorted by their headers; the main one filtered by test and number of objects. */
for (const table of $$("table.sortable")) {
    const body = table.tBodies[0],
        order = [...body.rows];
    const value = (row, column) => {
        const text = row.cells[column].textContent,
            number = parseFloat(text);
        return Number.isNaN(number) ? text : number;
    };
    [...table.tHead.rows[0].cells].forEach((header, column) => {
        const button = make("button", { type: "button" });
        button.append(...header.childNodes);
        header.append(button);
        button.addEventListener("click", () => {
            const was = header.getAttribute("aria-sort"),
                next = was === "ascending" ? "descending" : was === "descending" ? null : "ascending";
            for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
            if (next) header.setAttribute("aria-sort", next);
            const sign = next === "descending" ? -1 : 1;
            const rows = next
                ? [...order].sort((left, right) => {
                      const a = value(left, column),
                          b = value(right, column);
                      return typeof a === "number" && typeof b === "number"
                          ? sign * (a - b)
                          : typeof a === "number"
                            ? -1
                            : typeof b === "number"
                              ? 1
                              : sign * a.localeCompare(b);
                  })
                : order;
            body.append(...rows);
            groups(table, next !== null);
        });
    });
    groups(table, false);
}

/* A line above the first row of another test. */
function groups(table, sorted) {
    const headers = [...table.tHead.rows[0].cells].map(cell => cell.textContent),
        columns = ["Test", "N"].map(name => headers.indexOf(name)).filter(column => column >= 0);
    let before = null;
    for (const row of table.tBodies[0].rows) {
        const key = columns.map(column => row.cells[column].textContent).join("\n");
        row.classList.toggle("group", !sorted && before !== null && before !== key);
        before = key;
    }
}

(() => {
    const table = $("#table table.sortable");
    if (!table) return;
    const headers = [...table.tHead.rows[0].cells].map(cell => cell.textContent),
        filters = make("div", { class: "filters" });
    const chosen = new Map();
    for (const name of ["Test", "N", "Serializer"]) {
        const column = headers.indexOf(name);
        if (column < 0) continue;
        const values = [...new Set([...table.tBodies[0].rows].map(row => row.cells[column].textContent))];
        if (values.length < 2) continue;
        const select = make("select", {}, make("option", { value: "" }, "All"), ...values.map(value => make("option", { value }, value)));
        select.addEventListener("change", () => {
            chosen.set(column, select.value);
            for (const row of table.tBodies[0].rows)
                row.hidden = [...chosen].some(([at, wanted]) => wanted !== "" && row.cells[at].textContent !== wanted);
        });
        filters.append(make("label", {}, name + " ", select));
    }
    if (filters.childElementCount > 0) table.closest(".scroll").before(filters);
})();

/* Paper has no folds; what the user had folded is folded again afterwards. */
(() => {
    let opened = [];
    addEventListener("beforeprint", () => {
        opened = $$("details:not([open])").filter(fold => !fold.closest("#findings"));
        opened.forEach(fold => {
            fold.open = true;
        });
    });
    addEventListener("afterprint", () =>
        opened.forEach(fold => {
            fold.open = false;
        }),
    );
})();
