using EtwSerializerProfiler.Stores.Schema;

namespace EtwSerializerProfiler.Stores.Tables;

/// <summary>CPU time of a run below the serializer's entry frame, by cause and by the method with which the cause begins.</summary>
/// <param name="Process">Number of its process in the trace.</param>
/// <param name="RunId">Number of the run in its process.</param>
/// <param name="Cause">Key of the cause, <see cref="CauseTable.Own"/>, or empty for the rest.</param>
/// <param name="Method">Full name of the method; <see cref="StoreTable.Other"/> for the rest.</param>
/// <param name="Module">File name of its assembly or library; empty for the rest.</param>
/// <param name="Methods">Methods that the row stands for: 1, of the rest as many as there are.</param>
/// <param name="CpuMs">CPU time in ms.</param>
public sealed record StoredMethod(int Process, int RunId, string Cause, string Method, string Module, long Methods, double CpuMs);
