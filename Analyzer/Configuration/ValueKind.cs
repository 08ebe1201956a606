namespace EtwSerializerProfiler.Configuration;

/// <summary>Kinds of option values.</summary>
public enum ValueKind
{
    /// <summary>None on the command line, where the option is present or not; true or false in the file.</summary>
    Flag = 0,

    /// <summary>An integer.</summary>
    Whole = 1,

    /// <summary>A number.</summary>
    Number = 2,

    /// <summary>A percentage: <c>5%</c> or <c>5</c>.</summary>
    Percent = 3,

    /// <summary>One of several words.</summary>
    Choice = 4,

    /// <summary>Text for the option's own parser.</summary>
    Text = 5,

    /// <summary>A path; in the file, relative to the file.</summary>
    Path = 6,
}
