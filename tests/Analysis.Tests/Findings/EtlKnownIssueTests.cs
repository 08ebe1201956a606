using EtwSerializerProfiler.Analysis.Findings;
using EtwSerializerProfiler.Analysis.Findings.Rules;

namespace EtwSerializerProfiler.Analysis.Tests.Findings;

/// <summary>
/// Known issues that no runtime here has, on .etl files with their events: stacks of .NET Framework as it throws, waits and makes code.
/// </summary>
public sealed class EtlKnownIssueTests : IDisposable
{
    private const int App = 4000;
    private const int Main = 4001;
    private const int Marker = 4002;
    private const int Other = 4010;

    /// <summary>The native part of every stack.</summary>
    private const ulong Clr = 0x7FF9_0000_0000;

    /// <summary>Methods by the address of their code.</summary>
    private const ulong Code = 0x7FF8_0000_0000;

    private readonly TempFolder _folder = new();
    private readonly string _path;

    private ulong _methods;

    public EtlKnownIssueTests() => _path = Path.Combine(_folder.Path, "known-issue.etl");

    public void Dispose() => _folder.Dispose();

    [Fact]
    public void Base64_with_line_breaks_throws_below_the_xml_reader()
    {
        Write(trace =>
        {
            ulong[] stack =
            [
                Clr + 0x50,
                Method(trace, "System.Text.Base64Encoding", "GetBytes"),
                Method(trace, "System.Xml.XmlBaseReader", "ReadBytes"),
                Method(trace, "System.Xml.XmlBaseReader", "ReadContentAsBase64"),
                Method(trace, "System.Runtime.Serialization.XmlReaderDelegator", "ReadElementContentAsBase64"),
                Method(trace, "System.Runtime.Serialization.ByteArrayDataContract", "ReadXmlValue"),
                Main + Clr,
            ];
            trace.BeginRun(App, Main, Marker, 1, "DataContract", 10_000);
            for (var i = 0; i < 40; i++)
                trace.Throw(
                    10_100 + (10 * i),
                    App,
                    Main,
                    "System.FormatException",
                    "The characters are not valid base64.",
                    unchecked((int)0x80131537),
                    stack
                );
            trace.EndRun(App, Main, Marker, 1, "DataContract", 10_000, 15_000, generation: 0);
        });

        var finding = Assert.Single(Rules.Check(new Base64FormatRule(), _path));

        Assert.Equal(("base64", FindingConfidence.Likely), (finding.Code, finding.Confidence));
        Assert.StartsWith(
            "reading base64 text out of XML throws FormatException: DataContract Serialize N=100 (40 per run in System.Text.Base64Encoding.GetBytes); ",
            finding.Text,
            StringComparison.Ordinal
        );
        Assert.Equal(40, Assert.Single(finding.Evidence).Value);
        Assert.Equal((1, 10.1), (Assert.Single(finding.Locations).RunId!.Value, Math.Round(finding.Locations[0].StartMs, 3)));
    }

    [Theory]
    [InlineData("System.Int32", "Parse", "MyApp.Reader", "Read", "System.FormatException", null)] // the program's own
    [InlineData(
        "System.Xml.XmlConvert",
        "ToInt32",
        "System.Runtime.Serialization.XmlObjectSerializerReadContext",
        "InternalDeserialize",
        "System.FormatException",
        "contract-format"
    )]
    [InlineData(
        "System.Xml.XmlConvert",
        "ToInt32",
        "System.Runtime.Serialization.XmlObjectSerializerWriteContext",
        "InternalSerialize",
        "System.FormatException",
        null
    )]
    [InlineData("System.Text.Base64Encoding", "GetBytes", "System.Xml.XmlBaseReader", "ReadContentAsBase64", "System.IO.IOException", null)]
    [InlineData("System.Xml.XmlBaseReader", "ReadContentAsString", "MyApp.Reader", "ReadBase64", "System.FormatException", null)]
    public void Other_exceptions_are_not_of_base64(
        string leaf,
        string leafMethod,
        string caller,
        string callerMethod,
        string type,
        string? code
    )
    {
        Write(trace =>
        {
            ulong[] stack = [Clr + 0x50, Method(trace, leaf, leafMethod), Method(trace, caller, callerMethod)];
            trace.BeginRun(App, Main, Marker, 1, "DataContract", 10_000);
            for (var i = 0; i < 10; i++)
                trace.Throw(10_100 + (10 * i), App, Main, type, "no", 1, stack);
            trace.EndRun(App, Main, Marker, 1, "DataContract", 10_000, 15_000, generation: 0);
        });

        Assert.Equal(
            code is null ? [] : [(code, FindingConfidence.Possible)],
            Rules.Check(new Base64FormatRule(), _path).Select(finding => (finding.Code, finding.Confidence))
        );
    }

    [Fact]
    public void Threads_wait_for_the_lock_of_data_contracts()
    {
        WriteLocks("System.Runtime.Serialization.DataContract+DataContractCriticalHelper");

        var finding = Assert.Single(Rules.Check(new DataContractLockRule(), _path));

        Assert.Equal(("datacontract-lock", FindingConfidence.Likely), (finding.Code, finding.Confidence));
        Assert.StartsWith(
            "threads wait for each other to look up data contracts: DataContract Serialize x2 N=100 (32 % of thread time, 2 waits in "
                + "System.Runtime.Serialization.DataContract+DataContractCriticalHelper.GetBuiltInDataContract and System.Runtime.Serialization.DataContract+DataContractCriticalHelper.GetId); ",
            finding.Text,
            StringComparison.Ordinal
        );
        Assert.Equal([32, 3.2], finding.Evidence.Select(figure => Math.Round(figure.Value, 1)));
        Assert.Equal((10.1, 12.1), (Math.Round(finding.Locations[0].StartMs, 3), Math.Round(finding.Locations[0].StopMs, 3)));

        Assert.StartsWith("run on .NET 7 or later, ", finding.Advice, StringComparison.Ordinal);

        // The general rule on waits finds them, too.
        Assert.Contains(
            "DataContractCriticalHelper.GetBuiltInDataContract",
            Assert.Single(Rules.Check(new LockScalingRule(), _path)).Text,
            StringComparison.Ordinal
        );
    }

    [Theory]
    [InlineData("MyApp.DataContract")]
    [InlineData("System.Runtime.Serialization.XmlObjectSerializer")]
    public void Other_locks_are_not_those_of_data_contracts(string type)
    {
        WriteLocks(type);

        Assert.Empty(Rules.Check(new DataContractLockRule(), _path));
        Assert.Single(Rules.Check(new LockScalingRule(), _path));
    }

    [Fact]
    public void Short_waits_for_contracts_are_fine()
    {
        WriteLocks("System.Runtime.Serialization.DataContract", scale: 10);

        Assert.Empty(Rules.Check(new DataContractLockRule(), _path));
    }

    [Theory]
    [InlineData("Microsoft.GeneratedCode, Version=1.0.0.0", true, ", 1 assembly generated, 1 generated method compiled")]
    [InlineData("x1bdzoqe, Version=0.0.0.0", false, ", 0 assemblies generated, 1 generated method compiled")] // by csc.exe
    [InlineData("MyApp.XmlSerializers, Version=1.0.0.0", false, null)] // by sgen at build time
    public void Code_for_xml_serializers_is_made_at_start(string assembly, bool dynamic, string? made)
    {
        Write(trace =>
        {
            trace.Assembly(500, App, Main, 70, 71, assembly, dynamic);
            trace.BeginRun(App, Main, Marker, 1, "XmlSerializer", 10_000);
            Method(
                trace,
                "Microsoft.Xml.Serialization.GeneratedAssembly.XmlSerializationWriterBookShelf",
                "Write3_BookShelf",
                module: 71,
                at: 10_200
            );
            trace.EndRun(App, Main, Marker, 1, "XmlSerializer", 10_000, 15_000, generation: 0);
        });

        var findings = Rules.Check(new XmlCodeGenerationRule(), _path);

        if (made is null)
        {
            Assert.Empty(findings);
            return;
        }

        var finding = Assert.Single(findings);
        Assert.Equal(("xml-codegen", FindingConfidence.Certain), (finding.Code, finding.Confidence));
        var where = dynamic ? "outside of runs" : "in run 1, Measured of XmlSerializer Serialize N=100, 5.0 ms";
        Assert.StartsWith(
            $"XmlSerializer generates code at run time: process 4000 ({where}{made}); ",
            finding.Text,
            StringComparison.Ordinal
        );
        Assert.Equal(
            (dynamic ? null : 1, dynamic ? 0.5 : 10.2),
            (Assert.Single(finding.Locations).RunId, Math.Round(finding.Locations[0].StartMs, 3))
        );
    }

    private void WriteLocks(string type, int scale = 1) =>
        Write(trace =>
        {
            var write = Method(trace, "System.Runtime.Serialization.XmlObjectSerializerWriteContext", "InternalSerialize");
            var builtIn = Method(trace, type, "GetBuiltInDataContract");
            var id = Method(trace, type, "GetId");
            trace.RunThreads = 2;
            trace.BeginRun(App, Main, Marker, 1, "DataContract", 10_000);
            trace.Contention(10_100, 10_100 + (2000 / scale), App, Other, Clr + 0x60, builtIn, write);
            trace.Contention(12_500, 12_500 + (1200 / scale), App, Main, Clr + 0x60, id, write);
            trace.Contention(14_000, 14_050, App, Main, Clr + 0x60, write);
            trace.EndRun(App, Main, Marker, 1, "DataContract", 10_000, 15_000, generation: 0);
        });

    /// <summary>A method has code; a return address in it.</summary>
    private ulong Method(SyntheticEtl trace, string type, string name, long module = 1, long at = 200)
    {
        var start = Code + (0x1000 * ++_methods);
        trace.JitStarted(at - 50, App, Main, (long)_methods, module);
        trace.Method(at, App, Main, (long)_methods, start, 0x100, type, name, module: module);
        return start + 0x10;
    }

    private void Write(Action<SyntheticEtl> write)
    {
        using var trace = new SyntheticEtl(_path);
        trace.Process(App, "MyApp.exe");
        trace.Thread(Main, App);
        trace.Thread(Marker, App);
        trace.Thread(Other, App);
        trace.Image(App, Clr, 0x10_0000, @"\Windows\Microsoft.NET\Framework64\v4.0.30319\clr.dll");
        trace.Module(100, App, Main, 1, @"C:\Windows\Microsoft.NET\assembly\System.Runtime.Serialization.dll");
        write(trace);
    }
}
