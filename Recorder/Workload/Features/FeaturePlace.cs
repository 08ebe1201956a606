using System.Runtime.InteropServices;
using EtwSerializerProfiler.Workload.Features.Processes;

namespace EtwSerializerProfiler.Workload.Features;

/// <summary>Where features were tried.</summary>
/// <param name="Runtime">Name and version of the runtime.</param>
/// <param name="System">Operating system and processor.</param>
/// <param name="TimeZone">Time zone of the processes in which they were tried.</param>
/// <param name="LimitSeconds">After so long without an answer, of CPU time or doing nothing, a trial hung.</param>
public sealed record FeaturePlace(string Runtime, string System, string TimeZone, double LimitSeconds)
{
    /// <summary>This process.</summary>
    public static FeaturePlace Here(TimeSpan limit) => new(SuiteRuntime.Name, $"{RuntimeInformation.OSDescription.Trim()}, {RuntimeInformation.ProcessArchitecture.ToString().ToLowerInvariant()}", FeatureChild.TimeZone, limit.TotalSeconds);
}
