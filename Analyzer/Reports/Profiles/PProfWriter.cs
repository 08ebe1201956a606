using System.Runtime.InteropServices;
using EtwSerializerProfiler.Analysis.Profiles;
using EtwSerializerProfiler.Foundation;

namespace EtwSerializerProfiler.Reports.Profiles;

/// <summary>
/// Writes the messages of google/pprof's profile.proto (field numbers are those of that file): values samples and CPU ns, a location for
/// each frame, with its line when there is one, a function for all lines of one, a mapping for each module, labels for serializer, test,
/// objects and cause. Messages go to the stream one by one; the table of strings comes last.
/// </summary>
internal sealed class PProfWriter
{
    private readonly ProfileDocument _document;
    private readonly Stream _stream;
    private readonly ProtobufWriter _top = new();
    private readonly ProtobufWriter _message = new();
    private readonly ProtobufWriter _inner = new();
    private readonly Dictionary<string, int> _strings = new() { [""] = 0 };

    private PProfWriter(ProfileDocument document, Stream stream) => (_document, _stream) = (document, stream);

    /// <summary>Writes a profile, not compressed.</summary>
    public static void Write(ProfileDocument document, Stream stream) => new PProfWriter(document, stream).Write();

    private void Write()
    {
        var (profile, facts) = _document;
        WriteType(Field.SampleType, "samples", "count");
        WriteType(Field.SampleType, "cpu", "nanoseconds");
        WriteSamples(profile);
        var mappings = WriteMappings(_document);
        var functions = new Interner<ProfileFrame>();
        for (var frame = 0; frame < profile.Stacks.Frames.Count; frame++)
            WriteLocation(frame, functions.GetOrAdd(profile.Stacks.Frames[frame].Function), mappings);
        for (var function = 0; function < functions.Count; function++)
            WriteFunction(function, functions[function]);
        WriteType(Field.PeriodType, "cpu", "nanoseconds");
        _top.Number(Field.Period, profile.PeriodNs);
        _top.Number(Field.TimeNanos, facts.StartedUtc is { } started ? (started - DateTime.UnixEpoch).Ticks * 100 : 0);
        _top.Number(Field.DurationNanos, facts.DurationMs is { } duration ? (long)(duration * 1e6) : 0);
        _top.Numbers(
            Field.Comment,
            [.. ((string[])[$"{facts.Exporter}: {facts.Source}", facts.Completeness, .. facts.Losses]).Select(line => (long)GetOrAdd(line))]
        );
        _top.Number(Field.DefaultSampleType, GetOrAdd("cpu"));
        foreach (var text in _strings.OrderBy(text => text.Value))
            _top.Text(Field.StringTable, text.Key);
        Drain(all: true);
    }

    private void WriteSamples(SampleProfile profile)
    {
        var frames = new List<int>();
        var locations = new List<long>();
        foreach (var sum in profile.Sums)
        {
            profile.Stacks.Walk(sum.Stack, frames);
            locations.Clear();
            for (var i = frames.Count - 1; i >= 0; i--)
                locations.Add(frames[i] + 1);
            _message.Clear();
            _message.Numbers(1, CollectionsMarshal.AsSpan(locations));
            _message.Numbers(2, [sum.Samples, sum.CpuNs]);
            var group = profile.Groups[sum.Group];
            Label("serializer", group.Runs.Serializer);
            Label("test", group.Runs.Test);
            Label("cause", ProfileCategory.All[sum.Category].Key);
            Label("kind", group.Runs.Kind.ToString());
            if (group.Runs.Runtime.Length > 0)
                Label("runtime", group.Runs.Runtime);
            if (group.Runs.ObjectCount > 0)
                Label("objects", group.Runs.ObjectCount);
            if (group.Run is { } run)
                Label("run", run.RunId);
            _top.Message(Field.Sample, _message);
            Drain();
        }
    }

    private void Label(string key, string text)
    {
        _inner.Clear();
        _inner.Number(1, GetOrAdd(key));
        _inner.Number(2, GetOrAdd(text));
        _message.Message(3, _inner);
    }

    private void Label(string key, long number)
    {
        _inner.Clear();
        _inner.Number(1, GetOrAdd(key));
        _inner.Number(3, number);
        _inner.Number(4, GetOrAdd("count"));
        _message.Message(3, _inner);
    }

    /// <summary>
    /// Modules as mappings without addresses. The first one represents the recording: pprof shows its name as the profiled program.
    /// </summary>
    private Dictionary<string, int> WriteMappings(ProfileDocument document)
    {
        var mappings = new Dictionary<string, int>();
        foreach (
            var module in document
                .Profile.Stacks.Frames.Select(frame => frame.Module)
                .Where(module => module.Length > 0 && module != document.Facts.Source)
                .Distinct()
                .Prepend(document.Facts.Source)
        )
        {
            mappings.Add(module, mappings.Count + 1);
            _message.Clear();
            _message.Number(1, mappings.Count);
            _message.Number(5, GetOrAdd(module));
            _message.Number(7, 1);
            _message.Number(10, 1);
            _top.Message(Field.Mapping, _message);
        }

        return mappings;
    }

    private void WriteLocation(int frame, int function, Dictionary<string, int> mappings)
    {
        _inner.Clear();
        _inner.Number(1, function + 1);
        if (_document.Profile.Stacks.Frames[frame].Line is { } line)
            _inner.Number(2, line.Line);
        _message.Clear();
        _message.Number(1, frame + 1);
        _message.Number(2, mappings.GetValueOrDefault(_document.Profile.Stacks.Frames[frame].Module));
        _message.Message(4, _inner);
        _top.Message(Field.Location, _message);
        Drain();
    }

    private void WriteFunction(int number, ProfileFrame frame)
    {
        _message.Clear();
        _message.Number(1, number + 1);

        // Without a system name: pprof takes one that equals the name for C++ and leaves out what is in angle brackets.
        _message.Number(2, GetOrAdd(frame.Title));
        if (frame.Line is { } line)
            _message.Number(4, GetOrAdd(line.File));
        _top.Message(Field.Function, _message);
        Drain();
    }

    private void WriteType(int field, string type, string unit)
    {
        _message.Clear();
        _message.Number(1, GetOrAdd(type));
        _message.Number(2, GetOrAdd(unit));
        _top.Message(field, _message);
    }

    private int GetOrAdd(string text)
    {
        if (!_strings.TryGetValue(text, out var number))
            _strings.Add(text, number = _strings.Count);
        return number;
    }

    private void Drain(bool all = false)
    {
        if (!all && _top.Written.Length < 1 << 16)
            return;
        _stream.Write(_top.Written);
        _top.Clear();
    }

    /// <summary>Fields of message Profile.</summary>
    private static class Field
    {
        public const int SampleType = 1;
        public const int Sample = 2;
        public const int Mapping = 3;
        public const int Location = 4;
        public const int Function = 5;
        public const int StringTable = 6;
        public const int TimeNanos = 9;
        public const int DurationNanos = 10;
        public const int PeriodType = 11;
        public const int Period = 12;
        public const int Comment = 13;
        public const int DefaultSampleType = 14;
    }
}
