using System.Globalization;
using System.Text;
using System.Xml;
using EtwSerializerProfiler.Analysis.Comparison.Gates;

namespace EtwSerializerProfiler.Reports.Comparison.Gates;

/// <summary>
/// Writes a gate as JUnit XML, which build servers show as tests: one test case per check, a failure for a violation, an error for a check
/// that could not be judged. The format is that of Apache Ant's junitreport, which Jenkins, GitLab and Azure Pipelines read.
/// </summary>
internal static class JUnitWriter
{
    public static void Write(GateResult gate, Stream output)
    {
        using var xml = XmlWriter.Create(
            output,
            new XmlWriterSettings
            {
                Indent = true,
                Encoding = new UTF8Encoding(encoderShouldEmitUTF8Identifier: false),
                CloseOutput = false,
                NewLineChars = "\n",
            }
        );
        var (violated, unjudged) = (gate.Of(GateOutcome.Violated).Count(), gate.Of(GateOutcome.NotJudged).Count());
        xml.WriteStartElement("testsuites");
        xml.WriteStartElement("testsuite");
        xml.WriteAttributeString("name", "esp-analyze gate");
        xml.WriteAttributeString("tests", Number(gate.Checks.Count + gate.Problems.Count));
        xml.WriteAttributeString("failures", Number(violated));
        xml.WriteAttributeString("errors", Number(unjudged + gate.Problems.Count));
        foreach (var check in gate.Checks)
            WriteCase(xml, check);
        for (var i = 0; i < gate.Problems.Count; i++)
            WriteCase(xml, "recordings", $"losses {i + 1}", "error", gate.Problems[i], gate.Problems[i]);
        xml.WriteEndElement();
        xml.WriteEndElement();
    }

    private static void WriteCase(XmlWriter xml, GateCheck check)
    {
        var name = $"{(check.Pair.Key with { Serializer = "" }).ToString().Trim()} {check.Compared.Metric.Key}";
        var element = check.Outcome switch
        {
            GateOutcome.Violated => "failure",
            GateOutcome.NotJudged => "error",
            _ => null,
        };
        var details =
            GateText.Line(check)
            + (check.Outcome == GateOutcome.Violated && ComparisonText.Explain(check.Pair, "now", []) is { } reason ? "\n" + reason : "");
        WriteCase(xml, check.Pair.Key.Serializer, name, element, GateText.Line(check), details);
    }

    private static void WriteCase(XmlWriter xml, string className, string name, string? element, string message, string details)
    {
        xml.WriteStartElement("testcase");
        xml.WriteAttributeString("classname", Clean(className));
        xml.WriteAttributeString("name", Clean(name));
        if (element is not null)
        {
            xml.WriteStartElement(element);
            xml.WriteAttributeString("message", Clean(message));
            xml.WriteAttributeString("type", element == "failure" ? "violation" : "not judged");
            xml.WriteString(Clean(details));
            xml.WriteEndElement();
        }

        xml.WriteEndElement();
    }

    /// <summary>Replaces characters that XML 1.0 cannot represent with question marks, because names come from recordings.</summary>
    private static string Clean(string text) => string.Concat(text.Select(letter => XmlConvert.IsXmlChar(letter) ? letter : '?'));

    private static string Number(int value) => value.ToString(CultureInfo.InvariantCulture);
}
