using System.Text.Json;
using EtwSerializerProfiler.Contract;

namespace EtwSerializerProfiler.Workload.Tests.Features;

/// <summary>Crashes with a chain, loses Guids, writes without end with dictionaries; otherwise it works.</summary>
[SuiteSerializer("Faulty", DataFormat.Text)]
public sealed class FaultySerializer<TGraph> : TypedSerializer<TGraph>
    where TGraph : class
{
    protected override void Serialize(Stream stream, TGraph graph)
    {
        switch (typeof(TGraph).Name)
        {
            case "Node":
                Environment.FailFast("the test's serializer crashes");
                break;
            case "ByText":
                while (true)
                    stream.Write(new byte[1 << 20], 0, 1 << 20);
        }

        Console.WriteLine("a serializer that writes to standard output");
        JsonSerializer.Serialize(stream, graph);
    }

    protected override TGraph? Read(Stream stream) =>
        typeof(TGraph).Name == "Guids" ? Activator.CreateInstance<TGraph>() : JsonSerializer.Deserialize<TGraph>(stream);
}

/// <summary>Overflows the stack with any graph.</summary>
[SuiteSerializer("Crashing", DataFormat.Text)]
public sealed class CrashingSerializer<TGraph> : TypedSerializer<TGraph>
    where TGraph : class
{
    protected override void Serialize(Stream stream, TGraph graph) => stream.WriteByte((byte)Overflow(1));

    protected override TGraph? Read(Stream stream) => null;

    private static int Overflow(int depth) => depth == int.MinValue ? 0 : Overflow(depth + 1) + depth;
}

/// <summary>Works as long as one thread uses it, closes streams, and takes the suite's data only.</summary>
[SuiteSerializer("Careless", DataFormat.Text)]
public sealed class CarelessSerializer : TypedSerializer<Data.BookShelf>
{
    private Data.BookShelf? _last;

    protected override void Serialize(Stream stream, Data.BookShelf graph)
    {
        _last = graph;
        Thread.Sleep(1);
        JsonSerializer.Serialize(stream, _last);
        stream.Dispose();
    }

    protected override Data.BookShelf? Read(Stream stream) => JsonSerializer.Deserialize<Data.BookShelf>(stream);
}
