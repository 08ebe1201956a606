using System.Text.Encodings.Web;
using System.Text.Json;

namespace EtwSerializerProfiler.Reports.Profiles;

/// <summary>Writes JSON to a stream piece by piece, so that memory does not grow with the profile.</summary>
internal static class JsonStream
{
    /// <summary>Bytes that may be pending before they are written to the stream.</summary>
    private const int Buffered = 1 << 16;

    private const double NanosecondsPerMillisecond = 1e6;

    public static Utf8JsonWriter Open(Stream stream) =>
        new(stream, new JsonWriterOptions { Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping, SkipValidation = true });

    /// <summary>Writes pending bytes to the stream when they exceed <see cref="Buffered"/>.</summary>
    public static void Drain(this Utf8JsonWriter json)
    {
        if (json.BytesPending > Buffered)
            json.Flush();
    }

    /// <summary>Writes an array of numbers, strings or nulls.</summary>
    public static void WriteColumn<T>(this Utf8JsonWriter json, string name, IEnumerable<T> values, Action<T> write)
    {
        json.WriteStartArray(name);
        foreach (var value in values)
        {
            write(value);
            json.Drain();
        }

        json.WriteEndArray();
    }

    public static void WriteStrings(this Utf8JsonWriter json, string name, IEnumerable<string> values) =>
        json.WriteColumn(name, values, json.WriteStringValue);

    public static void WriteNumbers(this Utf8JsonWriter json, string name, IEnumerable<int> values) =>
        json.WriteColumn(name, values, json.WriteNumberValue);

    /// <summary>Writes the same value a number of times; null for JSON's null.</summary>
    public static void WriteConstant(this Utf8JsonWriter json, string name, int count, int? value)
    {
        json.WriteStartArray(name);
        for (var i = 0; i < count; i++)
        {
            if (value is { } number)
                json.WriteNumberValue(number);
            else
                json.WriteNullValue();
            json.Drain();
        }

        json.WriteEndArray();
    }

    /// <summary>Writes ns as ms, to the ns.</summary>
    public static void WriteMilliseconds(this Utf8JsonWriter json, long nanoseconds) =>
        json.WriteNumberValue(nanoseconds / NanosecondsPerMillisecond);
}
