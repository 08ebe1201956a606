namespace EtwSerializerProfiler.Analysis.Profiles;

/// <summary>The samples of a group with one stack that were spent on one thing.</summary>
/// <param name="Group">Number of the group.</param>
/// <param name="Category">Number of what they were spent on, in <see cref="ProfileCategory.All"/>.</param>
/// <param name="Stack">Number of the stack.</param>
/// <param name="Samples">How many.</param>
/// <param name="CpuNs">CPU time they stand for, in ns.</param>
public readonly record struct ProfileSum(int Group, int Category, int Stack, long Samples, long CpuNs);
