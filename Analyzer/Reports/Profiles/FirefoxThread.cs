using System.Globalization;
using System.Text.Json;
using EtwSerializerProfiler.Analysis.Profiles;
using EtwSerializerProfiler.Foundation;

namespace EtwSerializerProfiler.Reports.Profiles;

/// <summary>
/// One thread of the Firefox profiler's format. Its tables are its own: texts, modules (resources), functions, frames, stacks. A frame has
/// one category, as has a stack, and a sample's cause is that of its stack: the same path with another cause is another stack of other
/// frames.
/// </summary>
/// <param name="profile">The profile.</param>
/// <param name="thread">The thread.</param>
/// <param name="categories">Categories of the causes.</param>
/// <param name="modules">Numbers of modules among the profile's libraries.</param>
internal sealed class FirefoxThread(
    SampleProfile profile,
    ProfileThread thread,
    FirefoxCategories categories,
    IReadOnlyDictionary<string, int> modules
)
{
    /// <summary>A resource that is a library.</summary>
    private const int Library = 1;
    private const int NoResource = -1;

    private readonly Interner<string> _strings = new();

    /// <summary>By the profile's frame without its line.</summary>
    private readonly Dictionary<ProfileFrame, int> _functionNumbers = [];
    private readonly List<(int Name, int Resource, int? File)> _functions = [];

    /// <summary>By the profile's frame and category.</summary>
    private readonly Dictionary<(int Frame, int Category), int> _frameNumbers = [];
    private readonly List<(int Function, int Category, int? Line)> _frames = [];
    private readonly Dictionary<string, int> _resourceNumbers = [];
    private readonly List<(int Library, int Name)> _resources = [];

    /// <summary>By the profile's stack and category.</summary>
    private readonly Dictionary<(int Stack, int Category), int> _stackNumbers = [];
    private readonly List<(int Prefix, int Frame, int Category)> _stacks = [];
    private readonly Stack<int> _missing = new();

    /// <summary>Writes the thread.</summary>
    /// <param name="json">Receives the thread.</param>
    /// <param name="process">Number of its process.</param>
    /// <param name="samples">Its samples in order of time.</param>
    /// <param name="events">Its events in order of their begin.</param>
    public void Write(Utf8JsonWriter json, int process, IReadOnlyList<ProfileSample> samples, IReadOnlyList<ProfileEvent> events)
    {
        json.WriteStartObject();
        json.WriteString(
            "name",
            thread.Name.Length > 0 ? thread.Name : string.Create(CultureInfo.InvariantCulture, $"Thread {thread.ThreadId}")
        );
        json.WriteBoolean("isMainThread", thread.IsMeasuring || thread.ThreadId == thread.Process.ProcessId);
        json.WriteString("processType", "default");
        json.WriteString("processName", ProfileDocument.ProcessName(thread));
        json.WriteString("pid", process.ToString(CultureInfo.InvariantCulture));
        json.WriteNumber("tid", thread.ThreadId);
        json.WriteNumber("processStartupTime", 0);
        json.WriteNull("processShutdownTime");
        json.WriteNumber("registerTime", 0);
        json.WriteNull("unregisterTime");
        json.WriteStartArray("pausedRanges");
        json.WriteEndArray();
        WriteSamples(json, samples);
        FirefoxMarkers.Write(json, events, StringOf);
        WriteTables(json);
        json.WriteStrings("stringArray", _strings.Items);
        json.WriteEndObject();
    }

    private void WriteSamples(Utf8JsonWriter json, IReadOnlyList<ProfileSample> samples)
    {
        json.WriteStartObject("samples");
        json.WriteNumber("length", samples.Count);
        json.WriteString("weightType", "tracing-ms");
        json.WriteColumn("stack", samples, sample => json.WriteNumberValue(StackOf(sample.Stack, sample.Category)));
        json.WriteColumn("time", samples, sample => json.WriteMilliseconds(sample.TimeNs));
        json.WriteColumn("weight", samples, sample => json.WriteMilliseconds(sample.CpuNs));
        json.WriteColumn("threadCPUDelta", samples, sample => json.WriteNumberValue(sample.CpuNs));
        json.WriteEndObject();
    }

    private void WriteTables(Utf8JsonWriter json)
    {
        json.WriteStartObject("stackTable");
        json.WriteNumber("length", _stacks.Count);
        json.WriteColumn(
            "prefix",
            _stacks,
            stack =>
            {
                if (stack.Prefix == ProfileStacks.Root)
                    json.WriteNullValue();
                else
                    json.WriteNumberValue(stack.Prefix);
            }
        );
        json.WriteNumbers("frame", _stacks.Select(stack => stack.Frame));
        json.WriteNumbers("category", _stacks.Select(stack => categories[stack.Category].Category));
        json.WriteNumbers("subcategory", _stacks.Select(stack => categories[stack.Category].Detail));
        json.WriteEndObject();

        json.WriteStartObject("frameTable");
        json.WriteNumber("length", _frames.Count);
        json.WriteConstant("address", _frames.Count, -1);
        json.WriteConstant("inlineDepth", _frames.Count, 0);
        json.WriteNumbers("func", _frames.Select(frame => frame.Function));
        json.WriteNumbers("category", _frames.Select(frame => categories[frame.Category].Category));
        json.WriteNumbers("subcategory", _frames.Select(frame => categories[frame.Category].Detail));
        json.WriteColumn("line", _frames, frame => WriteNumber(json, frame.Line));
        foreach (var column in (string[])["nativeSymbol", "innerWindowID", "implementation", "column"])
            json.WriteConstant(column, _frames.Count, null);
        json.WriteEndObject();

        json.WriteStartObject("funcTable");
        json.WriteNumber("length", _functions.Count);
        json.WriteNumbers("name", _functions.Select(function => function.Name));
        json.WriteNumbers("resource", _functions.Select(function => function.Resource));
        json.WriteColumn("isJS", _functions, _ => json.WriteBooleanValue(value: false));
        json.WriteColumn("relevantForJS", _functions, _ => json.WriteBooleanValue(value: false));
        json.WriteColumn("fileName", _functions, function => WriteNumber(json, function.File));
        foreach (var column in (string[])["lineNumber", "columnNumber"])
            json.WriteConstant(column, _functions.Count, null);
        json.WriteEndObject();

        json.WriteStartObject("resourceTable");
        json.WriteNumber("length", _resources.Count);
        json.WriteNumbers("lib", _resources.Select(resource => resource.Library));
        json.WriteNumbers("name", _resources.Select(resource => resource.Name));
        json.WriteConstant("host", _resources.Count, null);
        json.WriteConstant("type", _resources.Count, Library);
        json.WriteEndObject();
        FirefoxWriter.WriteEmpty(json, "nativeSymbols", "libIndex", "address", "name", "functionSize");
    }

    /// <summary>The number of a stack with a category; its callers get theirs first.</summary>
    private int StackOf(int stack, int category)
    {
        if (_stackNumbers.TryGetValue((stack, category), out var known))
            return known;
        var prefix = ProfileStacks.Root;
        for (var at = stack; at != ProfileStacks.Root; at = profile.Stacks.ParentOf(at))
        {
            if (_stackNumbers.TryGetValue((at, category), out prefix))
                break;
            prefix = ProfileStacks.Root;
            _missing.Push(at);
        }

        while (_missing.TryPop(out var at))
        {
            _stackNumbers.Add((at, category), _stacks.Count);
            _stacks.Add((prefix, FrameOf(profile.Stacks.FrameOf(at), category), category));
            prefix = _stacks.Count - 1;
        }

        return prefix;
    }

    private int FrameOf(int number, int category)
    {
        if (!_frameNumbers.TryGetValue((number, category), out var frame))
        {
            _frameNumbers.Add((number, category), frame = _frames.Count);
            _frames.Add((FunctionOf(profile.Stacks.Frames[number]), category, profile.Stacks.Frames[number].Line?.Line));
        }

        return frame;
    }

    private int FunctionOf(ProfileFrame frame)
    {
        if (!_functionNumbers.TryGetValue(frame.Function, out var function))
        {
            _functionNumbers.Add(frame.Function, function = _functions.Count);
            _functions.Add((StringOf(frame.Title), ResourceOf(frame.Module), frame.Line is { } line ? StringOf(line.File) : null));
        }

        return function;
    }

    private int ResourceOf(string module)
    {
        if (module.Length == 0)
            return NoResource;
        if (!_resourceNumbers.TryGetValue(module, out var resource))
        {
            _resourceNumbers.Add(module, resource = _resources.Count);
            _resources.Add((modules[module], StringOf(module)));
        }

        return resource;
    }

    private static void WriteNumber(Utf8JsonWriter json, int? number)
    {
        if (number is { } known)
            json.WriteNumberValue(known);
        else
            json.WriteNullValue();
    }

    private int StringOf(string text) => _strings.GetOrAdd(text);
}
