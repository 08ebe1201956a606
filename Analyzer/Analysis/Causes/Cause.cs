using EtwSerializerProfiler.Analysis.Stacktags;

namespace EtwSerializerProfiler.Analysis.Causes;

/// <summary>Something that CPU time below a serializer's entry is spent on.</summary>
/// <param name="Key">Name in CSV and JSON, without the unit.</param>
/// <param name="Group">Name of the causes that people see in one column.</param>
/// <param name="Name">Name in the group; empty when the group has no other.</param>
/// <param name="Priority">0; less for what only counts where nothing else does: helpers of the runtime, the kernel.</param>
/// <param name="Entrypoints">Frames in which it begins.</param>
public sealed record Cause(string Key, string Group, string Name, int Priority, IReadOnlyList<StacktagEntrypoint> Entrypoints)
{
    /// <summary>
    /// Whether its frames tell something only below a serializer's entry: every managed thread begins in the runtime's library, so that the tag would take all stacks that have no
    /// other one. It is then in no file of tags.
    /// </summary>
    public bool OnlyBelowEntry { get; init; }

    /// <summary>Whether its frames take the place of a stronger cause, too: code of a program that reflection calls is no reflection, also when it was emitted.</summary>
    public bool EndsOthers { get; init; }
}
