using System.Globalization;
using System.Text;
using EtwSerializerProfiler.Foundation.Problems;
using EtwSerializerProfiler.Naming;

namespace EtwSerializerProfiler.Stores.ClickHouse;

/// <summary>The servers of a store: the one that is asked, and those that hold the rows (of a store without a cluster the same).</summary>
internal sealed class ClickHouseCluster : IDisposable
{
    private IReadOnlyList<ClickHouseServer>? _shards;

    /// <summary>Opens nothing yet.</summary>
    public ClickHouseCluster(ClickHouseAddress address)
    {
        Address = address;
        Front = new ClickHouseServer(address.Server, address);
    }

    /// <summary>What the URL says.</summary>
    public ClickHouseAddress Address { get; }

    /// <summary>The server that is asked.</summary>
    public ClickHouseServer Front { get; }

    /// <summary>The servers that hold rows, in the order of their numbers.</summary>
    /// <exception cref="ServerFailure">The server cannot be asked for them.</exception>
    /// <exception cref="StoreException">There is no such cluster, or the URL names other shards.</exception>
    public IReadOnlyList<ClickHouseServer> Shards => _shards ??= Address.Cluster is { } cluster ? Resolve(cluster) : [Front];

    /// <summary>The shard of a trace. All its rows are there, so that a trace is replaced in one place.</summary>
    public ClickHouseServer ShardOf(string trace) => Shards[(int)(Hash(trace) % (ulong)Shards.Count)];

    /// <summary>A shard as errors name it, by the place that an error of ClickHouse gives; the place itself when it is none of the cluster's.</summary>
    public string Named(string place)
    {
        try
        {
            var rows = Members();
            var at = rows.FindIndex(row => place == $"{row.Host}:{row.Port}" || place == $"{row.Address}:{row.Port}");
            return at < 0 ? place : string.Create(CultureInfo.InvariantCulture, $"shard {rows[at].Shard} of {rows.Max(row => row.Shard)} ({place})");
        }
        catch (ServerFailure)
        {
            return place;
        }
    }

    /// <inheritdoc />
    public void Dispose()
    {
        foreach (var shard in _shards ?? [])
            shard.Dispose();
        Front.Dispose();
    }

    private IReadOnlyList<ClickHouseServer> Resolve(string cluster)
    {
        var members = Members();
        if (members.Count == 0)
        {
            var known = string.Join(", ", Front.Rows("SELECT DISTINCT cluster FROM system.clusters ORDER BY cluster", inDatabase: false).Select(row => row[0]));
            throw Wrong($"the server knows no cluster {cluster}", known.Length == 0 ? "name the shards under remote_servers in its configuration" : $"it knows {known}; name another one, or name the shards under remote_servers in its configuration");
        }

        if (members.Exists(member => member.Replica > 1))
            throw Wrong($"cluster {cluster} has shards with several replicas, and rows are written to one server a shard", "name a cluster with one replica a shard");
        if (Address.Shards.Count > 0 && Address.Shards.Count != members.Count)
        {
            throw Wrong(string.Create(CultureInfo.InvariantCulture, $"the URL names {Plural.Of(Address.Shards.Count, "shard")}, and cluster {cluster} has {members.Count}"), "name all of them, the first one first");
        }

        return [.. members.Select((member, i) => new ClickHouseServer(Address.Shards.Count > 0 ? Address.Shards[i] : new UriBuilder(Address.Server.Scheme, member.Host, Address.Server.Port).Uri, Address))];
    }

    private List<Member> Members() =>
    [
        .. Front.Rows($"SELECT shard_num, replica_num, host_name, host_address, port FROM system.clusters WHERE cluster = {ClickHouseTypes.Literal(Address.Cluster ?? "")} ORDER BY shard_num, replica_num", inDatabase: false)
            .Select(row => new Member((long)row[0]!, (long)row[1]!, (string)row[2]!, (string)row[3]!, (long)row[4]!)),
    ];

    private StoreException Wrong(string what, string fix) => new(new Problem(what, Address.ToString(), fix)) { IsUsage = true };

    // FNV-1a, 64 bits: the same on every machine and for ever.
    private static ulong Hash(string text)
    {
        var hash = 14695981039346656037UL;
        foreach (var value in Encoding.UTF8.GetBytes(text))
            hash = (hash ^ value) * 1099511628211UL;
        return hash;
    }

    private sealed record Member(long Shard, long Replica, string Host, string Address, long Port);
}
