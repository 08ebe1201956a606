namespace EtwSerializerProfiler.Sessions.Etw.Profiles;

/// <summary>A .wprp file: profiles with one name in each detail level and logging mode, as the documentation requires.</summary>
/// <param name="Name">Name of the profiles and stem of the file name: letters and digits.</param>
/// <param name="Description">What the profiles record at full detail.</param>
/// <param name="Variants">The profiles.</param>
public sealed record WprpProfile(string Name, string Description, IReadOnlyList<WprpVariant> Variants)
{
    /// <summary>Name of its file.</summary>
    public string FileName => Name + ".wprp";

    /// <summary>Id of a variant: <c>Name.Detail.LoggingMode</c>.</summary>
    public string IdOf(WprpVariant variant)
    {
        ArgumentNullException.ThrowIfNull(variant);
        return $"{Name}.{variant.Detail}.{variant.LoggingMode}";
    }

    /// <summary>Description of a variant, which WPR shows.</summary>
    public string DescriptionOf(WprpVariant variant)
    {
        ArgumentNullException.ThrowIfNull(variant);
        return variant.Detail == WprpDetail.Light
            ? $"{Description}; without stacks of context switches and inline trees, so waits have no location"
            : Description;
    }
}
