using System.Reflection;
using System.Runtime.CompilerServices;
using EtwSerializerProfiler.Marks;

/// <summary>
/// A workload whose time is spent in methods that the JIT inlines: reflection, Activator by type, Activator by type argument, and plain
/// arithmetic. Each part is a method that is never inlined and calls another such one, whose loop contains nothing else; the thread's clock
/// measures its CPU time.
/// </summary>
internal static class Inlining
{
    private const int Rounds = 5;

    /// <summary>Calls between two readings of the clock, whose system call is then below 1 % of the time.</summary>
    private const int Calls = 20_000;

    private static readonly Target s_target = new();
    private static readonly object s_value = 1;
    private static readonly Type s_type = typeof(Target);
    private static readonly FieldInfo s_field = s_type.GetField(nameof(Target.Value))!;
    private static long s_sum;

    public static void Run(long nanoseconds)
    {
        WarmUp.UntilTheJitRests(() => Array.ForEach(Parts(), part => part(40_000_000)));

        var took = new long[4];
        using var clock = new RunClock();
        clock.Measure(
            new RunIdentity("Inlining", "TestProgram", "1.0", RunOperation.Run, RunKind.Measured, 0, 0, 1, 1),
            () =>
            {
                for (var round = 0; round < Rounds; round++)
                {
                    for (var part = 0; part < took.Length; part++)
                    {
                        var before = ThreadClock.Now();
                        Parts()[part](nanoseconds / Rounds);
                        took[part] += ThreadClock.Now() - before;
                    }
                }

                return s_sum + s_target.Value;
            }
        );
        Console.WriteLine(FormattableString.Invariant($"fields {took[0]} type {took[1]} generic {took[2]} plain {took[3]}"));
    }

    private static Action<long>[] Parts() => [SetFields, CreateByType, CreateByArgument, Calculate];

    // Optimized at once: a loop that is replaced on the stack hides its caller from the chain of frame pointers.
    [MethodImpl(MethodImplOptions.AggressiveOptimization | MethodImplOptions.NoInlining)]
    private static void SetFields(long nanoseconds)
    {
        for (var end = ThreadClock.Now() + nanoseconds; ThreadClock.Now() < end;)
            FieldLoop();
    }

    [MethodImpl(MethodImplOptions.AggressiveOptimization | MethodImplOptions.NoInlining)]
    private static void CreateByType(long nanoseconds)
    {
        for (var end = ThreadClock.Now() + nanoseconds; ThreadClock.Now() < end;)
            TypeLoop();
    }

    [MethodImpl(MethodImplOptions.AggressiveOptimization | MethodImplOptions.NoInlining)]
    private static void CreateByArgument(long nanoseconds)
    {
        for (var end = ThreadClock.Now() + nanoseconds; ThreadClock.Now() < end;)
            ArgumentLoop<Target>();
    }

    [MethodImpl(MethodImplOptions.AggressiveOptimization | MethodImplOptions.NoInlining)]
    private static void Calculate(long nanoseconds)
    {
        for (var end = ThreadClock.Now() + nanoseconds; ThreadClock.Now() < end;)
            PlainLoop();
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void FieldLoop()
    {
        for (var call = 0; call < Calls; call++)
            s_field.SetValue(s_target, s_value);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void TypeLoop()
    {
        for (var call = 0; call < Calls; call++)
        {
            if (Activator.CreateInstance(s_type) is null)
                s_sum++;
        }
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void ArgumentLoop<T>()
        where T : class, new()
    {
        for (var call = 0; call < Calls; call++)
        {
            if (Activator.CreateInstance<T>() is null)
                s_sum++;
        }
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void PlainLoop()
    {
        var x = (uint)s_sum;
        for (var call = 0; call < 8 * Calls; call++)
            x = x * 1_664_525 + 1_013_904_223;
        s_sum = x;
    }

    private sealed class Target
    {
        public int Value = 2;
    }
}
