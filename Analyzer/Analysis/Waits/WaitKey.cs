namespace EtwSerializerProfiler.Analysis.Waits;

/// <summary>What the waits of a row have in common.</summary>
internal readonly record struct WaitKey(int Method, WaitSource Source);
