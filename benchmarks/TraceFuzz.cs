using System.Buffers.Binary;
using System.CommandLine;
using System.Diagnostics;
using System.Globalization;
using EtwSerializerProfiler.Traces;
using EtwSerializerProfiler.Traces.Inputs;

namespace EtwSerializerProfiler.Benchmarks;

/// <summary>
/// Opens and reads randomly damaged copies of a .nettrace or perf.data file, as every report does. Any exception but a format error ends it
/// and prints the seed that reproduces it.
/// </summary>
internal static class TraceFuzz
{
    /// <summary>Maximum memory for a damaged file.</summary>
    private const long MaxBytes = 1L << 30;

    /// <summary>A longer reading counts as a hang.</summary>
    private static readonly TimeSpan s_limit = TimeSpan.FromSeconds(60);

    public static Command Create()
    {
        var file = new Argument<string>("file") { Description = "A .nettrace or perf.data file, best a small one." };
        var copies = new Option<int>("--copies") { Description = "How many.", DefaultValueFactory = _ => 10_000 };
        var seed = new Option<int>("--seed") { Description = "Seed of the first damaged copy.", DefaultValueFactory = _ => 1 };
        var command = new Command(
            "trace-fuzz",
            "Reads randomly damaged copies of a .nettrace or perf.data file; 1 when one is not handled."
        )
        {
            file,
            copies,
            seed,
        };
        command.SetAction((parsed, _) => RunAsync(parsed.GetValue(file)!, parsed.GetValue(copies), parsed.GetValue(seed), Console.Out));
        return command;
    }

    private static async Task<int> RunAsync(string path, int copies, int seed, TextWriter output)
    {
        const string InMemory = "/dev/shm";
        var trace = await File.ReadAllBytesAsync(path).ConfigureAwait(false);
        var folder = Path.Combine(Directory.Exists(InMemory) ? InMemory : Path.GetTempPath(), Path.GetRandomFileName());
        Directory.CreateDirectory(folder);
        var copy = Path.Combine(folder, Path.GetFileName(path));
        var watch = Stopwatch.StartNew();
        var (refused, damaged, events, largest) = (0L, 0L, 0L, 0L);
        var end = seed + copies;
        try
        {
            for (; seed < end; seed++)
            {
                await File.WriteAllBytesAsync(copy, Mutate(trace, new Random(seed))).ConfigureAwait(false);
                var began = watch.Elapsed;
                var before = GC.GetAllocatedBytesForCurrentThread();
                try
                {
                    var input = TraceInputReader.Open([copy]);
                    var everyEvent = new EveryEvent();
                    foreach (var result in TraceReading.Read(input.Processes.SelectMany(process => process.Requests(everyEvent))).Values)
                    {
                        events += result.Events;
                        damaged += result.Damage is null ? 0 : 1;
                    }
                }
                catch (TraceFormatException)
                {
                    refused++;
                }

                largest = Math.Max(largest, GC.GetAllocatedBytesForCurrentThread() - before);
                if (watch.Elapsed - began > s_limit || largest > MaxBytes)
                    throw new InvalidOperationException(Invariant($"{(watch.Elapsed - began).TotalSeconds:F1} s, {largest / 1e6:F1} MB"));
            }
        }
        catch (Exception error)
        {
            await output.WriteLineAsync($"seed {seed}: {error}").ConfigureAwait(false);
            return 1;
        }
        finally
        {
            Directory.Delete(folder, recursive: true);
        }

        await output
            .WriteLineAsync(
                Invariant(
                    $"{copies:N0} damaged copies of {path}: {refused:N0} refused, {damaged:N0} damages reported, {events:N0} events read, at most {largest / 1e6:F1} MB allocated for one, {watch.Elapsed.TotalSeconds:F0} s"
                )
            )
            .ConfigureAwait(false);
        return 0;
    }

    /// <summary>A copy with a few small damages; with more it would be rejected at the first one.</summary>
    private static byte[] Mutate(byte[] trace, Random random)
    {
        const int MaxChanges = 6,
            MaxRange = 64;
        var mutated = trace.AsSpan(0, random.Next(8) == 0 ? random.Next(trace.Length + 1) : trace.Length).ToArray();
        for (var change = random.Next(1, MaxChanges + 1); change > 0 && mutated.Length > MaxRange + 8; change--)
        {
            var at = random.Next(mutated.Length - 8);
            var range = Math.Min(random.Next(1, MaxRange), mutated.Length - at);
            switch (random.Next(4))
            {
                case 0:
                    mutated[at] ^= (byte)(1 << random.Next(8));
                    break;
                case 1:
                    BinaryPrimitives.WriteInt32LittleEndian(
                        mutated.AsSpan(at),
                        random.Next(2) == 0 ? random.Next(1 << random.Next(1, 31)) : -1
                    );
                    break;
                case 2:
                    mutated.AsSpan(random.Next(mutated.Length - range), range).CopyTo(mutated.AsSpan(at));
                    break;
                default:
                    mutated.AsSpan(at, range).Clear();
                    break;
            }
        }

        return mutated;
    }

    private static string Invariant(FormattableString text) => text.ToString(CultureInfo.InvariantCulture);
}
