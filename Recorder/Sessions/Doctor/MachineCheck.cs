namespace EtwSerializerProfiler.Sessions.Doctor;

/// <summary>One requirement of a recording, as found on this machine.</summary>
/// <param name="Subject">What was checked.</param>
/// <param name="Verdict">Whether it can be recorded.</param>
/// <param name="Finding">What was found.</param>
/// <param name="Fix">The one command or setting that allows more; empty when nothing is missing.</param>
public sealed record MachineCheck(string Subject, Verdict Verdict, string Finding, string Fix = "");
