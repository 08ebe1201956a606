/* Flame graphs, of CPU time and of waits: callers on top, what they call below.
   Inverted: where time was spent on top, its callers below. */
for (const id of ["flame", "waits"])
    (() => {
        const place = $("#" + id + "-view"),
            source = data(id + "-data");
        if (!place || !source) return;
        const rowHeight = 20,
            leastPixels = 2,
            diff = Boolean(source.base || source.runs);
        const sets = { other: read(source.flames), base: source.base ? read(source.base) : null };
        const names = [...new Set([...sets.other.trees.keys(), ...(sets.base ? sets.base.trees.keys() : [])])].filter(
            name => !diff || source.runs[name],
        );
        if (names.length === 0) {
            place.replaceChildren(make("p", { class: "empty" }, "No test has samples on both sides."));
            return;
        }

        const chooser = make("select", { id: id + "-row" }, ...names.map(name => make("option", { value: name }, name)));
        const mode = make(
            "select",
            { id: id + "-mode" },
            make("option", { value: "calls" }, "Flame graph (callers on top)"),
            make("option", { value: "inverted" }, source.ofWaits ? "Inverted (reasons on top)" : "Inverted (where time was spent on top)"),
        );
        const entry = make("input", { type: "checkbox", id: id + "-entry", checked: "checked" });
        const mine = make("input", { type: "checkbox", id: id + "-mine" });
        const search = make("input", {
            type: "search",
            id: id + "-search",
            placeholder: "part of a name, or #name",
            spellcheck: "false",
            autocomplete: "off",
        });
        const found = make("span", { id: id + "-found", "aria-live": "polite" });
        const back = make("button", { type: "button" }, "All");
        const side = make(
            "select",
            { id: id + "-side" },
            make("option", { value: "other" }, "other side"),
            make("option", { value: "base" }, "base"),
        );
        const tools = make(
            "div",
            { class: "tools" },
            make("label", {}, diff ? "Test " : source.ofPrograms ? "Program " : "Serializer and test ", chooser),
            make("label", {}, "View ", mode),
            ...(diff ? [make("label", {}, "Widths of ", side)] : []),
            make("label", { class: "check" }, ...(source.ofPrograms ? [mine, "just my code"] : [entry, "from the serializer's entry"])),
            make("label", {}, "Search ", search),
            back,
            found,
        );
        const title = make("h3", { id: id + "-title" });
        const picture = make("div", { class: "flames", role: "tree", "aria-labelledby": id + "-title" });
        const details = make("div", { class: "details", "aria-live": "polite", id: id + "-details" });
        const legend = make("ul", { class: "legend" });
        place.replaceChildren(tools, title, legend, picture, details);

        let root = null,
            zoomed = null,
            focused = null,
            shown = [];
        for (const control of [chooser, mode, entry, mine, side]) control.addEventListener("change", build);
        search.addEventListener("input", () => later(search, () => paint(false)));
        search.addEventListener("keydown", event => {
            if (event.key === "Enter") {
                event.preventDefault();
                next();
            } else if (event.key === "Escape" && search.value) {
                event.stopPropagation();
                search.value = "";
                paint(false);
            }
        });
        back.addEventListener("click", () => zoom(root));
        document.addEventListener("keydown", event => {
            if (
                event.key === "/" &&
                !event.ctrlKey &&
                !event.metaKey &&
                !/^(INPUT|SELECT|TEXTAREA)$/.test(document.activeElement.tagName)
            ) {
                event.preventDefault();
                search.focus();
            }
        });
        picture.addEventListener("click", event => {
            const node = event.target.closest(".frame")?.node;
            if (node) {
                focused = node;
                zoom(node);
            }
        });
        picture.addEventListener("focusin", event => {
            const node = event.target.node;
            if (node) {
                focused = node;
                describe(node);
            }
        });
        picture.addEventListener("mouseover", event => {
            const node = event.target.closest(".frame")?.node;
            if (node) describe(node);
        });
        picture.addEventListener("keydown", keys);
        new ResizeObserver(() => later(picture, () => paint(false))).observe(place);
        addEventListener("beforeprint", () => {
            picture.style.overflow = "visible";
        });
        build();

        /* Nodes of a set by the names of its trees. */
        function read(set) {
            const frames = [];
            for (let i = 0; i < set.frames.length; i += 2)
                frames.push({
                    name: set.frames[i],
                    module: set.modules[set.frames[i + 1] >> 2],
                    mine: (set.frames[i + 1] & 2) === 2,
                    inlined: (set.frames[i + 1] & 1) === 1,
                });
            const trees = new Map();
            for (const tree of set.trees) {
                const path = [],
                    top = [];
                for (let i = 0; i < tree.nodes.length; i += 7) {
                    const [depth, frame, samples, own, cause, us, ownUs] = tree.nodes.slice(i, i + 7),
                        node = { frame: frames[frame], samples, own, cause, us, ownUs, children: [] };
                    (depth === 0 ? top : path[depth - 1].children).push(node);
                    path[depth] = node;
                }
                trees.set(tree.name, { ...tree, top });
            }
            return { trees };
        }

        /* Own code alone: the time of other frames counts for the nearest own caller, else for one frame. Reasons of waits stay. */
        function fold(top) {
            const kept = [],
                none = {
                    frame: { name: "[no own code]", module: "", inlined: false },
                    cause: source.causes.findIndex(cause => cause[1] === "c-runtime"),
                    samples: 0,
                    own: 0,
                    us: 0,
                    ownUs: 0,
                    children: [],
                };
            walk(top, null);
            return none.samples > 0 ? [...kept, none] : kept;
            function walk(nodes, caller) {
                for (const node of nodes) {
                    const to = caller ?? none,
                        isReason = node.frame.name.startsWith("[waiting: ");
                    if (node.frame.mine || isReason) {
                        const copy = { ...node, children: [] };
                        (isReason ? to.children : (caller?.children ?? kept)).push(copy);
                        if (isReason && to === none) {
                            none.samples += node.samples;
                            none.us += node.us;
                        }
                        walk(node.children, copy);
                    } else {
                        to.own += node.own;
                        to.ownUs += node.ownUs;
                        if (to === none) {
                            none.samples += node.own;
                            none.us += node.ownUs;
                        }
                        walk(node.children, caller);
                    }
                }
            }
        }

        /* A merged node: numbers of the other side (or the only one), and of the base. */
        function empty(frame, cause) {
            return { frame, cause, samples: 0, own: 0, us: 0, ownUs: 0, base: 0, baseSamples: 0, weight: 0, children: new Map() };
        }
        function keyOf(node) {
            return node.frame.name + "\n" + node.frame.module + "\n" + node.frame.inlined;
        }
        function child(parent, node) {
            const key = keyOf(node);
            let made = parent.children.get(key);
            if (!made) {
                made = empty(node.frame, node.cause);
                made.parent = parent;
                made.level = parent.level + 1;
                parent.children.set(key, made);
            }
            return made;
        }

        function build() {
            const name = chooser.value,
                tree = sets.other.trees.get(name),
                base = sets.base?.trees.get(name),
                runs = diff ? source.runs[name] : null;
            root = empty({ name: name, module: "", inlined: false }, 0);
            root.level = 0;
            if (tree) add(tree, false);
            if (base) add(base, true);
            const total = tree || { samples: 0, us: 0, left: 0, cut: 0 };
            title.textContent =
                name +
                ": " +
                (runs
                    ? perRun(root.base, runs[0]) + " ms of CPU a run on base, " + perRun(root.us, runs[1]) + " on the other side"
                    : samples(root.samples) +
                      ", " +
                      ms(root.us) +
                      (source.ofWaits ? " ms, summed over threads" : " ms of CPU time") +
                      (source.ofPrograms ? "" : " in all runs") +
                      (root.samples < total.samples ? ", of " + samples(total.samples) + " with those outside the serializer" : ""));
            if (total.left > 0) title.textContent += " (" + total.left + " of the lightest call paths are left out)";
            if (total.cut > 0) title.textContent += " (" + total.cut + " stacks are deeper than shown)";
            legend.replaceChildren(
                ...(diff
                    ? [
                          ["slower", "longer than base"],
                          ["faster", "shorter than base"],
                      ]
                          .map(([colour, text]) => {
                              const swatch = make("span", { class: "swatch" });
                              swatch.style.background = "rgb(var(--" + colour + "))";
                              return make("li", {}, swatch, text);
                          })
                          .concat(make("li", {}, make("span", { class: "swatch c-outside" }), "no difference beyond the samples' error"))
                    : [...new Set(causesOf(tree ? tree.top : []))]
                          .sort((a, b) => a - b)
                          .map(cause =>
                              make(
                                  "li",
                                  {},
                                  make("span", { class: "swatch " + source.causes[cause][1] }),
                                  cause === 0 ? "Outside the serializer" : source.causes[cause][0],
                              ),
                          )),
            );
            zoomed = focused = root;
            picture.scrollTop = 0;
            paint(true);

            function add(of, isBase) {
                const top = mine.checked ? fold(of.top) : of.top;
                if (mode.value === "inverted") invert(top, isBase);
                else calls(top, isBase);
            }
            function count(to, node, isBase) {
                if (isBase) {
                    to.base += node.us;
                    to.baseSamples += node.samples;
                } else {
                    to.us += node.us;
                    to.samples += node.samples;
                    to.own += node.own;
                    to.ownUs += node.ownUs;
                }
            }
            function calls(top, isBase) {
                const outside = { name: "(outside the serializer)", module: "", inlined: false };
                for (const node of top) count(root, { ...node, own: 0, ownUs: 0 }, isBase);
                walk(top, root);
                function walk(nodes, parent) {
                    for (const node of nodes) {
                        if (entry.checked && node.cause === 0) {
                            if (node.own > 0)
                                count(
                                    child(root, { frame: outside, cause: 0 }),
                                    { us: node.ownUs, samples: node.own, own: node.own, ownUs: node.ownUs },
                                    isBase,
                                );
                            walk(node.children, root);
                            continue;
                        }
                        const to = child(parent, node);
                        count(to, node, isBase);
                        walk(node.children, to);
                    }
                }
            }
            function invert(top, isBase) {
                const path = [];
                walk(top);
                function walk(nodes) {
                    for (const node of nodes) {
                        path.push(node);
                        if (node.own > 0 && !(entry.checked && node.cause === 0)) {
                            const part = { us: node.ownUs, samples: node.own, own: 0, ownUs: 0 };
                            count(root, part, isBase);
                            let to = root;
                            for (let i = path.length - 1; i >= 0 && !(entry.checked && path[i].cause === 0); i--) {
                                to = child(to, path[i]);
                                if (part.us > to.weight) {
                                    to.weight = part.us;
                                    to.cause = path[i].cause;
                                }
                                count(to, i === path.length - 1 ? { ...part, own: part.samples, ownUs: part.us } : part, isBase);
                            }
                        }
                        walk(node.children);
                        path.pop();
                    }
                }
            }
            function causesOf(nodes) {
                return nodes.flatMap(node => [node.cause, ...causesOf(node.children)]);
            }
        }

        function ms(us) {
            return (us / 1000).toFixed(us % 1000 === 0 ? 0 : 3);
        } // samples that stand for 1 ms have no more digits
        function samples(count) {
            return count + (source.ofWaits ? " wait" : " sample") + (count === 1 ? "" : "s");
        }
        function perRun(us, runs) {
            return runs > 0 ? (us / runs / 1000).toFixed(3) : "-";
        }
        function runsOf() {
            return diff ? source.runs[chooser.value] : [1, 1];
        }
        function weight(node) {
            const [base, other] = runsOf();
            return diff && side.value === "base" ? node.base / Math.max(1, base) : node.us / Math.max(1, other);
        }
        function sorted(node) {
            return (node.sorted ??= [...node.children.values()].sort(
                (a, b) => b.us + b.base - (a.us + a.base) || (a.frame.name < b.frame.name ? -1 : 1),
            ));
        }
        function share(node) {
            const all = root.us;
            return all > 0 ? ((100 * node.us) / all).toFixed(1) + " %" : "-";
        }
        function described(node) {
            const [base, other] = runsOf();
            const method =
                node.frame.name +
                (node.frame.inlined ? " [inlined]" : "") +
                (node.frame.module && !node.frame.name.startsWith(node.frame.module) ? " [" + node.frame.module + "]" : "");
            if (diff) {
                const change = node.us / Math.max(1, other) - node.base / Math.max(1, base);
                return (
                    method +
                    ": base " +
                    perRun(node.base, base) +
                    " ms a run, other " +
                    perRun(node.us, other) +
                    " ms, difference " +
                    (change >= 0 ? "+" : "") +
                    (change / 1000).toFixed(3) +
                    " ms; samples " +
                    node.baseSamples +
                    " and " +
                    node.samples
                );
            }
            return (
                method +
                ": " +
                ms(node.us) +
                " ms, " +
                share(node) +
                " of the graph, " +
                samples(node.samples) +
                "; own " +
                ms(node.ownUs) +
                " ms, " +
                samples(node.own) +
                (node === root ? "" : "; " + (source.ofWaits ? "" : "cause: ") + source.causes[node.cause][0])
            );
        }
        function describe(node) {
            details.textContent = described(node);
        }
        function zoom(node) {
            zoomed = node;
            focused = node;
            paint(picture.contains(document.activeElement));
        }
        function matches(node) {
            const wanted = search.value.trim().toLowerCase();
            return wanted.startsWith("#")
                ? node.frame.name.toLowerCase() === wanted.slice(1)
                : wanted !== "" && (node.frame.name + " " + node.frame.module).toLowerCase().includes(wanted);
        }

        function paint(keepFocus) {
            const hadFocus = picture.contains(document.activeElement),
                width = picture.clientWidth - 2;
            if (width <= 0) return;
            shown = [];
            const parts = document.createDocumentFragment(),
                all = weight(zoomed);
            let deepest = 0;
            const above = [];
            for (let node = zoomed.parent; node; node = node.parent) above.unshift(node);
            above.forEach(node => put(node, 0, width, node.level, true));
            (function down(node, left, room) {
                put(node, left, room, node.level, false);
                let x = left;
                for (const next of sorted(node)) {
                    const part = all > 0 ? (room * weight(next)) / Math.max(weight(node), 1e-9) : 0;
                    if (part >= leastPixels) down(next, x, part);
                    x += part;
                }
            })(zoomed, 0, width);
            picture.replaceChildren(parts);
            picture.style.height = (deepest + 1) * rowHeight + 4 + "px";
            count();
            const target = shown.find(item => item.node === focused) || shown.find(item => item.node === zoomed);
            if (target) {
                focused = target.node;
                target.element.tabIndex = 0;
                if (hadFocus && keepFocus !== null) target.element.focus({ preventScroll: true });
                describe(focused);
            }

            function put(node, left, room, level, isAbove) {
                const hit = matches(node),
                    element = make("div", {
                        class:
                            "frame " +
                            (diff ? "" : source.causes[node.cause][1]) +
                            (isAbove ? " above" : "") +
                            (hit ? " match" : search.value.trim() && !hit ? " dim" : ""),
                        role: "treeitem",
                        tabindex: "-1",
                        "aria-level": level + 1,
                        "aria-label": described(node),
                    });
                element.style.cssText =
                    "left:" + left.toFixed(2) + "px;top:" + (level * rowHeight + 1) + "px;width:" + Math.max(1, room - 1).toFixed(2) + "px";
                if (diff && !hit) element.style.background = colour(node);
                if (room > 24) element.textContent = node === root ? "all of " + root.frame.name : short(node.frame.name);
                element.title = described(node);
                element.node = node;
                parts.append(element);
                shown.push({ node, element, left, level });
                deepest = Math.max(deepest, level);
            }
        }

        /* n samples stand for n ± √n: a difference is one when it is more than twice its error.
           The larger its share of all, the stronger the colour. */
        function colour(node) {
            const [base, other] = runsOf(),
                now = node.us / Math.max(1, other),
                before = node.base / Math.max(1, base),
                change = now - before;
            const error = Math.hypot(now / Math.sqrt(Math.max(1, node.samples)), before / Math.sqrt(Math.max(1, node.baseSamples)));
            if (Math.abs(change) <= 2 * error) return "var(--outside)";
            const most = Math.max(root.us / Math.max(1, other), root.base / Math.max(1, base)),
                strength = 0.25 + 0.6 * Math.min(1, (6 * Math.abs(change)) / most);
            return (
                "color-mix(in srgb, rgb(var(--" + (change > 0 ? "slower" : "faster") + ")) " + Math.round(100 * strength) + "%, #e9ecef)"
            );
        }

        /* Type and method are what tells frames apart when there is little room. */
        function short(full) {
            const name = full.startsWith("[") ? full : full.replace(/\[[^\[\]]*\]/g, "").replace(/`[0-9]+/g, ""),
                parts = name.split(".");
            return parts.length > 2 &&
                !name.includes("(") &&
                !name.includes("+?") &&
                !name.includes("/") &&
                !name.startsWith("[") &&
                !name.includes("<")
                ? parts.slice(-2).join(".")
                : name;
        }

        function count() {
            if (!search.value.trim()) {
                found.textContent = "";
                return;
            }
            let us = 0,
                hits = 0;
            (function down(node, inside) {
                const hit = matches(node);
                if (hit && !inside) {
                    us += node.us;
                    hits += node.samples;
                }
                for (const next of node.children.values()) down(next, inside || hit);
            })(root, false);
            found.textContent =
                hits === 0
                    ? "no match"
                    : "matches: " + ms(us) + " ms, " + (root.us > 0 ? ((100 * us) / root.us).toFixed(1) : "0.0") + " %, " + samples(hits);
        }

        function next() {
            const hits = shown
                .filter(item => item.node !== root && matches(item.node))
                .sort((a, b) => a.level - b.level || a.left - b.left);
            if (hits.length === 0) return;
            const at = hits.findIndex(item => item.node === focused);
            go(hits[(at + 1) % hits.length].node);
        }
        function go(node) {
            const item = shown.find(candidate => candidate.node === node);
            if (!item) return;
            for (const other of shown) other.element.tabIndex = -1;
            item.element.tabIndex = 0;
            focused = node;
            describe(node);
            item.element.focus();
        }
        function keys(event) {
            if (!focused || event.ctrlKey || event.metaKey || event.altKey) return;
            const row = shown.filter(item => item.level === focused.level).sort((a, b) => a.left - b.left),
                at = row.findIndex(item => item.node === focused);
            const action = {
                ArrowDown: () => {
                    const below =
                        sorted(focused).find(node => shown.some(item => item.node === node)) ??
                        (zoomed.level > focused.level ? shown.find(item => item.level === focused.level + 1)?.node : null);
                    if (below) go(below);
                },
                ArrowUp: () => {
                    if (focused.parent) go(focused.parent);
                },
                ArrowRight: () => {
                    if (row[at + 1]) go(row[at + 1].node);
                },
                ArrowLeft: () => {
                    if (row[at - 1]) go(row[at - 1].node);
                },
                Home: () => go(root),
                Enter: () => zoom(focused),
                " ": () => zoom(focused),
                Escape: () => zoom(zoomed.parent ?? root),
            }[event.key];
            if (action) {
                event.preventDefault();
                action();
            }
        }
    })();
