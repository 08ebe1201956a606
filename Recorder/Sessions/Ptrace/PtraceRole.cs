namespace EtwSerializerProfiler.Sessions.Ptrace;

/// <summary>The role in which the recorder starts itself as the ptrace sampler.</summary>
public static class PtraceRole
{
    /// <summary>Command line that starts this program in the role.</summary>
    /// <param name="assembly">Path of the program's assembly, for a program that the dotnet host runs.</param>
    public static IReadOnlyList<string> Command(string assembly) =>
        Path.GetFileNameWithoutExtension(Environment.ProcessPath) == "dotnet"
            ? [Environment.ProcessPath!, assembly, PtracePlan.Verb]
            : [Environment.ProcessPath!, PtracePlan.Verb];

    /// <summary>Runs the role if the arguments request it.</summary>
    /// <returns>The exit code of the program; null when the arguments request something else.</returns>
    public static int? TryRun(string[] arguments) => arguments is [PtracePlan.Verb, .. var rest] ? PtraceSampler.Run(rest) : null;
}
