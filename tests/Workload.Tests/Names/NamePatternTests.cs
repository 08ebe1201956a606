using EtwSerializerProfiler.Naming;

namespace EtwSerializerProfiler.Workload.Tests.Names;

/// <summary>The matching rule of every filter of both tools and of the suite.</summary>
public sealed class NamePatternTests
{
    private static readonly string[] s_names = ["Serialize", "Deserialize", "Combined", "FirstCall"];
    private static readonly string[] s_serializers =
    [
        "SystemTextJson",
        "Newtonsoft.Json",
        "DataContract",
        "DataContractJson",
        "MessagePack",
    ];

    [Theory]
    [InlineData("json", "SystemTextJson", true)]
    [InlineData("#json", "SystemTextJson", false)]
    [InlineData("#systemtextjson", "SystemTextJson", true)]
    [InlineData("system*json", "SystemTextJson", true)]
    [InlineData("text*", "SystemTextJson", false)]
    [InlineData("*text*", "SystemTextJson", true)]
    [InlineData("sys*sys*", "SystemTextJson", false)]
    [InlineData("*json*json", "SystemTextJson", false)]
    [InlineData("#a*b", "a*b", true)]
    [InlineData("#a*b", "axb", false)]
    public void A_part_in_any_case_or_the_whole_name(string typed, string name, bool matches)
    {
        Assert.True(NamePattern.TryParse(typed, out var pattern));
        Assert.Equal((matches, typed), (pattern.Matches(name), pattern.ToString()));
    }

    [Theory]
    [InlineData("")]
    [InlineData("#")]
    public void An_empty_name_is_none(string typed) => Assert.False(NamePattern.TryParse(typed, out _));

    [Fact]
    public void A_list_has_commas() => Assert.Equal([new("a", false), new("b c", true)], NamePattern.List(" a,, #b c ,#"));

    [Theory]
    [InlineData("serialize", "Serialize")]
    [InlineData("#SERIALIZE", "Serialize")]
    [InlineData("serial", "Serialize Deserialize")]
    [InlineData("first", "FirstCall")]
    [InlineData("#first", "")]
    [InlineData("0", "")]
    public void Of_known_names_one_in_full_is_that_one(string typed, string found) =>
        Assert.Equal(found, string.Join(' ', NameChoice.Find(typed, s_names)));

    [Theory]
    [InlineData("deser", "Deserialize", "")]
    [InlineData("serial", "", "'serial' matches Serialize, Deserialize: write a longer part")]
    [InlineData("serialise", "", "did you mean Serialize?")]
    [InlineData("x", "", "choose from Serialize, Deserialize, Combined, FirstCall")]
    public void One_value_has_to_be_clear(string typed, string found, string expected)
    {
        Assert.Equal(found.Length > 0, NameChoice.TryFind(typed, s_names, out var name, out var advice));
        Assert.Equal((found, expected), (name, advice));
    }

    [Theory]
    [InlineData("MesagePack", "did you mean MessagePack?")]
    [InlineData("#MessagePak", "did you mean MessagePack?")]
    [InlineData("jsn", "did you mean DataContractJson or Newtonsoft.Json or SystemTextJson?")]
    [InlineData("DataContractSerializer", "did you mean DataContract?")]
    [InlineData("Protobuf", "choose from SystemTextJson, Newtonsoft.Json, DataContract, DataContractJson, MessagePack")]
    public void What_is_near_is_suggested_else_all_is_listed(string typed, string advice) =>
        Assert.Equal(advice, NameChoice.Advice(typed, s_serializers));

    [Fact]
    public void A_long_list_is_cut() =>
        Assert.EndsWith(
            "n19 and 5 more",
            NameChoice.Advice("zzzz", Enumerable.Range(0, 25).Select(number => $"n{number}")),
            StringComparison.Ordinal
        );
}
