using System.Diagnostics;
using System.Reflection.Emit;
using System.Runtime.CompilerServices;

/// <summary>
/// Programs with many switches, thread starts, lock waits, compilations and type loads. The work is a fixed number of steps, so it takes
/// longer when recording costs processor time.
/// </summary>
internal static class Storms
{
    /// <summary>Steps between two sleeps; about 0.1 ms.</summary>
    private const int StepsPerRound = 80_000;

    /// <summary>
    /// Threads that compute and sleep for a millisecond, in turn. With some hundred threads, all processors are saturated.
    /// </summary>
    /// <returns>Time for all of them in ns.</returns>
    public static long Crowd(int count, int rounds)
    {
        var threads = Enumerable
            .Range(0, count)
            .Select(_ => new Thread(
                () =>
                {
                    for (var round = 0; round < rounds; round++)
                    {
                        Compute(StepsPerRound);
                        Thread.Sleep(1);
                    }
                },
                maxStackSize: 256 << 10
            ))
            .ToList();
        var start = Stopwatch.GetTimestamp();
        threads.ForEach(thread => thread.Start());
        threads.ForEach(thread => thread.Join());
        return (long)Stopwatch.GetElapsedTime(start).TotalNanoseconds;
    }

    /// <summary>Starts threads that end at once, one after the other.</summary>
    /// <returns>Time for all of them in ns.</returns>
    public static long Starts(int count)
    {
        var start = Stopwatch.GetTimestamp();
        for (var number = 0; number < count; number++)
        {
            var thread = new Thread(() => { });
            thread.Start();
            thread.Join();
        }

        return (long)Stopwatch.GetElapsedTime(start).TotalNanoseconds;
    }

    /// <summary>Four threads that take one lock and compute in it.</summary>
    /// <returns>Time for all of them in ns.</returns>
    public static long Locks(int rounds)
    {
        var gate = new object();
        var threads = Enumerable
            .Range(0, 4)
            .Select(_ => new Thread(() =>
            {
                for (var round = 0; round < rounds; round++)
                {
                    lock (gate)
                        Compute(StepsPerRound / 20);
                }
            }))
            .ToList();
        var start = Stopwatch.GetTimestamp();
        threads.ForEach(thread => thread.Start());
        threads.ForEach(thread => thread.Join());
        return (long)Stopwatch.GetElapsedTime(start).TotalNanoseconds;
    }

    /// <summary>Makes the JIT compile small methods.</summary>
    /// <returns>Time for all of them in ns.</returns>
    public static long Methods(int count)
    {
        var start = Stopwatch.GetTimestamp();
        for (var number = 0; number < count; number++)
        {
            var method = new DynamicMethod($"Add{number}", typeof(int), [typeof(int)]);
            var code = method.GetILGenerator();
            code.Emit(OpCodes.Ldarg_0);
            code.Emit(OpCodes.Ldc_I4, number);
            code.Emit(OpCodes.Add);
            code.Emit(OpCodes.Ret);
            method.CreateDelegate<Func<int, int>>()(1);
        }

        return (long)Stopwatch.GetElapsedTime(start).TotalNanoseconds;
    }

    /// <summary>Makes the runtime load different types: dictionaries of arrays of different ranks.</summary>
    /// <returns>Time for all of them in ns.</returns>
    public static long Types(int count)
    {
        Type[] elements =
        [
            typeof(byte),
            typeof(short),
            typeof(int),
            typeof(long),
            typeof(float),
            typeof(double),
            typeof(char),
            typeof(bool),
        ];
        var arrays = elements.SelectMany(element => Enumerable.Range(1, 32).Select(element.MakeArrayType)).ToArray();
        var start = Stopwatch.GetTimestamp();
        for (var number = 0; number < Math.Min(count, arrays.Length * arrays.Length); number++)
            typeof(Dictionary<,>).MakeGenericType(arrays[number % arrays.Length], arrays[number / arrays.Length]);
        return (long)Stopwatch.GetElapsedTime(start).TotalNanoseconds;
    }

    [MethodImpl(MethodImplOptions.AggressiveOptimization | MethodImplOptions.NoInlining)]
    public static uint Compute(int steps)
    {
        var x = 1u;
        for (var step = 0; step < steps; step++)
            x = x * 1_664_525 + 1_013_904_223;
        return x;
    }
}
