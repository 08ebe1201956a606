using EtwSerializerProfiler.Analysis.References;
using EtwSerializerProfiler.Traces.Assemblies;

namespace EtwSerializerProfiler.Reports.Columns;

/// <summary>Columns of the report on assemblies. docs/metrics.md defines each column; a test compares both.</summary>
public static class AssemblyColumns
{
    /// <summary>A file.</summary>
    public static IReadOnlyList<Column<AssemblyFileRow>> Files { get; } =
    [
        new("file", "File", row => row.Path),
        new("fileKind", "Kind", row => row.File.Kind.ToString()),
        new("assembly", null, row => row.File.Identity?.Name),
        new("version", "Version", row => row.File.Identity?.Version.ToString()) { Absent = Nothing },
        new("culture", "Culture", row => row.File.Identity?.Culture)
        {
            Absent = Nothing,
            ShownWith = row => row.File.Identity?.Culture.Length > 0,
        },
        new("publicKeyToken", "Key", row => row.File.Identity?.PublicKeyToken) { Absent = Nothing },
        new("targetFramework", "Built for", row => row.File.TargetFramework is { Length: > 0 } framework ? framework : null)
        {
            Absent = Nothing,
        },
        new("configuration", null, row => row.File.Configuration is { Length: > 0 } configuration ? configuration : null),
        new(
            "optimized",
            "Optimized",
            row => row.File.Kind == AssemblyKind.Managed && row.File.Code != AssemblyCode.None ? !row.File.DisablesOptimizations : null
        )
        {
            Absent = Nothing,
        },
        new("code", "Code", row => row.IsManaged ? row.File.Code.ToString() : null) { Absent = Nothing },
        new("architecture", "For", row => row.File.Architecture == AssemblyArchitecture.Unknown ? null : row.File.Architecture.ToString())
        {
            Absent = Nothing,
        },
        new("methods", "Methods", row => row.IsManaged ? row.File.Methods : null, "0") { Absent = Nothing },
        new("references", "References", row => row.IsManaged ? row.References : null, "0") { Absent = Nothing },
        new("notable", "Notable", row => row.IsManaged ? row.Notable : null, "0") { Absent = Nothing },
        new("moduleId", null, row => row.IsManaged ? row.File.ModuleId.ToString() : null),
        new("problem", null, row => row.File.Problem is { Length: > 0 } problem ? problem : null),
    ];

    /// <summary>A reference.</summary>
    public static IReadOnlyList<Column<CheckedReference>> References { get; } =
    [
        new("from", "From", row => row.From.Name),
        new("to", "To", row => row.Entry.Identity.Name),
        new("wantedVersion", "Wanted", row => row.Entry.Identity.Version.ToString()),
        new("redirectedTo", "Redirected", row => row.RedirectedTo?.ToString())
        {
            Absent = _ => "",
            ShownWith = row => row.RedirectedTo is not null,
        },
        new("foundVersion", "Found", row => row.FoundVersion?.ToString())
        {
            Absent = row => row.Status == ReferenceStatus.Missing ? "nowhere" : "not searched",
        },
        new(
            "status",
            "Where",
            row =>
                row.Status switch
                {
                    ReferenceStatus.Found => "beside it",
                    ReferenceStatus.Framework => "framework",
                    ReferenceStatus.OtherFramework => "another framework",
                    _ => "missing",
                }
        ),
        new("wantedKey", "Wanted key", row => row.Entry.Identity.PublicKeyToken),
        new("foundKey", "Found key", row => row.Target?.Identity?.PublicKeyToken) { Absent = Nothing },
        new("flags", "Flags", row => AssemblyReferenceFlags.Text(row.Entry.Flags)),
    ];

    private static string Nothing<T>(T row) => Column<T>.NotApplicable;
}
