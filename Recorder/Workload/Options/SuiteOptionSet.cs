using System.CommandLine;
using System.CommandLine.Parsing;
using System.Globalization;
using EtwSerializerProfiler.Naming;
using EtwSerializerProfiler.Parsing;

namespace EtwSerializerProfiler.Options;

/// <summary>
/// The command-line options of the serializer suite, their validation, and their conversion to <see cref="SuiteOptions"/>.
/// Workload and recorder both use them, so both accept the same values.
/// </summary>
/// <remarks>Parse with <see cref="OptionNames.Parsing"/>.</remarks>
public sealed class SuiteOptionSet
{
    /// <summary>Canonical name of <see cref="Serializer"/>.</summary>
    public const string SerializerName = "-serializer";

    /// <summary>Canonical name of <see cref="Test"/>.</summary>
    public const string TestName = "-test";

    /// <summary>Canonical name of <see cref="ObjectCount"/>.</summary>
    public const string ObjectCountName = "-n";

    /// <summary>Canonical name of <see cref="Runs"/>.</summary>
    public const string RunsName = "-runs";

    /// <summary>Canonical name of <see cref="Payload"/>.</summary>
    public const string PayloadName = "-payload";

    /// <summary>Canonical name of <see cref="Threads"/>.</summary>
    public const string ThreadsName = "-threads";

    /// <summary>Canonical name of <see cref="Stream"/>.</summary>
    public const string StreamName = "-stream";

    /// <summary>Canonical name of <see cref="Verify"/>.</summary>
    public const string VerifyName = "-verify";

    /// <summary>Canonical name of <see cref="Launches"/>.</summary>
    public const string LaunchesName = "-launches";

    /// <summary>Canonical name of <see cref="Isolate"/>.</summary>
    public const string IsolateName = "-isolate";

    /// <summary>Canonical name of <see cref="Steady"/>.</summary>
    public const string SteadyName = "-steady";

    /// <summary>Canonical name of <see cref="Scenario"/>.</summary>
    public const string ScenarioName = "-scenario";

    /// <summary>Canonical name of <see cref="Seconds"/>.</summary>
    public const string SecondsName = "-seconds";

    /// <summary>Canonical name of <see cref="Survivors"/>.</summary>
    public const string SurvivorsName = "-survivors";

    /// <summary>Canonical name of <see cref="Seed"/>.</summary>
    public const string SeedName = "-seed";

    /// <summary>Canonical name of <see cref="Keep"/>.</summary>
    public const string KeepName = "-keep";

    /// <summary>Canonical name of <see cref="Data"/>.</summary>
    public const string DataName = "-data";

    /// <summary>Canonical name of <see cref="Plugin"/>.</summary>
    public const string PluginName = "-plugin";

    /// <summary>Canonical name of <see cref="ReferenceTracking"/>.</summary>
    public const string ReferenceTrackingName = "-reftracking";

    /// <summary>The serializers that take part.</summary>
    public Option<IReadOnlyList<NamePattern>> Serializer { get; } =
        ListOption<NamePattern>(
            SerializerName,
            "names",
            $"Serializers to measure, separated by commas: {NamePattern.Rule}. Default: all.",
            "parts of names, or #name for a whole name, separated by commas",
            NamePattern.TryParse
        );

    /// <summary>What is measured.</summary>
    public Option<IReadOnlyList<SuiteTest>> Test { get; } =
        ListOption(
            TestName,
            "tests",
            $"Tests, separated by commas: {Choices<SuiteTest>()}. Default: {string.Join(',', SuiteOptions.DefaultTests).ToLowerInvariant()}.",
            NamedValues.Find<SuiteTest>,
            (result, entry) => AddAdvice(result, TestName, entry, NameChoice.Advice(entry, NamedValues.Names<SuiteTest>()))
        );

    /// <summary>Objects in the graph.</summary>
    public Option<IReadOnlyList<int>> ObjectCount { get; } =
        ListOption<int>(
            ObjectCountName,
            "counts",
            $"Object counts, separated by commas, {Range(1, SuiteOptions.MaxObjectCount)}. Default: {string.Join(',', SuiteOptions.DefaultObjectCounts)}; for firstcall {string.Join(',', SuiteOptions.DefaultFirstCallObjectCounts)}.",
            $"integers {Range(1, SuiteOptions.MaxObjectCount)}, separated by commas",
            (string text, out int value) => TryParseNumber(text, 1, SuiteOptions.MaxObjectCount, out value)
        );

    /// <summary>Measured runs.</summary>
    public Option<int> Runs { get; } =
        NumberOption(
            RunsName,
            "K",
            "Measured runs of each serializer, operation and object count, after one warm-up.",
            1,
            SuiteOptions.MaxRuns,
            SuiteOptions.DefaultRuns
        );

    /// <summary>Extra bytes in each object.</summary>
    public Option<int> Payload { get; } =
        NumberOption(PayloadName, "B", "Bytes of payload in each object.", 0, SuiteOptions.MaxPayloadBytes, 0);

    /// <summary>Threads at the same time.</summary>
    public Option<IReadOnlyList<int>> Threads { get; } =
        ListOption<int>(
            ThreadsName,
            "counts",
            $"Thread counts, separated by commas, {Range(1, SuiteOptions.MaxThreads)}: all threads run the operation once at the same time with one serializer. Default: 1.",
            $"integers {Range(1, SuiteOptions.MaxThreads)}, separated by commas",
            (string text, out int value) => TryParseNumber(text, 1, SuiteOptions.MaxThreads, out value)
        );

    /// <summary>Target of serialized data.</summary>
    public Option<StreamKind> Stream { get; } =
        new Option<StreamKind>(StreamName, "-" + StreamName)
        {
            Description = $"Target and source of serialized data: {Choices<StreamKind>()}.",
            HelpName = "kind",
            Arity = ArgumentArity.ExactlyOne,
            DefaultValueFactory = _ => StreamKind.Memory,
        }.ByName();

    /// <summary>Whether to compare round trips.</summary>
    public Option<bool> Verify { get; } =
        new(VerifyName, "-" + VerifyName)
        {
            Description = "Compare every serializer's round trip with the original, outside the measured time.",
            Arity = ArgumentArity.ZeroOrOne, // -verify false overrides a configuration file
        };

    /// <summary>Whether runs wait for a steady machine.</summary>
    public Option<bool> Steady { get; } =
        new(SteadyName, "-" + SteadyName)
        {
            Description =
                "Before each measured run, wait until the machine runs at full speed, and repeat runs during which it did not, up to three times the number of -runs. Not for firstcall.",
            Arity = ArgumentArity.ZeroOrOne,
        };

    /// <summary>Whether each serializer has its own processes.</summary>
    public Option<OnOff> Isolate { get; } =
        new Option<OnOff>(IsolateName, "-" + IsolateName)
        {
            Description =
                "Measure each serializer in its own processes, in turn with the others, so that code, tiers and heap of one do not change the time of another (default: on with esp-record, off with esp-workload).",
            HelpName = Choices<OnOff>(),
            Arity = ArgumentArity.ExactlyOne,
        }.ByName();

    /// <summary>Number of launches of the benchmark.</summary>
    public Option<int> Launches { get; } =
        NumberOption(
            LaunchesName,
            "count",
            $"Number of launches: repeat the benchmark in new processes, each with all of -runs, because differences between processes are part of a comparison's noise. Default: one launch; with -isolate, {SuiteOptions.DefaultLaunches} processes share the runs of a row.",
            1,
            SuiteOptions.MaxLaunches,
            1
        );

    /// <summary>The scenario to run instead of the suite's tests.</summary>
    public Option<string?> Scenario { get; } =
        new(ScenarioName, "-" + ScenarioName)
        {
            Description = $"Run one scenario instead of the tests: {ScenarioNames()}; {ScenarioCatalog.List} describes them.",
            HelpName = "name",
            Arity = ArgumentArity.ExactlyOne,
            CustomParser = result =>
            {
                var text = result.Tokens[0].Value;
                if (
                    NameChoice.TryFind(
                        text,
                        [.. ScenarioCatalog.All.Select(entry => entry.Name), ScenarioCatalog.List],
                        out var name,
                        out var advice
                    )
                )
                    return name;
                AddAdvice(result, ScenarioName, text, advice);
                return null;
            },
        };

    /// <summary>Time of each row of a timed scenario, or of all rows of a scenario with a limit.</summary>
    public Option<int> Seconds { get; } =
        NumberOption(
            SecondsName,
            "S",
            $"Seconds for each row of {ScenarioName} contention (default: 2), or for all cases of {ScenarioName} large (default: 115).",
            1,
            SuiteOptions.MaxSeconds,
            1
        );

    /// <summary>Objects that are alive while a scenario reads.</summary>
    public Option<IReadOnlyList<int>> Survivors { get; } =
        ListOption<int>(
            SurvivorsName,
            "MB",
            $"Megabytes of small objects that are alive during {ScenarioName} gc-heavy, separated by commas, {Range(0, SuiteOptions.MaxSurvivorMegabytes)}. Default: {string.Join(',', SuiteOptions.DefaultSurvivorMegabytes)}.",
            $"integers {Range(0, SuiteOptions.MaxSurvivorMegabytes)}, separated by commas",
            (string text, out int value) => TryParseNumber(text, 0, SuiteOptions.MaxSurvivorMegabytes, out value)
        );

    /// <summary>The user's own data.</summary>
    public Option<string> Data { get; } =
        new(DataName, "-" + DataName)
        {
            Description =
                "Your own data: an assembly with a class that derives from GraphModel<T> (docs/own-data.md). Serializers in it take part, too.",
            HelpName = "ASSEMBLY[!TYPE]",
            Arity = ArgumentArity.ExactlyOne,
        };

    /// <summary>The user's own serializers.</summary>
    public Option<string[]> Plugin { get; } =
        new(PluginName, "-" + PluginName)
        {
            Description = "Your own serializers: an assembly with classes that derive from Serializer (docs/own-data.md). Repeatable.",
            HelpName = "ASSEMBLY",
            Arity = ArgumentArity.OneOrMore,
            AllowMultipleArgumentsPerToken = false,
        };

    /// <summary>Whether to track references.</summary>
    public Option<bool> ReferenceTracking { get; } =
        new(ReferenceTrackingName, "-" + ReferenceTrackingName)
        {
            Description =
                "Track references with every serializer that has such an option; a warning lists the others, which run unchanged.",
            Arity = ArgumentArity.ZeroOrOne,
        };

    /// <summary>Order of the serializers.</summary>
    public Option<int> Seed { get; } =
        ScalarOption<int>(
            SeedName,
            "N|none",
            "Seed for the order of the serializers, to repeat a run; none or 0: the order of the list. Default: a new seed, which is printed.",
            $"an integer {Range(0, int.MaxValue)}, or none",
            TryParseSeed,
            0
        );

    /// <summary>Folder for serialized data.</summary>
    public Option<string> Keep { get; } =
        new(KeepName, "-" + KeepName)
        {
            Description = "After the runs, write each serializer's output to a file in this folder; existing files are replaced.",
            HelpName = "DIR",
            Arity = ArgumentArity.ExactlyOne,
        };

    /// <summary>Every option of the set in the order of help.</summary>
    public IReadOnlyList<Option> All =>
        [
            Serializer,
            Test,
            ObjectCount,
            Runs,
            Threads,
            Payload,
            Stream,
            Data,
            Plugin,
            ReferenceTracking,
            Seed,
            Keep,
            Verify,
            Steady,
            Isolate,
            Launches,
            Scenario,
            Seconds,
            Survivors,
        ];

    private delegate bool ValueParser<T>(string text, out T value);

    /// <summary>Adds the options to <paramref name="command"/>, with the checks that involve several of them.</summary>
    public void AddTo(Command command)
    {
        ArgumentNullException.ThrowIfNull(command);
        foreach (var option in All)
            command.Options.Add(option);
        command.Validators.Add(CheckGraphSize);
        command.Validators.Add(CheckScenario);
    }

    /// <summary>Whether <paramref name="result"/> has any option of the set.</summary>
    public bool IsAnyGiven(CommandResult result)
    {
        ArgumentNullException.ThrowIfNull(result);
        return All.Any(option => result.GetResult(option) is { Implicit: false });
    }

    /// <summary>Reads the options of a valid command line.</summary>
    public SuiteOptions Read(ParseResult result)
    {
        ArgumentNullException.ThrowIfNull(result);
        return new SuiteOptions
        {
            Serializers = result.GetValue(Serializer) ?? [],
            Tests = result.GetValue(Test) is { Count: > 0 } tests ? tests : SuiteOptions.DefaultTests,
            ObjectCounts = result.GetValue(ObjectCount) ?? [],
            Runs = result.GetValue(Runs),
            Threads = result.GetValue(Threads) is { Count: > 0 } threads ? threads : SuiteOptions.DefaultThreads,
            PayloadBytes = result.GetValue(Payload),
            Stream = result.GetValue(Stream),
            Data = result.GetValue(Data) ?? "",
            Plugins = result.GetValue(Plugin) ?? [],
            ReferenceTracking = result.GetValue(ReferenceTracking),
            Seed = result.GetResult(Seed) is { Implicit: false } ? result.GetValue(Seed) : null,
            Keep = result.GetValue(Keep) ?? "",
            Verify = result.GetValue(Verify),
            Steady = result.GetValue(Steady),
            Isolate = result.GetResult(Isolate) is { Implicit: false } ? result.GetValue(Isolate) == OnOff.On : null,
            Launches = result.GetResult(Launches) is { Implicit: false } ? result.GetValue(Launches) : null,
            Scenario = result.GetValue(Scenario) ?? "",
            Seconds = result.GetResult(Seconds) is { Implicit: false } ? result.GetValue(Seconds) : null,
            SurvivorMegabytes = result.GetValue(Survivors) is { Count: > 0 } survivors ? survivors : SuiteOptions.DefaultSurvivorMegabytes,
        };
    }

    private void CheckGraphSize(CommandResult result)
    {
        int maxCount,
            payload;
        try
        {
            var tests = result.GetValue(Test) is { Count: > 0 } given ? given : SuiteOptions.DefaultTests;
            var options = new SuiteOptions { ObjectCounts = result.GetValue(ObjectCount) ?? [] };
            maxCount = tests.SelectMany(options.ObjectCountsOf).Max();
            payload = result.GetValue(Payload);
        }
        catch (InvalidOperationException)
        {
            return; // one of the three is invalid, which is reported separately
        }

        if ((long)maxCount * payload > SuiteOptions.MaxGraphPayloadBytes)
        {
            var what = string.Create(
                CultureInfo.InvariantCulture,
                $"{ObjectCountName} × {PayloadName}: {maxCount} objects of {Plural.Of(payload, "byte")} are too large"
            );
            var legal = string.Create(CultureInfo.InvariantCulture, $"a product of at most {SuiteOptions.MaxGraphPayloadBytes:N0} bytes");
            OptionErrors.AddError(result, $"{what}; legal: {legal}", new OptionAdvice(what, $"choose {legal}"));
        }
    }

    /// <summary>
    /// Rejects options that the scenario does not use, and options of scenarios without one, so that none is silently ignored.
    /// </summary>
    private void CheckScenario(CommandResult result)
    {
        string? name;
        try
        {
            name = result.GetValue(Scenario);
        }
        catch (InvalidOperationException)
        {
            return; // it is invalid, which is reported separately
        }

        foreach (var option in All.Where(option => option != Scenario && result.GetResult(option) is { Implicit: false }))
        {
            if (name is null && option.Name is SecondsName or SurvivorsName)
                AddScenarioError(
                    result,
                    option,
                    $"it applies only to {ScenarioName} {string.Join(", ", ScenarioCatalog.All.Where(entry => entry.Options.Contains(option.Name)).Select(entry => entry.Name))}",
                    "leave it out, or name one of these scenarios"
                );
            else if (name is not null && ScenarioCatalog.Find(name)?.Options.Contains(option.Name) != true)
                AddScenarioError(
                    result,
                    option,
                    $"it does not apply to {ScenarioName} {name}, which has {OptionsOf(name)}",
                    "leave it out"
                );
        }
    }

    private static void AddScenarioError(CommandResult result, Option option, string what, string fix) =>
        OptionErrors.AddError(result, $"{option.Name}: {what}", new OptionAdvice($"{option.Name}: {what}", fix));

    private static string OptionsOf(string scenario) =>
        ScenarioCatalog.Find(scenario) is { Options: { Count: > 0 } options } ? string.Join(", ", options) : "no other options";

    private static string ScenarioNames() => string.Join("|", ScenarioCatalog.All.Select(entry => entry.Name));

    private static Option<IReadOnlyList<T>> ListOption<T>(
        string name,
        string helpName,
        string description,
        string legal,
        ValueParser<T> parse
    ) =>
        ListOption<T>(
            name,
            helpName,
            description,
            text => parse(text, out var value) ? [value] : [],
            (result, entry) => AddError(result, name, entry, legal)
        );

    /// <summary>A list option; one entry may select several values.</summary>
    private static Option<IReadOnlyList<T>> ListOption<T>(
        string name,
        string helpName,
        string description,
        Func<string, IReadOnlyList<T>> find,
        Action<ArgumentResult, string> refuse
    ) =>
        new(name, "-" + name)
        {
            Description = description,
            HelpName = helpName,
            Arity = ArgumentArity.OneOrMore, // the option may be repeated, each time with a list
            CustomParser = result =>
            {
                var values = new List<T>();
                foreach (var entry in result.Tokens.SelectMany(token => token.Value.Split(',', StringSplitOptions.TrimEntries)))
                {
                    var found = find(entry);
                    if (found.Count == 0)
                    {
                        refuse(result, entry);
                        return [];
                    }

                    values.AddRange(found.Where(value => !values.Contains(value)));
                }

                return values;
            },
        };

    private static Option<T> ScalarOption<T>(
        string name,
        string helpName,
        string description,
        string legal,
        ValueParser<T> parse,
        T defaultValue
    )
        where T : struct =>
        new(name, "-" + name)
        {
            Description = description,
            HelpName = helpName,
            Arity = ArgumentArity.ExactlyOne,
            DefaultValueFactory = _ => defaultValue,
            CustomParser = result =>
            {
                var text = result.Tokens[0].Value;
                if (parse(text, out var value))
                    return value;
                AddError(result, name, text, legal);
                return defaultValue;
            },
        };

    private static Option<int> NumberOption(string name, string helpName, string description, int min, int max, int defaultValue) =>
        ScalarOption(
            name,
            helpName,
            description,
            $"an integer {Range(min, max)}",
            (string text, out int value) => TryParseNumber(text, min, max, out value),
            defaultValue
        );

    private static void AddError(ArgumentResult result, string name, string value, string legal) =>
        OptionErrors.AddError(
            result,
            $"{name}: '{value}' is not valid; valid: {legal}",
            new OptionAdvice($"'{value}' is not valid for {name}", $"write {name} with {legal}")
        );

    private static void AddAdvice(ArgumentResult result, string name, string value, string advice) =>
        OptionErrors.AddError(
            result,
            $"{name}: '{value}' is not valid; {advice}",
            new OptionAdvice($"'{value}' is not valid for {name}", advice)
        );

    private static bool TryParseNumber(string text, int min, int max, out int value) =>
        int.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out value) && value >= min && value <= max;

    private static bool TryParseSeed(string text, out int value)
    {
        value = SuiteOptions.NoSeed;
        return text.Equals("none", StringComparison.OrdinalIgnoreCase)
            || TryParseNumber(text, SuiteOptions.NoSeed, int.MaxValue, out value);
    }

    private static string Choices<T>()
        where T : struct, Enum => string.Join('|', NamedValues.Names<T>());

    private static string Range(int min, int max) => string.Create(CultureInfo.InvariantCulture, $"from {min:N0} to {max:N0}");
}
