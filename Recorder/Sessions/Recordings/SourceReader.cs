using EtwSerializerProfiler.Traces.Recordings;

namespace EtwSerializerProfiler.Sessions.Recordings;

/// <summary>
/// Finds branch and commit of a folder's sources: from the variables of CI systems, or else from git's files
/// (<see href="https://git-scm.com/docs/gitrepository-layout"/>). Does not start git, which may be missing and may run programs that the
/// repository configures.
/// </summary>
public static class SourceReader
{
    /// <summary>Pairs of variables for branch and commit: GitHub Actions, Azure Pipelines, GitLab CI.</summary>
    private static readonly (string Branch, string Commit)[] s_variables =
    [
        ("GITHUB_REF_NAME", "GITHUB_SHA"),
        ("BUILD_SOURCEBRANCHNAME", "BUILD_SOURCEVERSION"),
        ("CI_COMMIT_BRANCH", "CI_COMMIT_SHA"),
    ];

    private const string RefPrefix = "ref: ";
    private const string BranchPrefix = "refs/heads/";

    /// <summary>Maximum number of links between references to follow; git's own limit is 5.</summary>
    private const int MaxLinks = 5;

    /// <summary>Maximum size of a reference file to read; those of git have a few hundred bytes.</summary>
    private const int MaxFileLength = 4096;

    /// <summary>Finds branch and commit.</summary>
    /// <param name="folder">Working directory of the recorded command; searched upwards for a repository.</param>
    /// <param name="environment">Returns an environment variable.</param>
    /// <returns>Null when neither branch nor commit is known.</returns>
    public static RecordedSource? Read(string folder, Func<string, string?> environment)
    {
        ArgumentNullException.ThrowIfNull(folder);
        ArgumentNullException.ThrowIfNull(environment);
        foreach (var (branch, commit) in s_variables)
        {
            // The commit variable identifies the CI system, because a branch may be missing (a tag, a merge request).
            if (Value(environment(commit)) is { } hash)
                return new RecordedSource(Value(environment(branch)), hash);
        }

        try
        {
            return folder.Length > 0 && GitFolder(folder) is { } git ? ReadGit(git) : null;
        }
        catch (Exception exception)
            when (exception is IOException or UnauthorizedAccessException or ArgumentException or NotSupportedException)
        {
            return null;
        }
    }

    private static string? Value(string? text) => string.IsNullOrWhiteSpace(text) ? null : text.Trim();

    private static RecordedSource? ReadGit(string git)
    {
        var head = FirstLine(Path.Combine(git, "HEAD"));
        if (!head.StartsWith(RefPrefix, StringComparison.Ordinal))
            return IsHash(head) ? new RecordedSource(null, head) : null;
        var reference = head[RefPrefix.Length..].Trim();
        var branch =
            reference.StartsWith(BranchPrefix, StringComparison.Ordinal) && !reference.EndsWith("/.invalid", StringComparison.Ordinal)
                ? reference[BranchPrefix.Length..]
                : null; // reftable uses .invalid
        var commit = Resolve(git, reference);
        return branch is null && commit is null ? null : new RecordedSource(branch, commit);
    }

    /// <summary>The git folder for a folder: <c>.git</c>, or the target of a file with that name (worktrees, submodules).</summary>
    private static string? GitFolder(string folder)
    {
        for (var parent = Path.GetFullPath(folder); parent is not null; parent = Path.GetDirectoryName(parent))
        {
            var path = Path.Combine(parent, ".git");
            if (Directory.Exists(path))
                return path;
            const string Pointer = "gitdir: ";
            if (FirstLine(path) is var line && line.StartsWith(Pointer, StringComparison.Ordinal))
                return Path.GetFullPath(line[Pointer.Length..].Trim(), parent);
        }

        return null;
    }

    /// <summary>The commit of a reference; references of all worktrees are in the main git folder.</summary>
    private static string? Resolve(string git, string reference)
    {
        var common = FirstLine(Path.Combine(git, "commondir")) is { Length: > 0 } link ? Path.GetFullPath(link, git) : git;
        for (var links = 0; links < MaxLinks && IsName(reference); links++)
        {
            var found = FirstLine(Path.Combine(git, reference)) is { Length: > 0 } own ? own : FirstLine(Path.Combine(common, reference));
            if (!found.StartsWith(RefPrefix, StringComparison.Ordinal))
                return IsHash(found) ? found : Packed(common, reference);
            reference = found[RefPrefix.Length..].Trim();
        }

        return null;
    }

    /// <summary>The commit of a reference in git's file of packed references.</summary>
    private static string? Packed(string common, string reference)
    {
        var path = Path.Combine(common, "packed-refs");
        if (!File.Exists(path))
            return null;
        foreach (var line in File.ReadLines(path))
        {
            if (
                line.IndexOf(' ', StringComparison.Ordinal) is > 0 and var blank
                && line.AsSpan(blank + 1).TrimEnd().SequenceEqual(reference)
                && IsHash(line[..blank])
            )
                return line[..blank];
        }

        return null;
    }

    /// <summary>Whether a reference is a valid name in the repository, because HEAD may contain anything.</summary>
    private static bool IsName(string reference) =>
        reference.StartsWith("refs/", StringComparison.Ordinal) && !reference.Contains("..", StringComparison.Ordinal);

    /// <summary>Whether a text is a hash: 40 digits for SHA-1, 64 for SHA-256.</summary>
    private static bool IsHash(string text) => text.Length is 40 or 64 && text.All(char.IsAsciiHexDigit);

    /// <summary>The first line of a small file without its line end; empty when there is none.</summary>
    private static string FirstLine(string path)
    {
        var file = new FileInfo(path);
        return file.Exists && file.Length <= MaxFileLength ? File.ReadLines(path).FirstOrDefault("").Trim() : "";
    }
}
