using System.Globalization;
using System.Text;
using EtwSerializerProfiler.Naming;
using EtwSerializerProfiler.Sessions.Etw.Plans;
using EtwSerializerProfiler.Traces.Events;

namespace EtwSerializerProfiler.Sessions.Etw.Profiles;

/// <summary>Text of Profiles/README.md: the contents of each profile, and the cost of each keyword.</summary>
public static class ProfilesReadme
{
    /// <summary>Name of the file.</summary>
    public const string FileName = "README.md";

    /// <summary>Returns the text of the file.</summary>
    public static string Text()
    {
        var text = new StringBuilder();
        text.Append(
            """
            # Profiles for WPR and WPA

            `esp-record profiles -o Profiles` writes these files; to change them, change the plans in
            `Recorder/Sessions/Etw/Plans` (only Serializers.wpaProfile is written by hand). **Untested on Windows**: they conform
            to schemas and rules that were written from the public documentation (tests/TestData/schemas), but WPR has not run
            them, and WPA has not opened the view profile.

            ```
            wpr -start Profiles\SerializerRuns.wprp!SerializerRuns -filemode      (elevated; without -filemode the newest events stay in memory)
            esp-workload.exe
            wpr -stop runs.etl -skipPdbGen                                        (on .NET Framework leave out -skipPdbGen, to get PDB files of its NGEN images)
            ```

            `SerializerRuns.Light` instead of `SerializerRuns` starts the profile with less detail. WPR takes a CPU sample every
            millisecond; `wpr -setprofint 10000` sets this interval, in units of 100 ns. The filters by event id need Windows 10
            1709 (`EventFilters`, `StackFilters`). Filters by name (`EventNameFilters`, `StackEventNameFilters`) are for
            TraceLogging providers; the runtime and the run marks have manifests, so no profile uses them.


            """
        );
        Profiles(text);
        Kernel(text);
        Runtime(text);
        text.Append(
            """
            ## What it costs

            Nothing was measured on Windows. [docs/performance.md](../docs/performance.md#what-each-part-costs) has the cost of
            single keywords on Linux, where EventPipe records the same events. In the tables above, the column "cost" says what
            decides how many events a keyword records.

            ## Serializers.wpaProfile

            It has three tabs for WPA: the runs and GCs as regions, CPU Usage (Precise) by stack tag with the marker thread's
            waits as bars, and CPU Usage (Sampled) by cause. It refers to the files of `stacktags/` and `wpa-regions/` beside this
            folder. The format is not documented: graphs, columns and their GUIDs are those of published profiles
            (tests/TestData/schemas/README.md). If WPA refuses it, load the stack tags and regions by hand:
            [docs/windows.md](../docs/windows.md).

            """
        );
        return text.ToString();
    }

    private static void Profiles(StringBuilder text)
    {
        text.Append(
            """
            ## What is in them

            | profile | kernel events | with stacks | sessions of the runtime (level: keywords; stacks; events) |
            |---|---|---|---|

            """
        );
        foreach (var profile in WprpProfiles.All)
        {
            foreach (var variant in profile.Variants.DistinctBy(variant => variant.Detail))
            {
                text.Append(
                    CultureInfo.InvariantCulture,
                    $"| `{profile.Name}{(variant.Detail == WprpDetail.Light ? ".Light" : "")}`: {profile.DescriptionOf(variant)} | "
                );
                text.Append(
                    CultureInfo.InvariantCulture,
                    $"{Names(variant.Plan.Kernel.Events)} | {Names(variant.Plan.Kernel.StackEvents)} | "
                );
                text.AppendJoin(
                    "<br>",
                    variant.Plan.AllUserSessions.SelectMany(session =>
                        session
                            .Providers.Where(provider => provider.Id == EtwProviders.Runtime)
                            .Select(provider => Session(session, provider))
                    )
                );
                text.Append(" |\n");
            }
        }

        text.Append(
            """

            Each profile also records the run marks (EtwSerializerProfiler-Runs, every event) and, when the trace is saved, the
            names of the methods of all processes that still run (Microsoft-Windows-DotNETRuntimeRundown, in a session of its
            own). In memory mode the sessions share 512 MB.


            """
        );
    }

    private static string Session(EtwUserSession session, EtwProvider provider)
    {
        var stacks =
            !provider.Stacks ? "no stacks"
            : provider.StackFilter is { } filter ? $"stacks of {Ids(filter)}"
            : "stacks";
        var events = provider.EventFilter is { } selected ? $"; only {Ids(selected)}" : "";
        return $"`{session.Role}` {provider.Level}: {provider.KeywordText}; {stacks}{(provider.EventFilter is { Include: false } excluded ? $"; without {Ids(excluded)}" : events)}";
    }

    private static string Ids(EtwEventFilter filter) => $"{Plural.Noun(filter.Ids.Count, "event")} {string.Join(", ", filter.Ids)}";

    private static string Names(KernelEvents events) =>
        events == KernelEvents.None ? "none" : string.Join(", ", KernelEventNames.In(events).Select(name => name.WprKeyword));

    private static void Kernel(StringBuilder text)
    {
        text.Append(
            """
            ## Kernel events

            | keyword | records | cost | in |
            |---|---|---|---|

            """
        );
        foreach (var name in KernelEventNames.All)
        {
            var used = WprpProfiles
                .All.Where(profile => profile.Variants.Any(variant => variant.Plan.Kernel.Events.HasFlag(name.Events)))
                .Select(profile => profile.Name)
                .ToList();
            if (used.Count > 0)
                text.Append(CultureInfo.InvariantCulture, $"| `{name.WprKeyword}` | {name.Brings} | {name.Cost} | {In(used)} |\n");
        }

        text.Append('\n');
    }

    private static void Runtime(StringBuilder text)
    {
        text.Append(
            """
            ## Keywords of Microsoft-Windows-DotNETRuntime

            | keyword | value | level | records | cost | in |
            |---|---:|---|---|---|---|

            """
        );
        foreach (var cost in RuntimeKeywordCost.All)
        {
            var used = WprpProfiles
                .All.Where(profile =>
                    profile.Variants.Any(variant =>
                        variant.Plan.UserSessions.Any(session => session.Providers.Any(provider => Has(provider, cost.Keyword)))
                    )
                )
                .Select(profile => profile.Name)
                .ToList();
            if (used.Count > 0)
                text.Append(
                    CultureInfo.InvariantCulture,
                    $"| {cost.Keyword} | 0x{(ulong)cost.Keyword:X} | {cost.Level} | {cost.Brings} | {cost.Cost} | {In(used)} |\n"
                );
        }

        text.Append('\n');
    }

    private static bool Has(EtwProvider provider, RuntimeKeywords keyword) =>
        provider.Id == EtwProviders.Runtime && (provider.Keywords & (ulong)keyword) != 0;

    private static string In(List<string> profiles) => profiles.Count == WprpProfiles.All.Count ? "all" : string.Join(", ", profiles);
}
