using EtwSerializerProfiler.Dumps.Exceptions;
using EtwSerializerProfiler.Dumps.Stacks;

namespace EtwSerializerProfiler.Dumps.Tests;

[Trait(TestKind.Trait, TestKind.Records)]
public sealed class ThrowStackTests
{
    /// <summary>
    /// Stacks of a held thread as dumps showed them: from .NET 9 on the search for a handler is managed, in .NET 8 the hook lies right over
    /// the throwing frame.
    /// </summary>
    [Theory]
    [InlineData(
        "Interop+Sys.Poll()|EtwSerializerProfiler.DumpHook.ThrowWatch.OnThrown(System.Object)|System.Runtime.EH.DispatchEx()|System.Number.ThrowFormatException()|App.Reader.Parse()|App.Reader.Read()|Program.Main()"
    )]
    [InlineData(
        "Interop+Sys.Poll()|EtwSerializerProfiler.DumpHook.HeldThread.Hold()|EtwSerializerProfiler.DumpHook.ThrowWatch.OnThrown(System.Object)|System.Number.ThrowFormatException()|App.Reader.Parse()|App.Reader.Read()|Program.Main()"
    )]
    public void What_is_being_thrown_has_the_stack_of_its_thread(string thread)
    {
        var stack = ThrowStack.Of(Frames("System.Number.ThrowFormatException()"), Frames(thread));

        Assert.Equal(
            ["System.Number.ThrowFormatException()", "App.Reader.Parse()", "App.Reader.Read()", "Program.Main()"],
            stack.Select(frame => frame.Method)
        );
    }

    [Theory]
    [InlineData("App.Reader.Next()|App.Reader.Read()|Program.Main()")] // caught long ago
    // Another one is thrown now.
    [InlineData("Interop+Sys.Poll()|EtwSerializerProfiler.DumpHook.ThrowWatch.OnThrown(System.Object)|App.Other.Throw()|Program.Main()")]
    public void What_was_caught_keeps_its_own(string thread)
    {
        var recorded = Frames("System.Number.ThrowFormatException()|App.Reader.Parse()");

        Assert.Same(recorded, ThrowStack.Of(recorded, Frames(thread)));
    }

    private static DumpFrame[] Frames(string methods) =>
        [.. methods.Split('|').Select(method => new DumpFrame(method, "app.dll", null, 0))];
}
