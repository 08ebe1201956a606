namespace EtwSerializerProfiler.Sessions.Etw.Steps;

/// <summary>What a step does.</summary>
public enum EtwStepKind
{
    /// <summary>Makes sure that the recorder may start sessions, before anything else.</summary>
    Elevation = 0,

    /// <summary>Looks at the sessions that run: none may be in the way.</summary>
    Sessions = 1,

    /// <summary>Leaves a note of the sessions that are about to start, by which they are found after a crash.</summary>
    Note = 2,

    /// <summary>Writes the profile that WPR is started with.</summary>
    Profile = 3,

    /// <summary>Changes the sample interval of the machine.</summary>
    SampleInterval = 4,

    /// <summary>Starts a user session.</summary>
    StartUser = 5,

    /// <summary>Enables a provider in a user session.</summary>
    EnableProvider = 6,

    /// <summary>Starts the kernel session.</summary>
    StartKernel = 7,

    /// <summary>Runs the program that is recorded, without the recorder's rights.</summary>
    Run = 8,

    /// <summary>Writes what is in circular memory to files.</summary>
    Flush = 9,

    /// <summary>Stops sessions.</summary>
    Stop = 10,

    /// <summary>Sets the sample interval back.</summary>
    ResetInterval = 11,

    /// <summary>Starts the rundown: running processes write the names of their methods.</summary>
    StartRundown = 12,

    /// <summary>Waits for the rundown.</summary>
    WaitRundown = 13,

    /// <summary>Ends the rundown's session.</summary>
    StopRundown = 14,

    /// <summary>Makes one file of all, with what symbols need.</summary>
    Merge = 15,

    /// <summary>Looks at what was recorded: lost events, runs.</summary>
    Check = 16,

    /// <summary>Removes the note: nothing is left behind.</summary>
    Forget = 17,

    /// <summary>Makes sure that all sessions run: xperf has been seen to report success without starting one.</summary>
    Verify = 18,
}
