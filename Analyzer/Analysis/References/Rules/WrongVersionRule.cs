using EtwSerializerProfiler.Analysis.Findings;

namespace EtwSerializerProfiler.Analysis.References.Rules;

/// <summary>References for which another version would be found than the runtime accepts.</summary>
public sealed class WrongVersionRule : IReferenceRule
{
    private const string Advice = "deploy the version asked for, or a later one on .NET; on .NET Framework redirect the version (bindingRedirect): loading fails with FileLoadException or FileNotFoundException when the code is reached";

    /// <inheritdoc />
    public IEnumerable<Finding> Check(ReferenceSet set)
    {
        ArgumentNullException.ThrowIfNull(set);
        var items = set.References.Where(IsRefused).Select(reference => new ListedItem(
            $"{reference.Title}{(reference.RedirectedTo is { } redirected ? $", redirected to {redirected}" : "")} (found {reference.FoundVersion})", [])).ToList();
        if (items.Count > 0)
            yield return ListedFinding.Warning("reference-version", FindingConfidence.Likely, "versions that would be found are not accepted", items, Advice);
    }

    /// <summary>.NET takes the version asked for and later ones; .NET Framework exactly the one asked for, of assemblies with a strong name, and any of others.</summary>
    private static bool IsRefused(CheckedReference reference)
    {
        if (reference.FoundVersion is not { } found || !reference.IsFrameworkExact)
            return false;
        return reference.IsNetFramework ? reference.Entry.Identity.IsSigned && found != reference.Wanted : found < reference.Wanted;
    }
}
