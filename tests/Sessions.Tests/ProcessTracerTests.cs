using EtwSerializerProfiler.Sessions.EventPipe;
using EtwSerializerProfiler.Sessions.Recordings;
using EtwSerializerProfiler.Traces.Recordings;

namespace EtwSerializerProfiler.Sessions.Tests;

public sealed class ProcessTracerTests
{
    [Theory]
    [InlineData(ProcessRole.Measured, 1, "clr.nettrace code.nettrace")]
    [InlineData(ProcessRole.Descendant, 1, "clr.368.nettrace code.368.nettrace")]
    [InlineData(ProcessRole.Descendant, 2, "clr.368-2.nettrace code.368-2.nettrace")]
    public async Task Each_process_has_files_of_its_own_also_with_the_id_of_an_earlier_one(ProcessRole role, int use, string files)
    {
        using var folder = new TempFolder();
        var opened = new List<string>();
        var options = new RecordOptions
        {
            Command = ["program"],
            Folder = Path.Combine(folder.Path, "r"),
            Sessions = EventPipePlan.Create(EventPipePlan.SessionNames, AllocationEvents.None, inlineeTypes: false),
            ToolVersion = "",
            OpenTrace = path =>
            {
                opened.Add(Path.GetFileName(path));
                throw new IOException("not needed");
            },
        };
        await using var tracer = new ProcessTracer(368, role, ["program"], "10.0.0", Redaction.None, use);

        await tracer.StartAsync(options, RecordingFolder.Create(options.Folder));

        Assert.Equal(files, string.Join(' ', opened));
    }
}
