namespace EtwSerializerProfiler.Reports;

/// <summary>Output format.</summary>
public enum ReportFormat
{
    /// <summary>Table for people; lines are as long as necessary.</summary>
    Table = 0,

    /// <summary>RFC 4180, one line per row, empty cell = not recorded.</summary>
    Csv = 1,

    /// <summary>One JSON object; null = not recorded.</summary>
    Json = 2,

    /// <summary>Tables in GitHub's Markdown.</summary>
    Markdown = 3,
}
