using System.Globalization;
using System.Runtime.Serialization;
using System.Runtime.Serialization.Formatters.Binary;
using EtwSerializerProfiler.Contract;
using EtwSerializerProfiler.Marks;
using EtwSerializerProfiler.Naming;
using EtwSerializerProfiler.Workload.Data;
using EtwSerializerProfiler.Workload.Runs;
using EtwSerializerProfiler.Workload.Serializers;

namespace EtwSerializerProfiler.Workload.Scenarios;

/// <summary>The cases of <see cref="LargeScenario"/>, each run in a separate process.</summary>
internal static class LargeCases
{
    /// <summary>BinaryFormatter writes more objects than .NET Framework's table of identities can hold.</summary>
    public const string ManyObjects = "BinaryFormatter, many objects";

    /// <summary>The table of identities alone.</summary>
    public const string ManyIdentities = "ObjectIDGenerator, many objects";

    /// <summary>More than 2 GB into a memory stream.</summary>
    public const string IntoMemory = "2.2 GB into a MemoryStream";

    /// <summary>More than 2 GB into a stream without a limit.</summary>
    public const string IntoStream = "2.2 GB into a stream";

    /// <summary>One byte more than .NET's largest array.</summary>
    public const string LargestArray = "byte[] of 2,147,483,592";

    /// <summary>One character more than .NET's largest string.</summary>
    public const string LargestText = "string of 1,073,741,792";

    /// <summary>Prefix for a serializer that writes and reads one large byte[].</summary>
    public const string OneValue = "one byte[]: ";

    private const int ChunkBytes = 64 * 1024 * 1024;

    /// <summary>Chunks with more than 2^31 bytes in total.</summary>
    private const int Chunks = 33;

    /// <summary>Maximum length of a byte array in .NET (Array.MaxLength).</summary>
    private const int MaxArrayBytes = 0x7FFFFFC7;

    /// <summary>Maximum length of a string in .NET, in characters.</summary>
    private const int MaxTextLength = 0x3FFFFFDF;

    /// <summary>Runs one case.</summary>
    /// <param name="context">Clock and output.</param>
    /// <param name="name">One of the names above.</param>
    /// <param name="size">Number of objects, or bytes of the single value.</param>
    /// <returns>The result as text.</returns>
    /// <exception cref="RunFailedException">The limit was reached; has the serializer's exception.</exception>
    public static string Run(ScenarioContext context, string name, int size) =>
        name switch
        {
            ManyObjects => Objects(context, name, size),
            ManyIdentities => Identities(context, name, size),
            IntoMemory => Chunked(context, name, new MemoryStream(MaxArrayBytes)),
            IntoStream => Chunked(context, name, new CountingStream()),
            LargestArray => Allocate(context, name, () => new byte[(uint)MaxArrayBytes + 1].LongLength),
            LargestText => Allocate(context, name, () => new string('x', MaxTextLength + 1).Length),
            _ => Value(context, name, size),
        };

    private static string Objects(ScenarioContext context, string name, int count)
    {
        var objects = new object[count];
        for (var i = 0; i < objects.Length; i++)
            objects[i] = new object();
        using var stream = new CountingStream();
#pragma warning disable SYSLIB0011 // the obsolete serializer is measured
        var formatter = new BinaryFormatter();
        return Measure(
            context,
            name,
            typeof(BinaryFormatter),
            RunOperation.Serialize,
            count,
            () =>
            {
                formatter.Serialize(stream, objects);
                return stream.Length;
            }
        );
#pragma warning restore SYSLIB0011
    }

    private static string Identities(ScenarioContext context, string name, int count)
    {
        var objects = new object[count];
        for (var i = 0; i < objects.Length; i++)
            objects[i] = new object();
#pragma warning disable SYSLIB0050 // BinaryFormatter's table of objects
        var generator = new ObjectIDGenerator();
        long last = 0;
        try
        {
            return Measure(
                context,
                name,
                typeof(ObjectIDGenerator),
                RunOperation.Run,
                count,
                () =>
                {
                    foreach (var item in objects)
                        last = generator.GetId(item, out _);
                    return -1;
                }
            );
        }
        catch (RunFailedException failure)
        {
            throw new RunFailedException(
                string.Create(CultureInfo.InvariantCulture, $"after {Plural.Of(last, "object", "N0")}: {FirstLine.Of(failure.Message)}")
            );
        }
#pragma warning restore SYSLIB0050
    }

    /// <summary>Writes one array repeatedly, so that a small graph gives large output.</summary>
    private static string Chunked(ScenarioContext context, string name, Stream stream)
    {
        var chunk = new byte[ChunkBytes];
        var shelf = new BookShelf
        {
            Title = BookContent.ShelfTitle,
            Books = [.. Enumerable.Range(1, Chunks).Select(id => new Book { Id = id, Payload = chunk })],
        };
        var serializer = new DataContractBinaryXml<BookShelf>(SerializerSettings.Default);
        using (stream)
        {
            try
            {
                return Measure(
                    context,
                    name,
                    typeof(DataContractSerializer),
                    RunOperation.Serialize,
                    Chunks,
                    () =>
                    {
                        serializer.Serialize(stream, shelf);
                        return stream.Length;
                    }
                );
            }
            catch (RunFailedException failure)
            {
                throw new RunFailedException(
                    string.Create(
                        CultureInfo.InvariantCulture,
                        $"after {Plural.Of(stream.Length, "byte", "N0")}: {FirstLine.Of(failure.Message)}"
                    )
                );
            }
        }
    }

    private static string Allocate(ScenarioContext context, string name, Func<long> allocate) =>
        Measure(context, name, typeof(object), RunOperation.Run, objects: 1, allocate);

    private static string Value(ScenarioContext context, string name, int bytes)
    {
        var serializer = SerializerRegistry.All.Single(serializer => OneValue + serializer.Name == name);
        var instance = serializer.Construct();
        var model = serializer.CreateModel();
        var graph = model.Create(objectCount: 1, payloadBytes: bytes);
        using var stream = new MemoryStream();
        var written = Measure(
            context,
            name,
            serializer.LibraryAssembly,
            RunOperation.Serialize,
            1,
            () =>
            {
                instance.Serialize(stream, graph);
                return stream.Length;
            }
        );
        stream.Position = 0;
        object? result = null;
        var read = Measure(
            context,
            name,
            serializer.LibraryAssembly,
            RunOperation.Deserialize,
            1,
            () =>
            {
                result = instance.Deserialize(stream);
                return stream.Length;
            }
        );
        return model.Difference(graph, result!) is { } difference
            ? throw new RunFailedException($"the round trip differs: {difference}")
            : $"{written}; {read}";
    }

    private static string Measure(ScenarioContext context, string name, Type library, string operation, int objects, Func<long> run) =>
        Measure(context, name, library.Assembly, operation, objects, run);

    private static string Measure(
        ScenarioContext context,
        string name,
        System.Reflection.Assembly library,
        string operation,
        int objects,
        Func<long> run
    )
    {
        try
        {
            var (milliseconds, measurement) = context.Measure(ScenarioContext.Identity(name, library, operation, objects), run);
            var size =
                measurement.DataBytes >= 0
                    ? string.Create(CultureInfo.InvariantCulture, $"{Plural.Of(measurement.DataBytes, "byte", "N0")}, ")
                    : "";
            return string.Create(
                CultureInfo.InvariantCulture,
                $"{(operation == RunOperation.Run ? "" : operation + " ")}{size}{milliseconds:N0} ms"
            );
        }
        catch (RunFailedException failure) when (operation == RunOperation.Deserialize)
        {
            throw new RunFailedException($"{operation}: {failure.Message}");
        }
    }
}
