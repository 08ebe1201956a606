using System.CommandLine;
using EtwSerializerProfiler.Naming;
using EtwSerializerProfiler.Options;
using EtwSerializerProfiler.Parsing;
using FsCheck;
using FsCheck.Fluent;

namespace EtwSerializerProfiler.Workload.Tests.Options;

public sealed class SuiteOptionsTests
{
    [Fact]
    public void Without_options_the_defaults_hold_and_none_is_given()
    {
        var set = new SuiteOptionSet();
        var result = Parse(set);

        Assert.False(set.IsAnyGiven(result.CommandResult));
        Assert.Equivalent(new SuiteOptions(), set.Read(result), strict: true);
    }

    [Theory]
    [InlineData("-runs", "3")]
    [InlineData("--RUNS", "3")]
    [InlineData("-rUnS=3")]
    [InlineData("--runs:3")]
    public void Names_are_read_in_any_case_with_one_dash_or_two(params string[] args)
    {
        var set = new SuiteOptionSet();
        var result = Parse(set, args);

        Assert.Empty(result.Errors);
        Assert.True(set.IsAnyGiven(result.CommandResult));
        Assert.Equal(3, set.Read(result).Runs);
    }

    [Fact]
    public void Every_option_is_read()
    {
        var options = Read(
            "-Serializer",
            "Json,#DataContract",
            "-Test",
            "FirstCall,SERIALIZE",
            "-N",
            "10,1",
            "-n",
            "10,1000000",
            "-Runs",
            "10000",
            "-Payload",
            "7",
            "-Stream",
            "FILE",
            "-Verify",
            "-Threads",
            "1,16,1",
            "-Seed",
            "4711",
            "-Keep",
            "some/folder",
            "-Steady"
        );

        Assert.Equal([new("Json", false), new("DataContract", true)], options.Serializers);
        Assert.Equal([SuiteTest.FirstCall, SuiteTest.Serialize], options.Tests);
        Assert.Equal([10, 1, 1_000_000], options.ObjectCounts);
        Assert.Equal([1, 16], options.Threads);
        Assert.Equal((4711, "some/folder"), (options.Seed, options.Keep));
        Assert.Equal(
            (10_000, 7, StreamKind.File, true, true),
            (options.Runs, options.PayloadBytes, options.Stream, options.Verify, options.Steady)
        );
    }

    [Theory]
    [InlineData("serialize", SuiteTest.Serialize)]
    [InlineData("#serialize", SuiteTest.Serialize)]
    [InlineData("first", SuiteTest.FirstCall)]
    [InlineData("serial", SuiteTest.Serialize, SuiteTest.Deserialize)]
    public void A_test_in_full_is_that_test_and_a_part_is_all_that_have_it(string typed, params SuiteTest[] tests) =>
        Assert.Equal(tests, Read("-test", typed).Tests);

    [Fact]
    public void A_first_call_has_one_object_unless_chosen_otherwise()
    {
        Assert.Equal([1], Read().ObjectCountsOf(SuiteTest.FirstCall));
        Assert.Equal(SuiteOptions.DefaultObjectCounts, Read().ObjectCountsOf(SuiteTest.Serialize));
        Assert.Equal([5], Read("-n", "5").ObjectCountsOf(SuiteTest.FirstCall));
    }

    [Fact]
    public void No_seed_can_be_asked_for() =>
        Assert.Equal([null, 0, 0], new[] { Read(), Read("-seed", "None"), Read("-seed", "0") }.Select(options => options.Seed));

    [Theory]
    [InlineData("-n", "0", "from 1 to 1,000,000")]
    [InlineData("-n", "1000001", "from 1 to 1,000,000")]
    [InlineData("-n", "1,,2", "from 1 to 1,000,000")]
    [InlineData("-n", "-1", "from 1 to 1,000,000")]
    [InlineData("-n", "1e3", "from 1 to 1,000,000")]
    [InlineData("-n", "99999999999999999999", "from 1 to 1,000,000")]
    [InlineData("-runs", "0", "from 1 to 10,000")]
    [InlineData("-runs", "10001", "from 1 to 10,000")]
    [InlineData("-threads", "0", "from 1 to 256")]
    [InlineData("-threads", "1,257", "from 1 to 256")]
    [InlineData("-seed", "-1", "or none")]
    [InlineData("-seed", "2147483648", "from 0 to 2,147,483,647, or none")]
    [InlineData("-payload", "1000001", "from 0 to 1,000,000")]
    [InlineData("-stream", "tape", "choose from memory, file")]
    [InlineData("-stream", "1", "choose from memory, file")]
    [InlineData("-isolate", "yes", "choose from off, on")]
    [InlineData("-test", "serialize,nothing", "choose from serialize, deserialize, combined, firstcall")]
    [InlineData("-test", "serialze", "did you mean serialize?")]
    [InlineData("-test", "0", "choose from serialize, deserialize, combined, firstcall")]
    [InlineData("-serializer", "json,", "#name")]
    [InlineData("-serializer", "#", "#name")]
    public void A_bad_value_is_one_error_that_names_option_and_legal_values(string name, string value, string legal)
    {
        var error = Assert.Single(Parse(new SuiteOptionSet(), name, value).Errors);

        Assert.Matches($"^(?:{name}: '.*'|'.*' is not a valid value of {name}; )", error.Message);
        Assert.Contains(legal, error.Message, StringComparison.Ordinal);
        Assert.DoesNotContain('\n', error.Message);
    }

    [Theory]
    [InlineData("-n")]
    [InlineData("-runs", "1", "-runs", "2")]
    [InlineData("-unknown")]
    [InlineData("-verify", "yes")]
    [InlineData("-n1")]
    public void A_line_that_is_not_a_command_is_an_error(params string[] args) => Assert.NotEmpty(Parse(new SuiteOptionSet(), args).Errors);

    [Theory]
    [InlineData(false, "-n", "1000", "-payload", "1000000")]
    [InlineData(true, "-n", "1001", "-payload", "1000000")]
    [InlineData(true, "-payload", "1000000")]
    [InlineData(false, "-payload", "1000000", "-test", "firstcall")]
    public void A_graph_that_cannot_be_held_is_an_error(bool isError, params string[] args) =>
        Assert.Equal(
            isError,
            Parse(new SuiteOptionSet(), args).Errors.Any(error => error.Message.Contains("1,000,000,000", StringComparison.Ordinal))
        );

    [Fact]
    public void Normalizing_leaves_values_and_another_programs_arguments_alone() =>
        Assert.Equal(
            ["-serializer", "RUNS", "-n=-RUNS", "-x", "VERIFY", "--", "-RUNS", "--Verify"],
            OptionNames.Normalize(["--SERIALIZER", "RUNS", "-N=-RUNS", "-x", "VERIFY", "--", "-RUNS", "--Verify"], new SuiteOptionSet().All)
        );

    [Fact]
    public void Options_survive_the_way_through_arguments()
    {
        var names = ArbMap
            .Default.GeneratorFor<NonEmptyString>()
            .Select(text => string.Concat(text.Get.Where(char.IsAsciiLetterOrDigit)) + "x");
        var filters = from name in names from exact in Gen.Elements(true, false) select new NamePattern(name, exact);
        var options =
            from serializers in filters.ListOf()
            from tests in Gen.NonEmptyListOf(Gen.Elements(Enum.GetValues<SuiteTest>()))
            from counts in Gen.Choose(1, SuiteOptions.MaxObjectCount).ListOf()
            from runs in Gen.Choose(1, SuiteOptions.MaxRuns)
            from threads in Gen.NonEmptyListOf(Gen.Choose(1, SuiteOptions.MaxThreads))
            from payload in Gen.Choose(0, 1_000)
            from stream in Gen.Elements(Enum.GetValues<StreamKind>())
            from seed in Gen.Elements<int?>(null, 0, 1, int.MaxValue)
            from keep in Gen.Elements("", Path.GetFullPath("kept data"))
            from verify in Gen.Elements(true, false)
            from steady in Gen.Elements(true, false)
            from launches in Gen.OneOf(Gen.Constant<int?>(null), Gen.Choose(1, SuiteOptions.MaxLaunches).Select(count => (int?)count))
            from isolate in Gen.Elements<bool?>(null, true, false)
            select new SuiteOptions
            {
                Serializers = [.. serializers.Distinct()],
                Tests = [.. tests.Distinct()],
                ObjectCounts = [.. counts.Distinct()],
                Runs = runs,
                Threads = [.. threads.Distinct()],
                PayloadBytes = payload,
                Stream = stream,
                Seed = seed,
                Keep = keep,
                Verify = verify,
                Steady = steady,
                Launches = launches,
                Isolate = isolate,
            };

        Prop.ForAll(
                options.ToArbitrary(),
                (SuiteOptions expected) => Assert.Equivalent(expected, Read([.. expected.ToArguments()]), strict: true)
            )
            .CheckRepeatably();
    }

    [Theory]
    [InlineData("contention", "-n", "7", "-threads", "1,3", "-seconds", "9")]
    [InlineData("gc-heavy", "-runs", "3", "-survivors", "0,5")]
    [InlineData("graph", "-serializer", "#DataContract", "-n", "5,6")]
    [InlineData("large")]
    [InlineData("list")]
    public void A_scenario_survives_the_way_through_arguments(string name, params string[] args)
    {
        var options = Read(["-SCENARIO", name.ToUpperInvariant(), .. args]);

        Assert.Equal(name, options.Scenario);
        Assert.Equivalent(options, Read([.. options.ToArguments()]), strict: true);
    }

    [Theory]
    [InlineData("-scenario: 'nope' is not valid; choose from base64-crlf, ", "-scenario", "nope")]
    [InlineData("-test: it does not apply to -scenario graph, which has -serializer, -n", "-scenario", "graph", "-test", "serialize")]
    [InlineData("-n: it does not apply to -scenario large, which has -seconds", "-scenario", "large", "-n", "5")]
    [InlineData("-runs: it does not apply to -scenario quadratic, which has -n", "-scenario", "quadratic", "-runs", "5")]
    [InlineData("-n: it does not apply to -scenario base64-crlf, which has no other options", "-scenario", "base64-crlf", "-n", "5")]
    [InlineData("-seconds: it applies only to -scenario contention, large", "-seconds", "3")]
    [InlineData("-survivors: '100001'", "-scenario", "gc-heavy", "-survivors", "100001")]
    public void What_a_scenario_does_not_read_is_an_error(string message, params string[] args) =>
        Assert.StartsWith(message, Assert.Single(Parse(new SuiteOptionSet(), args).Errors).Message, StringComparison.Ordinal);

    private static ParseResult Parse(SuiteOptionSet set, params string[] args)
    {
        var root = new RootCommand();
        set.AddTo(root);
        return root.Parse(OptionNames.Normalize(args, set.All), OptionNames.Parsing);
    }

    private static SuiteOptions Read(params string[] args)
    {
        var set = new SuiteOptionSet();
        var result = Parse(set, args);
        Assert.Empty(result.Errors);
        return set.Read(result);
    }
}
