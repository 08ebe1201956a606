/* The timeline: runs in lanes, pauses, compilation, the measuring thread. */
(() => {
    /* Width of a letter of a label, 12 px high, on average. */
    const LETTER = 6.8;
    const place = $("#timeline-view"),
        all = data("timeline-data");
    if (!place || !all) return;
    place.replaceChildren(...all.map(timeline));

    function timeline(source) {
        const head = 5,
            full = [source.start, Math.max(source.stop, source.start + 0.001)],
            tail = 0.01 * (full[1] - full[0]);
        let view = [full[0] - tail, full[1] + tail],
            chosen = -1;
        const wide = [view[0], view[1]];
        const series = ["cpu", "preempted", "jit"].reduce(
            (found, name) => ({ ...found, [name]: source[name] ? bytes(source[name]) : null }),
            {},
        );
        const picture = make("div", {
            class: "timeline",
            tabindex: "0",
            role: "application",
            "aria-label":
                "Timeline" +
                (source.recording ? " of " + source.recording : "") +
                ": plus and minus zoom, arrow keys move, N and P choose the next and previous run",
        });
        const details = make("div", { class: "details", "aria-live": "polite" });
        const button = (text, label, action) => {
            const made = make("button", { type: "button", "aria-label": label }, text);
            made.addEventListener("click", action);
            return made;
        };
        const tools = make(
            "div",
            { class: "tools" },
            button("+", "Zoom in", () => zoom(0.5)),
            button("−", "Zoom out", () => zoom(2)),
            button("←", "Earlier", () => move(-0.3)),
            button("→", "Later", () => move(0.3)),
            button("All", "Show all", () => set(wide)),
            button("‹ Run", "Previous run", () => choose(chosen - 1)),
            button("Run ›", "Next run", () => choose(chosen + 1)),
        );
        const legend = make(
            "ul",
            { class: "legend" },
            ...source.tests.map((test, index) => make("li", {}, key("t" + (index % 6)), test)),
            make("li", {}, key("any warm"), "paler: warm-up or first call"),
        );
        const root = make("div", {}, ...(source.recording ? [make("h3", {}, source.recording)] : []), legend, tools, picture, details);

        picture.addEventListener("keydown", event => {
            if (event.ctrlKey || event.metaKey || event.altKey) return;
            const action = {
                "+": () => zoom(0.5),
                "=": () => zoom(0.5),
                "-": () => zoom(2),
                ArrowLeft: () => move(-0.2),
                ArrowRight: () => move(0.2),
                Home: () => move(-1e9),
                End: () => move(1e9),
                Escape: () => set(wide),
                n: () => choose(chosen + 1),
                p: () => choose(chosen - 1),
                Enter: () => near(chosen),
            }[event.key.length === 1 ? event.key.toLowerCase() : event.key];
            if (action) {
                event.preventDefault();
                action();
            }
        });
        picture.addEventListener(
            "wheel",
            event => {
                if (!event.ctrlKey) return;
                event.preventDefault();
                zoom(event.deltaY > 0 ? 1.25 : 0.8, timeAt(event.clientX));
            },
            { passive: false },
        );
        let from = null;
        picture.addEventListener("pointerdown", event => {
            if (event.button === 0) {
                from = event.clientX;
                picture.setPointerCapture(event.pointerId);
            }
        });
        picture.addEventListener("pointermove", event => {
            if (from !== null) later(picture, () => paint([from, event.clientX]));
        });
        picture.addEventListener("pointerup", event => {
            if (from === null) return;
            const [a, b] = [timeAt(Math.min(from, event.clientX)), timeAt(Math.max(from, event.clientX))],
                far = Math.abs(event.clientX - from) > 6;
            from = null;
            if (far) set([a, b]);
            else pick(timeAt(event.clientX), event.clientY);
        });
        picture.addEventListener("pointercancel", () => {
            from = null;
            paint();
        });
        new ResizeObserver(() => later(root, () => paint())).observe(picture);
        later(root, () => paint());
        details.textContent = source.runs.length + (source.runs.length === 1 ? " run" : " runs") + "; choose one for its numbers.";
        return root;

        function key(name) {
            const swatch = draw("svg", { width: 14, height: 12, "aria-hidden": "true" });
            swatch.append(draw("rect", { class: name, width: 12, height: 12 }));
            return swatch;
        }
        function geometry() {
            const width = Math.max(280, picture.clientWidth),
                narrow = width < 620;
            return { width, left: narrow ? 4 : names(width), right: width - 6, narrow, row: narrow ? 32 : 20 };
        }
        function names(width) {
            return Math.round(
                Math.min(
                    Math.max(178, 12 + LETTER * Math.max(...source.serializers.map(name => name.length))),
                    Math.max(178, width * 0.35),
                ),
            );
        }
        function fitting(name, room) {
            const letters = Math.floor(room / LETTER);
            return name.length > letters ? name.slice(0, letters - 1) + "…" : name;
        }
        function timeAt(clientX) {
            const { left, right } = geometry(),
                x = Math.min(Math.max(clientX - picture.getBoundingClientRect().left, left), right);
            return view[0] + ((x - left) / (right - left)) * (view[1] - view[0]);
        }
        function set(next) {
            let length = Math.min(Math.max(next[1] - next[0], 0.05), wide[1] - wide[0]),
                start = Math.min(Math.max(next[0], wide[0]), wide[1] - length);
            view = [start, start + length];
            later(root, () => paint());
        }
        function zoom(factor, around = (view[0] + view[1]) / 2) {
            set([around - (around - view[0]) * factor, around + (view[1] - around) * factor]);
        }
        function move(share) {
            const by = share * (view[1] - view[0]);
            set([view[0] + by, view[1] + by]);
        }
        function begin(run) {
            return source.runs[run][3];
        }
        function end(run) {
            return source.runs[run][3] + source.runs[run][4];
        }
        function choose(run) {
            chosen = Math.min(Math.max(run, 0), source.runs.length - 1);
            const middle = (begin(chosen) + end(chosen)) / 2,
                length = view[1] - view[0];
            if (middle < view[0] || middle > view[1]) set([middle - length / 2, middle + length / 2]);
            details.replaceChildren(
                ...source.columns.flatMap((column, index) => {
                    const text = source.runs[chosen][head + index];
                    return text === "" ? [] : [make("b", {}, column + ": "), text + "   "];
                }),
            );
            later(root, () => paint());
        }
        function near(run) {
            if (run >= 0) {
                const room = Math.max(0.5 * (end(run) - begin(run)), 0.05);
                set([begin(run) - room, end(run) + room]);
            }
        }
        function pick(time, clientY) {
            const { row } = geometry(),
                lane = Math.floor((clientY - picture.getBoundingClientRect().top - 22) / row),
                reach = (view[1] - view[0]) * 0.006;
            let best = -1,
                least = Infinity;
            source.runs.forEach((run, index) => {
                if (run[0] !== lane) return;
                const far = Math.max(begin(index) - time, time - end(index), 0);
                if (far < least) {
                    least = far;
                    best = index;
                }
            });
            picture.focus();
            if (best >= 0 && least <= reach) choose(best);
        }
        function paint(drag = null) {
            const { width, left, right, narrow, row } = geometry(),
                scale = (right - left) / (view[1] - view[0]),
                x = time => left + (time - view[0]) * scale;
            const extra = [
                    ["GC pauses", source.pauses],
                    ["JIT (all threads)", series.jit],
                    ["Measuring thread: CPU", series.cpu],
                ],
                lanes = source.serializers.length,
                height = 22 + row * lanes + (row + 14) * extra.length + 8;
            const svg = draw("svg", { width, height, role: "presentation" });
            const step = nice((view[1] - view[0]) / Math.max(2, Math.floor((right - left) / 110)));
            for (let time = Math.ceil(view[0] / step) * step; time <= view[1]; time += step) {
                svg.append(draw("line", { class: "grid", x1: x(time), x2: x(time), y1: 18, y2: height }));
                svg.append(
                    draw(
                        "text",
                        { class: "tick " + (x(time) > right - 40 ? "end" : x(time) < left + 40 ? "" : "middle"), x: x(time), y: 13 },
                        label(time, step),
                    ),
                );
            }
            const top = lane => 22 + row * lane,
                bar = narrow ? 14 : row - 4,
                inset = narrow ? 15 : 2;
            source.serializers.forEach((name, lane) => {
                svg.append(draw("rect", { class: "lane", x: left, y: top(lane) + inset, width: right - left, height: bar }));
                const text = draw(
                    "text",
                    { class: "label", x: narrow ? left : 4, y: top(lane) + (narrow ? 12 : row - 6) },
                    fitting(name, narrow ? right - left : left - 10),
                );
                text.append(draw("title", {}, name));
                svg.append(text);
            });
            source.runs.forEach((run, index) => {
                if (end(index) < view[0] || begin(index) > view[1]) return;
                const a = Math.max(left, x(begin(index))),
                    b = Math.min(right, Math.max(x(end(index)), a + 1.5));
                const rect = draw("rect", {
                    class: "run t" + (run[1] % 6) + (run[2] ? "" : " warm") + (index === chosen ? " chosen" : ""),
                    x: a,
                    y: top(run[0]) + inset,
                    width: Math.max(1, b - a),
                    height: bar,
                });
                if (b - a < 5) rect.style.stroke = "none";
                rect.append(draw("title", {}, source.columns.map((column, at) => column + " " + run[head + at]).join(", ")));
                svg.append(rect);
            });
            extra.forEach(([name, values], index) => {
                const y = 22 + row * lanes + 6 + (row + 14) * index,
                    tall = narrow ? row - 4 : row + 8,
                    at = narrow ? y + 14 : y;
                svg.append(draw("rect", { class: "lane", x: left, y: at, width: right - left, height: tall }));
                svg.append(
                    draw(
                        "text",
                        { class: "label", x: narrow ? left : 4, y: narrow ? y + 11 : y + 15 },
                        name + (values ? "" : ": not recorded"),
                    ),
                );
                if (!values) return;
                if (index === 0) {
                    const covered = new Float64Array(Math.ceil(right - left) + 1),
                        wideOnes = [];
                    for (let i = 0; i < values.length; i += 3) {
                        const a = Math.max(x(values[i]), left),
                            b = Math.min(x(values[i] + values[i + 1]), right);
                        if (b <= a) continue;
                        for (let px = Math.floor(a - left); px < b - left; px++)
                            covered[px] += Math.min(b - left, px + 1) - Math.max(a - left, px);
                        if (b - a < 2) continue;
                        const rect = draw("rect", { class: "pause", x: a, y: at, width: b - a, height: tall });
                        rect.append(
                            draw(
                                "title",
                                {},
                                "pause of " + values[i + 1].toFixed(3) + " ms" + (values[i + 2] < 0 ? "" : ", generation " + values[i + 2]),
                            ),
                        );
                        wideOnes.push(rect);
                    }
                    let path = "";
                    covered.forEach((share, px) => {
                        if (share > 0)
                            path +=
                                "M" +
                                (left + px) +
                                " " +
                                (at + tall) +
                                "v" +
                                (-Math.max(2, tall * Math.min(1, share))).toFixed(1) +
                                "h1V" +
                                (at + tall) +
                                "z";
                    });
                    svg.append(draw("path", { class: "pause", d: path }), ...wideOnes);
                } else if (index === 1) {
                    svg.append(draw("path", { class: "jit", d: area(values, null, at, tall, 1.275) }));
                } else {
                    svg.append(draw("path", { class: "cpu", d: area(values, null, at, tall, 1) }));
                    if (series.preempted) svg.append(draw("path", { class: "preempted", d: area(series.preempted, values, at, tall, 1) }));
                    const note = draw(
                        "text",
                        { class: "label", x: narrow ? right : 4, y: narrow ? y + 11 : y + 29 },
                        narrow ? "amber: no processor" : "amber: ready, no processor",
                    );
                    if (narrow) note.setAttribute("class", "label end");
                    svg.append(note);
                }
            });
            if (drag) {
                const box = picture.getBoundingClientRect(),
                    a = Math.min(drag[0], drag[1]) - box.left;
                svg.append(draw("rect", { class: "drag", x: a, y: 0, width: Math.abs(drag[1] - drag[0]), height }));
            }
            picture.replaceChildren(svg);

            /* Means of the buckets of each pixel, on top of others. */
            function area(values, below, y, tall, most) {
                const upper = [],
                    lower = [];
                for (let px = left; px < right; px += 1) {
                    const sum = mean(values, px),
                        under = below ? mean(below, px) : 0,
                        base = Math.min(1, under / 200 / most),
                        high = Math.min(1, (under + sum) / 200 / most);
                    upper.push(px + "," + (y + tall - tall * high).toFixed(1));
                    lower.push(px + "," + (y + tall - tall * base).toFixed(1));
                }
                return "M" + upper.join("L") + "L" + lower.reverse().join("L") + "Z";
            }
            function mean(values, px) {
                const a = Math.floor((view[0] + (px - left) / scale - source.start) / source.bucket),
                    b = Math.max(a + 1, Math.floor((view[0] + (px + 1 - left) / scale - source.start) / source.bucket));
                let sum = 0;
                for (let i = Math.max(0, a); i < Math.min(values.length, b); i++) sum += values[i];
                return sum / (b - a);
            }
        }
        function nice(step) {
            const power = Math.pow(10, Math.floor(Math.log10(step)));
            return [1, 2, 5, 10].map(factor => factor * power).find(value => value >= step);
        }
        function label(time, step) {
            return step >= 1000
                ? (time / 1000).toFixed(0) + " s"
                : step >= 100
                  ? (time / 1000).toFixed(1) + " s"
                  : time.toFixed(Math.max(0, -Math.floor(Math.log10(step)))) + " ms";
        }
    }
})();
