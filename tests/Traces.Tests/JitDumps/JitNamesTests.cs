using System.Diagnostics;
using System.Globalization;
using System.IO.Compression;
using System.Text;
using EtwSerializerProfiler.Traces.Events;
using EtwSerializerProfiler.Traces.Export;
using EtwSerializerProfiler.Traces.Inputs;
using EtwSerializerProfiler.Traces.JitDumps;
using EtwSerializerProfiler.Traces.PerfMaps;
using EtwSerializerProfiler.Traces.Symbols;
using EtwSerializerProfiler.Traces.Tests.Symbols;

namespace EtwSerializerProfiler.Traces.Tests.JitDumps;

/// <summary>Names of methods of a perf.data file by the jitdump of its process, which .NET 10 wrote.</summary>
public sealed class JitNamesTests
{
    /// <summary>Its number in all files.</summary>
    private const int RecordedProcess = 22910;
    private const string DumpName = "jit-22910.dump";

    /// <summary>Path of the recorded process's dump, in the mapping that marks it.</summary>
    private const string RecordedFolder = "/tmp/tmp.UAiE6QSHAD";
    private const int Methods = 545,
        Stubs = 3279;

    private static readonly byte[] s_dump = Dump();
    private static readonly string s_data = TestFiles.Data("others/perf-jitdump.data");

    [Fact]
    public void The_dump_beside_it_names_process_and_methods_with_their_times()
    {
        using var folder = new TempFolder();
        var dump = folder.Write(DumpName, s_dump);

        var input = TraceInputReader.Open([Data(folder)]);

        var process = Assert.Single(input.Processes);
        Assert.Equal((22910, "TestProgram"), (process.ProcessId, process.Program));
        Assert.Empty(input.Problems);
        Assert.Contains(dump, input.FilesRead);
        var codes = new Codes();
        process.Read(codes);
        Assert.Equal((Methods, Stubs), (codes.Methods.Count, codes.Stubs));
        Assert.All(codes.Methods, code => Assert.False(code.IsRundown));

        // By a reader of the dump in Python.
        Assert.Equal(
            [(15956838706831, CodeTier.Tier0), (15957113550817, CodeTier.Tier0Instrumented), (15957136748352, CodeTier.Tier1)],
            codes.Methods.Where(code => code is { Namespace: "Mixture", Name: "<Take>b__12_0" }).Select(code => (code.At.Time, code.Tier))
        );
    }

    /// <summary>The program's own CPU time against the samples in its methods.</summary>
    [Fact]
    public void Samples_fall_into_the_methods_that_took_the_time()
    {
        using var folder = new TempFolder();
        folder.Write(DumpName, s_dump);
        var inclusive = Inclusive(Data(folder));

        foreach (
            var (method, ms) in ((string, double)[])
                [("Mixture.Spin", 123.0), ("Mixture.Copy", 53.2), ("Mixture.Read", 52.7), ("Mixture.Collect", 52.2)]
        )
            Assert.InRange(
                inclusive.GetValueOrDefault(method) * 1000.0 / 499,
                ms - (4 * 2 * Math.Sqrt(ms / 2)),
                ms + (4 * 2 * Math.Sqrt(ms / 2))
            );
    }

    [Fact]
    public void The_mapping_of_the_dump_says_where_it_lies()
    {
        using var folder = new TempFolder();
        using var elsewhere = new TempFolder();
        var data = DataWithDumpIn(folder, elsewhere);
        var dump = elsewhere.Write(DumpName, s_dump);

        Assert.Contains(dump, TraceInputReader.Open([data]).FilesRead);
    }

    [Fact]
    public void A_cut_dump_is_used_up_to_the_cut_and_says_so()
    {
        using var folder = new TempFolder();
        var dump = folder.Write(DumpName, s_dump[..(s_dump.Length / 2)]);

        var input = TraceInputReader.Open([Data(folder)]);

        Assert.StartsWith($"{dump}: damaged at offset ", Assert.Single(input.Problems), StringComparison.Ordinal);
        Assert.Contains("methods compiled later have no names", input.Problems[0], StringComparison.Ordinal);
        var codes = new Codes();
        input.Processes[0].Read(codes);
        Assert.InRange(codes.Methods.Count, 1, Methods - 1);
    }

    [Fact]
    public void A_dump_that_ends_early_gives_way_to_the_map()
    {
        using var folder = new TempFolder();
        var dump = folder.Write(DumpName, s_dump[..2000]);
        var whole = JitDump.Read(folder.Write("whole", s_dump));
        var map = folder.Write(
            "perf-22910.map",
            string.Join('\n', whole.Codes.Select(code => $"{code.Start:x} {code.Size:x} {code.Name}"))
        );

        var input = TraceInputReader.Open([Data(folder)]);

        Assert.Empty(input.Problems);
        Assert.Contains(map, input.FilesRead);
        Assert.DoesNotContain(dump, input.FilesRead);
    }

    [Fact]
    public void A_whole_dump_goes_before_the_map()
    {
        using var folder = new TempFolder();
        var dump = folder.Write(DumpName, s_dump);
        folder.Write("perf-22910.map", "1000 10 of another process");

        var input = TraceInputReader.Open([Data(folder)]);

        Assert.Empty(input.Problems);
        Assert.Contains(dump, input.FilesRead);
    }

    [Fact]
    public void On_another_clock_names_have_no_times_and_a_line_says_so()
    {
        using var folder = new TempFolder();
        var data = folder.Write("perf.data", File.ReadAllBytes(TestFiles.Data("others/perf-record.data")));
        var bytes = new JitDumpBytes();
        var map = PerfMap.Read(TestFiles.Data("others/perf-4097.map"));
        for (var i = 0; i < map.Count; i++)
            bytes.Load(i, map[i].Start, map[i].Name, (ulong)i, Math.Min(map[i].End - map[i].Start, 10_000));
        folder.Write("jit-4097.dump", bytes.ToArray());

        var input = TraceInputReader.Open([data]);

        Assert.Contains("perf record -k CLOCK_MONOTONIC", Assert.Single(input.Problems), StringComparison.Ordinal);
        Assert.InRange(Inclusive(data).GetValueOrDefault("Mixture.Spin"), 50, 110); // 157.7 ms at 499 Hz
    }

    [Fact]
    public void The_dump_of_another_process_is_refused()
    {
        using var folder = new TempFolder();
        folder.Write(DumpName, new JitDumpBytes().Load(1, 0x1000, "App.A:B ()", 1).ToArray());

        var input = TraceInputReader.Open([Data(folder)]);

        Assert.Contains("it belongs to another process", Assert.Single(input.Problems), StringComparison.Ordinal);
        Assert.Single(input.Processes[0].Sources);
    }

    [Fact]
    public void A_file_that_is_not_a_dump_is_a_problem_and_not_an_error()
    {
        using var folder = new TempFolder();
        folder.Write(DumpName, "no dump at all, but long enough for a header");

        var input = TraceInputReader.Open([Data(folder)]);

        Assert.Contains("expected the magic number of a jitdump", Assert.Single(input.Problems), StringComparison.Ordinal);
        Assert.Single(input.Processes);
    }

    [Fact]
    public void Images_of_perf_inject_are_read_where_they_lie_or_beside_the_recording()
    {
        const string Name = "void [App] App.A::B()[Optimized]";
        using var folder = new TempFolder();
        folder.Write("jitted-7-1.so", ElfBytes.Make((Name, 0x401080, 4, 2)));
        FileMapping[] mappings =
        [
            new(new EventAt(5, 7, 7), 0x7000, 4, 0x1080, "/nowhere/jitted-7-1.so", ""),
            new(new EventAt(6, 7, 7), 0x8000, 4, 0x1080, "/nowhere/jitted-7-2.so", ""),
            new(new EventAt(7, 7, 7), 0x9000, 4, 0x1080, "/nowhere/other.so", ""),
        ];

        var codes = JittedImages.Read(mappings, folder.Path, out var missing);

        Assert.Equal([new JitCode(5, 0x7000, 4, Name)], codes);
        Assert.Equal(1, missing);
        Assert.Empty(JittedImages.Read(mappings[2..], folder.Path, out missing));
        Assert.Equal(0, missing);
    }

    /// <summary>perf's own processing of the dump names the same methods.</summary>
    [Fact]
    [Trait(TestKind.Trait, TestKind.Records)]
    public async Task A_file_of_perf_inject_has_the_names_of_the_dump()
    {
        Assert.SkipUnless(File.Exists("/usr/bin/perf"), "perf is not installed");
        using var folder = new TempFolder();
        using var results = new TempFolder();
        var data = DataWithDumpIn(folder, folder);
        var dump = folder.Write(DumpName, s_dump);
        var injected = results.PathOf("perf.data");
        using (
            var perf = Process.Start(
                new ProcessStartInfo("perf", ["inject", "--jit", "-i", data, "-o", injected])
                {
                    RedirectStandardOutput = true,
                    RedirectStandardError = true,
                }
            )!
        )
        {
            var output = perf.StandardOutput.ReadToEndAsync(TestContext.Current.CancellationToken);
            var error = await perf.StandardError.ReadToEndAsync(TestContext.Current.CancellationToken);
            await perf.WaitForExitAsync(TestContext.Current.CancellationToken);
            await output;
            Assert.SkipWhen(
                IsThreadOfAProcess(RecordedProcess),
                $"a thread has the number of the recorded process, {RecordedProcess}: perf inject takes its process's number and ignores the dump"
            );
            Assert.SkipUnless(
                perf.ExitCode == 0 && Directory.EnumerateFiles(folder.Path, "jitted-*.so").Any(),
                $"perf inject --jit does not work here: {error}"
            );
        }

        var expected = Inclusive(data);
        File.Delete(dump);
        var input = TraceInputReader.Open([injected]);

        Assert.Empty(input.Problems);
        Assert.Equal(
            expected.OrderBy(pair => pair.Key, StringComparer.Ordinal),
            Inclusive(injected).OrderBy(pair => pair.Key, StringComparer.Ordinal)
        );
    }

    [Theory]
    [InlineData("x.nettrace")]
    [InlineData("x.etl")]
    public void Exports_keep_the_names(string name)
    {
        using var folder = new TempFolder();
        folder.Write(DumpName, s_dump);
        var data = Data(folder);
        var (input, symbols, options) = (
            TraceInputReader.Open([data]),
            new SymbolFiles("", DateTime.MinValue, TimeSpan.Zero),
            new TraceExportOptions(folder.PathOf(name))
        );
        if (name == "x.etl")
            EtlExporter.Run(input, symbols, options, TestContext.Current.CancellationToken);
        else
            NetTraceExporter.Run(input, symbols, options, TestContext.Current.CancellationToken);

        var expected = Inclusive(data);
        Assert.True(expected.Count > 20);
        Assert.Equal(
            expected.OrderBy(pair => pair.Key, StringComparer.Ordinal),
            Inclusive(options.Path).OrderBy(pair => pair.Key, StringComparer.Ordinal)
        );
    }

    private static byte[] Dump()
    {
        using var file = new GZipStream(File.OpenRead(TestFiles.Data($"others/{DumpName}.gz")), CompressionMode.Decompress);
        using var bytes = new MemoryStream();
        file.CopyTo(bytes);
        return bytes.ToArray();
    }

    private static string Data(TempFolder folder) => folder.Write("perf.data", File.ReadAllBytes(s_data));

    /// <summary>The recording with another folder in its mapping of the dump; a path is padded with zeros.</summary>
    private static string DataWithDumpIn(TempFolder folder, TempFolder dumps)
    {
        var bytes = File.ReadAllBytes(s_data);
        var at = bytes.AsSpan().IndexOf(Encoding.UTF8.GetBytes(RecordedFolder));
        var path = Encoding.UTF8.GetBytes(Path.Combine(dumps.Path, DumpName));
        var room = (RecordedFolder.Length + 1 + DumpName.Length + 8) / 8 * 8;
        Assert.SkipUnless(path.Length < room, "the temporary folder's path is too long");
        bytes.AsSpan(at, room).Clear();
        path.CopyTo(bytes, at);
        return folder.Write("perf.data", bytes);
    }

    /// <summary>Whether this is the number of a living thread, but not of a process.</summary>
    private static bool IsThreadOfAProcess(int number)
    {
        try
        {
            return !File.ReadLines(string.Create(CultureInfo.InvariantCulture, $"/proc/{number}/status")).Contains($"Tgid:\t{number}");
        }
        catch (IOException)
        {
            return false;
        }
    }

    /// <summary>Samples by method on the stack.</summary>
    private static Dictionary<string, int> Inclusive(string data)
    {
        var process = TraceInputReader.Open([data]).Processes[0];
        var map = new ManagedCodeMap();
        process.Read(map);
        var samples = new MethodSamples(map);
        process.Read(samples);
        return samples.Inclusive;
    }

    private sealed class Codes : IEventSubscriber
    {
        public List<MethodCode> Methods { get; } = [];

        public int Stubs { get; private set; }

        public void Subscribe(EventHub hub)
        {
            hub.Subscribe((in MethodCode code) => Methods.Add(code));
            hub.Subscribe((in CodeName _) => Stubs++);
        }
    }
}
