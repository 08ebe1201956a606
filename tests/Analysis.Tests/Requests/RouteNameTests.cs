using EtwSerializerProfiler.Analysis.Requests;

namespace EtwSerializerProfiler.Analysis.Tests.Requests;

public sealed class RouteNameTests
{
    [Theory]
    [InlineData("/items/5", "[id, 5]", "/items/{id}")]
    [InlineData("/5/items/5", "[shop, 5],[id, 5]", "/{shop}/items/{id}")]
    [InlineData("/files/a/b,c]/d.txt", "[path, a/b,c]/d.txt]", "/files/{path}")]
    [InlineData("/pages/5.html", "[page2, 5]", "/pages/{page2}.html")]
    [InlineData("/Home/Index/7", "[controller, Home],[action, Index],[id, 7]", "/Home/Index/{id}")]
    [InlineData("/Users/Anna", "[name, anna]", "/Users/{name}")]
    [InlineData("/a/b", "[optional, ]", "/a/b")]
    [InlineData("/id/id", "[a, id],[b, id]", "/{a}/{b}")]
    public void Parameters_of_the_route_take_the_place_of_their_values(string path, string values, string route) =>
        Assert.Equal(route, RouteName.Of(path, values));

    [Theory]
    [InlineData("/", "/")]
    [InlineData("", "")]
    [InlineData("/missing/17/x", "/missing/{n}/x")]
    [InlineData("/b/0f8fad5b-d9cb-469f-a165-70867728950e", "/b/{guid}")]
    [InlineData("/commits/17eb3bc335b6", "/commits/{hex}")]
    [InlineData("/v2/facade/deadbeef", "/v2/facade/deadbeef")]
    public void Paths_without_parameters_have_their_numbers_folded(string path, string route) =>
        Assert.Equal(route, RouteName.Of(path, ""));
}
