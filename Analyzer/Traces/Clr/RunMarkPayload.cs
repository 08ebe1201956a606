using EtwSerializerProfiler.Marks;

namespace EtwSerializerProfiler.Traces.Clr;

/// <summary>Payloads of the provider <c>EtwSerializerProfiler-Runs</c>; the fields are those of <see cref="RunEventSource"/>.</summary>
internal static class RunMarkPayload
{
    /// <summary>Reads RunStart.</summary>
    public static bool TryReadStart(ReadOnlySpan<byte> payload, out int runId, out RunIdentity identity)
    {
        var reader = new PayloadReader(payload);
        return ReadIdentity(ref reader, out runId, out identity);
    }

    /// <summary>Reads RunStop.</summary>
    public static bool TryReadStop(ReadOnlySpan<byte> payload, out int runId, out RunIdentity identity, out RunMeasurement measurement)
    {
        var reader = new PayloadReader(payload);
        ReadIdentity(ref reader, out runId, out identity);
        measurement = new RunMeasurement(
            reader.Int64(),
            reader.Int64(),
            reader.Int64(),
            reader.Int64(),
            reader.Int64(),
            reader.Int32(),
            reader.Int32(),
            reader.Int32(),
            reader.Int64(),
            reader.Text()
        );
        return reader.Fits;
    }

    private static bool ReadIdentity(ref PayloadReader reader, out int runId, out RunIdentity identity)
    {
        runId = reader.Int32();
        identity = new RunIdentity(
            reader.Text(),
            reader.Text(),
            reader.Text(),
            reader.Text(),
            (RunKind)reader.Int32(),
            reader.Int32(),
            reader.Int32(),
            reader.Int32(),
            reader.Int32()
        );
        return reader.Fits;
    }
}
