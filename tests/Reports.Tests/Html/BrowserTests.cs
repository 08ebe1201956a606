using System.Globalization;
using System.Text.Json;
using System.Text.RegularExpressions;
using EtwSerializerProfiler.Naming;
using EtwSerializerProfiler.Reports.Html;

namespace EtwSerializerProfiler.Reports.Tests.Html;

/// <summary>The page in a browser: its script draws the numbers that the analysis has, and it can be used without a mouse.</summary>
public sealed class BrowserTests
{
    /// <summary>Acts like a user with the keyboard only, and leaves what it saw in an element. Runs after the page's own script.</summary>
    private const string Script = """
        const seen = { errors: [] };
        addEventListener("error", event => seen.errors.push(event.message));
        const labels = () => $$("#flame-view .frame").map(frame => frame.getAttribute("aria-label"));
        const change = (id, value) => { const control = document.getElementById(id); if (typeof value === "boolean") control.checked = value; else control.value = value; control.dispatchEvent(new Event("change")); };
        const key = (element, name) => element.dispatchEvent(new KeyboardEvent("keydown", { key: name, bubbles: true, cancelable: true }));
        setTimeout(() => {
          try {
            change("flame-row", "XmlSerializer Deserialize");
            change("flame-entry", false);
            seen.calls = labels();
            $("#flame-view .frame[tabindex='0']").focus();
            key(document.activeElement, "ArrowDown");
            seen.down = document.activeElement.getAttribute("aria-label");
            key(document.activeElement, "Enter");
            seen.zoomed = $("#flame-view .frame[tabindex='0']").style.width;
            key(document.activeElement, "Escape");
            change("flame-mode", "inverted");
            seen.inverted = labels();
            seen.invertedTitle = $("#flame-title").textContent;
            change("flame-entry", true);
            seen.invertedFromEntry = [labels()[0], $("#flame-title").textContent];
            change("flame-entry", false);
            change("flame-mode", "calls");
            change("flame-entry", true);
            seen.fromEntry = labels();
            $("#flame-search").value = "parseint32";
            $("#flame-search").dispatchEvent(new Event("input"));
            key($(".timeline"), "n");
            seen.run = $("#timeline-view .details").textContent;
            const table = $("#table .scroll"), first = $("#table thead th");
            table.scrollLeft = 300;
            seen.moved = Math.abs(first.getBoundingClientRect().left - table.getBoundingClientRect().left);
            const header = $$("#table thead button").find(button => button.textContent === "Median ms");
            header.click();
            header.click();
            seen.sorted = $$("#table tbody")[0].rows[0].cells[0].textContent;
            seen.sort = header.parentElement.getAttribute("aria-sort");
            const theme = () => getComputedStyle(document.body).backgroundColor, light = theme();
            $("#theme").click();
            seen.themes = [light, theme()];
            seen.overflow = document.documentElement.scrollWidth - document.documentElement.clientWidth;
          } catch (error) { seen.errors.push(String(error)); }
          (function finish(left) {
            seen.found = document.getElementById("flame-found")?.textContent;
            seen.matches = document.querySelectorAll("#flame-view .frame.match").length;
            seen.rects = document.querySelectorAll("#timeline-view rect.run").length;
            if (left > 0 && seen.errors.length === 0 && !(seen.found && seen.matches && seen.rects)) { setTimeout(() => finish(left - 1), 100); return; }
            const lightness = colour => { const parts = colour.match(/[0-9.]+/g).slice(0, 3).map(part => { const value = part / 255; return value <= .03928 ? value / 12.92 : ((value + .055) / 1.055) ** 2.4; }); return .2126 * parts[0] + .7152 * parts[1] + .0722 * parts[2]; };
            const contrast = element => { const style = getComputedStyle(element), two = [lightness(style.color), lightness(style.backgroundColor)].sort((a, b) => b - a); return (two[0] + .05) / (two[1] + .05); };
            const least = () => Math.min(...[...document.querySelectorAll("#flame-view .frame.dim, #flame-view .frame.above")].map(frame => getComputedStyle(frame).opacity === "1" ? contrast(frame) : 0));
            seen.contrasts = [least()];
            document.getElementById("theme").click();
            seen.contrasts.push(least());
            const result = document.createElement("pre");
            result.id = "seen";
            result.textContent = JSON.stringify(seen);
            document.body.append(result);
          })(100);
        }, 500);
        """;

    [Theory]
    [NeedsBrowser]
    [InlineData(1280)]
    [InlineData(400)]
    public async Task The_pictures_have_the_numbers_of_the_analysis_and_the_keyboard_is_enough(int width)
    {
        var (read, report) = MadeUpReport.Build(CausesReportTests.Trace());
        var seen = await SeenAsync(report, width);

        Assert.Empty(Strings(seen, "errors"));
        var tree = report.Flames!.Trees.Single(tree => tree.Runs.Serializer == "XmlSerializer");
        var expected = tree.Nodes.Select(node =>
            string.Create(
                CultureInfo.InvariantCulture,
                $"{Ms(node.InclusiveTicks)} ms, {100.0 * node.InclusiveTicks / tree.Ticks:0.0} % of the graph, {Plural.Of(node.InclusiveSamples, "sample")}; own {Ms(node.Ticks)} ms, {Plural.Of(node.Samples, "sample")}"
            )
        );
        string Ms(long ticks) =>
            report.Flames.ToMilliseconds(ticks) is var ms && ms == Math.Round(ms)
                ? ms.ToString("0", CultureInfo.InvariantCulture)
                : ms.ToString("0.000", CultureInfo.InvariantCulture);
        var shown = Strings(seen, "calls").Skip(1).Select(label => Regex.Replace(label, "^.*?: |; cause.*$", ""));
        Assert.Equal(expected.Order(StringComparer.Ordinal), shown.Order(StringComparer.Ordinal));
        Assert.Equal(
            tree.Samples,
            Strings(seen, "inverted")
                .Skip(1)
                .Sum(label =>
                    long.Parse(Regex.Match(label, @"own [0-9.]+ ms, ([0-9]+) samples?").Groups[1].Value, CultureInfo.InvariantCulture)
                )
        );
        Assert.StartsWith(
            $"XmlSerializer Deserialize: {Plural.Of(tree.Samples, "sample")}, ",
            Text(seen, "invertedTitle"),
            StringComparison.Ordinal
        );
        var counted = Regex.Match(Strings(seen, "invertedFromEntry")[0], "graph, ([0-9]+ samples?);").Groups[1].Value;
        Assert.StartsWith($"XmlSerializer Deserialize: {counted}, ", Strings(seen, "invertedFromEntry")[1], StringComparison.Ordinal);
        Assert.True(seen.GetProperty("moved").GetDouble() < 2, "the first column scrolls away");
        Assert.All(
            seen.GetProperty("contrasts").EnumerateArray(),
            contrast => Assert.True(contrast.GetDouble() >= 4.5, $"contrast of dimmed frames {contrast}")
        );
        Assert.Contains(Strings(seen, "fromEntry"), label => label.StartsWith("(outside the serializer)", StringComparison.Ordinal));
        Assert.StartsWith("libc.so.6", Text(seen, "down"), StringComparison.Ordinal);
        Assert.NotEmpty(Text(seen, "zoomed"));
        Assert.Equal("matches: 1 ms, 16.7 %, 1 sample", Text(seen, "found"));
        Assert.Equal(1, seen.GetProperty("matches").GetInt32());

        var first = read.Result.Runs.OrderBy(run => run.StartTicks).First();
        Assert.Contains(
            string.Create(CultureInfo.InvariantCulture, $"Wall ms: {first.WallMs:0.000}"),
            Text(seen, "run"),
            StringComparison.Ordinal
        );
        Assert.Equal(read.Result.Runs.Count, seen.GetProperty("rects").GetInt32());
        Assert.Equal(read.Result.Rows.MaxBy(row => row.WallMedianMs)!.Key.Serializer, Text(seen, "sorted"));
        Assert.Equal("descending", Text(seen, "sort"));
        Assert.Equal(2, Strings(seen, "themes").Distinct().Count());
        Assert.True(seen.GetProperty("overflow").GetInt32() <= 0, "the page is wider than its window");
    }

    private static async Task<JsonElement> SeenAsync(HtmlReport report, int width)
    {
        using var json = JsonDocument.Parse(await Browser.RunAsync(MadeUpReport.Write(report), Script, width));
        return json.RootElement.Clone();
    }

    private static IReadOnlyList<string> Strings(JsonElement seen, string name) =>
        [.. seen.GetProperty(name).EnumerateArray().Select(item => item.GetString()!)];

    private static string Text(JsonElement seen, string name) => seen.GetProperty(name).GetString()!;
}
