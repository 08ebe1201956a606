using System.CommandLine;
using System.CommandLine.Parsing;
using System.Globalization;
using EtwSerializerProfiler.Naming;
using EtwSerializerProfiler.Parsing;

namespace EtwSerializerProfiler.Options;

/// <summary>
/// The command-line options of the serializer suite, their checks, and the way from a parsed command line to <see cref="SuiteOptions"/>.
/// The workload and the recorder both use it, so a value that one accepts is legal for the other.
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

    /// <summary>Which serializers take part.</summary>
    public Option<IReadOnlyList<NamePattern>> Serializer { get; } = ListOption<NamePattern>(
        SerializerName,
        "names",
        $"Serializers to measure, separated by commas: {NamePattern.Rule}. All when not given.",
        "parts of names, or #name for a whole name, separated by commas",
        NamePattern.TryParse);

    /// <summary>What is measured.</summary>
    public Option<IReadOnlyList<SuiteTest>> Test { get; } = ListOption(
        TestName,
        "tests",
        $"What to measure, separated by commas: {Choices<SuiteTest>()}. Default: {string.Join(',', SuiteOptions.DefaultTests).ToLowerInvariant()}.",
        NamedValues.Find<SuiteTest>,
        (result, entry) => AddAdvice(result, TestName, entry, NameChoice.Advice(entry, NamedValues.Names<SuiteTest>())));

    /// <summary>Objects in the graph.</summary>
    public Option<IReadOnlyList<int>> ObjectCount { get; } = ListOption<int>(
        ObjectCountName,
        "counts",
        $"Object counts, separated by commas, {Range(1, SuiteOptions.MaxObjectCount)}. Default: {string.Join(',', SuiteOptions.DefaultObjectCounts)}; for firstcall {string.Join(',', SuiteOptions.DefaultFirstCallObjectCounts)}.",
        $"integers {Range(1, SuiteOptions.MaxObjectCount)}, separated by commas",
        (string text, out int value) => TryParseNumber(text, 1, SuiteOptions.MaxObjectCount, out value));

    /// <summary>Measured runs.</summary>
    public Option<int> Runs { get; } = NumberOption(
        RunsName, "K", "Measured runs of each serializer, operation and object count, after one warm-up.", 1, SuiteOptions.MaxRuns, SuiteOptions.DefaultRuns);

    /// <summary>Extra bytes in each object.</summary>
    public Option<int> Payload { get; } = NumberOption(PayloadName, "B", "Bytes of payload in each object.", 0, SuiteOptions.MaxPayloadBytes, 0);

    /// <summary>Threads at the same time.</summary>
    public Option<IReadOnlyList<int>> Threads { get; } = ListOption<int>(
        ThreadsName,
        "counts",
        $"Counts of threads, separated by commas, {Range(1, SuiteOptions.MaxThreads)}: each does the operation once, all at the same time, with one serializer. Default: 1.",
        $"integers {Range(1, SuiteOptions.MaxThreads)}, separated by commas",
        (string text, out int value) => TryParseNumber(text, 1, SuiteOptions.MaxThreads, out value));

    /// <summary>Where serialized data goes.</summary>
    public Option<StreamKind> Stream { get; } = new Option<StreamKind>(StreamName, "-" + StreamName)
    {
        Description = $"Where serialized data goes and comes from: {Choices<StreamKind>()}.",
        HelpName = "kind",
        Arity = ArgumentArity.ExactlyOne,
        DefaultValueFactory = _ => StreamKind.Memory,
    }.ByName();

    /// <summary>Whether round trips are compared.</summary>
    public Option<bool> Verify { get; } = new(VerifyName, "-" + VerifyName)
    {
        Description = "Compare every serializer's round trip with the original, outside the clock.",
        Arity = ArgumentArity.ZeroOrOne, // -verify false takes back what a configuration file says
    };

    /// <summary>Whether runs wait for a steady machine.</summary>
    public Option<bool> Steady { get; } = new(SteadyName, "-" + SteadyName)
    {
        Description = "Before each measured run wait until the machine is at its full speed, and make runs again around which it was not, up to three times the runs asked for; not with firstcall.",
        Arity = ArgumentArity.ZeroOrOne,
    };

    /// <summary>Whether each serializer has processes of its own.</summary>
    public Option<OnOff> Isolate { get; } = new Option<OnOff>(IsolateName, "-" + IsolateName)
    {
        Description = "Measure each serializer in processes of its own, in turn with the others, so that code, tiers and heap of one do not change another's time (on with esp-record and off with esp-workload when not given).",
        HelpName = Choices<OnOff>(),
        Arity = ArgumentArity.ExactlyOne,
    }.ByName();

    /// <summary>Times that the benchmark is made.</summary>
    public Option<int> Launches { get; } = NumberOption(
        LaunchesName,
        "count",
        $"Make the benchmark so many times in processes of its own, each time with all of -runs: how much processes of one program differ is part of the noise of a comparison. Once when not given, and with -isolate {SuiteOptions.DefaultLaunches} processes share the runs of a row.",
        1,
        SuiteOptions.MaxLaunches,
        1);

    /// <summary>The scenario that is run instead of the suite's tests.</summary>
    public Option<string?> Scenario { get; } = new(ScenarioName, "-" + ScenarioName)
    {
        Description = $"Run one scenario instead of the tests: {ScenarioNames()}; {ScenarioCatalog.List} says what each is.",
        HelpName = "name",
        Arity = ArgumentArity.ExactlyOne,
        CustomParser = result =>
        {
            var text = result.Tokens[0].Value;
            if (NameChoice.TryFind(text, [.. ScenarioCatalog.All.Select(entry => entry.Name), ScenarioCatalog.List], out var name, out var advice))
                return name;
            AddAdvice(result, ScenarioName, text, advice);
            return null;
        },
    };

    /// <summary>Time of each row of a scenario that runs by time, or of all rows of one that has a limit.</summary>
    public Option<int> Seconds { get; } = NumberOption(
        SecondsName, "S", $"Seconds of each row of {ScenarioName} contention (2 when not given), or of all cases of {ScenarioName} large (115).", 1, SuiteOptions.MaxSeconds, 1);

    /// <summary>Objects that live while a scenario reads.</summary>
    public Option<IReadOnlyList<int>> Survivors { get; } = ListOption<int>(
        SurvivorsName,
        "MB",
        $"Megabytes of small objects that live during {ScenarioName} gc-heavy, separated by commas, {Range(0, SuiteOptions.MaxSurvivorMegabytes)}. Default: {string.Join(',', SuiteOptions.DefaultSurvivorMegabytes)}.",
        $"integers {Range(0, SuiteOptions.MaxSurvivorMegabytes)}, separated by commas",
        (string text, out int value) => TryParseNumber(text, 0, SuiteOptions.MaxSurvivorMegabytes, out value));

    /// <summary>Own data.</summary>
    public Option<string> Data { get; } = new(DataName, "-" + DataName)
    {
        Description = "Data of your own: an assembly with a class that derives from GraphModel<T> (docs/own-data.md). Serializers in it take part, too.",
        HelpName = "ASSEMBLY[!TYPE]",
        Arity = ArgumentArity.ExactlyOne,
    };

    /// <summary>Own serializers.</summary>
    public Option<string[]> Plugin { get; } = new(PluginName, "-" + PluginName)
    {
        Description = "A serializer of your own: an assembly with classes that derive from Serializer (docs/own-data.md). May be repeated.",
        HelpName = "ASSEMBLY",
        Arity = ArgumentArity.OneOrMore,
        AllowMultipleArgumentsPerToken = false,
    };

    /// <summary>Whether references are tracked.</summary>
    public Option<bool> ReferenceTracking { get; } = new(ReferenceTrackingName, "-" + ReferenceTrackingName)
    {
        Description = "Track references with every serializer that has it as an option; the others are named and run as always.",
        Arity = ArgumentArity.ZeroOrOne,
    };

    /// <summary>Order of the serializers.</summary>
    public Option<int> Seed { get; } = ScalarOption<int>(
        SeedName,
        "N|none",
        "Repeats the order of serializers that the seed gave; none or 0: the order of the list. Default: a seed of its own, which is printed.",
        $"an integer {Range(0, int.MaxValue)}, or none",
        TryParseSeed,
        0);

    /// <summary>Where serialized data is kept.</summary>
    public Option<string> Keep { get; } = new(KeepName, "-" + KeepName)
    {
        Description = "After the runs, write what each serializer makes of the data to a file in this folder; files of the same name are replaced.",
        HelpName = "DIR",
        Arity = ArgumentArity.ExactlyOne,
    };

    /// <summary>Every option of the set, in the order help shows them.</summary>
    public IReadOnlyList<Option> All => [Serializer, Test, ObjectCount, Runs, Threads, Payload, Stream, Data, Plugin, ReferenceTracking, Seed, Keep, Verify, Steady, Isolate, Launches, Scenario, Seconds, Survivors];

    private delegate bool ValueParser<T>(string text, out T value);

    /// <summary>Offers the options on <paramref name="command"/>, with the checks that concern several of them at once.</summary>
    public void AddTo(Command command)
    {
        ArgumentNullException.ThrowIfNull(command);
        foreach (var option in All)
            command.Options.Add(option);
        command.Validators.Add(CheckGraphSize);
        command.Validators.Add(CheckScenario);
    }

    /// <summary>Whether <paramref name="result"/> was given any option of the set.</summary>
    public bool IsAnyGiven(CommandResult result)
    {
        ArgumentNullException.ThrowIfNull(result);
        return All.Any(option => result.GetResult(option) is { Implicit: false });
    }

    /// <summary>The options that a command line without errors asks for.</summary>
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
        int largest, payload;
        try
        {
            var tests = result.GetValue(Test) is { Count: > 0 } given ? given : SuiteOptions.DefaultTests;
            var options = new SuiteOptions { ObjectCounts = result.GetValue(ObjectCount) ?? [] };
            largest = tests.SelectMany(options.ObjectCountsOf).Max();
            payload = result.GetValue(Payload);
        }
        catch (InvalidOperationException)
        {
            return; // one of the three has an error of its own, which is reported
        }

        if ((long)largest * payload > SuiteOptions.MaxGraphPayloadBytes)
        {
            var what = string.Create(CultureInfo.InvariantCulture, $"{ObjectCountName} × {PayloadName}: {largest} objects of {Plural.Of(payload, "byte")} are not legal");
            var legal = string.Create(CultureInfo.InvariantCulture, $"a product of at most {SuiteOptions.MaxGraphPayloadBytes:N0} bytes");
            OptionErrors.AddError(result, $"{what}; legal: {legal}", new OptionAdvice(what, $"choose {legal}"));
        }
    }

    /// <summary>What a scenario does not read cannot be given with it, and what only scenarios read not without one: nothing is ignored silently.</summary>
    private void CheckScenario(CommandResult result)
    {
        string? name;
        try
        {
            name = result.GetValue(Scenario);
        }
        catch (InvalidOperationException)
        {
            return; // it has an error of its own, which is reported
        }

        foreach (var option in All.Where(option => option != Scenario && result.GetResult(option) is { Implicit: false }))
        {
            if (name is null && option.Name is SecondsName or SurvivorsName)
                AddScenarioError(result, option, $"it is an option of {ScenarioName} {string.Join(", ", ScenarioCatalog.All.Where(entry => entry.Options.Contains(option.Name)).Select(entry => entry.Name))} only", "leave it out, or name one of these scenarios");
            else if (name is not null && ScenarioCatalog.Find(name)?.Options.Contains(option.Name) != true)
                AddScenarioError(result, option, $"{ScenarioName} {name} does not read it; it reads {OptionsOf(name)}", "leave it out");
        }
    }

    private static void AddScenarioError(CommandResult result, Option option, string what, string fix) =>
        OptionErrors.AddError(result, $"{option.Name}: {what}", new OptionAdvice($"{option.Name}: {what}", fix));

    private static string OptionsOf(string scenario) => ScenarioCatalog.Find(scenario) is { Options: { Count: > 0 } options } ? string.Join(", ", options) : "no other option";

    private static string ScenarioNames() => string.Join("|", ScenarioCatalog.All.Select(entry => entry.Name));

    private static Option<IReadOnlyList<T>> ListOption<T>(string name, string helpName, string description, string legal, ValueParser<T> parse) =>
        ListOption<T>(name, helpName, description, text => parse(text, out var value) ? [value] : [], (result, entry) => AddError(result, name, entry, legal));

    /// <summary>A list of which one entry may choose several values.</summary>
    private static Option<IReadOnlyList<T>> ListOption<T>(string name, string helpName, string description, Func<string, IReadOnlyList<T>> find, Action<ArgumentResult, string> refuse)
        => new(name, "-" + name)
        {
            Description = description,
            HelpName = helpName,
            Arity = ArgumentArity.OneOrMore, // the option may be repeated, with one list each time
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

    private static Option<T> ScalarOption<T>(string name, string helpName, string description, string legal, ValueParser<T> parse, T defaultValue)
        where T : struct
        => new(name, "-" + name)
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

    private static Option<int> NumberOption(string name, string helpName, string description, int least, int most, int defaultValue)
        => ScalarOption(
            name, helpName, description, $"an integer {Range(least, most)}", (string text, out int value) => TryParseNumber(text, least, most, out value), defaultValue);

    private static void AddError(ArgumentResult result, string name, string value, string legal)
        => OptionErrors.AddError(result, $"{name}: '{value}' is not legal; legal: {legal}", new OptionAdvice($"'{value}' is not legal for {name}", $"write {name} with {legal}"));

    private static void AddAdvice(ArgumentResult result, string name, string value, string advice)
        => OptionErrors.AddError(result, $"{name}: '{value}' is not legal; {advice}", new OptionAdvice($"'{value}' is not legal for {name}", advice));

    private static bool TryParseNumber(string text, int least, int most, out int value)
        => int.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out value) && value >= least && value <= most;

    private static bool TryParseSeed(string text, out int value)
    {
        value = SuiteOptions.NoSeed;
        return text.Equals("none", StringComparison.OrdinalIgnoreCase) || TryParseNumber(text, SuiteOptions.NoSeed, int.MaxValue, out value);
    }

    private static string Choices<T>()
        where T : struct, Enum
        => string.Join('|', NamedValues.Names<T>());

    private static string Range(int least, int most) => string.Create(CultureInfo.InvariantCulture, $"from {least:N0} to {most:N0}");
}
