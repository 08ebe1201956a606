using System.Globalization;
using System.Text;
using EtwSerializerProfiler.Reports.Features;
using EtwSerializerProfiler.Traces;

namespace EtwSerializerProfiler.Reports.Tests.Features;

public sealed class FeatureReportTests
{
    private const string Header = "serializer,library,version,group,key,feature,seen,detail,runtime,system,measured_utc\n";

    private const string Place = ".NET 10.0.1,\"Testos 1, x64\",2026-01-02T03:04:05Z";

    private const string Csv =
        Header
        + $"Quick.Json,Quick.Json,1.2.3,First,one,fields,yes,,{Place}\n"
        + $"Quick.Json,Quick.Json,1.2.3,First,two,\"Dictionary<int, …>\",no,\"on writing: KeyException: no `int` key | <none>\",{Place}\n"
        + $"Quick.Json,Quick.Json,1.2.3,Second,three,format,text,,{Place}\n"
        + $"Slow,Slow.Library,4.0,First,one,fields,crashed: exit code 134,Stack overflow.,{Place}\n"
        + $"Slow,Slow.Library,4.0,First,two,\"Dictionary<int, …>\",no,\"on writing: KeyException: no `int` key | <none>\",{Place}\n"
        + $"Slow,Slow.Library,4.0,Second,three,format,binary,,{Place}\n"
        + $"Generated,Generated,5,First,one,fields,own types only,,{Place}\n"
        + $"Generated,Generated,5,First,two,\"Dictionary<int, …>\",opt-in,without opt-in lost,{Place}\n"
        + $"Generated,Generated,5,Second,three,format,binary,,{Place}\n";

    [Fact]
    public void The_grid_has_a_letter_a_cell_and_a_table_of_values()
    {
        using var output = new StringWriter { NewLine = "\n" };
        FeatureReport.WriteText(Cells(Csv), withNotes: true, output);

        Assert.Equal(
            """
            Features, each tried by writing an object and reading it back, on .NET 10.0.1, Testos 1, x64, 2026-01-02T03:04:05Z

            y yes · o opt-in: works with an option of the serializer · - no · x crashed or hung
            . takes only types that are generated for it, so it cannot be tried · ? not tried

            First               Quick.Json  Slow  Generated
            fields              y           x     .
            Dictionary<int, …>  -           -     o

              Serializer │ format
             ────────────┼────────
              Quick.Json │ text
              Slow       │ binary
              Generated  │ binary

            fields: crashed: exit code 134 with Slow: Stack overflow.
            Dictionary<int, …>: no with Quick.Json, Slow: on writing: KeyException: no `int` key | <none>
            Dictionary<int, …>: opt-in with Generated: without opt-in lost

            """,
            output.ToString()
        );
    }

    [Fact]
    public void Many_serializers_have_letters_and_reasons_are_left_for_notes()
    {
        var csv = new StringBuilder(Header);
        for (var i = 1; i <= 17; i++)
            csv.Append(
                CultureInfo.InvariantCulture,
                $"Serializer{i},L,1,First,one,no parameterless constructor,{(i % 2 == 0 ? "no,lost" : "yes,")},{Place}\n"
            );
        using var output = new StringWriter { NewLine = "\n" };
        FeatureReport.WriteText(Cells(csv.ToString()), withNotes: false, output);
        var lines = output.ToString().Split('\n');

        Assert.All(lines[3..], line => Assert.InRange(line.Length, 0, 100));
        Assert.StartsWith("A Serializer1, B Serializer2, C", lines[4], StringComparison.Ordinal);
        Assert.Contains("First                         A  B  C  D  E  F  G  H  I  J  K  L  M  N  O  P  Q", lines);
        Assert.Contains("no parameterless constructor  y  -  y  -  y  -  y  -  y  -  y  -  y  -  y  -  y", lines);
        Assert.Contains("--notes adds 1 reason; --format markdown and csv have them too", lines);
        Assert.DoesNotContain(lines, line => line.Contains("lost", StringComparison.Ordinal));
    }

    [Fact]
    public void Markdown_has_a_table_a_group_and_numbered_notes()
    {
        using var output = new StringWriter { NewLine = "\n" };
        FeatureReport.WriteMarkdown(Cells(Csv), output);

        Assert.Equal(
            """
            Features, each tried by writing an object and reading it back, on .NET 10.0.1, Testos 1, x64, 2026-01-02T03:04:05Z

            opt-in: works with an option of the serializer. own types only: takes only types that are generated for it.

            **First**

            | Serializer | fields | Dictionary<int, …> |
            | --- | --- | --- |
            | Quick.Json | yes | no [1] |
            | Slow | crashed: exit code 134 [2] | no [1] |
            | Generated | own types only | opt-in [3] |

            **Second**

            | Serializer | format |
            | --- | --- |
            | Quick.Json | text |
            | Slow | binary |
            | Generated | binary |

            - [1] on writing: KeyException: no \`int\` key \| &lt;none>
            - [2] Stack overflow.
            - [3] without opt-in lost

            Versions: Quick.Json (Quick.Json 1.2.3), Slow (Slow.Library 4.0), Generated (Generated 5).

            """,
            output.ToString()
        );
    }

    [Theory]
    [InlineData("", "there is no column 'serializer'")]
    [InlineData("serializer,group,key,feature,seen,detail,runtime\n", "it has no rows")]
    public void A_file_without_a_feature_table_is_refused(string csv, string expected) =>
        Assert.Contains(expected, Assert.ThrowsAny<TraceFormatException>(() => Cells(csv)).Message, StringComparison.Ordinal);

    private static IReadOnlyList<FeatureCell> Cells(string csv) =>
        FeatureCell.Read(new MemoryStream(Encoding.UTF8.GetBytes(csv)), "made.csv");
}
