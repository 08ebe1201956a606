namespace EtwSerializerProfiler.Sessions.Etw.Profiles;

/// <summary>Detail levels of WPR.</summary>
public enum WprpDetail
{
    /// <summary>Everything, for analysis; the default of <c>wpr -start FILE!NAME</c>.</summary>
    Verbose = 0,

    /// <summary>Less, for timing: <c>wpr -start FILE!NAME.Light</c>.</summary>
    Light = 1,
}
