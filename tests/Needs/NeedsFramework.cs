using System.Reflection;
using Xunit.Sdk;
using Xunit.v3;

[assembly: TestFramework(typeof(EtwSerializerProfiler.TestSupport.NeedsFramework))]

namespace EtwSerializerProfiler.TestSupport;

/// <summary>
/// Finds tests as xunit does, but replaces all tests of a class with the same missing requirement by one skipped test, so that the list of
/// skipped tests stays readable.
/// </summary>
internal sealed class NeedsFramework : XunitTestFramework
{
    protected override ITestFrameworkDiscoverer CreateDiscoverer(Assembly assembly) =>
        new Discoverer(new XunitTestAssembly(assembly, version: assembly.GetName().Version));

    private sealed class Discoverer(IXunitTestAssembly assembly) : XunitTestFrameworkDiscoverer(assembly)
    {
        protected override async ValueTask<bool> FindTestsForType(
            IXunitTestClass testClass,
            ITestFrameworkDiscoveryOptions discoveryOptions,
            Func<ITestCase, ValueTask<bool>> discoveryCallback
        )
        {
            var lacking = new SortedDictionary<string, List<IXunitTestCase>>(StringComparer.Ordinal);
            var goesOn = await base.FindTestsForType(
                testClass,
                discoveryOptions,
                async found =>
                {
                    if (found is not IXunitTestCase test || MissingFor(test) is not { } missing)
                        return await discoveryCallback(found);
                    if (!lacking.TryGetValue(missing, out var tests))
                        lacking.Add(missing, tests = []);
                    tests.Add(test);
                    return true;
                }
            );
            foreach (var (missing, tests) in lacking)
                goesOn = goesOn && await discoveryCallback(OneOf(tests, missing));
            return goesOn;
        }

        private static string? MissingFor(IXunitTestCase test) =>
            test
                .TestClass.Class.GetCustomAttributes<NeedAttribute>()
                .Concat(test.TestMethod.Method.GetCustomAttributes<NeedAttribute>())
                .Select(need => need.Missing)
                .FirstOrDefault(missing => missing is not null);

        private static XunitTestCase OneOf(List<IXunitTestCase> tests, string missing)
        {
            var first = tests[0];
            var name = tests.Count == 1 ? first.TestCaseDisplayName : $"{first.TestClass.TestClassName}: {tests.Count} tests";
            return new XunitTestCase(
                first.TestMethod,
                name,
                first.UniqueID,
                @explicit: false,
                skipReason: missing,
                traits: first.Traits.ToDictionary(trait => trait.Key, trait => trait.Value.ToHashSet())
            );
        }
    }
}
