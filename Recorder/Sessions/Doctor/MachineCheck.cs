namespace EtwSerializerProfiler.Sessions.Doctor;

/// <summary>One thing a recording needs, as found on this machine.</summary>
/// <param name="Subject">What was looked at.</param>
/// <param name="Verdict">Whether it can be recorded.</param>
/// <param name="Finding">What was found.</param>
/// <param name="Remedy">The one command or setting that allows more; empty when nothing is missing.</param>
public sealed record MachineCheck(string Subject, Verdict Verdict, string Finding, string Remedy = "");
