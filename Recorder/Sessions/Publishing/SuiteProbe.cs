using System.Text.RegularExpressions;
using EtwSerializerProfiler.Foundation;
using EtwSerializerProfiler.Traces.Recordings;

namespace EtwSerializerProfiler.Sessions.Publishing;

/// <summary>Starts the suite once before it is recorded: a runtime that lacks something says so here in one line, not in a recording without runs.</summary>
public static partial class SuiteProbe
{
    /// <summary>Listing the serializers tries each with one object: 1 to 5 s.</summary>
    private static readonly TimeSpan s_limit = TimeSpan.FromSeconds(90);

    /// <summary>What the suite's errors begin with.</summary>
    private const string ErrorPrefix = "error: ";

    /// <summary>Lists the serializers and looks for assemblies that were not found.</summary>
    /// <param name="plan">The build.</param>
    /// <param name="environment">Variables of the process.</param>
    /// <param name="cancellation">Ends it early.</param>
    /// <returns>What some serializers lack, a line each; empty when all is there.</returns>
    /// <exception cref="PublishException">The suite does not start.</exception>
    public static async Task<IReadOnlyList<string>> RunAsync(PublishPlan plan, IReadOnlyDictionary<string, string?> environment, CancellationToken cancellation)
    {
        ArgumentNullException.ThrowIfNull(plan);
        var suite = await CapturedProcess.RunAsync([.. plan.Launch, "-list"], plan.OutputFolder, environment, s_limit, cancellation).ConfigureAwait(false)
            ?? throw new PublishException("the suite cannot be started", plan.Launch[0], "make it executable, or delete the folder of the build to have it built anew");
        var missing = Missing(suite.Output + suite.Error);
        if (suite.ExitCode == 0)
            return missing;
        if (missing.Count > 0)
            throw new PublishException("the suite does not start", plan.OutputFolder, string.Join("; ", missing));
        var reason = (suite.Error + suite.Output).Split('\n', StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries).FirstOrDefault("it says nothing");
        throw new PublishException($"the suite does not start ({(suite.ExitCode is { } code ? $"exit code {code}" : $"no end within {s_limit.TotalSeconds:0} s")}): {reason}", plan.OutputFolder, $"see what it says: {string.Join(' ', plan.Launch)} -list");
    }

    /// <summary>Asks the suite which serializers it would leave out; nothing is measured.</summary>
    /// <param name="plan">The build.</param>
    /// <param name="suiteArguments">What it would have to do, and the option that asks.</param>
    /// <param name="environment">Variables of the process.</param>
    /// <param name="cancellation">Ends it early.</param>
    /// <returns>Those left out, none when the suite does not say: then the recording shows why.</returns>
    /// <exception cref="PublishException">The suite refuses what it is to do: nothing that was chosen can run.</exception>
    public static async Task<IReadOnlyList<LeftOutSerializer>> LeftOutAsync(
        PublishPlan plan, IReadOnlyList<string> suiteArguments, IReadOnlyDictionary<string, string?> environment, CancellationToken cancellation)
    {
        ArgumentNullException.ThrowIfNull(plan);
        ArgumentNullException.ThrowIfNull(suiteArguments);
        var suite = await CapturedProcess.RunAsync([.. plan.Launch, .. suiteArguments], Environment.CurrentDirectory, environment, s_limit, cancellation).ConfigureAwait(false);
        if (suite is { ExitCode: ExitCode.Usage } && suite.Error.Split('\n').LastOrDefault(line => line.StartsWith(ErrorPrefix, StringComparison.Ordinal)) is { } error)
            throw new PublishException(error[ErrorPrefix.Length..].Trim(), plan.Label, "'esp-record list' says what can run here, with --runtime on other runtimes");
        return suite is not { ExitCode: ExitCode.Done } ? [] :
            [.. suite.Output.Split('\n', StringSplitOptions.TrimEntries).Select(line => line.Split('\t', 2)).Where(parts => parts.Length == 2).Select(parts => new LeftOutSerializer(parts[0], parts[1]))];
    }

    /// <summary>Assemblies that a runtime did not find, and for Mono's own the Debian package.</summary>
    /// <param name="output">What the suite printed.</param>
    public static IReadOnlyList<string> Missing(string output) =>
    [
        .. NotFound().Matches(output).Select(match => match.Groups["name"].Value).Distinct()
            .Select(name => MonoPackages.PackageOf(name) is { } package ? $"{name} is missing: apt-get install {package}" : $"{name} is missing"),
    ];

    /// <summary>The same words in .NET Framework, .NET and Mono.</summary>
    [GeneratedRegex("Could not load file or assembly '(?<name>[^,']+)[,']", RegexOptions.CultureInvariant)]
    private static partial Regex NotFound();
}
