using System.Globalization;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Text.Json;
using System.Text.Json.Serialization;
using EtwSerializerProfiler.Marks;

namespace NativeAotProgram;

/// <summary>
/// <c>round-trips MS</c>: serializes and deserializes for that long by its thread's clock, and prints the time of each in ns.
/// <c>marks RUNS</c>: runs of both that are marked, one exception in each.
/// </summary>
internal static class Program
{
    private static int Main(string[] arguments)
    {
        switch (arguments)
        {
            case ["round-trips", var milliseconds]:
                Work.RoundTrips(1_000_000 * long.Parse(milliseconds, CultureInfo.InvariantCulture));
                return 0;
            case ["marks", var runs]:
                Work.Marks(int.Parse(runs, CultureInfo.InvariantCulture));
                return 0;
            default:
                return 2;
        }
    }
}

public sealed class Order
{
    public int Id { get; set; }

    public string Customer { get; set; } = "";

    public List<double> Prices { get; set; } = [];

    public Dictionary<string, Position> Positions { get; set; } = [];
}

public struct Position
{
    public DateTime At { get; set; }

    public Guid Key { get; set; }
}

[JsonSerializable(typeof(List<Order>))]
internal sealed partial class Orders : JsonSerializerContext;

internal static partial class Work
{
    /// <summary>CLOCK_THREAD_CPUTIME_ID of Linux.</summary>
    private const int ThreadCpuTime = 3;

    private static readonly List<Order> s_orders = [.. Enumerable.Range(0, 200).Select(Make)];

    public static void RoundTrips(long nanoseconds)
    {
        var (ser, de) = (0L, 0L);
        var bytes = Ser();
        De(bytes);
        while (ser + de < nanoseconds)
        {
            var start = Now();
            bytes = Ser();
            var middle = Now();
            De(bytes);
            var end = Now();
            (ser, de) = (ser + middle - start, de + end - middle);
        }

        Console.WriteLine(string.Create(CultureInfo.InvariantCulture, $"ser {ser} de {de}"));
    }

    public static void Marks(int runs)
    {
        using var clock = new RunClock();
        var bytes = Ser();
        for (var run = 0; run < runs; run++)
        {
            clock.Measure(
                "Json",
                RunOperation.Serialize,
                200,
                () =>
                {
                    bytes = Ser();
                    Fail();
                    GC.Collect();
                }
            );
            clock.Measure("Json", RunOperation.Deserialize, 200, () => De(bytes));
        }
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static byte[] Ser() => JsonSerializer.SerializeToUtf8Bytes(s_orders, Orders.Default.ListOrder);

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static List<Order> De(byte[] bytes) => JsonSerializer.Deserialize(bytes, Orders.Default.ListOrder)!;

    private static void Fail()
    {
        try
        {
            throw new InvalidOperationException("once in a run");
        }
        catch (InvalidOperationException)
        {
            // recorded
        }
    }

    private static Order Make(int id) =>
        new()
        {
            Id = id,
            Customer = $"customer {id}",
            Prices = [1.5, id, id / 3.0],
            Positions = { ["first"] = new Position { Key = Guid.NewGuid() } },
        };

    private static long Now() =>
        ClockGetTime(ThreadCpuTime, out var time) == 0
            ? time.Seconds * 1_000_000_000 + time.Nanoseconds
            : throw new InvalidOperationException("no clock of the thread");

    [LibraryImport("libc", EntryPoint = "clock_gettime")]
    private static partial int ClockGetTime(int clock, out TimeSpec time);

    private struct TimeSpec
    {
        public nint Seconds;
        public nint Nanoseconds;
    }
}
