using System.CommandLine;
using EtwSerializerProfiler.Benchmarks;
using EtwSerializerProfiler.Sessions.EventPipe;
using EtwSerializerProfiler.Sessions.PerfEvents;

// Times of the suite against BenchmarkDotNet's: a project of its own, dotnet run -c Release --project benchmarks/BdnCheck
// dotnet run -c Release --project benchmarks -- recording-cost [--pairs 10] [--alloc none|sampled|ticks] [--no-kernel] [--inline-trees] [-- suite options]
// dotnet run -c Release --project benchmarks -- startup-cost [--rounds 5] [-- suite options]
// dotnet run -c Release --project benchmarks -- comparison-truth FOLDER [--pairs 20] [--percent 5] [-- suite options]
// dotnet run -c Release --project benchmarks -- quiet-checks FOLDER
// dotnet run -c Release --project benchmarks -- reading-speed FILE.nettrace|perf.data [--repetitions 10]
// dotnet run -c Release --project benchmarks -- symbol-speed RECORDING [--repetitions 10]
// dotnet run -c Release --project benchmarks -- inline-soundness RECORDING...
// dotnet run -c Release --project benchmarks -- etl-speed FILE.etl [--repetitions 10]
// dotnet run -c Release --project benchmarks -- etl-traceevent FILE.etl [--repetitions 10]
// dotnet run -c Release --project benchmarks -- etl-attribution FILE.etl [--repetitions 3]
// dotnet run -c Release --project benchmarks -- export-speed RECORDING|FILE|made [--repetitions 3]
// dotnet run -c Release --project benchmarks -- etl-make FILE.etl 2G [--compress]
// dotnet run -c Release --project benchmarks -- etl-fuzz FILE.etl [--seconds 600] [--seed 1]
// dotnet run -c Release --project benchmarks -- extract-speed PATH... [--jobs 1,2] [--repetitions 3]
// dotnet run -c Release --project benchmarks -- dump-make FILE.dmp [--objects 10000000] [--megabytes 1000]
// dotnet run -c Release --project benchmarks -- dump-speed FILE.dmp [--roots]
// dotnet run -c Release --project benchmarks -- fleet-speed PATH... --store clickhouse:http://HOST:PORT/DATABASE [--workers 1 2] [--repetitions 3]
// dotnet run -c Release --project benchmarks -- store-speed RECORDING FILE.db [--traces 1000] [--repetitions 10]
var pairs = new Option<int>("--pairs") { Description = "Pairs of a recorded and an unrecorded suite.", DefaultValueFactory = _ => 10 };
var alloc = new Option<AllocationEvents>("--alloc") { Description = "Allocation events of the recorded side." };
var noKernel = new Option<bool>("--no-kernel") { Description = "Record without a kernel session." };
var inlineTrees = new Option<bool>("--inline-trees") { Description = "The recorded side's runtime tells which methods were inlined where (DOTNET_RichDebugInfo=1)." };
var suite = new Argument<string[]>("suite") { Description = "Options of the suite, after --.", Arity = ArgumentArity.ZeroOrMore };
var cost = new Command("recording-cost", "The suite with and without recording, in turn: median ratio of wall times.") { pairs, alloc, noKernel, inlineTrees, suite };
cost.SetAction((parsed, _) => RecordingCost.RunAsync(
    parsed.GetValue(pairs),
    parsed.GetValue(alloc),
    parsed.GetValue(noKernel) ? null : PerfEventPlan.Create(PerfEventScope.Launch),
    parsed.GetValue(inlineTrees),
    parsed.GetValue(suite) is { Length: > 0 } options ? options : ["-n", "1000,100000", "-runs", "9"],
    Console.Out));

var rounds = new Option<int>("--rounds") { Description = "Rounds of one recording for each kind of events.", DefaultValueFactory = _ => 5 };
var startup = new Command("startup-cost", "First calls recorded without and with the events that tell what they are made of, in turn.") { rounds, suite };
startup.SetAction((parsed, _) => StartupCost.RunAsync(
    parsed.GetValue(rounds), parsed.GetValue(suite) is { Length: > 0 } options ? options : ["-test", "firstcall", "-runs", "3", "-serializer", "#XmlSerializer,#SystemTextJson,#Newtonsoft.Json"], Console.Out));

var truthFolder = new Argument<string>("folder") { Description = "Folder of the recordings; those that are there are not made again." };
var truthPairs = new Option<int>("--pairs") { Description = "Comparisons of equal sides, and of a slowed one with an equal one.", DefaultValueFactory = _ => 20 };
var percent = new Option<double>("--percent") { Description = "The slowdown.", DefaultValueFactory = _ => 5 };
var truth = new Command("comparison-truth", "How often equal recordings are called different, and a slowdown of a known size is found and named.") { truthFolder, truthPairs, percent, suite };
truth.SetAction((parsed, _) => ComparisonTruth.RunAsync(
    parsed.GetValue(truthFolder)!,
    parsed.GetValue(truthPairs),
    parsed.GetValue(percent),
    parsed.GetValue(suite) is { Length: > 0 } options ? options : ["-test", "serialize", "-n", "100000", "-runs", "1", "-launches", "15", "-steady", "--sample-rate", "4000"],
    Console.Out));

var quiet = new Command("quiet-checks", "Figures that need a quiet machine: edges of runs, growth of BinaryFormatter; 1 when one is not as expected, though the machine was quiet.") { truthFolder };
quiet.SetAction((parsed, _) => QuietChecks.RunAsync(parsed.GetValue(truthFolder)!, Console.Out));

var file = new Argument<string>("file") { Description = "A .nettrace or perf.data file." };
var repetitions = new Option<int>("--repetitions") { Description = "Readings after the warm-up.", DefaultValueFactory = _ => 10 };
var reading = new Command("reading-speed", "MB/s, events or records a second, and peak memory of reading a .nettrace or perf.data file.") { file, repetitions };
reading.SetAction((parsed, _) => ReadingSpeed.RunAsync(parsed.GetValue(file)!, parsed.GetValue(repetitions), Console.Out));

var folder = new Argument<string>("recording") { Description = "A recording's folder with CPU samples." };
var symbols = new Command("symbol-speed", "ms to name every frame of 100,000 CPU samples.") { folder, repetitions };
symbols.SetAction((parsed, _) => SymbolSpeed.RunAsync(parsed.GetValue(folder)!, parsed.GetValue(repetitions), Console.Out));

var checkedRecordings = new Argument<string[]>("recording") { Description = "Folders of recordings with CPU samples and inline trees.", Arity = ArgumentArity.OneOrMore };
var soundness = new Command("inline-soundness", "Edges of the call tree that the caller's IL does not allow; 1 when one of them leads to or from an inlined method.") { checkedRecordings };
soundness.SetAction((parsed, _) => InlineSoundness.RunAsync(parsed.GetValue(checkedRecordings)!, Console.Out));

var etl = new Argument<string>("file") { Description = "An .etl file." };
var etlSpeed = new Command("etl-speed", "Events/s, MB/s and peak memory of walking an .etl file, and of a compressed and an uncompressed copy of it.") { etl, repetitions };
etlSpeed.SetAction((parsed, _) => EtlSpeed.RunAsync(parsed.GetValue(etl)!, parsed.GetValue(repetitions), Console.Out));

var etlTraceEvent = new Command("etl-traceevent", "Events/s and peak memory of an .etl file through TraceEvent, with a callback for all events.") { etl, repetitions };
etlTraceEvent.SetAction((parsed, _) => TraceEventSpeed.RunAsync(parsed.GetValue(etl)!, parsed.GetValue(repetitions), Console.Out));

var fewRepetitions = new Option<int>("--repetitions") { Description = "How often each is done.", DefaultValueFactory = _ => 3 };
var etlAttribution = new Command("etl-attribution", "Time and memory from an .etl file to its runs and their CPU samples by method, against TraceLog's conversion.") { etl, fewRepetitions };
etlAttribution.SetAction((parsed, _) => EtlAttribution.RunAsync(parsed.GetValue(etl)!, parsed.GetValue(fewRepetitions), Console.Out));

var exported = new Argument<string>("recording") { Description = "A recording's folder or an .etl file, with CPU samples; 'made' for a million samples that cost nothing to read." };
var export = new Command("export-speed", "Time and memory from a recording to a file of each format, gzip left out.") { exported, fewRepetitions };
export.SetAction((parsed, _) => ExportSpeed.RunAsync(parsed.GetValue(exported)!, parsed.GetValue(fewRepetitions), Console.Out));

var size = new Argument<string>("size") { Description = "Size of the file: 500M, 2G." };
var compress = new Option<bool>("--compress") { Description = "Compressed buffers." };
var etlMake = new Command("etl-make", "Writes a large .etl file with samples, stacks, switches and CLR events in real proportions.") { etl, size, compress };
etlMake.SetAction((parsed, _) => EtlMake.RunAsync(parsed.GetValue(etl)!, EtlMake.ParseSize(parsed.GetValue(size)!), parsed.GetValue(compress), Console.Out));

var seconds = new Option<int>("--seconds") { Description = "How long.", DefaultValueFactory = _ => 600 };
var seed = new Option<int>("--seed") { Description = "Seed of the first damaged copy.", DefaultValueFactory = _ => 1 };
var etlFuzz = new Command("etl-fuzz", "Reads randomly damaged copies of an .etl file; 1 when one is not handled.") { etl, seconds, seed };
etlFuzz.SetAction((parsed, _) => EtlFuzz.RunAsync(parsed.GetValue(etl)!, parsed.GetValue(seconds), parsed.GetValue(seed), Console.Out));

var traces = new Argument<string[]>("path") { Description = "Traces, or folders of them; several of about the same size.", Arity = ArgumentArity.OneOrMore };
var extractJobs = new Option<string>("--jobs") { Description = "Numbers of worker processes to compare, with commas.", DefaultValueFactory = _ => "1,2" };
var extract = new Command("extract-speed", "MB/s from traces to rows of a store with one worker process and with several, and their memory.") { traces, extractJobs, fewRepetitions };
extract.SetAction((parsed, _) => ExtractSpeed.RunAsync(parsed.GetValue(traces)!, [.. parsed.GetValue(extractJobs)!.Split(',').Select(text => int.Parse(text, System.Globalization.CultureInfo.InvariantCulture))], parsed.GetValue(fewRepetitions), Console.Out));

var dump = new Argument<string>("file") { Description = "A dump." };
var objects = new Option<int>("--objects") { Description = "Objects of the heap.", DefaultValueFactory = _ => 10_000_000 };
var heapBytes = new Option<long>("--megabytes") { Description = "Size of the heap.", DefaultValueFactory = _ => 1_000 };
var dumpMake = new Command("dump-make", "Writes a dump (with its heap) of a process with a large heap.") { dump, objects, heapBytes };
dumpMake.SetAction((parsed, _) => DumpMake.RunAsync(parsed.GetValue(dump)!, parsed.GetValue(objects), parsed.GetValue(heapBytes) * 1_000_000, Console.Out));
var dumpHeap = new Command("dump-heap", "The process that dump-make dumps.") { objects, heapBytes };
dumpHeap.Hidden = true;
dumpHeap.SetAction(parsed => DumpMake.Fill(parsed.GetValue(objects), parsed.GetValue(heapBytes)));
var roots = new Option<bool>("--roots") { Description = "Search root paths, too." };
var dumpSpeed = new Command("dump-speed", "Time and peak memory of a summary of a dump: threads, exceptions, heap by type and generation.") { dump, roots };
dumpSpeed.SetAction((parsed, _) => DumpMake.MeasureAsync(parsed.GetValue(dump)!, parsed.GetValue(roots), Console.Out));

var storeFile = new Argument<string>("store") { Description = "File of the store, or its address; a file that is there is not filled again." };
var storedTraces = new Option<int>("--traces") { Description = "Traces in it.", DefaultValueFactory = _ => 1000 };
var storeSpeed = new Command("store-speed", "Time of every named query on a store of many traces, which are one recording with other times, dates and machines.") { folder, storeFile, storedTraces, repetitions };
storeSpeed.SetAction((parsed, _) => StoreSpeed.RunAsync(parsed.GetValue(folder)!, parsed.GetValue(storeFile)!, parsed.GetValue(storedTraces), parsed.GetValue(repetitions), Console.Out));
var fleetPaths = new Argument<string[]>("path") { Description = "Traces, or folders of them, of about equal size.", Arity = ArgumentArity.OneOrMore };
var fleetStore = new Option<string>("--store") { Description = "Server: clickhouse:http://HOST:PORT/DATABASE[?cluster=…]; databases DATABASE_N_R are made.", Required = true };
var fleetWorkers = new Option<int[]>("--workers") { Description = "Numbers of workers, each a call of 'esp-analyze extract --jobs 1'.", DefaultValueFactory = _ => [1, 2], AllowMultipleArgumentsPerToken = true };
var fleet = new Command("fleet-speed", "Traces a second into a ClickHouse store by one worker and by several, as a job engine has them.") { fleetPaths, fleetStore, fleetWorkers, repetitions };
fleet.SetAction((parsed, _) => FleetSpeed.RunAsync(parsed.GetValue(fleetPaths)!, parsed.GetValue(fleetStore)!, parsed.GetValue(fleetWorkers)!, parsed.GetValue(repetitions), Console.Out));

return await new RootCommand("Speed of the recorder and the reader.") { cost, startup, truth, quiet, reading, symbols, soundness, etlSpeed, etlTraceEvent, etlAttribution, export, etlMake, etlFuzz, extract, dumpMake, dumpHeap, dumpSpeed, storeSpeed, fleet }.Parse(args).InvokeAsync().ConfigureAwait(false);
