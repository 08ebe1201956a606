using EtwSerializerProfiler.Analysis.Findings;

namespace EtwSerializerProfiler.Analysis.References.Rules;

/// <summary>References for which the file found has a version that the runtime does not accept.</summary>
public sealed class WrongVersionRule : IReferenceRule
{
    private const string Advice =
        "deploy the requested version, or a later one on .NET; on .NET Framework redirect the version (bindingRedirect): loading fails with FileLoadException or FileNotFoundException when the code is reached";

    /// <inheritdoc />
    public IEnumerable<Finding> Check(ReferenceSet set)
    {
        ArgumentNullException.ThrowIfNull(set);
        var items = set
            .References.Where(IsRefused)
            .Select(reference => new ListedItem(
                $"{reference.Title}{(reference.RedirectedTo is { } redirected ? $", redirected to {redirected}" : "")} (found {reference.FoundVersion})",
                []
            ))
            .ToList();
        if (items.Count > 0)
            yield return ListedFinding.Warning(
                "reference-version",
                FindingConfidence.Likely,
                "the version found does not satisfy the reference",
                items,
                Advice
            );
    }

    /// <summary>
    /// .NET accepts the requested and later versions; .NET Framework only the requested version of assemblies with a strong name, and any
    /// of others.
    /// </summary>
    private static bool IsRefused(CheckedReference reference)
    {
        if (reference.FoundVersion is not { } found || !reference.IsFrameworkExact)
            return false;
        return reference.IsNetFramework ? reference.Entry.Identity.IsSigned && found != reference.Wanted : found < reference.Wanted;
    }
}
