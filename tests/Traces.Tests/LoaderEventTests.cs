using System.Text;
using EtwSerializerProfiler.Marks;
using EtwSerializerProfiler.Traces.Clr;
using EtwSerializerProfiler.Traces.Events;
using Microsoft.Diagnostics.Tracing.Parsers;

namespace EtwSerializerProfiler.Traces.Tests;

/// <summary>
/// Content of events on loading assemblies, types and precompiled methods; damaged payloads yield nothing and never throw.
/// </summary>
public sealed class LoaderEventTests
{
    private static readonly EventAt s_at = new(5, 1, 2);

    /// <summary>Id, payload and the published event.</summary>
    public static TheoryData<int, byte[], string> Events =>
        new()
        {
            { 154, Payload(7L, 8L, 9L, 0x2, "Lib, Version=1.2.0.0, Culture=neutral", (short)0), "assembly 7 Lib dynamic" },
            { 154, Payload(7L, 8L, 9L, 0x0, "Lib", (short)0), "assembly 7 Lib" },
            { 152, Payload(70L, 7L, 0x28, 0, "/app/Lib.dll", "", (short)0, Guid.Empty), "module 70 of 7 precompiled" },
            { 152, Payload(70L, 7L, 0xC, 0, "Lib", "", (short)0, Guid.Empty), "module 70 of 7 dynamic" },
            {
                291,
                Payload((short)0, "Lib.XmlSerializers, Version=1.0.0.0", "", "", "Default", "", 0, "", "", 0),
                "not found Lib.XmlSerializers"
            },
            {
                291,
                Payload((short)0, "", "/app/Lib.dll", "", "Default", "", 1, "Lib, Version=1.0.0.0", "/app/Lib.dll", 1),
                "found Lib /app/Lib.dll"
            },
            { 73, Payload(0x883, (short)0), "type begins 2179" },
            { 74, Payload(0x883, (short)0, (short)4, 0x7FF283076860L, "System.String"), "type 7FF283076860 ends 2179" },
            { 159, Payload(1L, "System.String", "Concat", "instance void ()", 0x7FF28307L, (short)0), "precompiled" },
            { 159, Payload(1L, "System.String", "Concat", "instance void ()", 0L, (short)0), "not precompiled" },
        };

    [Theory]
    [MemberData(nameof(Events))]
    public void An_event_is_read_with_its_fields(int id, byte[] payload, string heard) =>
        Assert.Equal([heard], Hear(id, payload, EventKinds.Startup));

    [Theory]
    [MemberData(nameof(Events))]
    public void A_payload_that_was_cut_off_gives_nothing_false(int id, byte[] payload, string heard)
    {
        ArgumentNullException.ThrowIfNull(payload);
        for (var length = 0; length < payload.Length; length++)
            Assert.All(Hear(id, payload.AsSpan(0, length), EventKinds.Startup), decoded => Assert.Equal(heard, decoded));
        Assert.Empty(Hear(id, payload, EventKinds.None));
    }

    [Fact]
    public void The_time_of_launch_is_a_run_mark()
    {
        var listener = new Listener();
        new ClrEventDispatcher(EventHub.Of(listener, EventKinds.RunMarks)).Dispatch(
            System.Diagnostics.Tracing.EventSource.GetGuid(typeof(RunEventSource)),
            RunEventSource.ProcessLaunchedId,
            s_at,
            Payload(41, long.MaxValue - 2)
        );
        Assert.Equal(["run 41 launched 9223372036854775805"], listener.Heard);
    }

    private static List<string> Hear(int id, ReadOnlySpan<byte> payload, EventKinds wanted)
    {
        var listener = new Listener();
        new ClrEventDispatcher(EventHub.Of(listener, wanted)).Dispatch(ClrTraceEventParser.ProviderGuid, id, s_at, payload);
        return listener.Heard;
    }

    private static byte[] Payload(params object[] fields)
    {
        using var bytes = new MemoryStream();
        using var writer = new BinaryWriter(bytes);
        foreach (var field in fields)
        {
            switch (field)
            {
                case long value:
                    writer.Write(value);
                    break;
                case int value:
                    writer.Write(value);
                    break;
                case short value:
                    writer.Write(value);
                    break;
                case Guid value:
                    writer.Write(value.ToByteArray());
                    break;
                case string value:
                    writer.Write(Encoding.Unicode.GetBytes(value + '\0'));
                    break;
                default:
                    throw new ArgumentException($"{field.GetType()} is no field's type.", nameof(fields));
            }
        }

        return bytes.ToArray();
    }

    private sealed class Listener : IEventSubscriber
    {
        public List<string> Heard { get; } = [];

        /// <inheritdoc />
        public void Subscribe(EventHub hub)
        {
            hub.Subscribe<AssemblyLoaded>(OnAssemblyLoaded);
            hub.Subscribe<AssemblyModuleLoaded>(OnAssemblyModuleLoaded);
            hub.Subscribe<AssemblyBind>(OnAssemblyBind);
            hub.Subscribe<TypeLoadStarted>(OnTypeLoadStarted);
            hub.Subscribe<TypeLoadStopped>(OnTypeLoadStopped);
            hub.Subscribe<PrecompiledCodeLookup>(OnPrecompiledCodeLookup);
            hub.Subscribe<ProcessLaunched>(OnProcessLaunched);
        }

        private void OnAssemblyLoaded(in AssemblyLoaded assembly) =>
            Heard.Add($"assembly {assembly.AssemblyId} {assembly.Name}{(assembly.IsDynamic ? " dynamic" : "")}");

        private void OnAssemblyModuleLoaded(in AssemblyModuleLoaded module) =>
            Heard.Add(
                $"module {module.ModuleId} of {module.AssemblyId}{(module.IsDynamic ? " dynamic" : "")}{(module.IsReadyToRun ? " precompiled" : "")}"
            );

        private void OnAssemblyBind(in AssemblyBind search) =>
            Heard.Add(search.Found ? $"found {search.Name} {search.ResultPath}" : $"not found {search.Name}");

        private void OnTypeLoadStarted(in TypeLoadStarted load) => Heard.Add($"type begins {load.LoadId}");

        private void OnTypeLoadStopped(in TypeLoadStopped load) => Heard.Add($"type {load.TypeId:X} ends {load.LoadId}");

        private void OnPrecompiledCodeLookup(in PrecompiledCodeLookup method) =>
            Heard.Add(method.Found ? "precompiled" : "not precompiled");

        private void OnProcessLaunched(in ProcessLaunched launched) => Heard.Add($"run {launched.RunId} launched {launched.LaunchedTicks}");
    }
}
