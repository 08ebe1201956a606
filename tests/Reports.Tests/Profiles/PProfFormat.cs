using Google.Protobuf;

namespace EtwSerializerProfiler.Reports.Tests.Profiles;

/// <summary>
/// Reads a profile by google/pprof's proto/profile.proto with the wire format's reader of Google.Protobuf, and checks that file's rules for
/// ids, strings and values. Field numbers are that file's.
/// </summary>
internal sealed class PProfFormat
{
    private readonly List<string> _strings = [];
    private readonly List<byte[]> _samples = [];
    private readonly Dictionary<long, (long Mapping, List<long> Functions)> _locations = [];
    private readonly Dictionary<long, (long Name, long SystemName)> _functions = [];
    private readonly Dictionary<long, long> _mappings = [];
    private readonly List<byte[]> _sampleTypes = [];
    private readonly List<long> _comments = [];

    private PProfFormat(byte[] file)
    {
        Read(
            file,
            (field, input) =>
            {
                switch (field)
                {
                    case 1:
                        _sampleTypes.Add(input.ReadBytes().ToByteArray());
                        break;
                    case 2:
                        _samples.Add(input.ReadBytes().ToByteArray());
                        break;
                    case 3:
                        AddMapping(input.ReadBytes().ToByteArray());
                        break;
                    case 4:
                        AddLocation(input.ReadBytes().ToByteArray());
                        break;
                    case 5:
                        AddFunction(input.ReadBytes().ToByteArray());
                        break;
                    case 6:
                        _strings.Add(input.ReadString());
                        break;
                    case 9:
                        TimeNanos = input.ReadInt64();
                        break;
                    case 10:
                        DurationNanos = input.ReadInt64();
                        break;
                    case 11:
                        Assert.NotEmpty(input.ReadBytes());
                        break;
                    case 12:
                        Period = input.ReadInt64();
                        break;
                    case 13:
                        ReadPacked(input, _comments);
                        break;
                    case 14:
                        DefaultSampleType = input.ReadInt64();
                        break;
                    default:
                        Assert.Fail($"field {field} of Profile");
                        break;
                }
            }
        );
        Assert.Equal("", _strings[0]);
        Assert.Equal(_strings.Distinct(), _strings);
        Types =
        [
            .. _sampleTypes.Select(bytes =>
            {
                var (type, unit) = (0L, 0L);
                Read(bytes, (field, input) => _ = field == 1 ? type = input.ReadInt64() : unit = input.ReadInt64());
                return _strings[(int)type] + "/" + _strings[(int)unit];
            }),
        ];
        Assert.All(_locations.Values, location => Assert.True(location.Mapping == 0 || _mappings.ContainsKey(location.Mapping)));
        Assert.All(_locations.Values.SelectMany(location => location.Functions), function => Assert.True(_functions.ContainsKey(function)));
        Samples = [.. _samples.Select(ReadSample)];
    }

    public long TimeNanos { get; private set; }

    public long DurationNanos { get; private set; }

    public long Period { get; private set; }

    public long DefaultSampleType { get; private set; }

    /// <summary>Types of the values: <c>cpu/nanoseconds</c>.</summary>
    public IReadOnlyList<string> Types { get; }

    public IReadOnlyList<string> Comments => [.. _comments.Select(comment => _strings[(int)comment])];

    public IReadOnlyList<string> Mappings => [.. _mappings.Values.Select(name => _strings[(int)name])];

    public string DefaultType => _strings[(int)DefaultSampleType];

    /// <summary>Stacks (outermost frame first), values, labels.</summary>
    public IReadOnlyList<(string Stack, IReadOnlyList<long> Values, IReadOnlyDictionary<string, string> Labels)> Samples { get; }

    public static PProfFormat Check(byte[] file) => new(file);

    private (string Stack, IReadOnlyList<long> Values, IReadOnlyDictionary<string, string> Labels) ReadSample(byte[] bytes)
    {
        var (locations, values, labels) = (new List<long>(), new List<long>(), new Dictionary<string, string>());
        Read(
            bytes,
            (field, input) =>
            {
                switch (field)
                {
                    case 1:
                        ReadPacked(input, locations);
                        break;
                    case 2:
                        ReadPacked(input, values);
                        break;
                    case 3:
                        AddLabel(input.ReadBytes().ToByteArray(), labels);
                        break;
                    default:
                        Assert.Fail($"field {field} of Sample");
                        break;
                }
            }
        );
        Assert.Equal(Types.Count, values.Count);
        locations.Reverse(); // the leaf is the first
        return (
            string.Join(
                '<',
                locations
                    .SelectMany(location => _locations[location].Functions)
                    .Select(function => _strings[(int)_functions[function].Name])
            ),
            values,
            labels
        );
    }

    private void AddLabel(byte[] bytes, Dictionary<string, string> labels)
    {
        var values = new long[5];
        Read(bytes, (field, input) => values[field] = input.ReadInt64());
        Assert.True(values[2] == 0 || values[3] == 0, "a label is a text or a number");
        labels.Add(
            _strings[(int)values[1]],
            values[2] != 0 ? _strings[(int)values[2]] : values[3].ToString(System.Globalization.CultureInfo.InvariantCulture)
        );
    }

    private void AddMapping(byte[] bytes)
    {
        var values = new long[11];
        Read(bytes, (field, input) => values[field] = input.ReadInt64());
        Assert.NotEqual(0, values[1]);
        _mappings.Add(values[1], values[5]);
    }

    private void AddLocation(byte[] bytes)
    {
        var (id, mapping, functions) = (0L, 0L, new List<long>());
        Read(
            bytes,
            (field, input) =>
            {
                switch (field)
                {
                    case 1:
                        id = input.ReadInt64();
                        break;
                    case 2:
                        mapping = input.ReadInt64();
                        break;
                    case 4:
                        AddLine(input.ReadBytes().ToByteArray(), functions);
                        break;
                    default:
                        Assert.Fail($"field {field} of Location");
                        break;
                }
            }
        );
        Assert.NotEqual(0, id);
        _locations.Add(id, (mapping, functions));
    }

    private static void AddLine(byte[] bytes, List<long> functions) =>
        Read(
            bytes,
            (field, input) =>
            {
                Assert.Equal(1, field);
                functions.Add(input.ReadInt64());
            }
        );

    private void AddFunction(byte[] bytes)
    {
        var values = new long[6];
        Read(bytes, (field, input) => values[field] = input.ReadInt64());
        Assert.NotEqual(0, values[1]);
        _functions.Add(values[1], (values[2], values[3]));
    }

    private static void ReadPacked(CodedInputStream input, List<long> values)
    {
        var packed = input.ReadBytes().CreateCodedInput();
        while (!packed.IsAtEnd)
            values.Add(packed.ReadInt64());
    }

    private static void Read(byte[] bytes, Action<int, CodedInputStream> read)
    {
        using var input = new CodedInputStream(bytes);
        while (input.ReadTag() is var tag and not 0)
            read(WireFormat.GetTagFieldNumber(tag), input);
    }
}
