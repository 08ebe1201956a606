using EtwSerializerProfiler.Analysis.Catalog;
using EtwSerializerProfiler.Analysis.Stacktags;

namespace EtwSerializerProfiler.Analysis.Causes;

/// <summary>Maps serializers and operations to the tags of their entries.</summary>
public sealed class SerializerEntries
{
    private readonly Dictionary<string, HashSet<int>> _byName = new(StringComparer.OrdinalIgnoreCase);
    private readonly Dictionary<string, HashSet<int>> _byOperation = [];
    private readonly Dictionary<int, (string Operation, string Serializer)> _byTag = [];

    private SerializerEntries(Stacktag root)
    {
        Matcher = new StacktagMatcher(root);
        for (var tag = 0; tag < Matcher.Tags.Count; tag++)
        {
            var path = Matcher.Tags[tag].Path.Split('\\');
            if (path is [SerializerTags.Harness, SerializerTags.Touch])
                Touch = tag;
            if (path is not [SerializerTags.Serialize or SerializerTags.Deserialize or SerializerTags.Construct, var name])
                continue;
            _byTag.Add(tag, (path[0], name));
            Add(_byName, name, tag);
            Add(_byOperation, path[0], tag);
        }

        foreach (var entry in AdapterCatalog.All.Concat(SerializerTestsCatalog.All).Where(entry => entry.IsLazy))
            Add(_byName, entry.Name, Touch);
    }

    /// <summary>Entries of the suites' serializers.</summary>
    public static SerializerEntries Suites { get; } = new(SerializerTags.Root);

    /// <summary>Finds the tags of frames.</summary>
    public StacktagMatcher Matcher { get; }

    /// <summary>Tag of the methods that touch deserialized data: an entry of lazy serializers.</summary>
    public int Touch { get; } = -1;

    /// <summary>Tags of a serializer's entries; null when its name is unknown.</summary>
    public IReadOnlySet<int>? Of(string serializer) => _byName.GetValueOrDefault(serializer);

    /// <summary>Tags of an operation's entries, for any serializer; null when there are none.</summary>
    public IReadOnlySet<int>? OfOperation(string operation) => _byOperation.GetValueOrDefault(operation);

    /// <summary>Operation and serializer of an entry tag; null for other tags.</summary>
    public (string Operation, string Serializer)? Entry(int tag) => _byTag.TryGetValue(tag, out var entry) ? entry : null;

    private static void Add(Dictionary<string, HashSet<int>> sets, string key, int tag)
    {
        if (!sets.TryGetValue(key, out var tags))
            sets.Add(key, tags = []);
        tags.Add(tag);
    }
}
