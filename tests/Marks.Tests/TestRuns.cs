namespace EtwSerializerProfiler.Marks.Tests;

/// <summary>Identities and measurements with a different value in every field, so that swapped fields are detected.</summary>
internal static class TestRuns
{
    public static RunIdentity Identity(string operation = RunOperation.Serialize, int runNumber = 7) =>
        new("Serializer, \"quoted\"", "Some.Library", "1.2.3-beta\nsecond line", operation, RunKind.FirstCall, 1_000, 25, runNumber, 3);

    public static RunMeasurement Measurement(string error = "") =>
        new(long.MaxValue - 1, long.MaxValue, 1_000_000_000, 5_555_555_555, 6_666_666_666, 11, 12, 13, -1, error)
        {
            LaunchedTicks = long.MaxValue - 2,
            ProbeBeforeNanoseconds = 51_000,
            ProbeAfterNanoseconds = 52_000,
            PeakWorkingSetBytes = 53_000,
            ProgramBytes = 54_000,
            UnsettledMethods = 55,
        };
}
