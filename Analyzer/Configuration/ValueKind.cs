namespace EtwSerializerProfiler.Configuration;

/// <summary>What an option takes.</summary>
public enum ValueKind
{
    /// <summary>Nothing on the command line: it is there or not. In the file true or false.</summary>
    Flag = 0,

    /// <summary>A whole number.</summary>
    Whole = 1,

    /// <summary>A number.</summary>
    Number = 2,

    /// <summary>A share: <c>5%</c> or <c>5</c>.</summary>
    Percent = 3,

    /// <summary>One of several words.</summary>
    Choice = 4,

    /// <summary>Text that the option's own parser knows.</summary>
    Text = 5,

    /// <summary>A path, in the file relative to the file.</summary>
    Path = 6,
}
