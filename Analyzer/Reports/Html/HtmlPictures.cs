using System.Globalization;
using EtwSerializerProfiler.Reports.Columns;

namespace EtwSerializerProfiler.Reports.Html;

/// <summary>Writes the elements in which the page's script draws: timeline and flame graphs.</summary>
internal static class HtmlPictures
{
    private const string NeedsScript = "The page's script draws this picture, but scripts do not run here.";

    public static void Timeline(HtmlWriter html, HtmlReport report)
    {
        if (report.Timelines.Count == 0)
        {
            html.Element("p", "Timeline: " + Column<object>.NotRecorded, ("class", "empty"));
            return;
        }

        html.Open("p", ("class", "note"))
            .Text(
                report.IsOfPrograms
                    ? "The program's processes, GC pauses, compilation, and the main thread's activity. Drag across it or use +, - and the arrow keys to zoom and move; Esc shows all."
                    : "Runs of each serializer, GC pauses, compilation, and the measuring thread's activity. Drag across it or use +, - and the arrow keys to zoom and move; N and P go to the next and previous run, Enter zooms to it, Esc shows all."
            )
            .Close()
            .Line();
        html.Open("div", ("id", "timeline-view"), ("class", "view")).Element("p", NeedsScript, ("class", "needs-script")).Close().Line();
    }

    public static void Waits(HtmlWriter html, HtmlReport report)
    {
        html.Open("p", ("class", "note"))
            .Text(
                string.Create(
                    CultureInfo.InvariantCulture,
                    $"The width of a frame is the time that threads waited in it, summed over threads, by their stacks. Own code is coloured; the reason is the last frame. {report.IdleMs / 1e3:0.00} s of idle waits for work are left out. The same keys work."
                )
            )
            .Close()
            .Line();
        html.Open("div", ("id", "waits-view"), ("class", "view")).Element("p", NeedsScript, ("class", "needs-script")).Close().Line();
    }

    public static void Flames(HtmlWriter html, HtmlReport report)
    {
        if (report.Flames is null)
        {
            html.Element(
                "p",
                (report.IsOfPrograms ? "CPU samples: " : "CPU samples in measured runs: ") + Column<object>.NotRecorded,
                ("class", "empty")
            );
            return;
        }

        html.Open("p", ("class", "note"))
            .Text(
                report.IsComparison
                    ? "The width of a frame is its CPU time per run on the other side, over all measured runs. Red frames take longer than in base, blue frames less, by more than twice the sampling error. "
                : report.IsOfPrograms
                    ? "The width of a frame is its CPU time including callees, by samples. The colour is the cause at this depth of the call path. "
                : "The width of a frame is its CPU time in measured runs including callees, by samples, over all object counts. The colour is the cause at this depth of the call path. "
            )
            .Text("Arrow keys go from frame to frame, Enter zooms, Esc goes back, / searches.")
            .Close()
            .Line();
        html.Open("div", ("id", "flame-view"), ("class", "view")).Element("p", NeedsScript, ("class", "needs-script")).Close().Line();
    }
}
