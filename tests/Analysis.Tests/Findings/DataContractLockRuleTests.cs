using EtwSerializerProfiler.Analysis.Findings;
using EtwSerializerProfiler.Analysis.Findings.Rules;

namespace EtwSerializerProfiler.Analysis.Tests.Findings;

/// <summary>The lock of data contracts on .NET; that of .NET Framework is in EtlKnownIssueTests.</summary>
public sealed class DataContractLockRuleTests
{
    private const ulong Monitor = 0x1000;
    private const ulong BuiltIn = 0x2000;

    [Theory]
    [InlineData(".NET 10.0.12", false)]
    [InlineData(".NET 7.0.20", false)]
    [InlineData(".NET 6.0.36", true)]
    [InlineData(".NET Core 3.1.32", true)]
    [InlineData(".NET Framework 4.8.9037.0", true)]
    [InlineData("", true)]
    public void Who_has_the_change_is_not_advised_to_get_it(string runtime, bool isOld)
    {
        var finding = Assert.Single(Rules.Check(new DataContractLockRule(), Trace(), runtime: runtime));

        Assert.Equal(
            ("datacontract-lock", isOld),
            (finding.Code, finding.Advice.StartsWith("run on .NET 7 or later", StringComparison.Ordinal))
        );
        Assert.Contains(
            " (20 % of thread time, 1 waits in System.Runtime.Serialization.DataContracts.DataContract+DataContractCriticalHelper.GetBuiltInDataContract); ",
            finding.Text,
            StringComparison.Ordinal
        );
    }

    [Theory]
    [InlineData(4, FindingConfidence.Likely)]
    [InlineData(2, FindingConfidence.Possible)]
    public void More_threads_than_processors_wait_for_processors_too(int processors, FindingConfidence expected) =>
        Assert.Equal(expected, Assert.Single(Rules.Check(new DataContractLockRule(), Trace(), processors)).Confidence);

    [Fact]
    public void A_twentieth_is_fine() => Assert.Empty(Rules.Check(new DataContractLockRule(), Trace(microseconds: 390)));

    private static SyntheticTrace Trace(double microseconds = 1600) =>
        new SyntheticTrace()
            .Module("/net/System.Private.DataContractSerialization.dll")
            .Code(1, Monitor, "System.Threading.Monitor", "Enter", 1)
            .Code(
                1,
                BuiltIn,
                "System.Runtime.Serialization.DataContracts.DataContract+DataContractCriticalHelper",
                "GetBuiltInDataContract",
                2
            )
            .Run(1, 1000, 3000, identity: SyntheticTrace.Identity("DataContract", threads: 4))
            .Contention(1100, 1100 + microseconds, 11, 0xABC, 9, Monitor + 0x10, BuiltIn + 0x10);
}
