using System.Globalization;
using System.Text;
using EtwSerializerProfiler.Foundation.Problems;
using EtwSerializerProfiler.Naming;

namespace EtwSerializerProfiler.Stores.ClickHouse;

/// <summary>The servers of a store: one for queries, and those that hold the rows (without a cluster, the same one).</summary>
internal sealed class ClickHouseCluster : IDisposable
{
    private IReadOnlyList<ClickHouseServer>? _shards;

    /// <summary>Creates the object without connecting.</summary>
    public ClickHouseCluster(ClickHouseAddress address)
    {
        Address = address;
        Front = new ClickHouseServer(address.Server, address);
    }

    /// <summary>The parsed URL.</summary>
    public ClickHouseAddress Address { get; }

    /// <summary>The server for queries.</summary>
    public ClickHouseServer Front { get; }

    /// <summary>The servers with rows, in the order of their numbers.</summary>
    /// <exception cref="ServerFailure">The server cannot be queried for them.</exception>
    /// <exception cref="StoreException">The cluster does not exist, or the URL has other shards.</exception>
    public IReadOnlyList<ClickHouseServer> Shards => _shards ??= Address.Cluster is { } cluster ? Resolve(cluster) : [Front];

    /// <summary>The shard of a trace. It holds all rows of the trace, so that a trace can be replaced in one place.</summary>
    public ClickHouseServer ShardOf(string trace) => Shards[(int)(Hash(trace) % (ulong)Shards.Count)];

    /// <summary>
    /// Formats a shard for errors, from the address in an error of ClickHouse; returns the address when it is not a shard of the cluster.
    /// </summary>
    public string Named(string place)
    {
        try
        {
            var rows = Members();
            var at = rows.FindIndex(row => place == $"{row.Host}:{row.Port}" || place == $"{row.Address}:{row.Port}");
            return at < 0
                ? place
                : string.Create(CultureInfo.InvariantCulture, $"shard {rows[at].Shard} of {rows.Max(row => row.Shard)} ({place})");
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
            var known = string.Join(
                ", ",
                Front.Rows("SELECT DISTINCT cluster FROM system.clusters ORDER BY cluster", inDatabase: false).Select(row => row[0])
            );
            throw Wrong(
                $"unknown cluster {cluster}",
                known.Length == 0
                    ? "configure the shards under remote_servers on the server"
                    : $"use one of its clusters ({known}), or configure the shards under remote_servers on the server"
            );
        }

        if (members.Exists(member => member.Replica > 1))
            throw Wrong(
                $"cluster {cluster} has shards with several replicas, but rows are written to only one server per shard",
                "use a cluster with one replica per shard"
            );
        if (Address.Shards.Count > 0 && Address.Shards.Count != members.Count)
        {
            throw Wrong(
                string.Create(
                    CultureInfo.InvariantCulture,
                    $"the URL names {Plural.Of(Address.Shards.Count, "shard")}, but cluster {cluster} has {members.Count}"
                ),
                "list all of them in order"
            );
        }

        return
        [
            .. members.Select(
                (member, i) =>
                    new ClickHouseServer(
                        Address.Shards.Count > 0
                            ? Address.Shards[i]
                            : new UriBuilder(Address.Server.Scheme, member.Host, Address.Server.Port).Uri,
                        Address
                    )
            ),
        ];
    }

    private List<Member> Members() =>
        [
            .. Front
                .Rows(
                    $"SELECT shard_num, replica_num, host_name, host_address, port FROM system.clusters WHERE cluster = {ClickHouseTypes.Literal(Address.Cluster ?? "")} ORDER BY shard_num, replica_num",
                    inDatabase: false
                )
                .Select(row => new Member((long)row[0]!, (long)row[1]!, (string)row[2]!, (string)row[3]!, (long)row[4]!)),
        ];

    private StoreException Wrong(string what, string fix) => new(new Problem(what, Address.ToString(), fix)) { IsUsage = true };

    // FNV-1a, 64 bits: identical on every machine and forever.
    private static ulong Hash(string text)
    {
        var hash = 14695981039346656037UL;
        foreach (var value in Encoding.UTF8.GetBytes(text))
            hash = (hash ^ value) * 1099511628211UL;
        return hash;
    }

    private sealed record Member(long Shard, long Replica, string Host, string Address, long Port);
}
