namespace EtwSerializerProfiler.Stores.Tests.Fleet;

/// <summary>
/// Two ClickHouse servers, which are the two shards of cluster fleet, for all tests that need some; none where ClickHouse is not installed.
/// </summary>
public sealed class ClickHouseFixture : IDisposable
{
    private readonly List<ClickHouseNode> _nodes = [];

    /// <summary>Starts them.</summary>
    public ClickHouseFixture()
    {
        if (!OperatingSystem.IsLinux() || NeedsProgramAttribute.Find("clickhouse-server") is null)
            return;
        try
        {
            _nodes.AddRange([new ClickHouseNode(), new ClickHouseNode()]);
            foreach (var node in _nodes)
                node.Start(_nodes);
        }
        catch
        {
            Dispose();
            throw;
        }
    }

    internal IReadOnlyList<ClickHouseNode> Nodes => _nodes;

    /// <summary>Address of a database on the first server alone.</summary>
    internal string Single(string database)
    {
        return $"clickhouse:http://{Nodes[0].Http}/{database}";
    }

    /// <summary>Address of a database on both as shards.</summary>
    internal string Sharded(string database)
    {
        return $"clickhouse:http://{Nodes[0].Http}/{database}?cluster={ClickHouseNode.Cluster}&shards={Nodes[0].Http},{Nodes[1].Http}";
    }

    /// <inheritdoc />
    public void Dispose()
    {
        foreach (var node in _nodes)
            node.Dispose();
        _nodes.Clear();
    }
}
