using System.CommandLine;
using EtwSerializerProfiler.Benchmarks;

// dotnet run -c Release --project benchmarks -- COMMAND --help
// A project of its own compares the suite's times with BenchmarkDotNet's: dotnet run -c Release --project benchmarks/BdnCheck
return await new RootCommand("Speed, cost and soundness of the recorder and the reader.")
{
    RecordingCost.Create(),
    StartupCost.Create(),
    SamplerCost.Create(),
    SamplerCauses.Create(),
    StormCost.Create(),
    LongRecording.Create(),
    DefaultsCost.Create(),
    PartsCost.Create(),
    VerdictCheck.Create(),
    QuietChecks.Create(),
    ReadingSpeed.Create(),
    SymbolSpeed.Create(),
    InlineSoundness.Create(),
    LineCostErrors.Create(),
    EtlSpeed.Create(),
    TraceEventSpeed.Create(),
    EtlAttribution.Create(),
    ExportSpeed.Create(),
    EtlMake.Create(),
    EtlFuzz.Create(),
    TraceFuzz.Create(),
    ExtractSpeed.Create(),
    DumpMake.Create(),
    DumpMake.CreateHeap(),
    DumpSpeed.Create(),
    StoreSpeed.Create(),
    FleetSpeed.Create(),
}
    .Parse(args)
    .InvokeAsync()
    .ConfigureAwait(false);
