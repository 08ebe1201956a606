using System.Globalization;
using EtwSerializerProfiler.Contract;

namespace EtwSerializerProfiler.Workload.Data;

/// <summary>Model of the suite's data for any types: a shelf with a title, and books with id, title and payload.</summary>
/// <typeparam name="TShelf">Type of the shelf.</typeparam>
public abstract class BookGraphModel<TShelf> : GraphModel<TShelf>
    where TShelf : class
{
    /// <inheritdoc/>
    protected sealed override string? GraphDifference(TShelf expected, TShelf actual)
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

    /// <summary>Title of the shelf; null when it was lost.</summary>
    protected abstract string? ShelfTitle(TShelf graph);

    /// <summary>Number of books.</summary>
    protected abstract int BookCount(TShelf graph);

    /// <summary>The book at this index.</summary>
    protected abstract BookView Book(TShelf graph, int index);

    private static string? Difference(BookView expected, BookView actual)
    {
        if (actual.Id != expected.Id)
            return string.Create(CultureInfo.InvariantCulture, $"id is {actual.Id}, not {expected.Id}");
        if (actual.Title != expected.Title)
            return $"title is '{actual.Title}', not '{expected.Title}'";
        return actual.Payload.SequenceEqual(expected.Payload)
            ? null
            : string.Create(
                CultureInfo.InvariantCulture,
                $"payload of {actual.Payload.Count} bytes differs from the expected one of {expected.Payload.Count} bytes"
            );
    }
}
