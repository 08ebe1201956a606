using EtwSerializerProfiler.Traces.Inputs;

namespace EtwSerializerProfiler.Analysis.Profiles;

/// <summary>A thread with samples or events.</summary>
/// <param name="Process">Its process.</param>
/// <param name="Program">Name of the process's program.</param>
/// <param name="ThreadId">The operating system's id.</param>
/// <param name="Name">Its name, empty when unknown.</param>
/// <param name="IsMeasuring">Whether it measured runs.</param>
public sealed record ProfileThread(ProcessKey Process, string Program, long ThreadId, string Name, bool IsMeasuring);
