using System.Globalization;
using EtwSerializerProfiler.Analysis.Causes;
using EtwSerializerProfiler.Analysis.Rows;
using EtwSerializerProfiler.Analysis.Runs;
using EtwSerializerProfiler.Traces.Inputs;
using EtwSerializerProfiler.Traces.Symbols;
using EtwSerializerProfiler.Traces.Symbols.Lines;

namespace EtwSerializerProfiler.Analysis.Profiles;

/// <summary>The CPU samples of runs with their stacks and causes, for tools that show them.</summary>
public sealed record SampleProfile
{
    /// <summary>Groups of runs.</summary>
    public required IReadOnlyList<ProfileGroup> Groups { get; init; }

    /// <summary>Stacks of the samples.</summary>
    public required ProfileStacks Stacks { get; init; }

    /// <summary>Samples added up, by group, cause and stack in the order in which they were first seen; empty when each is kept.</summary>
    public required IReadOnlyList<ProfileSum> Sums { get; init; }

    /// <summary>Each sample in order of time; empty when they are added up.</summary>
    public required IReadOnlyList<ProfileSample> Samples { get; init; }

    /// <summary>Threads with samples or events.</summary>
    public required IReadOnlyList<ProfileThread> Threads { get; init; }

    /// <summary>Runs, GCs, compilations and exceptions in order of their start; empty when not requested.</summary>
    public required IReadOnlyList<ProfileEvent> Events { get; init; }

    /// <summary>Samples.</summary>
    public required long SampleCount { get; init; }

    /// <summary>CPU time that they represent, in ns.</summary>
    public required long CpuNs { get; init; }

    /// <summary>How far their stacks can be trusted.</summary>
    public required StackQuality Quality { get; init; }

    /// <summary>Mean CPU time that a sample represents, in ns: the sampler's period, or close to it.</summary>
    public required long PeriodNs { get; init; }

    /// <summary>What is missing, a sentence each.</summary>
    public required IReadOnlyList<string> Problems { get; init; }
}

/// <summary>Runs whose samples stand together in a profile.</summary>
/// <param name="Runs">The table's row they belong to.</param>
/// <param name="Run">The only one of them, when each run is a group.</param>
public sealed record ProfileGroup(SummaryKey Runs, Run? Run)
{
    /// <summary>The group in words: <c>Newtonsoft.Json Deserialize N=1000, run 12</c>.</summary>
    public string Title => Run is null ? Runs.ToString() : string.Create(CultureInfo.InvariantCulture, $"{Runs}, run {Run.RunId}");
}

/// <summary>A thread with samples or events.</summary>
/// <param name="Process">Its process.</param>
/// <param name="Program">Name of the process's program.</param>
/// <param name="ThreadId">The operating system's id.</param>
/// <param name="Name">Its name, empty when unknown.</param>
/// <param name="IsMeasuring">Whether it measured runs.</param>
public sealed record ProfileThread(ProcessKey Process, string Program, long ThreadId, string Name, bool IsMeasuring);

/// <summary>One CPU sample in its place in time.</summary>
/// <param name="TimeNs">When, in ns since the recording began.</param>
/// <param name="CpuNs">CPU time that it represents, in ns.</param>
/// <param name="Thread">Number of its thread in <see cref="SampleProfile.Threads"/>.</param>
/// <param name="Stack">Number of its stack.</param>
/// <param name="Group">Number of its group.</param>
/// <param name="Category">Number of what it was spent on, in <see cref="ProfileCategory.All"/>.</param>
public readonly record struct ProfileSample(long TimeNs, int CpuNs, int Thread, int Stack, int Group, int Category);

/// <summary>The samples of a group with one stack that were spent on one thing.</summary>
/// <param name="Group">Number of the group.</param>
/// <param name="Category">Number of what they were spent on, in <see cref="ProfileCategory.All"/>.</param>
/// <param name="Stack">Number of the stack.</param>
/// <param name="Samples">How many.</param>
/// <param name="CpuNs">CPU time that they represent, in ns.</param>
public readonly record struct ProfileSum(int Group, int Category, int Stack, long Samples, long CpuNs);

/// <summary>A method or function on the stacks of a profile.</summary>
/// <param name="Name">Full name without parameters; module+? for code without a name.</param>
/// <param name="Module">File name of its assembly or library; empty for what has none.</param>
/// <param name="Kind">Kind of code; null for a frame that represents missing callers.</param>
/// <param name="IsInlined">Whether it was inlined where it stands.</param>
/// <param name="Line">Its source line; null when unknown or not requested.</param>
public readonly record struct ProfileFrame(string Name, string Module, CodeKind? Kind, bool IsInlined, SourceLine? Line = null)
{
    /// <summary>Its name for tools that have no other place to say that it was inlined.</summary>
    public string Title => IsInlined ? Name + " (inlined)" : Name;

    /// <summary>The function that it is part of: the frame without its line, but with its file.</summary>
    public ProfileFrame Function => this with { Line = Line is null ? null : Line with { Line = 0 } };
}

/// <summary>Something that happened beside the samples.</summary>
/// <param name="Kind">Kind of the event.</param>
/// <param name="Thread">Number of its thread in <see cref="SampleProfile.Threads"/>.</param>
/// <param name="StartNs">Begin in ns since the recording began.</param>
/// <param name="StopNs">End; of a moment its begin.</param>
/// <param name="Name">The run's row; generation of the GC; method compiled; type of the exception.</param>
/// <param name="Detail">Number of the run; reason and number of the GC; tier; message. May be empty.</param>
public readonly record struct ProfileEvent(ProfileEventKind Kind, int Thread, long StartNs, long StopNs, string Name, string Detail);

/// <summary>Kinds of events beside the samples of a profile.</summary>
public enum ProfileEventKind
{
    /// <summary>A run, from its begin to its end.</summary>
    Run = 0,

    /// <summary>A GC's pause: from the begin of the suspension to the restart of the program's threads.</summary>
    Pause = 1,

    /// <summary>A compilation, from its begin to the code's being ready.</summary>
    Compilation = 2,

    /// <summary>An exception, a moment.</summary>
    Exception = 3,
}
