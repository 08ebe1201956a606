namespace EtwSerializerProfiler.Analysis.Findings.Rules;

/// <summary>
/// Settings of the recorded runtime that differ from the defaults and affect how code is compiled: tiered compilation or precompiled code
/// switched off.
/// </summary>
public sealed class RuntimeSettingRule : IFindingRule
{
    private static readonly (string Knob, string Code, string Effect)[] s_settings =
    [
        (
            "TieredCompilation",
            "tiering-off",
            "every method is compiled once, fully and without a profile, so first calls are longer and hot code differs from a default program's"
        ),
        (
            "ReadyToRun",
            "ready-to-run-off",
            "no precompiled code is used, not even the class library's: the JIT compiles everything, so first calls are longer"
        ),
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
                var advice = $"leave {name} at its default ({knob.Source} sets it) unless you compare this setting";
                yield return new Finding(FindingKind.Warning, code, $"{prefix}{name} is off: {effect}; {advice}") { Advice = advice };
            }
        }
    }

    private static bool IsOff(string value) => value.Equals("false", StringComparison.OrdinalIgnoreCase) || value == "0";
}
