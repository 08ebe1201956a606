using System.CommandLine;
using EtwSerializerProfiler.Benchmarks;
using EtwSerializerProfiler.Sessions.EventPipe;
using EtwSerializerProfiler.Sessions.PerfEvents;

// dotnet run -c Release --project benchmarks -- recording-cost [--pairs 10] [--alloc none|sampled|ticks] [--no-kernel] [-- suite options]
// dotnet run -c Release --project benchmarks -- reading-speed FILE.nettrace|perf.data [--repetitions 10]
// dotnet run -c Release --project benchmarks -- symbol-speed RECORDING [--repetitions 10]
var pairs = new Option<int>("--pairs") { Description = "Pairs of a recorded and an unrecorded suite.", DefaultValueFactory = _ => 10 };
var alloc = new Option<AllocationEvents>("--alloc") { Description = "Allocation events of the recorded side." };
var noKernel = new Option<bool>("--no-kernel") { Description = "Record without a kernel session." };
var suite = new Argument<string[]>("suite") { Description = "Options of the suite, after --.", Arity = ArgumentArity.ZeroOrMore };
var cost = new Command("recording-cost", "The suite with and without recording, in turn: median ratio of wall times.") { pairs, alloc, noKernel, suite };
cost.SetAction((parsed, _) => RecordingCost.RunAsync(
    parsed.GetValue(pairs),
    parsed.GetValue(alloc),
    parsed.GetValue(noKernel) ? null : PerfEventPlan.Create(PerfEventScope.Launch),
    parsed.GetValue(suite) is { Length: > 0 } options ? options : ["-n", "1000,100000", "-runs", "9"],
    Console.Out));

var file = new Argument<string>("file") { Description = "A .nettrace or perf.data file." };
var repetitions = new Option<int>("--repetitions") { Description = "Readings after the warm-up.", DefaultValueFactory = _ => 10 };
var reading = new Command("reading-speed", "MB/s, events or records a second, and peak memory of reading a .nettrace or perf.data file.") { file, repetitions };
reading.SetAction((parsed, _) => ReadingSpeed.RunAsync(parsed.GetValue(file)!, parsed.GetValue(repetitions), Console.Out));

var folder = new Argument<string>("recording") { Description = "A recording's folder with CPU samples." };
var symbols = new Command("symbol-speed", "ms to name every frame of 100,000 CPU samples.") { folder, repetitions };
symbols.SetAction((parsed, _) => SymbolSpeed.RunAsync(parsed.GetValue(folder)!, parsed.GetValue(repetitions), Console.Out));

return await new RootCommand("Speed of the recorder and the reader.") { cost, reading, symbols }.Parse(args).InvokeAsync().ConfigureAwait(false);
