using EtwSerializerProfiler.Contract;
using EtwSerializerProfiler.Workload.Commands;
using EtwSerializerProfiler.Workload.Plugins;
using EtwSerializerProfiler.Workload.Serializers;

namespace EtwSerializerProfiler.Workload.Tests.Plugins;

/// <summary>What is not there is said.</summary>
public sealed class LeftOutTests
{
    [Fact]
    public void The_builds_list_of_serializers_that_it_left_out_is_read()
    {
        using var folder = new TempFolder();
        Assert.Empty(Adapters.ReadLeftOut(folder.Path));
        folder.Write("left-out.txt", "Jil\tpackage not found in your feeds\r\n\nSlim\tAzos has no build for net472\n");

        Assert.Equal(
            [new LeftOutAdapter("Jil", "package not found in your feeds"), new LeftOutAdapter("Slim", "Azos has no build for net472")],
            Adapters.ReadLeftOut(folder.Path));
    }

    [Fact]
    public void The_list_has_a_row_with_the_reason_for_what_is_known_to_fail_and_what_is_not_there()
    {
        var failing = SerializerRegistry.All[0] with { KnownFailure = "fails since .NET 9: use net8.0" };
        using var output = new StringWriter();

        ListCommand.Run([failing, SerializerRegistry.All[5]], [new LeftOutAdapter("Jil", "package not found in your feeds")], output);

        Assert.Collection(
            output.ToString().Split(Environment.NewLine, StringSplitOptions.RemoveEmptyEntries),
            line => Assert.Matches("^Name +Library +Version +Format +Available$", line),
            line => Assert.Matches(@"^XmlSerializer +System\.Private\.Xml +\S+ +text +no: fails since \.NET 9: use net8\.0$", line),
            line => Assert.Matches(@"^Newtonsoft\.Json +Newtonsoft\.Json +\S+ +text +yes$", line),
            line => Assert.Matches("^Jil +- +- +- +no: package not found in your feeds$", line));
    }

    [Fact]
    public void A_library_that_is_not_there_is_a_row_of_the_list_and_no_crash()
    {
        var missing = new SerializerDescription("Gone", DataFormat.Binary, () => throw new PluginException("a.dll: its library No.Such.Library cannot be loaded"), () => throw new InvalidOperationException(), _ => throw new InvalidOperationException());
        using var output = new StringWriter();

        ListCommand.Run([missing], [], output);

        Assert.Matches(@"Gone +- +- +binary +no: .*its library No\.Such\.Library cannot be loaded", output.ToString());
    }
}
