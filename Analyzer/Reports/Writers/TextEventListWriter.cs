using System.Globalization;
using EtwSerializerProfiler.Analysis.Findings;
using EtwSerializerProfiler.Foundation.Problems;
using EtwSerializerProfiler.Traces.Contents;

namespace EtwSerializerProfiler.Reports.Writers;

/// <summary>Writes one line per event: time in ms, process, thread, name, fields.</summary>
/// <param name="output">Receives the output.</param>
/// <param name="top">Maximum number of events; null for all.</param>
/// <param name="fence">A line before and after the events; empty for none.</param>
internal sealed class TextEventListWriter(TextWriter output, long? top, string fence) : EventListWriter
{
    private bool _hasBegun;
    private long _events;

    public override void Write(DecodedEvent item)
    {
        Begin();
        _events++;
        output.Write(
            string.Create(
                CultureInfo.InvariantCulture,
                $"{item.TimeMs,12:0.0000}  {Or(item.ProcessId),6} {Or(item.ThreadId),6}  {PrintableText.Of($"{item.Provider}/{item.Event}")}"
            )
        );
        var separator = "  ";
        foreach (var (name, value) in item.Fields)
            Field(name, Text(value));
        if (item.ActivityId != Guid.Empty)
            Field("activity", item.ActivityId.ToString());
        if (item.RelatedActivityId != Guid.Empty)
            Field("related", item.RelatedActivityId.ToString());
        if (item.TraceId.Length > 0)
            Field("trace", item.TraceId);
        if (item.SpanId.Length > 0)
            Field("span", item.SpanId);
        foreach (var (name, value) in item.NamedLabels)
            Field(name, Text(value));
        output.WriteLine();

        void Field(string name, string value)
        {
            output.Write($"{separator}{PrintableText.Of($"{name}={value}")}");
            separator = "; ";
        }
    }

    public override void End(IReadOnlyList<Finding> findings)
    {
        Begin();
        if (fence.Length > 0)
            output.WriteLine(fence);
        output.WriteLine();
        output.WriteLine(string.Create(CultureInfo.InvariantCulture, $"Events: {_events}{(_events >= top ? "; --top shows more" : "")}"));
        foreach (var finding in findings)
            output.WriteLine(PrintableText.Of($"{(finding.Kind == FindingKind.Warning ? "Warning" : "Hint")}: {finding.Text}."));
    }

    private void Begin()
    {
        if (_hasBegun)
            return;
        _hasBegun = true;
        if (fence.Length > 0)
            output.WriteLine(fence);
        output.WriteLine($"{"ms",12}  {"pid",6} {"tid",6}  event  fields");
    }

    private static string Or(int id) => id < 0 ? "-" : id.ToString(CultureInfo.InvariantCulture);
}
