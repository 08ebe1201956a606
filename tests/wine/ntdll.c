// NtQueryInformationThread for Wine 8, which knows no states of threads: this one answers from Linux's /proc. Which thread a handle is
// it knows from the first query with it, which the thread makes about itself.
#define WIN32_NO_STATUS
#include <windows.h>
#undef WIN32_NO_STATUS
#include <ntstatus.h>
#include <winternl.h>

#define SYSTEM_THREAD 40
#define HANDLES 4096

static INT64 threads[HANDLES]; // handles are multiples of 4

static INT64 call(INT64 number, INT64 first, INT64 second, INT64 third) // Linux's system call
{
    INT64 result;
    __asm__ volatile("syscall" : "=a"(result) : "a"(number), "D"(first), "S"(second), "d"(third) : "rcx", "r11", "memory");
    return result;
}

// Whether a thread is in Wine's wait for an object: a read (system call 0) of the 16 bytes that wineserver writes when it is over. The
// reply to a call of wineserver has 64.
static BOOL waits(INT64 thread)
{
    char path[64], line[256];
    wsprintfA(path, "/proc/self/task/%d/syscall", (int)thread);
    INT64 file = call(2, (INT64)path, 0, 0); // open
    if (file < 0) return FALSE;
    INT64 length = call(0, file, (INT64)line, sizeof line - 1); // read
    call(3, file, 0, 0); // close
    line[max(length, 0)] = 0;
    return !strncmp(line, "0 ", 2) && strstr(line, " 0x10 "); // file, buffer, length
}

__declspec(dllexport) NTSTATUS NTAPI
NtQueryInformationThread(HANDLE handle, THREADINFOCLASS class, void *data, ULONG size, ULONG *returned)
{
    SYSTEM_THREAD_INFORMATION *information = data;
    INT64 *thread = &threads[(ULONG_PTR)handle / 4 % HANDLES];
    if (class != SYSTEM_THREAD) return STATUS_INVALID_INFO_CLASS;
    if (size != sizeof *information) return STATUS_INFO_LENGTH_MISMATCH;
    if (!*thread || call(200, *thread, 0, 0)) *thread = call(186, 0, 0, 0); // tkill with signal 0: it has ended; gettid
    ZeroMemory(information, sizeof *information);
    information->ThreadState = waits(*thread) ? 5 : 2; // waiting or running
    information->WaitReason = 6; // at a user's request
    *returned = sizeof *information;
    return 0;
}
