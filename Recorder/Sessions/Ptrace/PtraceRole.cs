namespace EtwSerializerProfiler.Sessions.Ptrace;

/// <summary>The role of the ptrace sampler, in which the recorder starts itself.</summary>
public static class PtraceRole
{
    /// <summary>How to start this program in the role.</summary>
    /// <param name="assembly">Path of the program's assembly, for a program that the dotnet host runs.</param>
    public static IReadOnlyList<string> Command(string assembly) =>
        Path.GetFileNameWithoutExtension(Environment.ProcessPath) == "dotnet" ? [Environment.ProcessPath!, assembly, PtracePlan.Verb] : [Environment.ProcessPath!, PtracePlan.Verb];

    /// <summary>Plays the role if the arguments ask for it.</summary>
    /// <returns>The exit code, that of the program; null when they do not.</returns>
    public static int? TryRun(string[] arguments) => arguments is [PtracePlan.Verb, .. var rest] ? PtraceSampler.Run(rest) : null;
}
