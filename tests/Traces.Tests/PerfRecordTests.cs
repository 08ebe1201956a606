using System.Globalization;
using System.Text.RegularExpressions;
using EtwSerializerProfiler.Traces.Events;
using EtwSerializerProfiler.Traces.Inputs;
using EtwSerializerProfiler.Traces.Symbols;

namespace EtwSerializerProfiler.Traces.Tests;

/// <summary>A file of <c>perf record</c> alone, on the kernel's own clock, with the perf map of its process.</summary>
public sealed partial class PerfRecordTests
{
    private static readonly string s_data = TestFiles.Data("others/perf-record.data");
    private static readonly string s_map = TestFiles.Data("others/perf-4097.map");

    [Fact]
    public void The_map_beside_it_names_process_and_methods()
    {
        var input = TraceInputReader.Open([s_data]);

        var process = Assert.Single(input.Processes);
        Assert.Equal((4097, "TestProgram"), (process.ProcessId, process.Program));
        Assert.Empty(input.Problems);
        Assert.Equal([s_data, s_map], input.FilesRead);

        var methods = new Methods();
        process.Read(methods);
        Assert.Equal(File.ReadLines(s_map).Count(line => MethodLine().IsMatch(line)), methods.Codes.Count);
        var hash = Assert.Single(methods.Codes, code => code.Name == "Mixture.Hash" && code.Tier == CodeTier.Optimized);
        Assert.Contains(
            File.ReadLines(s_map),
            line =>
                line.Contains("Mixture::Hash(", StringComparison.Ordinal)
                && ulong.Parse(line.Split(' ')[0][2..], NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture) == hash.Start
        );
    }

    /// <summary>The program's own times of five parts against the samples in them.</summary>
    [Fact]
    public void Samples_fall_into_the_methods_that_took_the_time()
    {
        (string Method, double Ms)[] parts =
        [
            ("Mixture.Spin", 157.7),
            ("Mixture.Copy", 67.6),
            ("Mixture.Read", 68.4),
            ("Mixture.Collect", 67.7),
        ];
        var process = TraceInputReader.Open([s_data]).Processes[0];
        var map = new ManagedCodeMap();
        process.Read(map);
        var samples = new MethodSamples(map);
        process.Read(samples);

        foreach (var (method, ms) in parts)
        {
            var found = samples.Inclusive.GetValueOrDefault(method);
            Assert.InRange(found * 1000.0 / 499, ms - (4 * 2 * Math.Sqrt(ms / 2)), ms + (4 * 2 * Math.Sqrt(ms / 2)));
        }
    }

    [Fact]
    public void The_map_of_another_process_is_refused()
    {
        using var folder = new TempFolder();
        var data = Path.Combine(folder.Path, "perf.data");
        File.Copy(s_data, data);
        File.WriteAllLines(Path.Combine(folder.Path, "perf-4097.map"), File.ReadLines(s_map).Select(line => "0x1" + line[3..]));

        var input = TraceInputReader.Open([data]);

        Assert.Contains("it belongs to another process", Assert.Single(input.Problems), StringComparison.Ordinal);
        Assert.Equal(("dotnet", 1), (input.Processes[0].Program, input.Processes[0].Sources.Count));
    }

    [Fact]
    public void Beside_a_file_of_EventPipe_its_clock_must_be_that_files()
    {
        var input = TraceInputReader.Open([TestFiles.Unmarked, s_data]);

        Assert.Contains("CLOCK_MONOTONIC", Assert.Single(input.Problems), StringComparison.Ordinal);
    }

    [GeneratedRegex(@"\[[\w.]+\] .*::.*\(")]
    private static partial Regex MethodLine();

    private sealed class Methods : IEventSubscriber
    {
        public List<(string Name, ulong Start, CodeTier Tier)> Codes { get; } = [];

        public void Subscribe(EventHub hub) =>
            hub.Subscribe((in MethodCode code) => Codes.Add(($"{code.Namespace}.{code.Name}", code.Start, code.Tier)));
    }
}
