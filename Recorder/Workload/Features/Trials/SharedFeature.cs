using System.Globalization;
using System.Runtime.CompilerServices;
using EtwSerializerProfiler.Naming;
using EtwSerializerProfiler.Workload.Features.Data;

namespace EtwSerializerProfiler.Workload.Features.Trials;

/// <summary>
/// 100 references to one large string, or to one object that has it: the number of written bytes and of objects after reading.
/// </summary>
/// <param name="key">See <see cref="Feature.Key"/>.</param>
/// <param name="title">See <see cref="Feature.Title"/>.</param>
/// <param name="how">See <see cref="Feature.How"/>.</param>
/// <typeparam name="T">Type of the root object.</typeparam>
public abstract class SharedFeature<T>(string key, string title, string how) : Feature(key, ReferenceFeatures.Group, title, how)
    where T : class
{
    private const int References = 100;

    private const int Characters = 1_000_000;

    /// <inheritdoc/>
    public override FeatureCell Try(FeatureTrial trial)
    {
        ArgumentNullException.ThrowIfNull(trial);
        var serializer = trial.Construct<T>();
        var text = Text();
        using var written = FeatureTrial.Write(serializer, Create(text, References));
        var size = (written.ByteCount / 1e6).ToString("N1", CultureInfo.InvariantCulture) + " MB";
        try
        {
            using var stream = written.Reopen();
            return Cell(size, text, Items(FeatureTrial.Read<T>(serializer, stream)));
        }
        catch (TrialFailedException exception)
        {
            return new FeatureCell($"{size}, not read", exception.Message);
        }
    }

    /// <summary>Creates a root with many references to one string, or to one object with it.</summary>
    protected abstract T Create(string text, int references);

    /// <summary>The target of each reference, and its string.</summary>
    protected abstract IReadOnlyList<(object Target, string? Text)> Items(T graph);

    private static FeatureCell Cell(string size, string text, IReadOnlyList<(object Target, string? Text)> items)
    {
        var objects = new HashSet<object>(items.Select(item => item.Target), ByReference.Instance).Count.ToString(
            CultureInfo.InvariantCulture
        );
        var lost =
            items.Count != References
                ? string.Create(CultureInfo.InvariantCulture, $"{Plural.Of(items.Count, "reference")} came back, not {References}")
            : items.Any(item => item.Text != text) ? "a string differs"
            : "";
        return new FeatureCell($"{size}, read as {objects}", lost);
    }

    /// <summary>Only letters, so that no format needs escapes.</summary>
    private static string Text()
    {
        var characters = new char[Characters];
        var state = 1u;
        for (var i = 0; i < characters.Length; i++)
        {
            state = (state * 1_664_525) + 1_013_904_223;
            characters[i] = (char)('a' + (state >> 24) % 26);
        }

        return new string(characters);
    }

    private sealed class ByReference : IEqualityComparer<object>
    {
        public static readonly ByReference Instance = new();

        bool IEqualityComparer<object>.Equals(object? x, object? y) => ReferenceEquals(x, y);

        int IEqualityComparer<object>.GetHashCode(object obj) => RuntimeHelpers.GetHashCode(obj);
    }
}

/// <summary>100 references to one object that has a large string.</summary>
public sealed class SharedObjectFeature : SharedFeature<ReferenceData.Objects>
{
    /// <summary>Creates the feature.</summary>
    public SharedObjectFeature()
        : base(
            "shared-object",
            "100 × one object",
            "A list of 100 references to one object that has a string of a million letters: bytes written, and how many objects there are after reading."
        ) => OptIn = FeatureOptIn.ReferenceTracking;

    /// <inheritdoc/>
    protected override ReferenceData.Objects Create(string text, int references) =>
        new() { Items = [.. Enumerable.Repeat(new ReferenceData.Item { Text = text }, references)] };

    /// <inheritdoc/>
    protected override IReadOnlyList<(object Target, string? Text)> Items(ReferenceData.Objects graph) =>
        [.. graph.Items.Select(item => ((object)item, item.Text))];
}

/// <summary>100 references to one string.</summary>
public sealed class SharedStringFeature : SharedFeature<ReferenceData.Strings>
{
    /// <summary>Creates the feature.</summary>
    public SharedStringFeature()
        : base(
            "shared-string",
            "100 × one string",
            "A list of 100 references to one string of a million letters: bytes written, and how many strings there are after reading."
        ) => OptIn = FeatureOptIn.ReferenceTracking;

    /// <inheritdoc/>
    protected override ReferenceData.Strings Create(string text, int references) =>
        new() { Items = [.. Enumerable.Repeat(text, references)] };

    /// <inheritdoc/>
    protected override IReadOnlyList<(object Target, string? Text)> Items(ReferenceData.Strings graph) =>
        [.. graph.Items.Select(text => ((object)text, (string?)text))];
}
