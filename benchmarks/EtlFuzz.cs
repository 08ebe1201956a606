using System.Buffers.Binary;
using System.CommandLine;
using System.Diagnostics;
using System.Globalization;
using EtwSerializerProfiler.Etl;

namespace EtwSerializerProfiler.Benchmarks;

/// <summary>
/// Reads randomly damaged copies of an .etl file for a given time. Any exception but a format error ends it and prints the seed that
/// reproduces it.
/// </summary>
internal static class EtlFuzz
{
    /// <summary>Maximum memory for a damaged file.</summary>
    private const long MaxBytes = 512L << 20;

    /// <summary>A longer reading counts as a hang.</summary>
    private static readonly TimeSpan s_limit = TimeSpan.FromSeconds(60);

    public static Command Create()
    {
        var file = CommonOptions.EtlFile();
        var seconds = new Option<int>("--seconds") { Description = "How long.", DefaultValueFactory = _ => 600 };
        var seed = new Option<int>("--seed") { Description = "Seed of the first damaged copy.", DefaultValueFactory = _ => 1 };
        var command = new Command("etl-fuzz", "Reads randomly damaged copies of an .etl file; 1 when one is not handled.")
        {
            file,
            seconds,
            seed,
        };
        command.SetAction((parsed, _) => RunAsync(parsed.GetValue(file)!, parsed.GetValue(seconds), parsed.GetValue(seed), Console.Out));
        return command;
    }

    /// <summary>Runs it and prints the results.</summary>
    /// <param name="path">An .etl file, at most 1 GB; not an archive.</param>
    /// <param name="seconds">How long.</param>
    /// <param name="seed">Seed of the first round; the next ones count up.</param>
    /// <param name="output">Where the result is printed.</param>
    /// <returns>0 when nothing was found.</returns>
    private static async Task<int> RunAsync(string path, int seconds, int seed, TextWriter output)
    {
        var trace = await File.ReadAllBytesAsync(path).ConfigureAwait(false);
        var watch = Stopwatch.StartNew();
        var before = GC.GetTotalMemory(forceFullCollection: true);
        var (rounds, errors, damages, events, largest) = (0L, 0L, 0L, 0L, 0L);
        for (; watch.Elapsed.TotalSeconds < seconds; rounds++, seed++)
        {
            var mutated = Mutate(trace, new Random(seed));
            var began = watch.Elapsed;
            try
            {
                using var reader = EtlReader.Open(mutated, "fuzz", new EtlReadOptions { DecodeThreads = seed % 2 });
                while (reader.TryRead(out var traceEvent))
                {
                    events += traceEvent.Payload.Length + traceEvent.ExtendedData.Length >= 0 ? 1 : 0;
                    if (reader.Statistics.Events % 10_000 == 0)
                        largest = Math.Max(largest, GC.GetTotalMemory(forceFullCollection: false) - before);
                }

                damages += reader.Statistics.DamageCount;
                largest = Math.Max(largest, GC.GetTotalMemory(forceFullCollection: false) - before);
            }
            catch (EtlFormatException)
            {
                errors++;
            }
            catch (Exception error)
            {
                await output.WriteLineAsync($"seed {seed}: {error}").ConfigureAwait(false);
                return 1;
            }

            if (watch.Elapsed - began > s_limit || largest > MaxBytes)
            {
                await output
                    .WriteLineAsync(Invariant($"seed {seed}: {(watch.Elapsed - began).TotalSeconds:F1} s, {largest / 1e6:F1} MB"))
                    .ConfigureAwait(false);
                return 1;
            }
        }

        await output
            .WriteLineAsync(
                Invariant(
                    $"{rounds:N0} damaged copies of {path}: {errors:N0} refused, {damages:N0} damages reported, {events:N0} events read, at most {largest / 1e6:F1} MB, garbage included"
                )
            )
            .ConfigureAwait(false);
        return 0;
    }

    private static byte[] Mutate(byte[] trace, Random random)
    {
        var mutated = trace.AsSpan(0, random.Next(4) == 0 ? random.Next(trace.Length + 1) : trace.Length).ToArray();
        for (var change = random.Next(1, 50); change > 0 && mutated.Length > 80; change--)
        {
            var at = random.Next(mutated.Length - 8);
            switch (random.Next(5))
            {
                case 0:
                    mutated[at] ^= (byte)(1 << random.Next(8));
                    break;
                case 1:
                    BinaryPrimitives.WriteInt32LittleEndian(mutated.AsSpan(at & ~3), random.Next(2) == 0 ? random.Next(1 << 25) : -1);
                    break;
                case 2:
                    var size = Math.Min(random.Next(5000), mutated.Length - at);
                    mutated.AsSpan(random.Next(mutated.Length - size), size).CopyTo(mutated.AsSpan(at));
                    break;
                case 3:
                    mutated.AsSpan(at, Math.Min(random.Next(5000), mutated.Length - at)).Clear();
                    break;
                default: // a buffer's header: follow the chain to one
                    var buffer = 0L;
                    for (var steps = random.Next(200); steps > 0; steps--)
                    {
                        var next = buffer + BinaryPrimitives.ReadUInt32LittleEndian(mutated.AsSpan((int)buffer));
                        if (next + 80 > mutated.Length || next == buffer)
                            break;
                        buffer = next;
                    }

                    BinaryPrimitives.WriteInt32LittleEndian(
                        mutated.AsSpan((int)buffer + 4 * random.Next(18)),
                        random.Next(1 << random.Next(1, 31))
                    );
                    break;
            }
        }

        return mutated;
    }

    private static string Invariant(FormattableString text) => text.ToString(CultureInfo.InvariantCulture);
}
