using System.Text;
using EtwSerializerProfiler.Workload.Features.Data;

namespace EtwSerializerProfiler.Workload.Features.Trials;

/// <summary>Writes one version of a class and reads another one: yes when the common members are preserved.</summary>
/// <param name="key">See <see cref="Feature.Key"/>.</param>
/// <param name="title">See <see cref="Feature.Title"/>.</param>
/// <param name="how">See <see cref="Feature.How"/>.</param>
/// <param name="create">Creates the object to write.</param>
/// <param name="difference">Returns what the read object lacks; null for nothing.</param>
/// <typeparam name="TOld">Version for writing.</typeparam>
/// <typeparam name="TNew">Version for reading.</typeparam>
public sealed class VersionFeature<TOld, TNew>(string key, string title, string how, Func<TOld> create, Func<TNew, string?> difference)
    : Feature(key, VersionFeatures.Group, title, how)
    where TOld : class
    where TNew : class
{
    /// <inheritdoc/>
    public override FeatureCell Try(FeatureTrial trial)
    {
        ArgumentNullException.ThrowIfNull(trial);
        var writer = trial.Construct<TOld>();
        var reader = trial.Construct<TNew>();
        using var written = FeatureTrial.Write(writer, create());
        var bytes = written.Bytes();

        // In a program both versions have the same name, so a format that contains the old name must get the new one.
        Rename(bytes, NameOfOuterClass(typeof(TOld)), NameOfOuterClass(typeof(TNew)));
        using var stream = new MemoryStream(bytes);
        return difference(FeatureTrial.Read<TNew>(reader, stream)) is { } lost ? FeatureCell.Failed(lost) : FeatureCell.Worked();
    }

    private static string NameOfOuterClass(Type type) => $"{nameof(VersionData)}+{type.DeclaringType!.Name}+";

    /// <summary>Replaces a name by another one of the same length.</summary>
    private static void Rename(byte[] bytes, string oldName, string newName)
    {
        var (from, to) = (Encoding.ASCII.GetBytes(oldName), Encoding.ASCII.GetBytes(newName));
        for (var start = 0; start + from.Length <= bytes.Length; start++)
        {
            if (bytes.AsSpan(start, from.Length).SequenceEqual(from))
                to.CopyTo(bytes, start);
        }
    }
}
