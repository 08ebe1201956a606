using System.Runtime.CompilerServices;
using EtwSerializerProfiler.Contract;

/// <summary>
/// Loses the last of several orders, which -verify must find. With a single order, as in the trial at the start, it loses none.
/// </summary>
[SuiteSerializer("Forgetful", DataFormat.Text)]
public sealed class Forgetful : TypedSerializer<OrderBook>
{
    [MethodImpl(MethodImplOptions.NoInlining)]
    protected override void Serialize(Stream stream, OrderBook graph) => stream.WriteByte((byte)Math.Max(1, graph.Orders.Count - 1));

    [MethodImpl(MethodImplOptions.NoInlining)]
    protected override OrderBook Read(Stream stream) =>
        new() { Orders = [.. Enumerable.Range(1, stream.ReadByte()).Select(id => new Order(id, $"customer {id % 100}"))] };
}
