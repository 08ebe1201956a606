using EtwSerializerProfiler.Sessions.Doctor;
using EtwSerializerProfiler.Sessions.Publishing;

namespace EtwSerializerProfiler.Sessions.Tests.Publishing;

/// <summary>The program published and started for each runtime, as data: nothing is built here.</summary>
public sealed class RuntimePlanTests : IDisposable
{
    private static readonly MonoInstallation s_mono = new("/usr/bin/mono", "6.8.0.105", "sgen", HasFacades: false);

    private readonly string _root = Directory.CreateTempSubdirectory("esp-plan-").FullName;
    private readonly WorkloadProject _project;
    private readonly ShippedSuite _shipped;

    public RuntimePlanTests()
    {
        File.WriteAllText(Path.Combine(_root, "Workload.csproj"), "<Project />");
        _project = new WorkloadProject(
            Path.Combine(_root, "Workload.csproj"),
            Path.Combine(_root, "cache"),
            ["RestoreAdditionalProjectSources=/feed%3B/other"]
        );
        var folder = Path.Combine(_root, "workload");
        _shipped = new ShippedSuite(
            folder,
            [Path.Combine(folder, "esp-workload")],
            new Dictionary<string, string?> { ["DOTNET_ROOT"] = "/dotnet" }
        );
    }

    public void Dispose() => Directory.Delete(_root, recursive: true);

    [Fact]
    public void The_runtime_of_esp_record_itself_needs_no_publishing()
    {
        var build = Assert.Single(Plan([RuntimeTarget.Net10], PrecompileMode.Off).Builds);

        Assert.Empty(build.Command);
        Assert.Equal(("net10.0", "net10.0", false), (build.Label, build.FolderName, build.ReadyToRun));
        Assert.Equal(_shipped.Launch, build.Launch);
        Assert.Equal(_shipped.Environment, build.Environment);
        Assert.True(build.HasEventPipe);
    }

    [Fact]
    public void A_runtime_that_is_not_installed_is_brought_along()
    {
        var build = Assert.Single(Plan([RuntimeTarget.Net8], PrecompileMode.Off).Builds);
        var folder = Path.Combine(_root, "cache", "net8.0");

        Assert.Equal(
            [
                "/dotnet/dotnet",
                "publish",
                _project.File,
                "-c",
                "Release",
                "-f",
                "net8.0",
                "-p:TargetFrameworks=net8.0",
                "-r",
                "linux-x64",
                "--self-contained",
                "true",
                "--artifacts-path",
                folder,
                "-o",
                Path.Combine(folder, "app"),
                "-p:RunAnalyzers=false",
                "-p:TreatWarningsAsErrors=false",
                "-p:NuGetAudit=false",
                "-p:RestoreAdditionalProjectSources=/feed%3B/other",
                "--nologo",
                "-v:minimal",
                "--disable-build-servers",
            ],
            build.Command
        );
        Assert.Equal([Path.Combine(folder, "app", "esp-workload")], build.Launch);
        Assert.Equal("self-contained: no .NET 8 runtime is installed (10.0.12)", build.Reason);
        Assert.Empty(build.Environment);
    }

    [Fact]
    public void A_runtime_that_is_installed_is_used_and_no_setting_of_the_user_replaces_it()
    {
        var build = Assert.Single(Plan([RuntimeTarget.Net8], PrecompileMode.Off, Machine(runtimes: ["8.0.9", "8.0.31", "10.0.12"])).Builds);

        Assert.Contains("--self-contained false", string.Join(' ', build.Command), StringComparison.Ordinal);
        Assert.Equal("framework-dependent: .NET 8.0.31 is installed", build.Reason);
        Assert.Equal(
            ["DOTNET_ROLL_FORWARD=Minor", "DOTNET_ROOT=/dotnet"],
            build.Environment.Select(variable => $"{variable.Key}={variable.Value}").Order()
        );
    }

    [Theory]
    [InlineData(PrecompileMode.Off, "net10.0 net8.0 mono")]
    [InlineData(PrecompileMode.On, "net10.0 R2R net8.0 R2R mono")]
    [InlineData(PrecompileMode.Both, "net10.0 net10.0 R2R net8.0 net8.0 R2R mono")]
    public void Sides_stand_beside_each_other_and_Mono_has_one_only(PrecompileMode precompile, string labels)
    {
        var plan = Plan([RuntimeTarget.Net10, RuntimeTarget.Net8, RuntimeTarget.Mono], precompile);

        Assert.Equal(labels, string.Join(' ', plan.Builds.Select(build => build.Label)));
        Assert.Equal(plan.Builds.Count, plan.Builds.Select(build => build.FolderName).Distinct().Count());
        Assert.All(plan.Builds, build => Assert.Equal(build.ReadyToRun, build.Command.Contains("-p:PublishReadyToRun=true")));
        Assert.Equal(
            precompile != PrecompileMode.Off,
            plan.Notes.Contains("mono has no ReadyToRun code: it is recorded with JIT-compiled code")
        );
    }

    [Fact]
    public void NativeAOT_is_published_with_the_linker_of_the_machine_as_one_program()
    {
        var build = Assert.Single(Plan([RuntimeTarget.Net10Aot], PrecompileMode.Off, Machine() with { Linker = "gcc" }).Builds);
        var folder = Path.Combine(_root, "cache", "net10.0-aot");

        Assert.Contains(
            "-f net10.0 -p:TargetFrameworks=net10.0 -r linux-x64 --self-contained true -p:SuiteNativeAot=true -p:CppCompilerAndLinker=gcc --artifacts-path",
            string.Join(' ', build.Command),
            StringComparison.Ordinal
        );
        Assert.Equal(("net10.0-aot", folder), (build.Label, build.BuildFolder));
        Assert.Equal([Path.Combine(folder, "app", "esp-workload")], build.Launch);
        Assert.True(build.HasEventPipe);

        var workload = WorkloadInspection.Describe(
            build,
            new Dictionary<string, string> { ["DOTNET_gcServer"] = "1", ["DOTNET_TieredPGO"] = "0" }
        );
        Assert.Equal((".NET NativeAOT 10", true, false), (workload.Runtime, workload.SelfContained, workload.ReadyToRun));
        // It has no JIT that a variable could change.
        Assert.Equal(["GCServer=1", "GCConcurrent=true"], workload.Knobs.Select(knob => $"{knob.Name}={knob.Value}"));

        Assert.Contains(
            "net10.0-aot is compiled ahead of time as a whole: --precompile does not apply",
            Plan([RuntimeTarget.Net10Aot], PrecompileMode.Both, Machine() with { Linker = "gcc" }).Notes
        );
    }

    [Fact]
    public void NativeAOT_without_a_linker_is_a_problem_and_doctor_says_so()
    {
        var problem = Assert.Single(Plan([RuntimeTarget.Net10Aot], PrecompileMode.Off, Machine() with { Linker = null }).Problems);

        Assert.Equal(
            "net10.0-aot: NativeAOT needs a linker, and neither clang nor gcc is on the path; apt-get install gcc, or clang",
            problem.ToString()
        );
        Assert.Equal(("NativeAOT needs a linker, and neither clang nor gcc is on the path", Verdict.No), Doctor(linker: null));
        Assert.Equal(
            ("published when first used: NuGet then restores the compiler (ILCompiler), and clang links", Verdict.Yes),
            Doctor(linker: "clang")
        );

        (string, Verdict) Doctor(string? linker)
        {
            var check = Assert.Single(
                RuntimeChecks.Of(Machine() with { Linker = linker }, _project),
                check => check.Subject == "--runtime net10.0-aot"
            );
            return (check.Finding, check.Verdict);
        }
    }

    [Fact]
    public void Mono_runs_the_build_for_NET_Framework_with_the_facades_it_lacks()
    {
        var build = Assert.Single(Plan([RuntimeTarget.Mono], PrecompileMode.Off).Builds);
        var folder = Path.Combine(_root, "cache", "mono");

        Assert.Equal(["/usr/bin/mono", Path.Combine(folder, "app", "esp-workload.exe")], build.Launch);
        Assert.Contains("-f net472 -p:TargetFrameworks=net472 --artifacts-path", string.Join(' ', build.Command), StringComparison.Ordinal);
        Assert.Equal(Path.Combine(folder, "facades"), build.FacadesFolder);
        Assert.False(build.HasEventPipe);

        var complete = Plan([RuntimeTarget.Mono], PrecompileMode.Off, Machine(mono: s_mono with { HasFacades = true }));
        Assert.Equal("", Assert.Single(complete.Builds).FacadesFolder);
    }

    [Fact]
    public void NET_Framework_is_Mono_elsewhere_than_on_Windows()
    {
        var plan = Plan([RuntimeTarget.Net472, RuntimeTarget.Mono], PrecompileMode.Off);

        Assert.Equal("mono", Assert.Single(plan.Builds).Label);
        Assert.Equal(["net472: .NET Framework runs on Windows only, so the suite runs on Mono"], plan.Notes);

        var windows = Plan([RuntimeTarget.Net472], PrecompileMode.Off, Machine(mono: null) with { IsWindows = true });
        var build = Assert.Single(windows.Builds);
        Assert.Equal(("net472", "esp-workload.exe", null), (build.Label, Path.GetFileName(Assert.Single(build.Launch)), build.Mono));
    }

    [Fact]
    public void What_is_missing_is_said_and_the_others_go_on()
    {
        var withoutMono = Plan([RuntimeTarget.Mono, RuntimeTarget.Net472, RuntimeTarget.Net8], PrecompileMode.Off, Machine(mono: null));
        Assert.Equal("net8.0", Assert.Single(withoutMono.Builds).Label);
        Assert.Equal(2, withoutMono.Problems.Count);
        Assert.StartsWith(
            "mono: mono is not on the path; apt-get install mono-runtime libmono-system4.0-cil",
            withoutMono.Problems[0].ToString(),
            StringComparison.Ordinal
        );
        Assert.StartsWith(
            "net472: .NET Framework runs on Windows only, and mono is not on the path",
            withoutMono.Problems[1].ToString(),
            StringComparison.Ordinal
        );

        var withoutSdk = Plan([RuntimeTarget.Net10, RuntimeTarget.Net8], PrecompileMode.Both, Machine() with { HasSdk = false });
        Assert.Equal("net10.0", Assert.Single(withoutSdk.Builds).Label);
        Assert.Equal(["net10.0 R2R", "net8.0", "net8.0 R2R"], withoutSdk.Problems.Select(problem => problem.Where.Split(':')[0]));
        Assert.All(withoutSdk.Problems, problem => Assert.Equal("install the .NET 10 SDK", problem.Fix));

        File.Delete(_project.File);
        var withoutSources = Plan([RuntimeTarget.Net10, RuntimeTarget.Mono], PrecompileMode.Off);
        Assert.Equal("net10.0", Assert.Single(withoutSources.Builds).Label);
        var missing = Assert.Single(withoutSources.Problems);
        Assert.EndsWith("Workload.csproj (missing)", missing.Where, StringComparison.Ordinal);
        Assert.StartsWith("build esp-record from a clone", missing.Fix, StringComparison.Ordinal);
    }

    private static RuntimeMachine Machine(IReadOnlyList<string>? runtimes = null, MonoInstallation? mono = null) =>
        new("/dotnet/dotnet", HasSdk: true, runtimes ?? ["10.0.12"], mono, "linux-x64", IsWindows: false);

    private RuntimePlan Plan(IReadOnlyList<RuntimeTarget> targets, PrecompileMode precompile, RuntimeMachine? machine = null) =>
        RuntimePlan.Create(targets, precompile, machine ?? Machine(mono: s_mono), _project, _shipped);
}
