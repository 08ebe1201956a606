using System.Globalization;
using EtwSerializerProfiler.Sessions.Etw.Plans;
using EtwSerializerProfiler.Sessions.Etw.Tools;

namespace EtwSerializerProfiler.Sessions.Etw.Steps;

/// <summary>Writes a plan and its steps as text for <c>--dry-run</c>.</summary>
public static class EtwStepText
{
    /// <summary>Caveat for every output of these plans.</summary>
    public const string Untested = "Windows only; untested on Windows so far";

    /// <summary>Writes plan and steps.</summary>
    public static void Write(EtwSteps steps, TextWriter output)
    {
        ArgumentNullException.ThrowIfNull(steps);
        ArgumentNullException.ThrowIfNull(output);
        var plan = steps.Plan;
        output.WriteLine($"tool:    {EtwTools.NameOf(steps.Tool)} ({Untested})");
        output.WriteLine($"preset:  {plan.Purpose.ToString().ToLowerInvariant()}");
        output.WriteLine($"mode:    {plan.Mode}{(plan.IsCircular ? ", the newest events in memory" : "")}");
        output.WriteLine(
            $"command: {(steps.Target.Command.Count == 0 ? "none: records until Ctrl+C" : CmdText.Join(steps.Target.Command))}"
        );
        output.WriteLine($"folder:  {steps.Target.PathOf("").TrimEnd(steps.Target.Separator)}");
        WriteKernel(plan.Kernel, output);
        foreach (var session in plan.AllUserSessions)
            WriteSession(session, output);
        foreach (var warning in plan.Warnings)
            output.WriteLine($"warning: {warning}");
        foreach (var sentence in steps.NotPossible)
            output.WriteLine(sentence);
        output.WriteLine();
        for (var i = 0; i < steps.Steps.Count; i++)
            WriteStep(i + 1, steps.Steps[i], output);
    }

    private static void WriteKernel(EtwKernelSession kernel, TextWriter output)
    {
        var stacks = KernelEventNames.In(kernel.StackEvents).Select(name => name.Flag).ToList();
        output.WriteLine(
            string.Create(
                CultureInfo.InvariantCulture,
                $"session {kernel.Name} ({kernel.FileName}): kernel events{(kernel.Events.HasFlag(KernelEvents.Profile) ? $", a sample every {kernel.SampleInterval / 10_000.0:0.####} ms" : "")} ({Buffers(kernel.Buffers)})"
            )
        );
        foreach (var name in KernelEventNames.In(kernel.Events))
            output.WriteLine($"  {name.Flag}: {name.Brings}{(stacks.Contains(name.Flag) ? ", with stacks" : "")}");
    }

    private static void WriteSession(EtwUserSession session, TextWriter output)
    {
        output.WriteLine($"session {session.Name} ({session.FileName}): {session.Purpose} ({Buffers(session.Buffers)})");
        foreach (var provider in session.Providers)
            output.WriteLine($"  {Describe(provider)} {provider.Id:B}");
    }

    /// <summary>Describes a provider as <c>name:keywords:level</c> with its filters.</summary>
    internal static string Describe(EtwProvider provider)
    {
        var stacks =
            !provider.Stacks ? ""
            : provider.StackFilter is { } filter ? $", stacks {filter}"
            : ", stacks";
        return $"{provider.Name}:{provider.KeywordText}:{provider.Level}{stacks}{(provider.EventFilter is { } ids ? $", events {ids}" : "")}";
    }

    private static string Buffers(EtwBuffers buffers) =>
        buffers.Minimum == buffers.Maximum
            ? string.Create(CultureInfo.InvariantCulture, $"{buffers.Maximum} buffers of {buffers.SizeKB} KB")
            : string.Create(CultureInfo.InvariantCulture, $"{buffers.Minimum} to {buffers.Maximum} buffers of {buffers.SizeKB} KB");

    private static void WriteStep(int number, EtwStep step, TextWriter output)
    {
        output.WriteLine(
            string.Create(CultureInfo.InvariantCulture, $"{number,2}. {step.Title}{(step.NeedsElevation ? " [elevated]" : "")}")
        );
        output.WriteLine($"    why:  {step.Why}");
        foreach (var (name, value) in step.Environment)
            output.WriteLine($"    set:  {name}={value}");
        if (step.Command is { } command)
            output.WriteLine($"    > {command}");
        if (step.Action.Length > 0)
            output.WriteLine($"    {(step.Command is null ? "do:" : "how:"),-5} {step.Action}");
        foreach (var undo in step.Undo)
            output.WriteLine($"    undo: {undo}");
        if (step.UndoAction.Length > 0)
            output.WriteLine($"    undo: {step.UndoAction}");
    }
}
