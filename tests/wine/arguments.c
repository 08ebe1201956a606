// Prints its arguments, one a line, as a program of Windows receives them.
#include <fcntl.h>
#include <io.h>
#include <stdio.h>
#include <wchar.h>

int wmain(int count, wchar_t **arguments)
{
    _setmode(_fileno(stdout), _O_U8TEXT);
    for (int i = 1; i < count; i++)
        wprintf(L"[%ls]\n", arguments[i]);
    return 0;
}
