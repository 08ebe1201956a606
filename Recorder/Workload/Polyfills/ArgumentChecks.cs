using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;

namespace EtwSerializerProfiler.Polyfills;

/// <summary>Throw helpers of newer class libraries.</summary>
internal static class ArgumentChecks
{
    extension(ArgumentNullException)
    {
        public static void ThrowIfNull([NotNull] object? argument, [CallerArgumentExpression(nameof(argument))] string? name = null)
        {
            if (argument is null)
                throw new ArgumentNullException(name);
        }
    }

    extension(ArgumentOutOfRangeException)
    {
        public static void ThrowIfZero(int value, [CallerArgumentExpression(nameof(value))] string? name = null)
        {
            if (value == 0)
                throw new ArgumentOutOfRangeException(name);
        }
    }

    extension(ObjectDisposedException)
    {
        public static void ThrowIf(bool condition, object instance)
        {
            if (condition)
                throw new ObjectDisposedException(instance.GetType().FullName);
        }
    }
}
