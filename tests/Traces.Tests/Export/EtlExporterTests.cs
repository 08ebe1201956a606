using EtwSerializerProfiler.Etl;
using EtwSerializerProfiler.Traces.Events;
using EtwSerializerProfiler.Traces.Export;
using EtwSerializerProfiler.Traces.Inputs;
using EtwSerializerProfiler.Traces.Symbols;

namespace EtwSerializerProfiler.Traces.Tests.Export;

/// <summary>Exports of the committed recording, which has no kernel session, and invalid input.</summary>
public sealed class EtlExporterTests : IDisposable
{
    private readonly TempFolder _folder = new();

    private string Etl => Path.Combine(_folder.Path, "x.etl");

    public void Dispose() => _folder.Dispose();

    [Fact]
    public void Times_are_those_of_the_recording_and_its_begin_too()
    {
        var input = TraceInputReader.Open([TestFiles.Recording]);
        var result = Export(input);

        using var reader = EtlReader.Open(Etl);
        var clocks = input.Processes[0].Sources.Select(source => source.Clock).ToList();
        Assert.Equal((1_000_000_000, clocks.Min(clock => clock.OriginTicks)), (reader.Header.TicksPerSecond, reader.Header.StartTicks));
        var (last, events) = (0L, 0L);
        while (reader.TryRead(out var item))
        {
            Assert.True(item.Timestamp >= last);
            last = item.Timestamp;
            events++;
        }

        Assert.Equal(0, reader.Statistics.LateEvents);
        Assert.Equal(0, reader.Header.EventsLost);
        Assert.True(reader.Header.IsClosed);
        Assert.True(events > result.Events.Single(pair => pair.Kind.StartsWith("events of the runtime", StringComparison.Ordinal)).Count);
    }

    [Fact]
    public void The_process_is_found_with_its_name_runtime_and_kinds_of_events()
    {
        var input = TraceInputReader.Open([TestFiles.Recording]);
        Export(input);

        var exported = Assert.Single(TraceInputReader.Open([Etl]).Processes);
        var recorded = Assert.Single(input.Processes);
        Assert.Equal(
            (recorded.ProcessId, recorded.Program, recorded.Runtime, recorded.Kinds, recorded.Details),
            (exported.ProcessId, exported.Program, exported.Runtime, exported.Kinds, exported.Details)
        );
    }

    [Theory]
    [InlineData(EventKinds.All, EventDetails.All)]
    [InlineData(EventKinds.Gc | EventKinds.CpuSamples, EventDetails.All)] // a set of one enum may have the name of one of the other
    [InlineData(EventKinds.Startup | EventKinds.Jit, EventDetails.Stacks)]
    [InlineData(EventKinds.None, EventDetails.None)]
    public void What_was_recorded_of_a_process_is_kept(EventKinds kinds, EventDetails details)
    {
        using (var writer = new EtlWriter(Etl, new EtlWriteOptions()))
            new ExportedProcess(7, "program", "", kinds, details, null, "", "") { Ends = [(kinds, 100)] }.Write(writer, 5);

        using var reader = EtlReader.Open(Etl);
        ExportedProcess? read = null;
        while (read is null && reader.TryRead(out var item))
            read = ExportedProcess.Read(item);
        Assert.Equal((kinds, details), (read!.Kinds, read.Details));
        Assert.Equal([(kinds, 100L)], read.Ends);
    }

    [Fact]
    public void Every_event_of_the_recording_is_heard_again()
    {
        var input = TraceInputReader.Open([TestFiles.Recording]);
        Export(input);

        var (before, after) = (new EventCounter(), new EventCounter());
        input.Processes[0].Read(before);
        TraceInputReader.Open([Etl]).Processes[0].Read(after);
        Assert.True(before is { Marks: > 50, Gcs: > 0, JitStarts: > 100, Exceptions: > 0, Waits: > 0 });
        Assert.Equal(
            (
                before.Marks,
                before.Waits,
                before.Suspends,
                before.Restarts,
                before.Gcs,
                before.JitStarts,
                before.JittedLoads,
                before.Exceptions,
                before.Ticks
            ),
            (
                after.Marks,
                after.Waits,
                after.Suspends,
                after.Restarts,
                after.Gcs,
                after.JitStarts,
                after.JittedLoads,
                after.Exceptions,
                after.Ticks
            )
        );
    }

    [Fact]
    public void An_existing_file_stays_unless_it_is_to_be_replaced()
    {
        File.WriteAllText(Etl, "mine");
        var input = TraceInputReader.Open([TestFiles.Recording]);

        var refused = Assert.Throws<ExportException>(() => Export(input));
        Assert.Contains("--force", refused.Message, StringComparison.Ordinal);
        Assert.Equal("mine", File.ReadAllText(Etl));

        EtlExporter.Run(input, NoSymbols(), new TraceExportOptions(Etl) { Overwrite = true }, TestContext.Current.CancellationToken);
        Assert.True(new FileInfo(Etl).Length > 100_000);
        Assert.Equal([Etl], Directory.GetFiles(_folder.Path));
    }

    [Fact]
    public void A_compressed_export_holds_the_same_events()
    {
        var input = TraceInputReader.Open([TestFiles.Recording]);
        Export(input);
        var small = Path.Combine(_folder.Path, "small.etl");
        EtlExporter.Run(input, NoSymbols(), new TraceExportOptions(small) { Compress = true }, TestContext.Current.CancellationToken);

        Assert.True(new FileInfo(small).Length * 2 < new FileInfo(Etl).Length);
        using var plain = new Reading(Etl);
        using var compressed = new Reading(small);
        while (plain.Next() is { } bytes)
            Assert.Equal(bytes, compressed.Next());
        Assert.Null(compressed.Next());
    }

    [Fact]
    public void What_ends_early_leaves_nothing_behind()
    {
        var input = TraceInputReader.Open([TestFiles.Recording]);
        using var ended = new CancellationTokenSource();
        ended.Cancel();

        Assert.Throws<OperationCanceledException>(() => EtlExporter.Run(input, NoSymbols(), new TraceExportOptions(Etl), ended.Token));
        Assert.Empty(Directory.GetFiles(_folder.Path));
    }

    [Fact]
    public void A_folder_that_is_not_there_is_made_and_one_that_cannot_be_is_an_error()
    {
        var input = TraceInputReader.Open([TestFiles.Recording]);
        var (made, belowAFile) = (Path.Combine(_folder.Path, "made", "x.etl"), Path.Combine(_folder.Write("file", "x"), "x.etl"));

        EtlExporter.Run(input, NoSymbols(), new TraceExportOptions(made), TestContext.Current.CancellationToken);

        Assert.True(File.Exists(made));
        Assert.ThrowsAny<IOException>(() =>
            EtlExporter.Run(input, NoSymbols(), new TraceExportOptions(belowAFile), TestContext.Current.CancellationToken)
        );
    }

    [Fact]
    public void Input_other_than_a_recording_of_Linux_is_refused_with_advice()
    {
        var windows = Path.Combine(_folder.Path, "windows.etl");
        using (var trace = new SyntheticEtl(windows))
        {
            trace.Process(10, "App.exe");
            trace.Gc(1000, 10, 11, 1, 0, 50);
        }

        Assert.Contains(
            "is already a Windows trace",
            Assert.Throws<ExportException>(() => Export(TraceInputReader.Open([windows]))).Message,
            StringComparison.Ordinal
        );
        var other = Path.Combine(_folder.Path, "copy");
        Directory.CreateDirectory(other);
        foreach (var file in Directory.GetFiles(TestFiles.Recording))
            File.Copy(file, Path.Combine(other, Path.GetFileName(file)));
        Assert.Contains(
            "several recordings",
            Assert.Throws<ExportException>(() => Export(TraceInputReader.Open([TestFiles.Recording, other]))).Message,
            StringComparison.Ordinal
        );
        Assert.Contains(
            "a part of a trace",
            Assert.Throws<ExportException>(() => Export(TraceInputReader.Open([TestFiles.Recording + "#to=1"]))).Message,
            StringComparison.Ordinal
        );
        Assert.Contains(
            "so --runs has no effect",
            Assert
                .Throws<ExportException>(() =>
                    Export(TraceInputReader.Open([TracePart.With(TestFiles.Data("others/spans.nettrace"), "EspTest-Spans/Request")]))
                )
                .Message,
            StringComparison.Ordinal
        );
        Assert.Contains(
            "only a run CSV",
            Assert.Throws<ExportException>(() => Export(TraceInputReader.Open([Path.Combine(TestFiles.Recording, "runs.csv")]))).Message,
            StringComparison.Ordinal
        );
    }

    private TraceExportResult Export(TraceInput input) =>
        EtlExporter.Run(input, NoSymbols(), new TraceExportOptions(Etl), TestContext.Current.CancellationToken);

    private static SymbolFiles NoSymbols() => new("", DateTime.MinValue, TimeSpan.Zero);

    /// <summary>The events of a file, byte for byte.</summary>
    private sealed class Reading(string path) : IDisposable
    {
        private readonly EtlReader _reader = EtlReader.Open(path);

        public byte[]? Next() =>
            _reader.TryRead(out var item)
                ? item.IsKernel && item.Group == EtlKernelGroups.EventTrace
                    ? []
                    : item.RawBytes.ToArray()
                : null;

        public void Dispose() => _reader.Dispose();
    }
}
