using EtwSerializerProfiler.Etl;
using EtwSerializerProfiler.Traces.Clr;
using EtwSerializerProfiler.Traces.Events;

namespace EtwSerializerProfiler.Traces.Export;

/// <summary>Writes methods of a perf map or a jitdump, for which no runtime events exist, as a rundown.</summary>
internal sealed class MethodRundown(EtlWriter writer, int processId, long time) : IEventSubscriber
{
    public long Methods { get; private set; }

    /// <inheritdoc />
    public void Subscribe(EventHub hub)
    {
        hub.Subscribe<ModuleLoaded>(OnModuleLoaded);
        hub.Subscribe<MethodCode>(OnMethodCode);
    }

    private void OnModuleLoaded(in ModuleLoaded module) =>
        writer.Write(
            CodeNames.RundownEvent(processId, time, CodeNamePayload.ModuleEvent),
            CodeNamePayload.Module(module.ModuleId, module.Path)
        );

    private void OnMethodCode(in MethodCode code)
    {
        Methods++;
        writer.Write(
            CodeNames.RundownEvent(processId, time, CodeNamePayload.MethodEvent),
            CodeNamePayload.Method(
                code.MethodId,
                code.Start,
                code.Size,
                code.ModuleId,
                code.Namespace,
                code.Name,
                code.Signature,
                code.Tier
            )
        );
    }
}
