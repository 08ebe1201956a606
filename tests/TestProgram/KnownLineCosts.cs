using System.Runtime.CompilerServices;
using EtwSerializerProfiler.Marks;

/// <summary>
/// Lines of known cost: each line that ends with <c>// cost N</c> takes N parts of the time of the run, what it calls included; <c>or
/// none</c> where the program without inlining may leave the line open. Built twice as <see cref="InlinedShapes"/> is: with and without
/// inlining.
/// </summary>
/// <remarks>
/// Time passes in chains of multiplications of a length that varies at random around its mean, so that no line falls in step with the
/// samples.
/// </remarks>
internal static class KnownLineCosts
{
#if NOT_INLINED
    private const MethodImplOptions Inlined = MethodImplOptions.NoInlining;
#else
    private const MethodImplOptions Inlined = MethodImplOptions.AggressiveInlining;
#endif

    /// <summary>Mean links of a chain of cost 1: one takes 4 cycles.</summary>
    private const int Links = 4000;

    private const int Rounds = 2500;

    private static readonly Func<int, uint> s_lambda = [MethodImpl(Inlined)]
    (links) =>
    {
        s_calls++;
        var x = Chain(3, links); // cost 3
        return x + 1;
    };
    private static readonly Holder s_holder = new();
    private static uint s_sum;
    private static uint s_calls;
    private static uint s_random = 1;

    /// <summary>Runs all lines until the JIT is idle, then as a marked run.</summary>
    public static void Run()
    {
        WarmUp.UntilTheJitRests(Round);
        using var clock = new RunClock();
        clock.Measure(
            new RunIdentity("KnownLineCosts", "TestProgram", "1.0", RunOperation.Run, RunKind.Measured, 0, 0, 1, 1),
            () =>
            {
                for (var round = 0; round < Rounds; round++)
                    Round();
                return s_sum + s_calls;
            }
        );
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void Round()
    {
        Loops(Links);
        Sums(Links);
        s_sum += Switched(0) + Switched(1);
        s_sum += s_lambda(3 * Links);
        s_sum += Pair<long>.Both(1, 2) + Pair<string>.Both(3, 1);
        s_sum += s_holder.Value;
        Async(Links).GetAwaiter().GetResult();
    }

    /// <summary>Work in the method's own lines.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void Loops(int links)
    {
        var x = s_sum | 1;
        var (few, many) = (Length(links), Length(4 * links));
        // csharpier-ignore - one line, whose cost is known
        for (var link = 0; link < few; link++) x = (x * 1_664_525) + 1_013_904_223; // cost 1
        s_calls++;
        // csharpier-ignore - one line, whose cost is known
        for (var link = 0; link < many; link++) x = (x * 1_664_525) + 1_013_904_223; // cost 4
        s_sum += x;
    }

    /// <summary>
    /// Two lines that the compiler merges into one statement, each with helpers that are inlined two levels deep. If the helpers are called
    /// instead, the two calls cannot be distinguished.
    /// </summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static uint Sums(int links)
    {
        var sum = 0u;
        sum += Outer(links, 1); // cost 2 or none
        sum += Outer(3 * links, 2); // cost 6 or none
        return sum;
    }

    [MethodImpl(Inlined)]
    private static uint Outer(int links, uint seed)
    {
        var first = Chain(seed, links); // cost 4
        s_calls++;
        return Inner(first, links); // cost 4
    }

    [MethodImpl(Inlined)]
    private static uint Inner(uint seed, int links)
    {
        s_calls++;
        return Chain(seed, links); // cost 4
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static uint Switched(int which) =>
        which switch
        {
            0 => Chain(5, 2 * Links), // cost 2
            _ => Chain(7, 5 * Links), // cost 5
        };

    private static async Task Async(int links)
    {
        await Task.Yield();
        s_sum += Chain(9, 2 * links); // cost 2
        await Task.Yield();
        s_sum += Chain(9, links); // cost 1
    }

    [MethodImpl(Inlined)]
    private static uint Chain(uint seed, int links)
    {
        var x = seed | 1;
        var length = Length(links);
        for (var link = 0; link < length; link++)
            x = (x * 1_664_525) + 1_013_904_223;
        return x;
    }

    /// <summary>A number between 0 and twice <paramref name="links"/>.</summary>
    [MethodImpl(Inlined)]
    private static int Length(int links)
    {
        s_random = (s_random * 1_664_525) + 1_013_904_223;
        return (int)(((ulong)(uint)links * (s_random >> 16)) >> 15);
    }

    /// <summary>Lines of one method in code for different type arguments.</summary>
    private static class Pair<T>
    {
        [MethodImpl(MethodImplOptions.NoInlining)]
        public static uint Both(int first, int second)
        {
            s_sum += Chain((uint)Unsafe.SizeOf<T>(), first * Links); // cost 4
            s_calls++;
            return Chain(11, second * Links); // cost 3
        }
    }

    private sealed class Holder
    {
        private readonly int _links = 3 * Links;

        public uint Value
        {
            [MethodImpl(Inlined)]
            get
            {
                s_calls++;
                return Chain(13, _links); // cost 3
            }
        }
    }
}
