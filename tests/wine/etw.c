// A stand-in for advapi32.dll and KernelTraceControl.dll beside esp-record.dll: Wine 8 has no ETW. Writes each ETW call with its
// structures to the file ETW_LOG, a JSON object a line, and keeps the names of the sessions. ETW_FAIL=N:CODE lets the N-th call fail
// (from 1) without effect. A session's file is made when it starts; a merged file is a copy of ETW_MERGED. run.sh adds all other
// functions of Wine's advapi32.
#define _WMI_SOURCE_ // what <evntrace.h> declares is defined here
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <windows.h>
#include <wmistr.h>
#include <evntrace.h>
#include <evntprov.h>

#define EXPORT __declspec(dllexport)
#define MAX_SESSIONS 64

typedef struct { GUID guid; UCHAR type; UCHAR reserved[7]; } STACK_EVENT; // STACK_TRACING_EVENT_ID, CLASSIC_EVENT_ID

static struct { WCHAR name[1024], file[1024]; } sessions[MAX_SESSIONS];
static LONG calls;

static char text[65536]; // a line; guarded by the lock, as the sessions are
static size_t length;
static CRITICAL_SECTION lock;

static void add(const char *format, ...)
{
    va_list values;
    va_start(values, format);
    length += vsnprintf(text + length, sizeof text - length, format, values);
    va_end(values);
}

static void add_text(const char *name, const WCHAR *value)
{
    char bytes[4096];
    WideCharToMultiByte(CP_UTF8, 0, value ? value : L"", -1, bytes, sizeof bytes, NULL, NULL);
    add(",\"%s\":\"", name);
    for (const char *at = bytes; *at; at++)
        add(*at == '\\' || *at == '"' ? "\\%c" : "%c", *at);
    add("\"");
}

static void add_guid(const char *name, const GUID *id)
{
    const BYTE *d = id->Data4;
    add("\"%s\":\"%08lx-%04x-%04x-%02x%02x-%02x%02x%02x%02x%02x%02x\"",
        name, id->Data1, id->Data2, id->Data3, d[0], d[1], d[2], d[3], d[4], d[5], d[6], d[7]);
}

static void add_stacks(const STACK_EVENT *events, int count)
{
    add(",\"stacks\":[");
    for (int i = 0; i < count; i++) {
        add(i ? ",{" : "{");
        add_guid("task", &events[i].guid);
        add(",\"opcode\":%u}", events[i].type);
    }
    add("]");
}

static const WCHAR *file_of(const EVENT_TRACE_PROPERTIES *p)
{
    return p->LogFileNameOffset ? (const WCHAR *)((const BYTE *)p + p->LogFileNameOffset) : L"";
}

static void add_properties(const EVENT_TRACE_PROPERTIES *p)
{
    add_text("file", file_of(p));
    add(",\"bufferKB\":%lu,\"minimum\":%lu,\"maximum\":%lu,\"mode\":%lu,\"fileMB\":%lu,\"flags\":%lu,\"clock\":%lu",
        p->BufferSize, p->MinimumBuffers, p->MaximumBuffers, p->LogFileMode, p->MaximumFileSize, p->EnableFlags, p->Wnode.ClientContext);
}

// Begins a line. Returns the error that the call shall fail with, or 0.
static ULONG begin(const char *name)
{
    unsigned long number = 0, code = 0;
    EnterCriticalSection(&lock);
    length = 0;
    calls++;
    add("{\"number\":%ld,\"call\":\"%s\"", calls, name);
    const char *fail = getenv("ETW_FAIL");
    if (fail && sscanf(fail, "%lu:%li", &number, &code) == 2 && (LONG)number == calls)
        return code;
    return 0;
}

static ULONG end(ULONG result)
{
    const char *path = getenv("ETW_LOG");
    FILE *log = path ? fopen(path, "ab") : NULL;
    add(",\"result\":%lu}\n", result);
    if (log) {
        fwrite(text, 1, length, log);
        fclose(log);
    }
    LeaveCriticalSection(&lock);
    return result;
}

static int find(const WCHAR *name)
{
    for (int i = 0; i < MAX_SESSIONS; i++)
        if (name && sessions[i].name[0] && !lstrcmpiW(sessions[i].name, name))
            return i;
    return -1;
}

static ULONG start(const WCHAR *name, EVENT_TRACE_PROPERTIES *p, TRACEHANDLE *handle)
{
    int at = 0;
    if (find(name) >= 0)
        return ERROR_ALREADY_EXISTS;
    while (at < MAX_SESSIONS && sessions[at].name[0])
        at++;
    if (at == MAX_SESSIONS)
        return ERROR_NO_SYSTEM_RESOURCES;
    if (file_of(p)[0]) {
        HANDLE file = CreateFileW(file_of(p), GENERIC_WRITE, 0, NULL, CREATE_ALWAYS, 0, NULL);
        if (file == INVALID_HANDLE_VALUE)
            return GetLastError();
        CloseHandle(file);
    }
    lstrcpynW(sessions[at].name, name, 1024);
    lstrcpynW(sessions[at].file, file_of(p), 1024);
    *handle = p->Wnode.HistoricalContext = at + 1;
    return 0;
}

EXPORT ULONG WINAPI StartTraceW(TRACEHANDLE *handle, LPCWSTR name, EVENT_TRACE_PROPERTIES *p)
{
    ULONG error = begin("StartTrace");
    add_text("session", name);
    add_properties(p);
    return end(error ? error : start(name, p, handle));
}

EXPORT ULONG WINAPI ControlTraceW(TRACEHANDLE handle, LPCWSTR name, EVENT_TRACE_PROPERTIES *p, ULONG code)
{
    static const char *const names[] = {"query", "stop", "update", "flush"};
    ULONG error = begin("ControlTrace");
    int at = name ? find(name) : (int)handle - 1;
    add_text("session", name);
    add(",\"code\":\"%s\"", code < 4 ? names[code] : "other");
    add_text("file", file_of(p));
    if (error || at < 0)
        return end(error ? error : ERROR_WMI_INSTANCE_NOT_FOUND);
    p->Wnode.HistoricalContext = at + 1;
    if (code == EVENT_TRACE_CONTROL_STOP)
        sessions[at].name[0] = 0;
    if (code == EVENT_TRACE_CONTROL_FLUSH && file_of(p)[0]) {
        HANDLE file = CreateFileW(file_of(p), GENERIC_WRITE, 0, NULL, CREATE_ALWAYS, 0, NULL);
        CloseHandle(file);
    }
    if (code == EVENT_TRACE_CONTROL_QUERY && p->LogFileNameOffset)
        lstrcpyW((WCHAR *)((BYTE *)p + p->LogFileNameOffset), sessions[at].file);
    return end(0);
}

EXPORT ULONG WINAPI QueryAllTracesW(EVENT_TRACE_PROPERTIES **found, ULONG room, ULONG *count)
{
    ULONG error = begin("QueryAllTraces");
    *count = 0;
    for (int i = 0; !error && i < MAX_SESSIONS; i++)
        if (sessions[i].name[0] && *count < room) {
            EVENT_TRACE_PROPERTIES *p = found[(*count)++];
            p->Wnode.HistoricalContext = i + 1;
            lstrcpyW((WCHAR *)((BYTE *)p + p->LoggerNameOffset), sessions[i].name);
            lstrcpyW((WCHAR *)((BYTE *)p + p->LogFileNameOffset), sessions[i].file);
        }
    add(",\"count\":%lu", *count);
    return end(error);
}

EXPORT ULONG WINAPI EnableTraceEx2(
    TRACEHANDLE handle, LPCGUID provider, ULONG code, UCHAR level, ULONGLONG any, ULONGLONG all, ULONG timeout, ENABLE_TRACE_PARAMETERS *p)
{
    static const char *const names[] = {"disable", "enable", "captureState"};
    ULONG error = begin("EnableTraceEx2");
    add_text("session", handle && handle <= MAX_SESSIONS ? sessions[handle - 1].name : NULL);
    add(",");
    add_guid("provider", provider);
    add(",\"code\":\"%s\",\"level\":%u,\"any\":\"0x%llX\",\"all\":\"0x%llX\",\"version\":%lu,\"property\":%lu,\"filters\":[",
        code < 3 ? names[code] : "other", level, any, all, p->Version, p->EnableProperty);
    for (ULONG i = 0; i < (p->Version == 2 ? p->FilterDescCount : 0); i++) {
        // EVENT_FILTER_EVENT_ID: FilterIn and Reserved, Count, Events.
        const USHORT *ids = (const USHORT *)(ULONG_PTR)p->EnableFilterDesc[i].Ptr;
        ULONG size = p->EnableFilterDesc[i].Size;
        add("%s{\"type\":\"0x%lx\",\"size\":%lu,\"in\":%s,\"count\":%u,\"ids\":[",
            i ? "," : "", p->EnableFilterDesc[i].Type, size, *(const BYTE *)ids ? "true" : "false", ids[1]);
        for (ULONG k = 0; k + 2 < size / 2; k++)
            add(k ? ",%u" : "%u", ids[k + 2]);
        add("]}");
    }
    add("]");
    return end(error);
}

EXPORT ULONG WINAPI TraceSetInformation(TRACEHANDLE handle, TRACE_INFO_CLASS what, void *value, ULONG size)
{
    ULONG error = begin("TraceSetInformation");
    add_text("session", handle && handle <= MAX_SESSIONS ? sessions[handle - 1].name : NULL);
    add(",\"class\":%d,\"size\":%lu", what, size);
    if (what == TraceStackTracingInfo)
        add_stacks(value, size / sizeof(STACK_EVENT));
    else if (size == 8) // TRACE_PROFILE_INTERVAL, or a mask of kernel events with its second group
        add(",\"value\":%lu,\"next\":%lu", ((ULONG *)value)[0], ((ULONG *)value)[1]);
    return end(error);
}

EXPORT ULONG WINAPI EnumerateTraceGuidsEx(TRACE_QUERY_INFO_CLASS what, void *in, ULONG in_size, void *out, ULONG size, ULONG *used)
{
    ULONG error = begin("EnumerateTraceGuidsEx");
    *used = 0; // no provider is registered
    return end(error);
}

EXPORT ULONG WINAPI CloseTrace(TRACEHANDLE handle)
{
    begin("CloseTrace");
    return end(0);
}

// KernelTraceControl.dll: the sessions are those of advapi32.dll in the same folder.
EXPORT ULONG WINAPI StartKernelTrace(TRACEHANDLE *handle, EVENT_TRACE_PROPERTIES *p, STACK_EVENT *stacks, ULONG count)
{
    WCHAR path[MAX_PATH];
    HMODULE self;
    GetModuleHandleExW(GET_MODULE_HANDLE_EX_FLAG_FROM_ADDRESS, (LPCWSTR)StartKernelTrace, &self);
    GetModuleFileNameW(self, path, MAX_PATH);
    lstrcpyW(wcsrchr(path, L'\\') + 1, L"advapi32.dll");
    ULONG(WINAPI *kernel)(TRACEHANDLE *, EVENT_TRACE_PROPERTIES *, STACK_EVENT *, ULONG) =
        (void *)GetProcAddress(LoadLibraryW(path), "StartKernelSession");
    return kernel(handle, p, stacks, count);
}

EXPORT ULONG WINAPI StartKernelSession(TRACEHANDLE *handle, EVENT_TRACE_PROPERTIES *p, STACK_EVENT *stacks, ULONG count)
{
    ULONG error = begin("StartKernelTrace");
    add_properties(p);
    add_stacks(stacks, count);
    return end(error ? error : start(KERNEL_LOGGER_NAMEW, p, handle));
}

EXPORT ULONG WINAPI CreateMergedTraceFile(LPCWSTR merged, LPCWSTR *files, ULONG count, ULONG extended)
{
    if (calls < 1000)
        calls = 1000; // counted apart: this is the copy of the library that has no sessions
    ULONG error = begin("CreateMergedTraceFile");
    const char *sample = getenv("ETW_MERGED");
    WCHAR source[MAX_PATH];
    add_text("file", merged);
    add(",\"extended\":%lu,\"count\":%lu", extended, count);
    for (ULONG i = 0; i < count; i++) {
        char name[16];
        snprintf(name, sizeof name, "part%lu", i);
        add_text(name, files[i]);
        if (!error && GetFileAttributesW(files[i]) == INVALID_FILE_ATTRIBUTES)
            error = ERROR_FILE_NOT_FOUND;
    }
    MultiByteToWideChar(CP_ACP, 0, sample ? sample : "", -1, source, MAX_PATH);
    if (!error && !CopyFileW(source, merged, FALSE))
        error = GetLastError();
    return end(error);
}

BOOL WINAPI DllMain(HINSTANCE instance, DWORD reason, void *reserved)
{
    if (reason == DLL_PROCESS_ATTACH)
        InitializeCriticalSection(&lock);
    return TRUE;
}
