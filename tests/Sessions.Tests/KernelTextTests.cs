using EtwSerializerProfiler.Sessions.PerfEvents;

namespace EtwSerializerProfiler.Sessions.Tests;

/// <summary>Lines as /proc/kallsyms has them on x64, on arm64, and for a user who may not see addresses.</summary>
public sealed class KernelTextTests
{
    [Fact]
    public void On_x64_it_begins_at_text() =>
        Assert.Equal(
            new KernelText(0xffffffff81000000, 0xffffffff82209988, "_text"),
            KernelText.Find([
                "0000000000000000 A fixed_percpu_data",
                "ffffffff81000000 T _stext",
                "ffffffff81000000 T _text",
                "ffffffff82209988 T _etext",
                "ffffffffc0001000 t init\t[module]",
            ])
        );

    [Fact]
    public void On_arm64_it_begins_at_stext() =>
        Assert.Equal(
            new KernelText(0xffffc9a3a2e10000, 0xffffc9a3a3b20000, "_stext"),
            KernelText.Find(["ffffc9a3a2e10000 T _stext", "ffffc9a3a2e10040 T bcm2835_handle_irq", "ffffc9a3a3b20000 D _etext"])
        );

    [Fact]
    public void Hidden_addresses_say_nothing() =>
        Assert.Null(KernelText.Find(["0000000000000000 T _stext", "0000000000000000 T _text", "0000000000000000 T _etext"]));
}
