namespace EtwSerializerProfiler.Analysis.Findings.Rules;

/// <summary>Settings of the recorded runtime that no default program has and that change how its code is compiled: tiered compilation or precompiled code switched off.</summary>
public sealed class RuntimeSettingRule : IFindingRule
{
    private static readonly (string Knob, string Code, string Effect)[] s_settings =
    [
        ("TieredCompilation", "tiering-off", "every method is compiled once, fully and without a profile: first calls are longer, and hot code is not what a default program runs"),
        ("ReadyToRun", "ready-to-run-off", "no precompiled code is used, the class library's neither: all is compiled by the JIT, so first calls are longer"),
    ];

    /// <inheritdoc />
    public IEnumerable<Finding> Check(FindingInput input)
    {
        ArgumentNullException.ThrowIfNull(input);
        foreach (var recording in input.Recordings)
        {
            var prefix = recording.Label.Length > 0 ? recording.Label + ": " : "";
            foreach (var (name, code, effect) in s_settings)
            {
                if (recording.Description.Workload?.Knobs.FirstOrDefault(knob => knob.Name == name) is not { } knob || !IsOff(knob.Value))
                    continue;
                var advice = $"leave {name} at its default ({knob.Source} sets it) unless it is what you compare";
                yield return new Finding(FindingKind.Warning, code, $"{prefix}{name} is off: {effect}; {advice}") { Advice = advice };
            }
        }
    }

    private static bool IsOff(string value) => value.Equals("false", StringComparison.OrdinalIgnoreCase) || value == "0";
}
