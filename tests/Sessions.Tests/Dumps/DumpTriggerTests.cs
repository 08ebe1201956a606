using EtwSerializerProfiler.DumpHook;
using EtwSerializerProfiler.Sessions.Dumps;

namespace EtwSerializerProfiler.Sessions.Tests.Dumps;

public class DumpTriggerTests
{
    [Theory]
    [InlineData("System.FormatException", "System.FormatException", "", 1)]
    [InlineData("FormatException:3", "FormatException", "", 3)]
    [InlineData("A.B+C`1~text", "A.B+C`1", "text", 1)]
    [InlineData("A.B~a text: with ~ and colon:12", "A.B", "a text: with ~ and colon", 12)]
    [InlineData("A.B~at 5:1", "A.B", "at 5", 1)]
    [InlineData("A.B~at position: 5", "A.B", "at position: 5", 1)]
    [InlineData("A.B~two\nlines", "A.B", "two\nlines", 1)]
    [InlineData("gc-pause", null, null, 0)]
    [InlineData("hang", "hang", "", 1)]
    public void Exceptions_have_a_type_a_text_and_a_number(string text, string? type, string? message, long number)
    {
        if (type is null)
        {
            Assert.False(DumpTrigger.TryParse(text, out _, out _)); // '-' is part of no type's name
            return;
        }

        Assert.True(DumpTrigger.TryParse(text, out var trigger, out var error), error);
        Assert.Equal(
            (DumpTriggerKind.Exception, type, message, number),
            (trigger!.Kind, trigger.Exception!.TypeName, trigger.Exception.MessageText, trigger.Exception.Number)
        );
        Assert.Equal(text, trigger.ToString());
    }

    [Theory]
    [InlineData("gc-pause>50", DumpTriggerKind.GcPause, 50)]
    [InlineData("gc-pause>0.5", DumpTriggerKind.GcPause, 0.5)]
    [InlineData("memory>500", DumpTriggerKind.Memory, 500)]
    [InlineData("hang>5", DumpTriggerKind.Hang, 5)]
    public void Others_have_a_limit(string text, DumpTriggerKind kind, double limit)
    {
        Assert.True(DumpTrigger.TryParse(text, out var trigger, out var error), error);
        Assert.Equal((kind, limit), (trigger!.Kind, trigger.Limit));
    }

    [Theory]
    [InlineData("", "TYPE[~MESSAGE][:N]")]
    [InlineData("A B", "TYPE[~MESSAGE][:N]")]
    [InlineData("~text", "TYPE[~MESSAGE][:N]")]
    [InlineData("A~", "TYPE[~MESSAGE][:N]")]
    [InlineData("A~a\u001fb", "TYPE[~MESSAGE][:N]")]
    [InlineData("A:", "TYPE[~MESSAGE][:N]")]
    [InlineData("A:0", "1 or more")]
    [InlineData("A:99999999999999999999", "1 or more")]
    [InlineData("memory>", "a number greater than 0")]
    [InlineData("memory>0", "a number greater than 0")]
    [InlineData("memory>-5", "a number greater than 0")]
    [InlineData("memory>1e99", "a number greater than 0")]
    [InlineData("hang>9999999", "at most 1000000")]
    [InlineData("cpu>5", "gc-pause>MS")]
    public void Anything_else_is_an_error_that_lists_what_is_accepted(string text, string expected)
    {
        Assert.False(DumpTrigger.TryParse(text, out var trigger, out var error));
        Assert.Null(trigger);
        Assert.Contains(expected, error, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("System.FormatException", "System.FormatException", true)]
    [InlineData("FormatException", "System.FormatException", true)]
    [InlineData("FormatException", "My.Own.FormatException", true)]
    [InlineData("FormatException", "FormatException", true)]
    [InlineData("FormatException", "System.UriFormatException", false)]
    [InlineData("System.FormatException", "My.System.FormatException", false)]
    [InlineData("System.FormatException", "System.FormatException2", false)]
    [InlineData("system.formatexception", "System.FormatException", false)]
    [InlineData("A.Fault`1", "A.Fault`1[[System.Int32, System.Private.CoreLib, Version=10.0.0.0]]", true)]
    [InlineData("Outer+Inner", "A.Outer+Inner", true)]
    public void Types_match_by_their_full_name_or_by_their_name_alone(string wanted, string thrown, bool expected) =>
        Assert.Equal(expected, new HookTrigger(wanted, "", 1).IsType(thrown));

    [Fact]
    public void Messages_match_by_a_part_of_them_in_any_case()
    {
        Assert.True(new HookTrigger("A", "NO number", 1).IsMessage("3 is no Number here"));
        Assert.False(new HookTrigger("A", "no number", 1).IsMessage("3 is no digit"));
        Assert.True(new HookTrigger("A", "", 1).IsMessage(""));
    }
}
