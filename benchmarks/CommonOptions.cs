using System.CommandLine;

namespace EtwSerializerProfiler.Benchmarks;

/// <summary>Options and arguments shared by benchmarks.</summary>
internal static class CommonOptions
{
    /// <summary>For work of milliseconds to seconds.</summary>
    public static Option<int> Repetitions() =>
        new("--repetitions") { Description = "Readings after the warm-up.", DefaultValueFactory = _ => 10 };

    /// <summary>For work of seconds to minutes.</summary>
    public static Option<int> FewRepetitions() =>
        new("--repetitions") { Description = "How often each is done.", DefaultValueFactory = _ => 3 };

    public static Argument<string> EtlFile() => new("file") { Description = "An .etl file." };

    public static Argument<string> Recording() => new("recording") { Description = "A recording's folder with CPU samples." };

    public static Argument<string[]> Traces() =>
        new("path") { Description = "Traces, or folders of them; several of about the same size.", Arity = ArgumentArity.OneOrMore };

    public static Argument<string> RecordingsFolder() =>
        new("folder") { Description = "Folder of the recordings; those that are there are not made again." };

    /// <summary>Options of the suite, after --.</summary>
    /// <param name="defaults">Used when none are given.</param>
    public static Argument<string[]> Suite(params string[] defaults) =>
        new("suite")
        {
            Description = "Options of the suite, after --.",
            Arity = ArgumentArity.ZeroOrMore,
            DefaultValueFactory = _ => defaults,
        };
}
