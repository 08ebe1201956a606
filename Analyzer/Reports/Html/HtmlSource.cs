using System.Globalization;
using EtwSerializerProfiler.Analysis.Source;

namespace EtwSerializerProfiler.Reports.Html;

/// <summary>Writes the source of the most expensive methods, with the time of each line.</summary>
internal static class HtmlSource
{
    /// <summary>Lines above this share of the method's time are highlighted.</summary>
    private const double HotShare = 0.1;

    private const string Tab = "    ";

    public static void Write(HtmlWriter html, IReadOnlyList<MethodSource> sources)
    {
        html.Element(
            "p",
            "The time of a line is CPU time by samples in ms and includes the platform code it calls. Causes are shares of it; ~ marks those from few samples."
        );
        foreach (var (index, source) in sources.Index())
        {
            html.Open("details", ("open", index == 0 ? "open" : null))
                .Element("summary", string.Create(CultureInfo.InvariantCulture, $"{source.Method}: {source.CpuMs:0.0} ms"));
            html.Element("p", source.Problem.Length > 0 ? $"{source.File}; source not available: {source.Problem}." : source.File);
            html.Open("pre", ("class", "code"), ("tabindex", "0"));
            var words = source.Lines.Max(line => CauseLetters.OfLine(line.Causes).Length);
            var before = 0;
            foreach (var line in source.Lines)
            {
                if (before > 0 && line.Line > before + 1)
                    html.Text(string.Create(CultureInfo.InvariantCulture, $"{"".PadLeft(WidthOf(words) + 12)}{"…",6}\n"));
                before = line.Line;
                var text = string.Create(
                    CultureInfo.InvariantCulture,
                    $"{(line.CpuMs > 0 ? line.CpuMs.ToString("0.0", CultureInfo.InvariantCulture) : ""),9}{"".PadRight(WidthOf(words) - words)}{CauseLetters.OfLine(line.Causes).PadRight(words)}{line.Line,8}  {line.Text.Replace("\t", Tab, StringComparison.Ordinal)}"
                );
                if (line.CpuMs > HotShare * source.CpuMs)
                    html.Element("b", text);
                else
                    html.Text(text);
                html.Text("\n");
            }

            html.Close().Close().Line();
        }

        static int WidthOf(int words) => words > 0 ? words + 2 : 0;
    }
}
