namespace EtwSerializerProfiler.Traces.Recordings;

/// <summary>The build of the serializer suite that was recorded, and what decided how its runtime compiled and collected.</summary>
/// <param name="TargetFramework">Framework it was built for, for example net10.0 or net472.</param>
/// <param name="Runtime">What ran it: <c>.NET 10</c>, <c>.NET Framework</c>, <c>Mono 6.8.0.105</c>. The exact version of a .NET runtime stands with the recorded process.</param>
/// <param name="SelfContained">Whether it brought its runtime with it.</param>
/// <param name="ReadyToRun">Whether the suite itself was precompiled (ReadyToRun), as seen in its file.</param>
/// <param name="JitOnlyAssemblies">Assemblies in its folder that carry code, none of it precompiled: the JIT compiles all of it.</param>
/// <param name="Knobs">Settings of the runtime, those that were left at their defaults included.</param>
public sealed record RecordedWorkload(
    string TargetFramework,
    string Runtime,
    bool SelfContained,
    bool ReadyToRun,
    IReadOnlyList<string> JitOnlyAssemblies,
    IReadOnlyList<RuntimeKnob> Knobs);
