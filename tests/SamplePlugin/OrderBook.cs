using System.Runtime.CompilerServices;
using EtwSerializerProfiler.Contract;

public sealed record Order(int Id, string Customer);

public sealed class OrderBook
{
    public List<Order> Orders { get; set; } = [];
}

public sealed class OrderBookModel : GraphModel<OrderBook>
{
    protected override OrderBook CreateGraph(int objectCount, int payloadBytes) =>
        new() { Orders = [.. Enumerable.Range(1, objectCount).Select(id => new Order(id, $"customer {id % 100}"))] };

    protected override long TouchGraph(OrderBook graph) => graph.Orders.Sum(order => order.Id + order.Customer.Length);
}

[SuiteSerializer("Lines", DataFormat.Text)]
public sealed class LineSerializer : TypedSerializer<OrderBook>
{
    [MethodImpl(MethodImplOptions.NoInlining)]
    protected override void Serialize(Stream stream, OrderBook graph) =>
        stream.Write(System.Text.Encoding.UTF8.GetBytes(string.Join('\n', graph.Orders.Select(order => $"{order.Id};{order.Customer}"))));

    [MethodImpl(MethodImplOptions.NoInlining)]
    protected override OrderBook Read(Stream stream)
    {
        var parts = new StreamReader(stream).ReadToEnd().Split('\n').Select(line => line.Split(';'));
        return new() { Orders = [.. parts.Select(part => new Order(int.Parse(part[0]), part[1]))] };
    }
}
