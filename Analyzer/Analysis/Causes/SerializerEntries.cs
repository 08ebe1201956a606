using EtwSerializerProfiler.Analysis.Catalog;
using EtwSerializerProfiler.Analysis.Stacktags;

namespace EtwSerializerProfiler.Analysis.Causes;

/// <summary>Which tags are the entries of a serializer.</summary>
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

        foreach (var entry in AdapterCatalog.All.Concat(ClassicCatalog.All).Where(entry => entry.IsLazy))
            Add(_byName, entry.Name, Touch);
    }

    /// <summary>The entries of the suites' serializers.</summary>
    public static SerializerEntries Suites { get; } = new(SerializerTags.Root);

    /// <summary>Finds the tags of frames.</summary>
    public StacktagMatcher Matcher { get; }

    /// <summary>Tag of the methods that touch the data read: an entry of lazy serializers.</summary>
    public int Touch { get; } = -1;

    /// <summary>Tags that are entries of a serializer; null when its name is not known.</summary>
    public IReadOnlySet<int>? Of(string serializer) => _byName.GetValueOrDefault(serializer);

    /// <summary>Tags that are entries of an operation, whoever's; null when there are none.</summary>
    public IReadOnlySet<int>? OfOperation(string operation) => _byOperation.GetValueOrDefault(operation);

    /// <summary>The operation and serializer whose entry a tag is; null for another tag.</summary>
    public (string Operation, string Serializer)? Entry(int tag) => _byTag.TryGetValue(tag, out var entry) ? entry : null;

    private static void Add(Dictionary<string, HashSet<int>> sets, string key, int tag)
    {
        if (!sets.TryGetValue(key, out var tags))
            sets.Add(key, tags = []);
        tags.Add(tag);
    }
}
