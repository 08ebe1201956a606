using System.Diagnostics;
using System.Globalization;
using System.Text;
using System.Text.Json;
using System.Text.RegularExpressions;
using CsvHelper;
using EtwSerializerProfiler.Analysis;
using EtwSerializerProfiler.Analysis.Causes;
using EtwSerializerProfiler.Analysis.Profiles;
using EtwSerializerProfiler.Reports.Columns;
using EtwSerializerProfiler.Reports.Profiles;
using EtwSerializerProfiler.Traces.Inputs;

namespace EtwSerializerProfiler.Reports.Tests.Profiles;

/// <summary>
/// Each format by its own rules, and all of them against the made-up trace: every sample with its stack, row, cause and time.
/// </summary>
public sealed class ProfileFormatTests
{
    private const double SampleNs = 1e6;

    /// <summary>Row and stack of all samples, in order.</summary>
    private static readonly IReadOnlyList<(string Row, string Stack)> s_stacks =
    [
        .. MadeUpProfile.Samples.Select(sample => (sample.Row, sample.Stack)).Order(),
    ];

    [Fact]
    public void Speedscope()
    {
        var profiles = SpeedscopeFormat.Check(Json(ProfileFormat.Speedscope));

        Assert.Equal(["Json Serialize N=1000", "Xml Deserialize N=1000"], profiles.Select(profile => MadeUpProfile.Row(profile.Name)));
        Assert.Equal(
            s_stacks,
            profiles
                .SelectMany(profile =>
                    profile.Samples.SelectMany(sample =>
                        Enumerable.Repeat((MadeUpProfile.Row(profile.Name), sample.Stack), (int)(sample.Weight / SampleNs))
                    )
                )
                .Order()
        );
    }

    [Fact]
    public void Speedscope_by_run()
    {
        var profiles = SpeedscopeFormat.Check(Json(ProfileFormat.Speedscope, ProfileGrouping.Run));

        Assert.Equal(
            [("Json Serialize N=1000, run 1", 3), ("Json Serialize N=1000, run 2", 4), ("Xml Deserialize N=1000, run 3", 2)],
            profiles.Select(profile => (MadeUpProfile.Row(profile.Name), (int)(profile.Samples.Sum(sample => sample.Weight) / SampleNs)))
        );
    }

    [Fact]
    public void Speedscope_in_order_has_each_thread_in_order_of_time()
    {
        var profiles = SpeedscopeFormat.Check(Json(ProfileFormat.Speedscope, inOrder: true));

        Assert.Equal(
            [
                "Json Serialize N=1000, thread main 1",
                "Json Serialize N=1000, thread worker \"7\" 7",
                "Xml Deserialize N=1000, thread main 1",
            ],
            profiles.Select(profile => MadeUpProfile.Row(profile.Name))
        );
        Assert.Equal(
            MadeUpProfile
                .Samples.Where(sample => sample.Row.StartsWith("Json", StringComparison.Ordinal) && sample.Cause != "otherThreads")
                .Select(sample => sample.Stack),
            profiles[0].Samples.SelectMany(sample => Enumerable.Repeat(sample.Stack, (int)(sample.Weight / SampleNs)))
        );
    }

    [Fact]
    public void Firefox()
    {
        var (samples, markers) = FirefoxFormat.Check(Json(ProfileFormat.Firefox));

        Assert.Equal(
            MadeUpProfile.Samples.Select(sample => (sample.Stack, Category(sample.Cause, "/Other", "/"))).Order(),
            samples.Select(sample => (sample.Stack, sample.Category)).Order()
        );
        Assert.Equal([2, 3, 4, 22, 22.5, 23, 24, 42, 43], samples.Select(sample => sample.TimeMs).Order());
        Assert.All(samples, sample => Assert.Equal(1, sample.WeightMs));
        Assert.Equal(["main", "worker \"7\""], samples.Select(sample => sample.Thread).Distinct().Order());
        var runs = markers.Where(marker => marker.Name == "Run").ToList();
        Assert.Equal(["run 1", "run 2", "run 3"], runs.Select(marker => marker.Detail));
        Assert.All(runs, marker => Assert.InRange(marker.EndMs!.Value - marker.StartMs, 9.9, 10.2));
        Assert.Equal(
            ("main", "generation 0", "number 1, AllocSmall, Blocking", 5.0, 6.0),
            Markers("GC pause").Select(marker => (marker.Thread, marker.Text, marker.Detail, marker.StartMs, marker.EndMs!.Value)).Single()
        );
        Assert.Equal(
            ("Lib.Parser.Parse", "Tier1", 7.0, 7.5),
            Markers("JIT").Select(marker => (marker.Text, marker.Detail, marker.StartMs, marker.EndMs!.Value)).Single()
        );
        Assert.Equal(
            [
                ("main", "System.FormatException", "a \"first\"\nmessage", 8.0, null),
                ("worker \"7\"", "System.FormatException", "second", 25, (double?)null),
            ],
            Markers("Exception").Select(marker => (marker.Thread, marker.Text, marker.Detail, marker.StartMs, marker.EndMs))
        );

        IEnumerable<FirefoxFormat.Marker> Markers(string name) => markers.Where(marker => marker.Name == name);
    }

    [Fact]
    public void Chromium()
    {
        var (events, samples) = ChromiumFormat.Check(Json(ProfileFormat.Chromium));

        Assert.Equal(
            MadeUpProfile.Samples.Select(sample => (sample.Stack, Category(sample.Cause, "", ": "))).Order(),
            samples.Select(sample => (sample.Stack, sample.Name)).Order()
        );
        Assert.Equal([2000, 3000, 4000, 22_000, 22_500, 23_000, 24_000, 42_000, 43_000], samples.Select(sample => sample.Time).Order());
        Assert.All(samples, sample => Assert.Equal(1000, sample.Weight));
        Assert.Equal(
            [
                ("run", "X", "run 1"),
                ("gc", "X", "number 1, AllocSmall, Blocking"),
                ("jit", "X", "Tier1"),
                ("exception", "i", "a \"first\"\nmessage"),
                ("run", "X", "run 2"),
                ("exception", "i", "second"),
                ("run", "X", "run 3"),
            ],
            events.OrderBy(item => item.Start).Select(item => (item.Category, item.Phase, item.Detail))
        );
        Assert.Equal(
            (5000.0, 1000.0, "GC pause, generation 0"),
            events.Where(item => item.Category == "gc").Select(item => (item.Start, item.Duration!.Value, item.Name)).Single()
        );
        Assert.Equal([7L], events.Where(item => item.Detail == "second").Select(item => item.Thread));
    }

    [Fact]
    public void PProf()
    {
        var profile = PProfFormat.Check(MadeUpProfile.Write(ProfileFormat.PProf));

        Assert.Equal(["samples/count", "cpu/nanoseconds"], profile.Types);
        Assert.Equal(("cpu", 1_000_000), (profile.DefaultType, profile.Period));
        Assert.All(profile.Samples, sample => Assert.Equal(sample.Values[0] * 1_000_000, sample.Values[1]));
        Assert.Equal(
            MadeUpProfile.Samples.Select(sample => (sample.Row, sample.Cause, sample.Stack)).Order(),
            profile
                .Samples.SelectMany(sample =>
                    Enumerable.Repeat(
                        (
                            MadeUpProfile.Row($"{sample.Labels["serializer"]} {sample.Labels["test"]} N={sample.Labels["objects"]}"),
                            sample.Labels["cause"],
                            sample.Stack
                        ),
                        (int)sample.Values[0]
                    )
                )
                .Order()
        );
        Assert.Contains("Lib.dll", profile.Mappings);
        Assert.Equal("made-up", profile.Mappings[0]); // pprof regards the first one as the program
        var runs = PProfFormat.Check(MadeUpProfile.Write(ProfileFormat.PProf, ProfileGrouping.Run)).Samples;
        Assert.Equal(
            [("1", 3L), ("2", 4), ("3", 2)],
            runs.GroupBy(sample => sample.Labels["run"]).Select(run => (run.Key, run.Sum(sample => sample.Values[0]))).Order()
        );
    }

    /// <summary>
    /// pprof itself shows every name unchanged, with its time: also names of async methods and lambdas, which it could mistake for C++
    /// templates.
    /// </summary>
    [Fact]
    [NeedsProgram("golang-go", "go")]
    public async Task PProf_opens_it()
    {
        var trace = new SyntheticTrace()
            .Run(1, 1000, 11_000)
            .Module("/app/Lib.dll")
            .Code(1, 0x1000, "Lib.Program+<Main>d__1", "MoveNext", 1)
            .Code(1, 0x2000, "Program+<>c", "<Main>b__0_1", 2)
            .Code(1, 0x3000, "Lib.List`1[Lib.Pair`1[System.Int32]]", "Add", 3);
        foreach (var (number, leaf) in new ulong[] { 0x1000, 0x2000, 0x2000, 0x3000, 0x3000, 0x3000 }.Index())
            trace.Sample(2000 + (1000 * number), SyntheticTrace.Main, 0, leaf);
        using var folder = new TempFolder();
        var file = Path.Combine(folder.Path, "made-up.pb.gz");
        await File.WriteAllBytesAsync(file, MadeUpProfile.Write(ProfileFormat.PProf, trace: trace), TestContext.Current.CancellationToken);
        using var process = Process.Start(
            new ProcessStartInfo("go", ["tool", "pprof", "-top", "-unit=ms", "-nodefraction=0", file]) { RedirectStandardOutput = true }
        )!;
        var top = await process
            .StandardOutput.ReadToEndAsync(TestContext.Current.CancellationToken)
            .WaitAsync(Wait.Limit, TestContext.Current.CancellationToken);

        Assert.Equal(
            [
                ("3ms", "Lib.List`1[Lib.Pair`1[System.Int32]].Add"),
                ("2ms", "Program+<>c.<Main>b__0_1"),
                ("1ms", "Lib.Program+<Main>d__1.MoveNext"),
            ],
            top.Split('\n')
                .Select(line => Regex.Match(line, @"^ +([1-9]\d*ms) +\S+% +\S+% +\S+ +\S+%  (.*)$"))
                .Where(line => line.Success)
                .Select(line => (line.Groups[1].Value, line.Groups[2].Value))
        );
    }

    /// <summary>Lines as flamegraph.pl splits them: all but the last word is the stack.</summary>
    [Fact]
    public void Collapsed()
    {
        var lines = Encoding
            .UTF8.GetString(MadeUpProfile.Write(ProfileFormat.Collapsed))
            .TrimEnd('\n')
            .Split('\n')
            .Select(line => Regex.Match(line, @"^(.*)\s+?(\d+(?:\.\d*)?)$"))
            .ToList();

        Assert.All(lines, line => Assert.True(line.Success));
        Assert.Equal(
            s_stacks.Select(stack => (stack.Row, Stack: stack.Stack.Replace(';', ','))).Order(),
            lines
                .SelectMany(line =>
                    Enumerable.Repeat(Split(line.Groups[1].Value), int.Parse(line.Groups[2].Value, CultureInfo.InvariantCulture))
                )
                .Order()
        );

        static (string Row, string Stack) Split(string line)
        {
            var frames = line.Split(';');
            return (MadeUpProfile.Row($"{frames[0]} {frames[1]}"), string.Join('<', frames[2..]));
        }
    }

    [Fact]
    public void Rows_as_csv_and_json_are_the_same_and_add_up()
    {
        var rows = CsvRows();
        var json = Json(ProfileFormat.Json);
        Assert.Equal(
            rows.Select(row => string.Join('|', ProfileColumns.All.Select(column => row[column.Key]))),
            json.GetProperty("rows")
                .EnumerateArray()
                .Select(row =>
                    string.Join(
                        '|',
                        row.EnumerateObject()
                            .Select(field =>
                                field
                                    .Value.ToString()
                                    .Replace("True", "true", StringComparison.Ordinal)
                                    .Replace("False", "false", StringComparison.Ordinal)
                            )
                    )
                )
        );
        Assert.Equal(
            (9, 9.0, 1.0),
            (json.GetProperty("samples").GetInt32(), json.GetProperty("cpuMs").GetDouble(), json.GetProperty("periodMs").GetDouble())
        );
        Assert.Equal(9, rows.Sum(row => int.Parse(row["samples"], CultureInfo.InvariantCulture)));

        // A method that calls itself is on the stack once; each cause is checked separately.
        var parse = rows.Where(row => row["method"] == "Lib.Parser.Parse")
            .Select(row => (row["cause"], row["samples"], row["inclusiveSamples"], row["inclusiveCpuMs"]))
            .ToList();
        Assert.Equal([("own", "3", "3", "3"), ("harness", "1", "1", "1"), ("broken", "1", "1", "1")], parse);
        Assert.Equal(
            [("own", "0", "3"), ("reflectionGet", "0", "1")],
            rows.Where(row => row["method"] == MadeUpProfile.Serialize)
                .Select(row => (row["cause"], row["samples"], row["inclusiveSamples"]))
        );
    }

    /// <summary>Causes are those of esp-analyze causes, to the ns.</summary>
    [Fact]
    public void Causes_are_those_of_the_matrix()
    {
        var trace = MadeUpProfile.Trace();
        var rows = RunAnalysis.Run([new TracedProcess(trace.ProcessId, "program", ".NET 10.0", [trace], [])], []).Rows;
        var profile = MadeUpProfile.Read(ProfileFormat.PProf).Profile;

        foreach (var (number, group) in profile.Groups.Index())
        {
            var causes = rows.Single(row => row.Key == group.Runs).Causes!;
            long[] expected =
            [
                causes.Own,
                .. causes.Causes,
                causes.Harness,
                causes.Broken,
                causes.GcThreads,
                causes.JitThreads,
                causes.OtherThreads,
            ];
            Assert.Equal(
                expected,
                ProfileCategory.All.Select(
                    (_, category) => profile.Sums.Where(sum => sum.Group == number && sum.Category == category).Sum(sum => sum.CpuNs)
                )
            );
        }

        Assert.Equal(CauseCatalog.All.Count + 6, ProfileCategory.All.Count);
        Assert.Equal(ProfileCategory.All.Select(category => category.Key).Distinct(), ProfileCategory.All.Select(category => category.Key));
    }

    /// <summary>Losses are in every format that can contain them.</summary>
    [Theory]
    [InlineData(ProfileFormat.Speedscope)]
    [InlineData(ProfileFormat.Firefox)]
    [InlineData(ProfileFormat.Chromium)]
    [InlineData(ProfileFormat.PProf)]
    [InlineData(ProfileFormat.Json)]
    public void Losses_stand_in_the_metadata(ProfileFormat format)
    {
        var trace = MadeUpProfile.Trace(lost: 4711);
        Assert.Contains("lost events 4711", Encoding.UTF8.GetString(MadeUpProfile.Write(format, trace: trace)), StringComparison.Ordinal);
        Assert.Contains(MadeUpProfile.Read(format, trace: trace).Facts.Losses, loss => loss.Contains("4711", StringComparison.Ordinal));
    }

    /// <summary>Names in damaged traces are not always text.</summary>
    [Theory]
    [InlineData(ProfileFormat.Speedscope)]
    [InlineData(ProfileFormat.Firefox)]
    [InlineData(ProfileFormat.Chromium)]
    [InlineData(ProfileFormat.PProf)]
    [InlineData(ProfileFormat.Collapsed)]
    [InlineData(ProfileFormat.Csv)]
    [InlineData(ProfileFormat.Json)]
    public void Half_a_character_is_written_as_none(ProfileFormat format)
    {
        var trace = new SyntheticTrace()
            .Module("/app/Lib.dll")
            .Code(1, 0x1000, "Lib", "Half\uD83D_\0", 1)
            .Run(1, 1000, 3000)
            .Sample(1500, SyntheticTrace.Main, 0, 0x1000)
            .Throw(1600, "E\uDC00", "\uD83D", 1);
        Assert.Contains(
            "Lib.Half\uFFFD_",
            Encoding
                .UTF8.GetString(MadeUpProfile.Write(format, trace: trace))
                .Replace("\\uFFFD", "\uFFFD", StringComparison.OrdinalIgnoreCase),
            StringComparison.Ordinal
        );
    }

    /// <summary>Without matching runs nothing is written.</summary>
    [Fact]
    public void An_empty_profile_is_a_valid_file_of_each_format()
    {
        var trace = new SyntheticTrace().Run(1, 1000, 3000);
        Assert.Empty(SpeedscopeFormat.Check(Json(ProfileFormat.Speedscope, trace: trace)));
        Assert.Empty(FirefoxFormat.Check(Json(ProfileFormat.Firefox, trace: trace)).Samples);
        Assert.Empty(ChromiumFormat.Check(Json(ProfileFormat.Chromium, trace: trace)).Samples);
        Assert.Empty(PProfFormat.Check(MadeUpProfile.Write(ProfileFormat.PProf, trace: trace)).Samples);
        Assert.Empty(MadeUpProfile.Write(ProfileFormat.Collapsed, trace: trace));
        Assert.Empty(Json(ProfileFormat.Json, trace: trace).GetProperty("rows").EnumerateArray());
    }

    private static List<Dictionary<string, string>> CsvRows()
    {
        using var stream = new MemoryStream(MadeUpProfile.Write(ProfileFormat.Csv));
        using var csv = CsvReader.Create(stream, CsvReaderOptions.Default, leaveOpen: true);
        csv.ReadHeader();
        var rows = new List<Dictionary<string, string>>();
        while (csv.Read())
            rows.Add(
                ProfileColumns.All.ToDictionary(
                    column => column.Key,
                    column =>
                        csv.TryGetFieldIndex(column.Key, out var index) ? csv.GetString(index) : throw new InvalidDataException(column.Key)
                )
            );
        return rows;
    }

    private static JsonElement Json(
        ProfileFormat format,
        ProfileGrouping grouping = ProfileGrouping.Row,
        bool inOrder = false,
        SyntheticTrace? trace = null
    ) => JsonDocument.Parse(MadeUpProfile.Write(format, grouping, inOrder, trace)).RootElement;

    /// <summary>A cause's display name.</summary>
    private static string Category(string key, string without, string between)
    {
        var category = ProfileCategory.All.Single(item => item.Key == key);
        return category.Name.Length > 0 ? category.Group + between + category.Name : category.Group + without;
    }
}
