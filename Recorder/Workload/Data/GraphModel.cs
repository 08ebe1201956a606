using System.Globalization;

namespace EtwSerializerProfiler.Workload.Data;

/// <summary>A type of object graph: creates, touches and compares graphs of it. Most serializers share one; a serializer with generated types has its own.</summary>
public abstract class GraphModel
{
    /// <summary>A new graph with the content of <see cref="BookContent"/>.</summary>
    /// <param name="objectCount">Books on the shelf.</param>
    /// <param name="payloadBytes">Extra bytes in each book, 0 for none.</param>
    public abstract object Create(int objectCount, int payloadBytes);

    /// <summary>Visits every object, so that a serializer which defers work has to do it.</summary>
    /// <returns>Sum of all ids, title lengths and payload lengths.</returns>
    public abstract long Touch(object graph);

    /// <summary>Compares two graphs in every value.</summary>
    /// <returns>The first difference in words, null when there is none.</returns>
    public string? Difference(object expected, object actual)
    {
        if (ShelfTitle(expected) is var expectedTitle && ShelfTitle(actual) is var actualTitle && actualTitle != expectedTitle)
            return $"shelf title is '{actualTitle}', not '{expectedTitle}'";
        if (BookCount(expected) is var count && BookCount(actual) is var actualCount && actualCount != count)
            return string.Create(CultureInfo.InvariantCulture, $"{actualCount} books, not {count}");
        for (var i = 0; i < count; i++)
        {
            if (Difference(Book(expected, i), Book(actual, i)) is { } difference)
                return string.Create(CultureInfo.InvariantCulture, $"book at {i}: {difference}");
        }

        return null;
    }

    /// <summary>Title of the shelf, null when it was lost.</summary>
    protected abstract string? ShelfTitle(object graph);

    /// <summary>Books on the shelf.</summary>
    protected abstract int BookCount(object graph);

    /// <summary>The book at this index.</summary>
    protected abstract BookView Book(object graph, int index);

    private static string? Difference(BookView expected, BookView actual)
    {
        if (actual.Id != expected.Id)
            return string.Create(CultureInfo.InvariantCulture, $"id is {actual.Id}, not {expected.Id}");
        if (actual.Title != expected.Title)
            return $"title is '{actual.Title}', not '{expected.Title}'";
        return actual.Payload.Span.SequenceEqual(expected.Payload.Span)
            ? null
            : string.Create(CultureInfo.InvariantCulture, $"payload of {actual.Payload.Length} bytes differs from the expected one of {expected.Payload.Length} bytes");
    }
}
