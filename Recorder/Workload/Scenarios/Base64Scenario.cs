using System.Globalization;
using System.Reflection;
using System.Runtime.Serialization;
using System.Text;
using System.Xml.Serialization;
using EtwSerializerProfiler.Marks;
using EtwSerializerProfiler.Naming;
using EtwSerializerProfiler.Workload.Runs;

namespace EtwSerializerProfiler.Workload.Scenarios;

/// <summary><c>base64-crlf</c>: a DataContract byte[] whose base64 text has line breaks against none, and the two ways around it.</summary>
/// <param name="dataBytes">Bytes of one message.</param>
/// <param name="reads">Timed reads of each row.</param>
public sealed class Base64Scenario(int dataBytes = Base64Scenario.DefaultDataBytes, int reads = Base64Scenario.PublishedReads) : Scenario
{
    /// <summary>The row that the published case is about.</summary>
    public const string AffectedReader = "DataContract byte[]";

    /// <summary>From this factor of line breaks against none on the case is there, if they also make it throw; the published one was about 3,600.</summary>
    public const double PresentFrom = 5;

    /// <summary>The factor that decides alone where the runtime does not tell of exceptions: more than a slower way through the text costs.</summary>
    public const double PresentWithoutCountFrom = 100;

    /// <summary>Characters between two line breaks: no multiple of four, so that they split groups of base64.</summary>
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
        context.Output.WriteLine(string.Create(CultureInfo.InvariantCulture, $"{reads} reads of {Plural.Of(dataBytes, "byte", "N0")} each; line breaks every {LineLength} characters; exceptions counted in a read of its own."));
        var table = new ScenarioTable(context.Output, ("Reader", 24), ("Line breaks", 11), ("Reads", -5), ("Total ms", -10), ("Median ms", -10), ("Exceptions/read", -15));
        foreach (var (name, library, read) in Readers())
        {
            foreach (var lineBreaks in new[] { false, true })
            {
                var goesOn = context.Row(table, Label(name, lineBreaks), () =>
                {
                    var row = Measure(context, name, lineBreaks, library, read, data);
                    rows.Add(row);
                    table.Write(
                        name, lineBreaks ? "yes" : "no", ScenarioTable.Number(row.Reads), ScenarioTable.Number(row.TotalMilliseconds, 1), ScenarioTable.Number(row.MedianMilliseconds, 3), ScenarioTable.Number(row.ExceptionsPerRead));
                });
                if (!goesOn)
                    return Find(rows);
            }
        }

        return Find(rows);
    }

    /// <summary>Decides by the rows of <see cref="AffectedReader"/>.</summary>
    public static Finding Find(IReadOnlyList<Base64Row> rows)
    {
        ArgumentNullException.ThrowIfNull(rows);
        var without = rows.FirstOrDefault(row => row.Reader == AffectedReader && !row.LineBreaks);
        var with = rows.FirstOrDefault(row => row.Reader == AffectedReader && row.LineBreaks);
        if (without is null || with is null)
            return Finding.Undecided($"{AffectedReader} was not read both with and without line breaks.");

        var factor = with.MedianMilliseconds / without.MedianMilliseconds;
        var thrown = with.ExceptionsPerRead is { } count ? string.Create(CultureInfo.InvariantCulture, $"{Plural.Of(count, "exception", "N0")} a read") : "exceptions not recorded";
        var fastest = rows.Where(row => row.LineBreaks).OrderBy(row => row.MedianMilliseconds).First();
        var isPresent = with.ExceptionsPerRead is null ? factor >= PresentWithoutCountFrom : factor >= PresentFrom && with.ExceptionsPerRead > without.ExceptionsPerRead;
        return Finding.Of(
            isPresent,
            $"line breaks made reads {factor:N1} times as slow by medians ({with.Reads} reads took {with.TotalMilliseconds:N1} ms, {without.TotalMilliseconds:N1} ms without), with {thrown} (it is there from factor {PresentFrom:N0} on when they make it throw; from {PresentWithoutCountFrom:N0} on where exceptions are not recorded). Fastest with line breaks: {fastest.Reader}, {fastest.MedianMilliseconds:N1} ms a read.");
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
        yield return ("DataContract string", typeof(DataContractSerializer).Assembly, stream => Convert.FromBase64String(((Base64Text?)text.ReadObject(stream))?.Data ?? ""));

        var xml = new XmlSerializer(typeof(Base64Message));
#pragma warning disable CA3075, CA5369 // it reads what was written here
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
            throw new RunFailedException("the bytes that were read are not those that were written");
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

/// <summary>What one way to read one text took.</summary>
/// <param name="Reader">Who read it.</param>
/// <param name="LineBreaks">Whether the base64 text has line breaks.</param>
/// <param name="Reads">Reads that were timed.</param>
/// <param name="TotalMilliseconds">All reads together.</param>
/// <param name="MedianMilliseconds">Of one read.</param>
/// <param name="ExceptionsPerRead">Exceptions thrown and caught in one read; null where the runtime does not tell.</param>
public sealed record Base64Row(string Reader, bool LineBreaks, int Reads, double TotalMilliseconds, double MedianMilliseconds, long? ExceptionsPerRead);

/// <summary>The same message for a reader that leaves the base64 text to <see cref="Convert.FromBase64String"/>: the published workaround.</summary>
[DataContract(Name = "Message", Namespace = Base64Message.XmlNamespace)]
public sealed class Base64Text
{
    /// <summary>The bytes as base64.</summary>
    [DataMember]
    public string? Data { get; set; }
}

/// <summary>What the published case read: bytes, which text XML has as base64.</summary>
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
