using EtwSerializerProfiler.Reports.Columns;

namespace EtwSerializerProfiler.Reports.Html;

/// <summary>The places of the pictures that the page's script draws: timeline and flame graphs.</summary>
internal static class HtmlPictures
{
    private const string NeedsScript = "This picture is drawn by the page's own script, which does not run here.";

    public static void Timeline(HtmlWriter html, HtmlReport report)
    {
        if (report.Timelines.Count == 0)
        {
            html.Element("p", "Timeline: " + Column<object>.NotRecorded, ("class", "empty"));
            return;
        }

        html.Open("p", ("class", "note")).Text(report.IsOfPrograms
                ? "The program's processes, pauses of the collector, compilation, and what the main thread did. Drag across it or use +, - and the arrow keys to zoom and move; Esc shows all."
                : "Runs of each serializer, pauses of the collector, compilation, and what the thread that measures did. Drag across it or use +, - and the arrow keys to zoom and move; N and P go to the next and previous run, Enter zooms to it, Esc shows all.").Close().Line();
        html.Open("div", ("id", "timeline-view"), ("class", "view")).Element("p", NeedsScript, ("class", "needs-script")).Close().Line();
    }

    public static void Flames(HtmlWriter html, HtmlReport report)
    {
        if (report.Flames is null)
        {
            html.Element("p", (report.IsOfPrograms ? "CPU samples: " : "CPU samples in measured runs: ") + Column<object>.NotRecorded, ("class", "empty"));
            return;
        }

        html.Open("p", ("class", "note")).Text(report.IsComparison
                ? "The width of a frame is its CPU time a run on the other side, over all measured runs; red takes longer than base, blue less, by more than twice the error of their samples. "
                : report.IsOfPrograms ? "The width of a frame is the CPU time in it and in what it called, by samples. The colour is the cause that the calls have up to there. "
                : "The width of a frame is the CPU time of the measured runs in it and in what it called, by samples, over all object counts. The colour is the cause that the calls have up to there. ")
            .Text("Arrow keys go from frame to frame, Enter zooms, Esc goes back, / searches.").Close().Line();
        html.Open("div", ("id", "flame-view"), ("class", "view")).Element("p", NeedsScript, ("class", "needs-script")).Close().Line();
    }
}
