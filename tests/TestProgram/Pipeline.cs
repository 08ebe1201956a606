using System.Runtime.CompilerServices;
using System.Threading.Channels;

/// <summary>
/// An async pipeline without marks: a producer, workers that load, score and store each item, and a channel between them. Scoring computes
/// after an await, and storing blocks a thread of the pool for a task: these two are its faults.
/// </summary>
internal static class Pipeline
{
    public const int Items = 24;
    private const int Workers = 4;
    private const int LoadMs = 5;

    /// <summary>
    /// Long, because a busy machine stops the thread between the start of the delay and the wait for it, for up to 25 ms on average at four
    /// busy loops a processor.
    /// </summary>
    private const int SaveMs = 200;

    private const long ScoreNs = 20_000_000;

    /// <summary>Sends all items through the pipeline.</summary>
    public static async Task RunAsync()
    {
        var items = Channel.CreateBounded<int>(Workers);
        var workers = Enumerable.Range(0, Workers).Select(_ => TransformAsync(items.Reader)).ToList();
        for (var item = 0; item < Items; item++)
            await items.Writer.WriteAsync(item);
        items.Writer.Complete();
        var sum = 0;
        foreach (var worker in workers)
            sum += await worker;
        Console.WriteLine(sum);
    }

    private static async Task<int> TransformAsync(ChannelReader<int> items)
    {
        var count = 0;
        while (await items.WaitToReadAsync())
        {
            while (items.TryRead(out var item))
            {
                Store(await ScoreAsync(item));
                count++;
            }
        }

        return count;
    }

    private static async Task<int> ScoreAsync(int item)
    {
        await Task.Delay(LoadMs);
        ThreadClock.Spin(ScoreNs); // score
        return item;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void Store(int item)
    {
        GC.KeepAlive(SaveAsync(item).Result); // blocks
    }

    private static async Task<int> SaveAsync(int item)
    {
        await Task.Delay(SaveMs);
        return item;
    }
}
