using EtwSerializerProfiler.Analysis.Findings;

namespace EtwSerializerProfiler.Analysis.References.Rules;

/// <summary>
/// References by a strong name to files with another key or none, and assemblies with a strong name that reference some without.
/// </summary>
public sealed class WrongKeyRule : IReferenceRule
{
    private const string Advice =
        "deploy the assembly that it was built against: .NET Framework refuses others (FileLoadException); .NET does not verify keys of files beside the program";

    /// <inheritdoc />
    public IEnumerable<Finding> Check(ReferenceSet set)
    {
        ArgumentNullException.ThrowIfNull(set);
        var items = set
            .References.Where(reference =>
                reference.Target?.Identity is not null
                && reference.Target.Identity.PublicKeyToken != reference.Entry.Identity.PublicKeyToken
                && reference.Entry.Identity.IsSigned
            )
            .Select(reference => new ListedItem(
                $"{reference.Title} (wants {reference.Entry.Identity.PublicKeyToken}, found {(reference.Target!.Identity!.IsSigned ? reference.Target.Identity.PublicKeyToken : "none")})",
                []
            ))
            .Concat(
                set.References.Where(reference =>
                        reference is { IsNetFramework: true, From.Identity.IsSigned: true, Entry.Identity.IsSigned: false }
                    )
                    .Select(reference => new ListedItem($"{reference.Title} (signed, references an unsigned one)", []))
            )
            .ToList();
        if (items.Count > 0)
            yield return ListedFinding.Warning("reference-key", FindingConfidence.Likely, "strong names do not match", items, Advice);
    }
}
