using EtwSerializerProfiler.CommandLine;
using EtwSerializerProfiler.Foundation.Problems;

namespace EtwSerializerProfiler.Configuration.Tests;

/// <summary>Messages of a tool among the output of the program that it records.</summary>
public sealed class ToolMessagesTests
{
    [Fact]
    public void Every_message_begins_with_the_tools_name()
    {
        var error = new StringWriter();
        var messages = new ToolMessages("esp-record", error);

        messages.Error(new Problem("what", "where", "fix"));
        messages.Loss("3 events lost");
        messages.Step("publishing");
        messages.Note("one\nnote");

        Assert.Equal(
            [
                "esp-record: error: what",
                "  where: where",
                "  fix: fix",
                "esp-record: 3 events lost",
                "esp-record: publishing",
                "esp-record: note: one note",
            ],
            error.ToString().Split(Environment.NewLine, StringSplitOptions.RemoveEmptyEntries)
        );
    }
}
