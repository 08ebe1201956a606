using System.Globalization;

namespace EtwSerializerProfiler.Workload.Data;

/// <summary>Content of the graph, the same in every process and for every graph type.</summary>
public static class BookContent
{
    /// <summary>Title of the shelf.</summary>
    public const string ShelfTitle = "private member value";

    /// <summary>Title of the book with this number.</summary>
    public static string Title(int id) => string.Create(CultureInfo.InvariantCulture, $"Book {id}");

    /// <summary>Payload of the book with this number: <paramref name="bytes"/> bytes that differ between neighboring books.</summary>
    public static byte[] Payload(int id, int bytes)
    {
        var payload = new byte[bytes];
        for (var i = 0; i < payload.Length; i++)
            payload[i] = (byte)(id + (i * 31));
        return payload;
    }
}
