namespace EtwSerializerProfiler.Recorder.Commands.Guides;

/// <summary>How much a guide measures.</summary>
internal enum GuideLevel
{
    /// <summary>Four object counts, few runs, scenarios with short limits.</summary>
    Quick = 0,

    /// <summary>1 to 1,000,000 objects, more runs, precompiled code, all runtimes of this machine.</summary>
    Full = 1,
}
