using System.Text.RegularExpressions;
using EtwSerializerProfiler.Foundation;
using EtwSerializerProfiler.Traces.Recordings;

namespace EtwSerializerProfiler.Sessions.Publishing;

/// <summary>
/// Starts the suite once before it is recorded, so that a runtime with missing parts causes a one-line error instead of a recording without
/// runs.
/// </summary>
public static partial class SuiteProbe
{
    /// <summary>Time limit for listing the serializers, which tries each with one object: 1 to 5 s.</summary>
    private static readonly TimeSpan s_limit = TimeSpan.FromSeconds(90);

    /// <summary>Prefix of the suite's errors.</summary>
    private const string ErrorPrefix = "error: ";

    /// <summary>Lists the serializers and finds missing assemblies.</summary>
    /// <param name="plan">The build.</param>
    /// <param name="environment">Variables of the process.</param>
    /// <param name="cancellation">Kills the suite.</param>
    /// <returns>What some serializers lack, in lines; empty when nothing is missing.</returns>
    /// <exception cref="PublishException">The suite does not start.</exception>
    public static async Task<IReadOnlyList<string>> RunAsync(
        PublishPlan plan,
        IReadOnlyDictionary<string, string?> environment,
        CancellationToken cancellation
    )
    {
        ArgumentNullException.ThrowIfNull(plan);
        var suite =
            await CapturedProcess
                .RunAsync([.. plan.Launch, "-list"], plan.OutputFolder, environment, s_limit, cancellation)
                .ConfigureAwait(false)
            ?? throw new PublishException(
                "the suite cannot be started",
                plan.Launch[0],
                "make it executable, or delete the build's folder, so that it is built again"
            );
        var missing = Missing(suite.Output + suite.Error);
        if (suite.ExitCode == 0)
            return missing;
        if (missing.Count > 0)
            throw new PublishException("the suite does not start", plan.OutputFolder, string.Join("; ", missing));
        var reason = (suite.Error + suite.Output)
            .Split('\n', StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries)
            .FirstOrDefault("no output");
        throw new PublishException(
            $"the suite does not start ({(suite.ExitCode is { } code ? $"exit code {code}" : $"it did not end within {s_limit.TotalSeconds:0} s")}): {reason}",
            plan.OutputFolder,
            $"see its output: {string.Join(' ', plan.Launch)} -list"
        );
    }

    /// <summary>Asks the suite which serializers it would leave out. Measures nothing.</summary>
    /// <param name="plan">The build.</param>
    /// <param name="suiteArguments">The suite's options, including the one that asks.</param>
    /// <param name="environment">Variables of the process.</param>
    /// <param name="cancellation">Kills the suite.</param>
    /// <returns>The serializers left out; empty when the suite does not answer, because the recording then shows the reason.</returns>
    /// <exception cref="PublishException">The suite refuses the options: none of the chosen serializers can run.</exception>
    public static async Task<IReadOnlyList<LeftOutSerializer>> LeftOutAsync(
        PublishPlan plan,
        IReadOnlyList<string> suiteArguments,
        IReadOnlyDictionary<string, string?> environment,
        CancellationToken cancellation
    )
    {
        ArgumentNullException.ThrowIfNull(plan);
        ArgumentNullException.ThrowIfNull(suiteArguments);
        var suite = await CapturedProcess
            .RunAsync([.. plan.Launch, .. suiteArguments], Environment.CurrentDirectory, environment, s_limit, cancellation)
            .ConfigureAwait(false);
        if (
            suite is { ExitCode: ExitCode.Usage }
            && suite.Error.Split('\n').LastOrDefault(line => line.StartsWith(ErrorPrefix, StringComparison.Ordinal)) is { } error
        )
            throw new PublishException(
                error[ErrorPrefix.Length..].Trim(),
                plan.Label,
                "'esp-record list' shows what can run here; add --runtime for other runtimes"
            );
        return suite is not { ExitCode: ExitCode.Done }
            ? []
            :
            [
                .. suite
                    .Output.Split('\n', StringSplitOptions.TrimEntries)
                    .Select(line => line.Split('\t', 2))
                    .Where(parts => parts.Length == 2)
                    .Select(parts => new LeftOutSerializer(parts[0], parts[1])),
            ];
    }

    /// <summary>Assemblies that a runtime did not find; for Mono's own, with the Debian package.</summary>
    /// <param name="output">Output of the suite.</param>
    public static IReadOnlyList<string> Missing(string output) =>
        [
            .. NotFound()
                .Matches(output)
                .Select(match => match.Groups["name"].Value)
                .Distinct()
                .Select(name =>
                    MonoPackages.PackageOf(name) is { } package ? $"{name} is missing: apt-get install {package}" : $"{name} is missing"
                ),
        ];

    /// <summary>The message is the same in .NET Framework, .NET and Mono.</summary>
    [GeneratedRegex("Could not load file or assembly '(?<name>[^,']+)[,']", RegexOptions.CultureInvariant)]
    private static partial Regex NotFound();
}
