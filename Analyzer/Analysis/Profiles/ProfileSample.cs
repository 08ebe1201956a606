namespace EtwSerializerProfiler.Analysis.Profiles;

/// <summary>One CPU sample in its place in time.</summary>
/// <param name="TimeNs">When, in ns since the recording began.</param>
/// <param name="CpuNs">CPU time it stands for, in ns.</param>
/// <param name="Thread">Number of its thread in <see cref="SampleProfile.Threads"/>.</param>
/// <param name="Stack">Number of its stack.</param>
/// <param name="Group">Number of its group.</param>
/// <param name="Category">Number of what it was spent on, in <see cref="ProfileCategory.All"/>.</param>
public readonly record struct ProfileSample(long TimeNs, int CpuNs, int Thread, int Stack, int Group, int Category);
