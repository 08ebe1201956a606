using EtwSerializerProfiler.DumpHook;

/// <summary>
/// The runtime calls this before Main when DOTNET_STARTUP_HOOKS names this assembly. The runtime prescribes name and namespace.
/// </summary>
#pragma warning disable CA1050 // the runtime requires it outside namespaces
public static class StartupHook
#pragma warning restore CA1050
{
    /// <summary>
    /// Watches exceptions when the recorder asks for it. Never throws: an exception here would prevent the program from starting.
    /// </summary>
    public static void Initialize()
    {
        try
        {
            if (HookSettings.TryParse(Environment.GetEnvironmentVariable(HookSettings.Variable), out var settings))
                new ThrowWatch(settings).Begin();
        }
#pragma warning disable CA1031 // the program continues without dumps
        catch (Exception)
#pragma warning restore CA1031
        { }
    }
}
