namespace EtwSerializerProfiler.Analysis.Profiles;

/// <summary>Something that happened beside the samples.</summary>
/// <param name="Kind">What.</param>
/// <param name="Thread">Number of its thread in <see cref="SampleProfile.Threads"/>.</param>
/// <param name="StartNs">Begin in ns since the recording began.</param>
/// <param name="StopNs">End; of a moment its begin.</param>
/// <param name="Name">The run's row; generation of the collection; method compiled; type of the exception.</param>
/// <param name="Detail">Number of the run; reason and number of the collection; tier; message. May be empty.</param>
public readonly record struct ProfileEvent(ProfileEventKind Kind, int Thread, long StartNs, long StopNs, string Name, string Detail);
