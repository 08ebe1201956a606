using EtwSerializerProfiler.Contract;
using EtwSerializerProfiler.Workload.Data;
using EtwSerializerProfiler.Workload.Serializers.Protobuf;
using Google.Protobuf;
using BookShelf = EtwSerializerProfiler.Workload.Data.BookShelf;
using ProtobufShelf = EtwSerializerProfiler.Workload.Serializers.Protobuf.BookShelf;

namespace EtwSerializerProfiler.Workload.Tests.Serializers;

public sealed class GraphModelTests
{
    public static TheoryData<GraphModel> Models => [new BookShelfModel(), new ProtobufModel()];

    [Theory]
    [MemberData(nameof(Models))]
    public void Graphs_are_the_same_every_time(GraphModel model) =>
        Assert.Null(model.Difference(model.Create(20, 30), model.Create(20, 30)));

    [Fact]
    public void A_changed_book_shelf_is_noticed()
    {
        AssertNoticed("shelf title", shelf => shelf.Title = "x");
        AssertNoticed("title", shelf => shelf.Books[4].Title = "Book x");
        AssertNoticed("title", shelf => shelf.Books[4].Title = null!);
        AssertNoticed("id", shelf => shelf.Books[4].Id = 99);
        AssertNoticed("payload", shelf => shelf.Books[4].Payload![7]++);
        AssertNoticed("payload", shelf => shelf.Books[4].Payload = null);
        AssertNoticed("books", shelf => shelf.Books.RemoveAt(9));
        AssertNoticed("books", shelf => shelf.Books.Add(new Workload.Data.Book()));

        static void AssertNoticed(string what, Action<BookShelf> change) =>
            GraphModelTests.AssertNoticed(new BookShelfModel(), what, change);
    }

    [Fact]
    public void A_changed_protobuf_message_is_noticed()
    {
        AssertNoticed("shelf title", shelf => shelf.Title = "x");
        AssertNoticed("title", shelf => shelf.Books[4].Title = "Book x");
        AssertNoticed("id", shelf => shelf.Books[4].Id = 99);
        AssertNoticed("payload", shelf => shelf.Books[4].Payload = ByteString.CopyFrom(new byte[8]));
        AssertNoticed("payload", shelf => shelf.Books[4].Payload = ByteString.Empty);
        AssertNoticed("books", shelf => shelf.Books.RemoveAt(9));

        static void AssertNoticed(string what, Action<ProtobufShelf> change) =>
            GraphModelTests.AssertNoticed(new ProtobufModel(), what, change);
    }

    private static void AssertNoticed<TGraph>(GraphModel model, string what, Action<TGraph> change)
        where TGraph : class
    {
        var expected = model.Create(10, 8);
        var actual = model.Create(10, 8);
        change((TGraph)actual);

        Assert.Contains(what, model.Difference(expected, actual), StringComparison.Ordinal);
    }
}
