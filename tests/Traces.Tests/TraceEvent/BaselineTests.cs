using System.Globalization;
using System.Text;
using System.Text.RegularExpressions;
using EtwSerializerProfiler.Etl.Tests;
using EtwSerializerProfiler.Traces.TraceEventFeed;
using Microsoft.Diagnostics.Tracing.Etlx;

namespace EtwSerializerProfiler.Traces.Tests.TraceEvent;

/// <summary>
/// Converts real Windows traces with TraceLog and compares with the output of TraceEvent's own tests on Windows: for each kind of event up
/// to five events with their payloads as text, and the total count.
/// </summary>
public sealed class BaselineTests
{
    /// <summary>Events of a kind that a baseline shows.</summary>
    private const int EventsOfAKind = 5;

    [Theory]
    [InlineData("net.4.5.2.x64")]
    [InlineData("gcevents")]
    [InlineData("primitive-types")]
    [NeedsRealTraces]
    public void Events_and_counts_are_those_of_Windows(string name)
    {
        var expected = File.ReadLines(RealTraces.Get(name + ".baseline.txt")).ToList();
        using var folder = new TempFolder();
        var etlx = Path.Combine(folder.Path, "trace.etlx");
        using (var source = EtlTraceEventSource.Open(RealTraces.Get(name + ".etl.zip")))
            TraceLog.CreateFromEventTraceLogFile(source, etlx);

        var actual = new List<string>();
        var counts = new SortedDictionary<string, int>(StringComparer.Ordinal);
        using (var log = new TraceLog(etlx))
        {
            var events = log.Events.GetSource();
            events.AllEvents += data =>
            {
                var kind = $"{data.ProviderName}/{data.EventName}";
                counts[kind] = counts.GetValueOrDefault(kind) + 1;
                if (counts[kind] <= EventsOfAKind)
                    actual.Add(Describe(data));
            };
            events.Process();
        }

        actual.AddRange(counts.Select(pair => $"COUNT {pair.Key}:{pair.Value}"));

        expected.RemoveAll(NeedsWindows);
        actual.RemoveAll(NeedsWindows);
        Assert.Equal(expected.Select(Comparable), actual.Select(Comparable));
        Assert.All(expected.Zip(actual), pair => Assert.InRange(Time(pair.First) - Time(pair.Second), -0.0011, 0.0011));
    }

    [Fact]
    [NeedsRealTraces]
    public void Every_event_is_dispatched_once_and_in_order()
    {
        using var source = EtlTraceEventSource.Open(RealTraces.Get("net.4.5.2.x64.etl.zip"));
        long events = 0,
            samples = 0,
            backwards = 0,
            last = 0;
        source.Kernel.PerfInfoSample += _ => samples++;
        source.AllEvents += data =>
        {
            events++;
#pragma warning disable CS0618 // the only exact time
            backwards += data.TimeStampQPC < last ? 1 : 0;
            last = data.TimeStampQPC;
#pragma warning restore CS0618
        };

        Assert.True(source.Process());

        Assert.Equal(179_474, events);
        Assert.Equal(79_528, samples);
        Assert.Equal(0, backwards);
        Assert.Equal(0, source.EventsLost);
        Assert.Equal(8, source.NumberOfProcessors);
        Assert.Equal(8, source.PointerSize);
        Assert.Equal(new Version(6, 2), source.OSVersion);
        Assert.Equal(new DateTime(2020, 7, 29), source.SessionStartTime.ToUniversalTime().Date);
    }

    [Fact]
    [NeedsRealTraces]
    public void Stopping_early_gives_no_further_event()
    {
        using var source = EtlTraceEventSource.Open(RealTraces.Get("net.4.5.2.x64.etl.zip"));
        var events = 0;
        source.AllEvents += _ =>
        {
            if (++events == 1000)
                source.StopProcessing();
        };

        source.Process();

        Assert.Equal(1000, events);
    }

    /// <summary>
    /// Kinds of events that only Windows' own MOF classes describe, which TraceEvent reads from Windows: one of the kernel's base, one of
    /// the machine. The baseline omits the rest of them.
    /// </summary>
    private static bool NeedsWindows(string line) =>
        Regex.IsMatch(line, @" MSNT_SystemTrace/| Windows Kernel/(Image/Opcode\((33|34)\)|SystemConfig/Opcode\((18|25|28)\))");

    /// <summary>
    /// A line without system-dependent parts: thousands in numbers (.NET Framework's and .NET's types of fields differ), file names cut
    /// from Windows paths by Path, flags of a file by the manifest of the machine, and the last digit of times, which .NET Framework rounds
    /// from 15 digits.
    /// </summary>
    private static string Comparable(string line)
    {
        line = Regex.Replace(line, "^EVENT [0-9,.]+: ", "EVENT ");
        line = Regex.Replace(line, "(?<=MSec=[0-9.,]*)[0-9];", "?;");
        line = Regex.Replace(line, "(?<=[0-9]),(?=[0-9]{3})", "");
        line = Regex.Replace(line, "ModuleILFileName=[^;]*;", "ModuleILFileName;");
        line = Regex.Replace(line, "FileAttributes=(0|None);", "FileAttributes;");
        return line;
    }

    private static double Time(string line) =>
        Regex.Match(line, "^EVENT ([0-9,.]+): ") is { Success: true } match
            ? double.Parse(match.Groups[1].Value, CultureInfo.InvariantCulture)
            : 0;

    /// <summary>The line of a baseline.</summary>
    private static string Describe(Microsoft.Diagnostics.Tracing.TraceEvent data)
    {
        var line = new StringBuilder();
        line.Append(
            CultureInfo.InvariantCulture,
            $"EVENT {data.TimeStampRelativeMSec:n3}: {data.ProviderName}/{data.EventName} PID={data.ProcessID}; TID={data.ThreadID}; PName={data.ProcessName}; ProceNum={data.ProcessorNumber}; DataLen={data.EventDataLength}; "
        );
        for (var i = 0; i < data.PayloadNames.Length; i++)
        {
            var text = data.PayloadValue(i) is DateTime time
                ? time.ToUniversalTime().ToString("yy/MM/dd HH:mm:ss.ffffff", CultureInfo.InvariantCulture)
                : data.PayloadString(i);
            if (text.Length > 20)
                text = text[..20] + "...";
            line.Append(
                CultureInfo.InvariantCulture,
                $"{data.PayloadNames[i]}={text.Replace("\n", "\\n", StringComparison.Ordinal).Replace("\r", "\\r", StringComparison.Ordinal)}; "
            );
        }

        return line.ToString();
    }
}
