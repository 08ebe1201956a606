using EtwSerializerProfiler.Analysis.Stacktags;

namespace EtwSerializerProfiler.Analysis.Causes;

/// <summary>Which tags are the entries of a serializer.</summary>
public sealed class SerializerEntries
{
    private readonly Dictionary<string, HashSet<int>> _byName = new(StringComparer.OrdinalIgnoreCase);
    private readonly Dictionary<int, (string Operation, string Serializer)> _byTag = [];

    private SerializerEntries(Stacktag root)
    {
        Matcher = new StacktagMatcher(root);
        for (var tag = 0; tag < Matcher.Tags.Count; tag++)
        {
            var path = Matcher.Tags[tag].Path.Split('\\');
            if (path is not [SerializerTags.Serialize or SerializerTags.Deserialize or SerializerTags.Construct, var name])
                continue;
            _byTag.Add(tag, (path[0], name));
            if (!_byName.TryGetValue(name, out var tags))
                _byName.Add(name, tags = []);
            tags.Add(tag);
        }
    }

    /// <summary>The entries of the suites' serializers.</summary>
    public static SerializerEntries Suites { get; } = new(SerializerTags.Root);

    /// <summary>Finds the tags of frames.</summary>
    public StacktagMatcher Matcher { get; }

    /// <summary>Tags that are entries of a serializer; null when its name is not known.</summary>
    public IReadOnlySet<int>? Of(string serializer) => _byName.GetValueOrDefault(serializer);

    /// <summary>The operation and serializer whose entry a tag is; null for another tag.</summary>
    public (string Operation, string Serializer)? Entry(int tag) => _byTag.TryGetValue(tag, out var entry) ? entry : null;
}
