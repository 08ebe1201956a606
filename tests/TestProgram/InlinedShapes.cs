using System.Reflection;
using System.Runtime.CompilerServices;
using EtwSerializerProfiler.Marks;

/// <summary>
/// Shapes of code that are hard to expand to inlined frames. The file is compiled twice: in this program the methods marked
/// <see cref="Inlined"/> are inlined, in TestProgramNotInlined no method is, so that frames alone show who called whom.
/// </summary>
/// <remarks>
/// Time passes in chains of multiplications, each of which waits for the one before: no optimization across calls shortens them. Their
/// lengths vary at random: ten loops of equal length would take one sample period, and a sample would hit the same method again and again.
/// A call of a method that is inlined here does the work of 2 µs or more, so that the cost of the call itself in the other program is less
/// than a percent of it. No method but <see cref="Through"/> ends with a call: its frame would be gone in one of the programs.
/// </remarks>
internal static class InlinedShapes
{
#if NOT_INLINED
    private const MethodImplOptions Inlined = MethodImplOptions.NoInlining;
#else
    private const MethodImplOptions Inlined = MethodImplOptions.AggressiveInlining;
#endif

    /// <summary>Mean links of a chain: one takes 4 cycles.</summary>
    private const int Links = 1800;

    /// <summary>Rounds of all parts; each is short, so that a change of the machine's speed affects all parts.</summary>
    private const int Rounds = 60;

    private static readonly PropertyInfo s_property = typeof(Target).GetProperty(nameof(Target.Value))!;
    private static readonly Target s_target = new();
    private static readonly Func<int, uint> s_lambda = [MethodImpl(Inlined)]
    (seed) =>
    {
        return Chain((uint)seed, Links) + 1;
    };
    private static uint s_sum;

    /// <summary>Runs all parts until the JIT is idle, then as a marked run.</summary>
    public static void Run()
    {
        WarmUp.UntilTheJitRests(() => Round(1));
        using var clock = new RunClock();
        clock.Measure(
            new RunIdentity("InlinedShapes", "TestProgram", "1.0", RunOperation.Run, RunKind.Measured, 0, 0, 1, 1),
            () =>
            {
                for (var round = 0; round < Rounds; round++)
                    Round(4);
                return s_sum;
            }
        );
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void Round(int times)
    {
        Recursion(times);
        Generics(times);
        Structs(times);
        Setters(times);
        Async(times).GetAwaiter().GetResult();
        Lambdas(times);
        TailCalls(times);
        Arguments(times);
        Finally(times);
    }

    /// <summary>A chain of 0 to 2 × <paramref name="links"/> links.</summary>
    [MethodImpl(Inlined)]
    private static uint Chain(uint seed, int links)
    {
        var x = seed | 1;
        Random.State = Random.State * 1_664_525 + 1_013_904_223;
        var length = ((uint)links * (Random.State >> 16)) >> 15;
        for (var link = 0u; link < length; link++)
            x = x * 1_664_525 + 1_013_904_223;
        return x;
    }

    /// <summary>The shape of IntroSort: the recursive call consumes the result of an inlined method.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void Recursion(int times)
    {
        var keys = new uint[160];
        for (var time = 0; time < times; time++)
        {
            for (var i = 0; i < keys.Length; i++)
                keys[i] = s_sum = s_sum * 1_664_525 + 1_013_904_223;
            Sort(new Part(keys, 0, keys.Length), 60);
        }
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void Sort(Part keys, int depth)
    {
        var length = keys.Length;
        while (length > 8 && depth-- > 0)
        {
            var pivot = Partition(keys.Slice(0, length));
            Sort(keys.Slice(pivot + 1, length - (pivot + 1)), depth);
            length = pivot;
        }

        Insert(keys.Slice(0, length));
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static int Partition(Part keys)
    {
        var pivot = 0;
        for (var i = 1; i < keys.Length; i++)
        {
            if (Less(keys.Keys[keys.Start + i], keys.Keys[keys.Start]))
                Swap(keys, ++pivot, i);
        }

        Swap(keys, 0, pivot);
        return pivot;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void Insert(Part keys)
    {
        for (var i = 1; i < keys.Length; i++)
        {
            for (var j = i; j > 0 && Less(keys.Keys[keys.Start + j], keys.Keys[keys.Start + j - 1]); j--)
                Swap(keys, j, j - 1);
        }
    }

    [MethodImpl(Inlined)]
    private static bool Less(uint left, uint right)
    {
        s_sum += Chain(left, Links);
        return left < right;
    }

    [MethodImpl(Inlined)]
    private static void Swap(Part keys, int i, int j) =>
        (keys.Keys[keys.Start + i], keys.Keys[keys.Start + j]) = (keys.Keys[keys.Start + j], keys.Keys[keys.Start + i]);

    /// <summary>Code that reference types share, and code of one value type.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void Generics(int times)
    {
        var texts = new Holder<string>();
        var numbers = new Holder<long>();
        for (var i = 0; i < 134 * times; i++)
        {
            texts.Put("text");
            numbers.Put(i);
        }

        s_sum += texts.Sum + numbers.Sum;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void Structs(int times)
    {
        var point = new Point(s_sum, 1);
        for (var i = 0; i < 134 * times; i++)
            point = point.Turn().Move((uint)i);
        s_sum += point.X;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void Setters(int times)
    {
        for (var i = 0; i < 67 * times; i++)
            s_property.SetValue(s_target, "value");
        s_sum += (uint)s_target.Value.Length;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static async Task Async(int times)
    {
        await Task.Yield();
        for (var i = 0; i < 67 * times; i++)
            s_sum += await Step(i) + await Half(i);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static async ValueTask<uint> Step(int i)
    {
        var x = Chain((uint)i, 2 * Links);
        return x + await Half(i);
    }

    [MethodImpl(Inlined)]
    private static ValueTask<uint> Half(int i)
    {
        return new ValueTask<uint>(Chain((uint)i, Links));
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void Lambdas(int times)
    {
        for (var i = 0; i < 100 * times; i++)
            s_sum += Apply(s_lambda, i) + Local((uint)i);

        [MethodImpl(Inlined)]
        static uint Local(uint seed) => Chain(seed, Links) + Chain(seed + 1, Links);
    }

    [MethodImpl(Inlined)]
    private static uint Apply(Func<int, uint> function, int i) => function(i) + function(i + 1);

    /// <summary>Through leaves its frame to Work in both programs.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void TailCalls(int times)
    {
        for (var i = 0; i < 134 * times; i++)
            s_sum += Forward((uint)i);
    }

    [MethodImpl(Inlined)]
    private static uint Forward(uint seed) => Through(seed) + Chain(seed, Links);

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static uint Through(uint seed) => Work(seed + 1);

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static uint Work(uint seed)
    {
        return Chain(seed, 2 * Links) | 1;
    }

    /// <summary>Two calls whose arguments are inlined methods.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void Arguments(int times)
    {
        for (var i = 0; i < 100 * times; i++)
            s_sum += Consume(Scale((uint)i), Scale((uint)i + 1)) + Consume(Shift((uint)i), 1);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static uint Consume(uint left, uint right)
    {
        return Chain(left ^ right, 2 * Links) + 1;
    }

    [MethodImpl(Inlined)]
    private static uint Scale(uint seed)
    {
        return Chain(seed, Links) + 1;
    }

    [MethodImpl(Inlined)]
    private static uint Shift(uint seed)
    {
        return Chain(seed, Links) >> 3;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void Finally(int times)
    {
        for (var i = 0; i < 134 * times; i++)
            Guarded((uint)i);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void Guarded(uint seed)
    {
        try
        {
            s_sum += Work(Scale(seed));
        }
        finally
        {
            s_sum += Release(seed);
        }
    }

    [MethodImpl(Inlined)]
    private static uint Release(uint seed)
    {
        return Chain(seed, 2 * Links) >> 1;
    }

    /// <summary>Without a static constructor, so that a chain needs no check for it.</summary>
    private static class Random
    {
        public static uint State;
    }

    private readonly struct Part
    {
        public readonly uint[] Keys;
        public readonly int Start;
        public readonly int Length;

        [MethodImpl(Inlined)]
        public Part(uint[] keys, int start, int length) => (Keys, Start, Length) = (keys, start, length);

        [MethodImpl(Inlined)]
        public Part Slice(int start, int length) =>
            (uint)(start + length) <= (uint)Length
                ? new Part(Keys, Start + start, length)
                : throw new ArgumentOutOfRangeException(nameof(start));
    }

    private readonly struct Point
    {
        [MethodImpl(Inlined)]
        public Point(uint x, uint y) => (X, Y) = (x, y);

        public readonly uint X;
        public readonly uint Y;

        [MethodImpl(Inlined)]
        public Point Turn()
        {
            return new Point(Chain(Y, Links), X);
        }

        [MethodImpl(Inlined)]
        public Point Move(uint by)
        {
            return new Point(X + Chain(by, 2 * Links), Y + by);
        }
    }

    private sealed class Holder<T>
    {
        public uint Sum;
        private T? _value;

        [MethodImpl(Inlined)]
        public void Put(T value)
        {
            Count();
            _value = value;
        }

        [MethodImpl(Inlined)]
        private void Count()
        {
            Sum += Chain(_value is null ? 0u : 1u, 2 * Links);
        }
    }

    private sealed class Target
    {
        private string _value = "";

        public string Value
        {
            [MethodImpl(Inlined)]
            get => _value;
            [MethodImpl(Inlined)]
            set
            {
                s_sum += Chain((uint)value.Length, 5 * Links);
                _value = value;
            }
        }
    }
}
