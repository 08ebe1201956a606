using System.Text.Json;
using System.Xml;
using System.Xml.Linq;

namespace EtwSerializerProfiler.Traces.Assemblies;

/// <summary>
/// Configuration of assembly loading in a folder: frameworks of .NET (*.runtimeconfig.json), redirects of .NET Framework (*.exe.config,
/// *.dll.config).
/// </summary>
/// <param name="Folder">The folder.</param>
/// <param name="Frameworks">Requested shared frameworks, by name and version.</param>
/// <param name="IsSelfContained">Whether the folder includes its framework.</param>
/// <param name="Redirects">Binding redirects of all configuration files.</param>
/// <param name="Files">Files read.</param>
/// <param name="Problems">Problems of unreadable files, one sentence each.</param>
public sealed record ProgramConfiguration(
    string Folder,
    IReadOnlyList<(string Name, string Version)> Frameworks,
    bool IsSelfContained,
    IReadOnlyList<BindingRedirect> Redirects,
    IReadOnlyList<string> Files,
    IReadOnlyList<string> Problems
)
{
    private static readonly XNamespace s_binding = "urn:schemas-microsoft-com:asm.v1";

    /// <summary>Reads the configuration of a folder.</summary>
    public static ProgramConfiguration Read(string folder)
    {
        var (frameworks, redirects, files, problems) = (
            new List<(string, string)>(),
            new List<BindingRedirect>(),
            new List<string>(),
            new List<string>()
        );
        var included = false;
        foreach (var path in Directory.EnumerateFiles(folder, "*.runtimeconfig.json").Order(StringComparer.Ordinal))
            Try(path, () => included |= ReadFrameworks(path, frameworks));
        foreach (var path in Directory.EnumerateFiles(folder, "*.config").Order(StringComparer.Ordinal))
            Try(path, () => redirects.AddRange(ReadRedirects(path)));
        return new ProgramConfiguration(folder, [.. frameworks.Distinct()], included, redirects, files, problems);

        void Try(string path, Action read)
        {
            files.Add(path);
            try
            {
                read();
            }
            catch (Exception exception)
                when (exception
                        is JsonException
                            or XmlException
                            or FormatException
                            or InvalidOperationException
                            or IOException
                            or UnauthorizedAccessException
                )
            {
                problems.Add($"{path}: {exception.Message.ReplaceLineEndings(" ").TrimEnd('.')}; it was ignored");
            }
        }
    }

    private static bool ReadFrameworks(string path, List<(string Name, string Version)> frameworks)
    {
        using var document = JsonDocument.Parse(
            File.ReadAllText(path),
            new JsonDocumentOptions { CommentHandling = JsonCommentHandling.Skip, AllowTrailingCommas = true }
        );
        if (!document.RootElement.TryGetProperty("runtimeOptions", out var options))
            return false;
        if (options.TryGetProperty("framework", out var one))
            Add(one);
        if (options.TryGetProperty("frameworks", out var several))
        {
            foreach (var framework in several.EnumerateArray())
                Add(framework);
        }

        return options.TryGetProperty("includedFrameworks", out _);

        void Add(JsonElement framework) =>
            frameworks.Add((framework.GetProperty("name").GetString() ?? "", framework.GetProperty("version").GetString() ?? ""));
    }

    private static IEnumerable<BindingRedirect> ReadRedirects(string path)
    {
        // A program's configuration may contain anything; only dependentAssembly elements count.
        foreach (var dependent in XDocument.Load(path).Descendants(s_binding + "dependentAssembly").ToList())
        {
            var name = dependent.Element(s_binding + "assemblyIdentity")?.Attribute("name")?.Value;
            foreach (var redirect in dependent.Elements(s_binding + "bindingRedirect"))
            {
                var range = (redirect.Attribute("oldVersion")?.Value ?? "").Split('-');
                if (
                    name is not null
                    && Version.TryParse(range[0], out var oldest)
                    && Version.TryParse(range[^1], out var newest)
                    && Version.TryParse(redirect.Attribute("newVersion")?.Value, out var loaded)
                )
                    yield return new BindingRedirect(name, oldest, newest, loaded);
            }
        }
    }
}

/// <summary>A bindingRedirect of a program's configuration file (.NET Framework): references to these versions load another.</summary>
/// <param name="Name">Simple name of the assembly.</param>
/// <param name="Oldest">Lowest redirected version.</param>
/// <param name="Newest">Highest redirected version.</param>
/// <param name="Version">Version to load instead.</param>
public sealed record BindingRedirect(string Name, Version Oldest, Version Newest, Version Version);
