namespace EtwSerializerProfiler.Sessions.Etw.Steps;

/// <summary>Kinds of steps.</summary>
public enum EtwStepKind
{
    /// <summary>Checks first that the recorder may start sessions.</summary>
    Elevation = 0,

    /// <summary>Checks that no running session conflicts.</summary>
    Sessions = 1,

    /// <summary>Writes the session ledger entry, by which sessions are found after a crash.</summary>
    Note = 2,

    /// <summary>Writes WPR's profile.</summary>
    Profile = 3,

    /// <summary>Changes the machine's sample interval.</summary>
    SampleInterval = 4,

    /// <summary>Starts a user session.</summary>
    StartUser = 5,

    /// <summary>Enables a provider in a user session.</summary>
    EnableProvider = 6,

    /// <summary>Starts the kernel session.</summary>
    StartKernel = 7,

    /// <summary>Runs the recorded program without the recorder's rights.</summary>
    Run = 8,

    /// <summary>Writes circular memory to files.</summary>
    Flush = 9,

    /// <summary>Stops sessions.</summary>
    Stop = 10,

    /// <summary>Restores the sample interval.</summary>
    ResetInterval = 11,

    /// <summary>Starts the rundown: running processes write the names of their methods.</summary>
    StartRundown = 12,

    /// <summary>Waits for the rundown.</summary>
    WaitRundown = 13,

    /// <summary>Ends the rundown's session.</summary>
    StopRundown = 14,

    /// <summary>Merges all files and adds data for symbols.</summary>
    Merge = 15,

    /// <summary>Checks the recording: lost events, runs.</summary>
    Check = 16,

    /// <summary>Removes the session ledger entry.</summary>
    Forget = 17,

    /// <summary>Checks that all sessions run: xperf has reported success without starting one.</summary>
    Verify = 18,
}
