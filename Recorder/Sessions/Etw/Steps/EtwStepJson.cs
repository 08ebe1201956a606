using System.Text.Encodings.Web;
using System.Text.Json;
using System.Text.Json.Serialization;
using EtwSerializerProfiler.Sessions.Etw.Tools;

namespace EtwSerializerProfiler.Sessions.Etw.Steps;

/// <summary>Writes a plan and its steps as JSON: <c>--dry-run --format json</c>.</summary>
public static class EtwStepJson
{
    private static readonly JsonSerializerOptions s_options = new()
    {
        WriteIndented = true,
        PropertyNamingPolicy = JsonNamingPolicy.CamelCase,
        Converters = { new JsonStringEnumConverter() },

        // Relaxed escaping, because people also read GUIDs, paths and 'stack'; none of it goes into a web page.
        Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping,
    };

    /// <summary>Plan and steps as JSON.</summary>
    public static string Write(EtwSteps steps)
    {
        ArgumentNullException.ThrowIfNull(steps);
        var plan = steps.Plan;
        return JsonSerializer.Serialize(
            new
            {
                Tool = EtwTools.NameOf(steps.Tool),
                EtwStepText.Untested,
                plan.Purpose,
                Mode = plan.Mode.ToString(),
                steps.Target.Folder,
                steps.Target.Command,
                plan.Kernel,
                UserSessions = plan.AllUserSessions.Select(session => new
                {
                    session.Role,
                    session.Name,
                    session.FileName,
                    session.Purpose,
                    session.Buffers,
                    Providers = session.Providers.Select(provider => new
                    {
                        provider.Name,
                        provider.Id,
                        Keywords = provider.KeywordText,
                        provider.Level,
                        provider.Stacks,
                        StackFilter = provider.StackFilter?.ToString(),
                        EventFilter = provider.EventFilter?.ToString(),
                        provider.Purpose,
                    }),
                }),
                plan.Warnings,
                steps.NotPossible,
                Steps = steps.Steps.Select(
                    (step, index) =>
                        new
                        {
                            Number = index + 1,
                            step.Kind,
                            step.Title,
                            step.Why,
                            Command = step.Command is { } command ? [command.Program, .. command.Arguments] : (string[]?)null,
                            CommandLine = step.Command?.ToString(),
                            step.Action,
                            step.NeedsElevation,
                            WaitSeconds = step.Wait.TotalSeconds,
                            step.Environment,
                            Undo = step.Undo.Select(undo => undo.ToString()),
                            step.UndoAction,
                            step.Implements,
                            step.Writes,
                        }
                ),
            },
            s_options
        );
    }
}
