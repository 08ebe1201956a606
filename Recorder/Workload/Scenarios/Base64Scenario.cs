using System.Globalization;
using System.Reflection;
using System.Runtime.Serialization;
using System.Text;
using System.Xml.Serialization;
using EtwSerializerProfiler.Marks;
using EtwSerializerProfiler.Naming;
using EtwSerializerProfiler.Workload.Runs;

namespace EtwSerializerProfiler.Workload.Scenarios;

/// <summary>
/// <c>base64-crlf</c>: a DataContract byte[] whose base64 text has line breaks compared with one without, and two workarounds.
/// </summary>
/// <param name="dataBytes">Bytes of one message.</param>
/// <param name="reads">Timed reads of each row.</param>
public sealed class Base64Scenario(int dataBytes = Base64Scenario.DefaultDataBytes, int reads = Base64Scenario.PublishedReads) : Scenario
{
    /// <summary>The row of the published case.</summary>
    public const string AffectedReader = "DataContract byte[]";

    /// <summary>
    /// Minimum factor between reads with and without line breaks for the case to be present, if line breaks also cause exceptions. The
    /// published factor was about 3,600.
    /// </summary>
    public const double PresentFrom = 5;

    /// <summary>Minimum factor on runtimes that do not report exceptions: more than a slower parser of the text would cause.</summary>
    public const double PresentWithoutCountFrom = 100;

    /// <summary>Characters between two line breaks; not a multiple of four, so that line breaks split groups of base64.</summary>
    private const int LineLength = 73;

    private const int DefaultDataBytes = 4_000_000;
    private const int PublishedReads = 40;

    private delegate byte[]? Reader(Stream stream);

    /// <inheritdoc/>
    public override string Name => "base64-crlf";

    /// <inheritdoc/>
    public override string PublishedCase =>
        "40 reads of a DataContract byte[] whose base64 text had line breaks took 10.9 s against 0.003 s without (.NET Framework 3.5 and 4.0): a FormatException was thrown and caught inside XmlBaseReader.";

    /// <inheritdoc/>
    public override Finding Run(ScenarioContext context)
    {
        ArgumentNullException.ThrowIfNull(context);
        var data = Data();
        var rows = new List<Base64Row>();
        context.Output.WriteLine(
            string.Create(
                CultureInfo.InvariantCulture,
                $"{reads} reads of {Plural.Of(dataBytes, "byte", "N0")} each; line breaks every {LineLength} characters; exceptions are counted in a separate read."
            )
        );
        var table = new ScenarioTable(
            context.Output,
            ("Reader", 24),
            ("Line breaks", 11),
            ("Reads", -5),
            ("Total ms", -10),
            ("Median ms", -10),
            ("Exceptions/read", -15)
        );
        foreach (var (name, library, read) in Readers())
        {
            foreach (var lineBreaks in new[] { false, true })
            {
                var goesOn = context.Row(
                    table,
                    Label(name, lineBreaks),
                    () =>
                    {
                        var row = Measure(context, name, lineBreaks, library, read, data);
                        rows.Add(row);
                        table.Write(
                            name,
                            lineBreaks ? "yes" : "no",
                            ScenarioTable.Number(row.Reads),
                            ScenarioTable.Number(row.TotalMilliseconds, 1),
                            ScenarioTable.Number(row.MedianMilliseconds, 3),
                            ScenarioTable.Number(row.ExceptionsPerRead)
                        );
                    }
                );
                if (!goesOn)
                    return Find(rows);
            }
        }

        return Find(rows);
    }

    /// <summary>Decides from the rows of <see cref="AffectedReader"/>.</summary>
    public static Finding Find(IReadOnlyList<Base64Row> rows)
    {
        ArgumentNullException.ThrowIfNull(rows);
        var without = rows.FirstOrDefault(row => row.Reader == AffectedReader && !row.LineBreaks);
        var with = rows.FirstOrDefault(row => row.Reader == AffectedReader && row.LineBreaks);
        if (without is null || with is null)
            return Finding.Undecided($"{AffectedReader} was not read both with and without line breaks.");

        var factor = with.MedianMilliseconds / without.MedianMilliseconds;
        var thrown = with.ExceptionsPerRead is { } count
            ? string.Create(CultureInfo.InvariantCulture, $"{Plural.Of(count, "exception", "N0")} per read")
            : "exceptions not recorded";
        var fastest = rows.Where(row => row.LineBreaks).OrderBy(row => row.MedianMilliseconds).First();
        var isPresent = with.ExceptionsPerRead is null
            ? factor >= PresentWithoutCountFrom
            : factor >= PresentFrom && with.ExceptionsPerRead > without.ExceptionsPerRead;
        return Finding.Of(
            isPresent,
            $"line breaks made reads {factor:N1} times as slow by medians ({with.Reads} reads took {with.TotalMilliseconds:N1} ms, {without.TotalMilliseconds:N1} ms without), with {thrown} (the case is present from factor {PresentFrom:N0} if line breaks cause exceptions, or from {PresentWithoutCountFrom:N0} if exceptions are not recorded). Fastest with line breaks: {fastest.Reader}, {fastest.MedianMilliseconds:N1} ms per read."
        );
    }

    /// <summary>The XML of a message.</summary>
    /// <param name="data">Its bytes.</param>
    /// <param name="lineBreaks">Whether to break the base64 text into lines of 73 characters.</param>
    public static byte[] Xml(byte[] data, bool lineBreaks)
    {
        var base64 = Convert.ToBase64String(data);
        var xml = new StringBuilder(base64.Length + (base64.Length / LineLength * 2) + 200);
        xml.Append("<Message xmlns=\"" + Base64Message.XmlNamespace + "\"><Data>");
        if (lineBreaks)
        {
            for (var at = 0; at < base64.Length; at += LineLength)
                xml.Append(base64, at, Math.Min(LineLength, base64.Length - at)).Append("\r\n");
        }
        else
        {
            xml.Append(base64);
        }

        return Encoding.UTF8.GetBytes(xml.Append("</Data></Message>").ToString());
    }

    private static string Label(string reader, bool lineBreaks) => lineBreaks ? reader + ", line breaks" : reader;

    private static IEnumerable<(string Name, Assembly Library, Reader Read)> Readers()
    {
        var bytes = new DataContractSerializer(typeof(Base64Message));
        yield return (AffectedReader, typeof(DataContractSerializer).Assembly, stream => ((Base64Message?)bytes.ReadObject(stream))?.Data);

        var text = new DataContractSerializer(typeof(Base64Text));
        yield return (
            "DataContract string",
            typeof(DataContractSerializer).Assembly,
            stream => Convert.FromBase64String(((Base64Text?)text.ReadObject(stream))?.Data ?? "")
        );

        var xml = new XmlSerializer(typeof(Base64Message));
#pragma warning disable CA3075, CA5369 // it reads only data written here
        yield return ("XmlSerializer byte[]", typeof(XmlSerializer).Assembly, stream => ((Base64Message?)xml.Deserialize(stream))?.Data);
#pragma warning restore CA3075, CA5369
    }

    private Base64Row Measure(ScenarioContext context, string name, bool lineBreaks, Assembly library, Reader read, byte[] data)
    {
        using var stream = new MemoryStream(Xml(data, lineBreaks));
        byte[]? result = null;
        long Read()
        {
            stream.Position = 0;
            result = read(stream);
            return stream.Length;
        }

        var identity = ScenarioContext.Identity(Label(name, lineBreaks), library, RunOperation.Deserialize, objects: 1, dataBytes);
        context.WarmUp(identity, Read);
        var milliseconds = new List<double>(reads);
        for (var run = 1; run <= reads && !context.Stop.IsCancellationRequested; run++)
            milliseconds.Add(context.Measure(identity with { RunNumber = run }, Read).Milliseconds);
        var exceptions = ExceptionCounter.During(() => Read());
        if (result is null || !result.AsSpan().SequenceEqual(data))
            throw new RunFailedException("the read bytes differ from the written ones");
        if (milliseconds.Count == 0)
            throw new RunFailedException("interrupted before the first read");
        return new Base64Row(name, lineBreaks, milliseconds.Count, milliseconds.Sum(), SuiteConsole.Median(milliseconds), exceptions);
    }

    private byte[] Data()
    {
        var data = new byte[dataBytes];
        for (var i = 0; i < data.Length; i++)
            data[i] = (byte)((i * 31) ^ (i >> 8));
        return data;
    }
}

/// <summary>Cost of one reader for one text.</summary>
/// <param name="Reader">The reader.</param>
/// <param name="LineBreaks">Whether the base64 text has line breaks.</param>
/// <param name="Reads">Number of timed reads.</param>
/// <param name="TotalMilliseconds">Time of all reads.</param>
/// <param name="MedianMilliseconds">Median time of one read.</param>
/// <param name="ExceptionsPerRead">Exceptions thrown and caught in one read; null when the runtime does not report them.</param>
public sealed record Base64Row(
    string Reader,
    bool LineBreaks,
    int Reads,
    double TotalMilliseconds,
    double MedianMilliseconds,
    long? ExceptionsPerRead
);

/// <summary>
/// The same message for a reader that passes the base64 text to <see cref="Convert.FromBase64String"/>: the published workaround.
/// </summary>
[DataContract(Name = "Message", Namespace = Base64Message.XmlNamespace)]
public sealed class Base64Text
{
    /// <summary>The bytes as base64.</summary>
    [DataMember]
    public string? Data { get; set; }
}

/// <summary>The message of the published case: bytes, which text XML stores as base64.</summary>
[DataContract(Name = "Message", Namespace = XmlNamespace)]
[XmlRoot("Message", Namespace = XmlNamespace)]
public sealed class Base64Message
{
    /// <summary>Namespace of the message's elements.</summary>
    public const string XmlNamespace = "urn:esp:base64";

    /// <summary>The bytes.</summary>
    [DataMember]
    public byte[]? Data { get; set; }
}
