using System.Runtime.InteropServices;

namespace EtwSerializerProfiler.Traces.TraceEventFeed;

/// <summary>
/// Assigns event ids to TraceLogging events, which have none: TraceEvent distinguishes events by provider and id. Each description of a
/// provider's event gets its own id, from 0xFEFF downwards in order of occurrence, as TraceEvent does when it reads files itself.
/// </summary>
internal sealed class TraceLoggingSchemas
{
    /// <summary>One above the first id.</summary>
    private const ushort FirstId = 0xFF00;

    /// <summary>Known descriptions, by provider and opcode.</summary>
    private readonly Dictionary<(Guid Provider, byte Opcode), Dictionary<byte[], ushort>> _known = [];

    /// <summary>The last assigned id by provider.</summary>
    private readonly Dictionary<Guid, ushort> _last = [];

    /// <summary>Descriptions by provider, in the order of their ids.</summary>
    private readonly Dictionary<Guid, List<TraceLoggingSchema>> _byProvider = [];

    /// <summary>The id of an event.</summary>
    /// <param name="provider">Its provider.</param>
    /// <param name="opcode">Its opcode.</param>
    /// <param name="schema">Its description (EVENT_HEADER_EXT_TYPE_EVENT_SCHEMA_TL).</param>
    /// <param name="traits">Its provider's traits (EVENT_HEADER_EXT_TYPE_PROV_TRAITS); empty when the event has none.</param>
    public ushort IdOf(Guid provider, byte opcode, ReadOnlySpan<byte> schema, ReadOnlySpan<byte> traits)
    {
        ref var known = ref CollectionsMarshal.GetValueRefOrAddDefault(_known, (provider, opcode), out _);
        known ??= new Dictionary<byte[], ushort>(ByteArrayComparer.Instance);
        var lookup = known.GetAlternateLookup<ReadOnlySpan<byte>>();
        if (lookup.TryGetValue(schema, out var id))
            return id;

        ref var last = ref CollectionsMarshal.GetValueRefOrAddDefault(_last, provider, out var exists);
        if (!exists)
            last = FirstId;
        if (last > 1)
            last--; // a provider with over 65,000 kinds of events: the last ones share an id
        lookup[schema] = last;
        ref var ofProvider = ref CollectionsMarshal.GetValueRefOrAddDefault(_byProvider, provider, out _);
        ofProvider ??= [];
        ofProvider.Add(TraceLoggingSchema.Read(last, opcode, schema, traits));
        return last;
    }

    /// <summary>Whether an id was assigned to a self-describing event.</summary>
    public bool IsGiven(Guid provider, int id) => _last.TryGetValue(provider, out var last) && id >= last && id < FirstId;

    /// <summary>All descriptions known so far, by provider.</summary>
    public IEnumerable<(Guid Provider, IReadOnlyList<TraceLoggingSchema> Schemas)> All =>
        _byProvider.Select(pair => (pair.Key, (IReadOnlyList<TraceLoggingSchema>)pair.Value));

    private sealed class ByteArrayComparer : IEqualityComparer<byte[]>, IAlternateEqualityComparer<ReadOnlySpan<byte>, byte[]>
    {
        public static readonly ByteArrayComparer Instance = new();

        public byte[] Create(ReadOnlySpan<byte> alternate) => alternate.ToArray();

        public bool Equals(ReadOnlySpan<byte> alternate, byte[] other) => alternate.SequenceEqual(other);

        public bool Equals(byte[]? x, byte[]? y) => x.AsSpan().SequenceEqual(y);

        public int GetHashCode(ReadOnlySpan<byte> alternate)
        {
            var hash = default(HashCode);
            hash.AddBytes(alternate);
            return hash.ToHashCode();
        }

        public int GetHashCode(byte[] obj) => GetHashCode((ReadOnlySpan<byte>)obj);
    }
}
