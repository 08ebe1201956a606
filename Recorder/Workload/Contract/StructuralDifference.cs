using System.Collections;
using System.Reflection;
using System.Runtime.CompilerServices;

namespace EtwSerializerProfiler.Contract;

/// <summary>
/// Compares object graphs by their content: public properties and fields, items of collections in order, and cycles once.
/// </summary>
public static class StructuralDifference
{
    /// <summary>Finds the first difference.</summary>
    /// <param name="expected">The written graph.</param>
    /// <param name="actual">The read graph.</param>
    /// <returns>Path and difference; null when there is none.</returns>
    public static string? Find(object? expected, object? actual)
    {
        // Not recursive, because graphs may be very deep.
        var pending = new Stack<(string Path, object? Expected, object? Actual)>();
        var seen = new HashSet<object>(ByReference.Instance);
        pending.Push(("", expected, actual));
        while (pending.Count > 0)
        {
            var (path, left, right) = pending.Pop();
            if (ReferenceEquals(left, right))
                continue;
            if (left is null || right is null)
                return $"{Name(path)} is {Show(right)}, not {Show(left)}";
            var type = left.GetType();
            if (IsValue(type))
            {
                if (!left.Equals(right))
                    return $"{Name(path)} is {Show(right)}, not {Show(left)}";
                continue;
            }

            if (!type.IsValueType && !seen.Add(left))
                continue;
            if (left is IEnumerable items)
            {
                if (right is not IEnumerable others)
                    return $"{Name(path)} is a {right.GetType()}, not a {type}";
                if (PushItems(path, items, others, pending) is { } difference)
                    return difference;
                continue;
            }

            if (right.GetType() != type)
                return $"{Name(path)} is a {right.GetType()}, not a {type}";
            foreach (var property in type.GetProperties(BindingFlags.Instance | BindingFlags.Public))
            {
                if (property.CanRead && property.GetIndexParameters().Length == 0)
                    pending.Push(($"{path}.{property.Name}", property.GetValue(left), property.GetValue(right)));
            }

            foreach (var field in type.GetFields(BindingFlags.Instance | BindingFlags.Public))
                pending.Push(($"{path}.{field.Name}", field.GetValue(left), field.GetValue(right)));
        }

        return null;
    }

    private static string? PushItems(
        string path,
        IEnumerable items,
        IEnumerable others,
        Stack<(string Path, object? Expected, object? Actual)> pending
    )
    {
        var left = items.Cast<object?>().ToList();
        var right = others.Cast<object?>().ToList();
        if (left.Count != right.Count)
            return $"{Name(path)} has {right.Count} items, not {left.Count}";
        for (var i = left.Count - 1; i >= 0; i--)
            pending.Push(($"{path}[{i}]", left[i], right[i]));
        return null;
    }

    private static bool IsValue(Type type) =>
        type.IsPrimitive
        || type.IsEnum
        || type == typeof(string)
        || (
            type.IsValueType
            && type.Namespace is { } space
            && (space == "System" || space.StartsWith("System.Numerics", StringComparison.Ordinal))
            && !type.IsGenericType
        );

    private static string Name(string path) => path.Length == 0 ? "the root" : path.TrimStart('.');

    private static string Show(object? value) =>
        value switch
        {
            null => "null",
            string text => $"'{text}'",
            // The default format omits fractions of a second; this one has every tick.
            DateTime or DateTimeOffset => ((IFormattable)value).ToString("O", System.Globalization.CultureInfo.InvariantCulture),
            IFormattable formattable => formattable.ToString(null, System.Globalization.CultureInfo.InvariantCulture),
            _ => value.ToString() ?? "",
        };

    private sealed class ByReference : IEqualityComparer<object>
    {
        public static readonly ByReference Instance = new();

        bool IEqualityComparer<object>.Equals(object? x, object? y) => ReferenceEquals(x, y);

        int IEqualityComparer<object>.GetHashCode(object obj) => RuntimeHelpers.GetHashCode(obj);
    }
}
