using EtwSerializerProfiler.DumpHook;

/// <summary>What the runtime calls before Main when DOTNET_STARTUP_HOOKS names this assembly; name and namespace are the runtime's.</summary>
#pragma warning disable CA1050 // the runtime wants it outside namespaces
public static class StartupHook
#pragma warning restore CA1050
{
    /// <summary>Watches exceptions when the recorder asks for it. Never fails: an exception here would keep the program from starting.</summary>
    public static void Initialize()
    {
        try
        {
            if (HookSettings.TryParse(Environment.GetEnvironmentVariable(HookSettings.Variable), out var settings))
                new ThrowWatch(settings).Begin();
        }
#pragma warning disable CA1031 // the program goes on without dumps
        catch (Exception)
#pragma warning restore CA1031
        {
        }
    }
}
