using System.Diagnostics;
using System.Runtime.CompilerServices;
using System.Text;
using EtwSerializerProfiler.Marks;

/// <summary>
/// A parser of JSON by recursive descent. Strings are more than 90 % of what it allocates, and <c>ReadString</c> allocates all of them. The
/// file is compiled twice: the methods marked <see cref="Inlined"/> are inlined in this program, and not in TestProgramNotInlined.
/// </summary>
internal static class JsonParser
{
#if NOT_INLINED
    private const MethodImplOptions Inlined = MethodImplOptions.NoInlining;
#else
    private const MethodImplOptions Inlined = MethodImplOptions.AggressiveInlining;
#endif

    private const int Items = 200;
    private const int Fields = 8;

    /// <summary>
    /// Maximum and minimum number of characters of a value; its string has twice as many bytes. With equal lengths the allocator would
    /// request memory at the same position in each object.
    /// </summary>
    private const int MaxValueLength = 300;
    private const int MinValueLength = 100;

    /// <summary>The last parsed document, so that the GC finds live objects.</summary>
    public static object? Last { get; private set; }

    /// <summary>
    /// Parses a document until the JIT is idle, then <paramref name="rounds"/> times in a marked run that ends with a GC induced by
    /// <see cref="AskForGc"/>.
    /// </summary>
    public static void Run(int rounds)
    {
        var text = Document();
        WarmUp.UntilTheJitRests(() => Parse(text, 20));
        using var clock = new RunClock();
        clock.Measure(
            new RunIdentity("JsonParser", "TestProgram", "1.0", RunOperation.Deserialize, RunKind.Measured, Items, 0, 1, 1),
            () =>
            {
                Parse(text, rounds);
                AskForGc();
                return text.Length;
            }
        );
    }

    /// <summary>Parses a document without marks.</summary>
    /// <returns>How long it took, in ns.</returns>
    public static double Time(int rounds)
    {
        var text = Document();
        WarmUp.UntilTheJitRests(() => Parse(text, 20));
        var start = Stopwatch.GetTimestamp();
        Parse(text, rounds);
        return Stopwatch.GetElapsedTime(start).TotalNanoseconds;
    }

    /// <summary>Parses a document <paramref name="rounds"/> times, without marks.</summary>
    public static Action Step(int rounds)
    {
        var text = Document();
        return () => Parse(text, rounds);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void Parse(string text, int times)
    {
        for (var time = 0; time < times; time++)
            Last = new Reader(text).ParseValue();
    }

    [MethodImpl(Inlined)]
    private static void AskForGc() => GC.Collect(1, GCCollectionMode.Forced, blocking: true);

    private static string Document()
    {
        var text = new StringBuilder("[");
        var random = new Random(1);
        for (var item = 0; item < Items; item++)
        {
            text.Append(item == 0 ? "{" : ",{");
            for (var field = 0; field < Fields; field++)
                text.Append(field == 0 ? "" : ",")
                    .Append(
                        $"\"field{field}\":\"{new string((char)('a' + field), random.Next(MinValueLength, MaxValueLength - 2))}\\\\n\""
                    );
            text.Append('}');
        }

        return text.Append(']').ToString();
    }

    private sealed class Item
    {
        [MethodImpl(Inlined)]
        public Item() => Fields = new KeyValuePair<string, object>[JsonParser.Fields];

        public KeyValuePair<string, object>[] Fields { get; }
    }

    private sealed class Reader(string text)
    {
        private readonly char[] _buffer = new char[MaxValueLength];
        private int _at;

        [MethodImpl(MethodImplOptions.NoInlining)]
        public object ParseValue() =>
            text[_at] switch
            {
                '{' => ParseObject(),
                '[' => ParseArray(),
                _ => ReadString(),
            };

        [MethodImpl(MethodImplOptions.NoInlining)]
        private Item ParseObject()
        {
            var item = new Item();
            var count = 0;
            do
            {
                _at++;
                var key = ReadString();
                Expect(':');
                item.Fields[count++] = new KeyValuePair<string, object>(key, ParseValue());
            } while (text[_at] == ',');
            Expect('}');
            return item;
        }

        [MethodImpl(MethodImplOptions.NoInlining)]
        private object[] ParseArray()
        {
            var items = new object[Items];
            var count = 0;
            do
            {
                _at++;
                items[count++] = ParseValue();
            } while (text[_at] == ',');
            Expect(']');
            return items;
        }

        [MethodImpl(Inlined)]
        private string ReadString()
        {
            Expect('"');
            var length = 0;
            for (; text[_at] != '"'; _at++)
            {
                if (text[_at] == '\\')
                    _at++;
                _buffer[length++] = text[_at];
            }

            Expect('"');
            return new string(_buffer, 0, length);
        }

        [MethodImpl(Inlined)]
        private void Expect(char character)
        {
            if (text[_at++] != character)
                throw new FormatException($"'{character}' expected at {_at - 1}");
        }
    }
}
