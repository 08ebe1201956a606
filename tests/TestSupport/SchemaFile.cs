using System.Globalization;
using System.Xml;
using System.Xml.Schema;

namespace EtwSerializerProfiler.TestSupport;

/// <summary>Validates XML by a schema of tests/TestData/schemas.</summary>
public static class SchemaFile
{
    /// <summary>Validates.</summary>
    /// <param name="schema">File name of the schema.</param>
    /// <param name="xml">The text to validate.</param>
    /// <returns>The error with its line; empty when the text is valid.</returns>
    public static IReadOnlyList<string> Validate(string schema, string xml)
    {
        var errors = new List<string>();
        var schemas = new XmlSchemaSet { XmlResolver = null };
        schemas.ValidationEventHandler += (_, problem) => throw problem.Exception; // the schema itself
        using (var reader = XmlReader.Create(TestFiles.Data("schemas/" + schema)))
            schemas.Add(null, reader);
        schemas.Compile();
        var settings = new XmlReaderSettings { ValidationType = ValidationType.Schema, Schemas = schemas };

        // An element unknown to the schema is only a warning.
        settings.ValidationFlags |= XmlSchemaValidationFlags.ReportValidationWarnings;
        settings.ValidationEventHandler += (_, problem) =>
            errors.Add(string.Create(CultureInfo.InvariantCulture, $"line {problem.Exception.LineNumber}: {problem.Message}"));
        using var text = new StringReader(xml);
        using var validating = XmlReader.Create(text, settings);
        try
        {
            while (validating.Read()) { }
        }
        catch (XmlException exception)
        {
            errors.Add(exception.Message);
        }

        return errors;
    }
}
