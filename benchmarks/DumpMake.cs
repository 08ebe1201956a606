using System.CommandLine;
using System.Diagnostics;
using System.Globalization;
using Microsoft.Diagnostics.NETCore.Client;

namespace EtwSerializerProfiler.Benchmarks;

/// <summary>Makes a dump of a process with a large heap.</summary>
internal static class DumpMake
{
    /// <summary>Bytes of a Book: header, type, two references, two longs, an int that is padded.</summary>
    private const int BookBytes = 56;

    /// <summary>Bytes of a string or array without its elements.</summary>
    private const int HeadBytes = 24;

    public static Command Create()
    {
        var file = DumpFile();
        var (objects, megabytes) = HeapOptions();
        var command = new Command("dump-make", "Writes a dump (with its heap) of a process with a large heap.")
        {
            file,
            objects,
            megabytes,
        };
        command.SetAction(
            (parsed, _) => RunAsync(parsed.GetValue(file)!, parsed.GetValue(objects), parsed.GetValue(megabytes), Console.Out)
        );
        return command;
    }

    /// <summary>The process that dump-make dumps.</summary>
    public static Command CreateHeap()
    {
        var (objects, megabytes) = HeapOptions();
        var command = new Command("dump-heap") { objects, megabytes };
        command.Hidden = true;
        command.SetAction(parsed => Fill(parsed.GetValue(objects), parsed.GetValue(megabytes)));
        return command;
    }

    public static Argument<string> DumpFile() => new("file") { Description = "A dump." };

    private static (Option<int> Objects, Option<long> Megabytes) HeapOptions() =>
        (
            new("--objects") { Description = "Objects of the heap.", DefaultValueFactory = _ => 10_000_000 },
            new("--megabytes") { Description = "Size of the heap.", DefaultValueFactory = _ => 1_000 }
        );

    /// <summary>Starts a process with such a heap, dumps it and ends it.</summary>
    private static async Task<int> RunAsync(string path, int objects, long megabytes, TextWriter output)
    {
        var start = new ProcessStartInfo(
            Environment.ProcessPath!,
            [
                .. OfThisProgram(),
                "dump-heap",
                "--objects",
                objects.ToString(CultureInfo.InvariantCulture),
                "--megabytes",
                megabytes.ToString(CultureInfo.InvariantCulture),
            ]
        )
        {
            RedirectStandardOutput = true,
        };
        using var process = Process.Start(start)!;
        try
        {
            await output.WriteLineAsync(await process.StandardOutput.ReadLineAsync().ConfigureAwait(false)).ConfigureAwait(false);
            var watch = Stopwatch.StartNew();
            new DiagnosticsClient(process.Id).WriteDump(DumpType.WithHeap, Path.GetFullPath(path), WriteDumpFlags.None);
            await output
                .WriteLineAsync(
                    string.Create(
                        CultureInfo.InvariantCulture,
                        $"{path}: {new FileInfo(path).Length / 1e6:0.0} MB written in {watch.Elapsed.TotalSeconds:0.0} s"
                    )
                )
                .ConfigureAwait(false);
            return 0;
        }
        finally
        {
            process.Kill();
        }
    }

    /// <summary>The process itself: books with a title and a cover each, in one list; it prints its content and waits.</summary>
    private static void Fill(int objects, long megabytes)
    {
        var books = new List<Book>();
        var each = Math.Max(0, (int)((megabytes * 1_000_000 / (objects / 3)) - BookBytes - (2 * HeadBytes) - 8));
        var random = new Random(1);
        for (var made = 0; made + 3 <= objects; made += 3)
        {
            var title = random.Next(0, (each / 2) + 1);
            books.Add(
                new Book
                {
                    Id = made,
                    Price = made,
                    Year = random.Next(1900, 2000),
                    Title = new string('x', title),
                    Cover = new byte[Math.Max(0, each - (2 * title) + random.Next(-16, 17))],
                }
            );
        }

        GC.Collect();
        Console.WriteLine(
            string.Create(
                CultureInfo.InvariantCulture,
                $"process {Environment.ProcessId}: {3L * books.Count} objects, heap {GC.GetTotalMemory(forceFullCollection: false) / 1e6:0.0} MB"
            )
        );
        Thread.Sleep(Timeout.Infinite);
        GC.KeepAlive(books);
    }

    /// <summary>The program as an argument, if a host runs it.</summary>
    private static string[] OfThisProgram() =>
        Path.GetFileNameWithoutExtension(Environment.ProcessPath!) == "dotnet" ? [typeof(DumpMake).Assembly.Location] : [];

    private sealed class Book
    {
        public string? Title;
        public byte[]? Cover;
        public long Id,
            Price;
        public int Year;
    }
}
