// Stands in for a tool that the scripts call, by its own name: appends the command line to the file TOOL_LOG. Exits with 1 if the command
// line contains TOOL_FAIL. As procdump, it writes a dump; as explorer, it opens the .cmd file that it is given, in another process.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <windows.h>

int main(int count, char **arguments)
{
    const char *fail = getenv("TOOL_FAIL"), *line = GetCommandLineA(), *name = strrchr(arguments[0], '\\');
    char text[4096];
    FILE *log = fopen(getenv("TOOL_LOG"), "a");
    name = name ? name + 1 : arguments[0];
    fprintf(log, "%s\n", line);
    fclose(log);
    if (fail && *fail && strstr(line, fail)) return 1;
    if (!strncmp(name, "procdump", 8))
    {
        snprintf(text, sizeof text, "%s\\1.dmp", arguments[count - 1]);
        fclose(fopen(text, "w"));
        return 1; // the number of dumps
    }
    if (!strncmp(name, "explorer", 8))
    {
        STARTUPINFOA start = { sizeof start };
        PROCESS_INFORMATION process;
        snprintf(text, sizeof text, "cmd.exe /s /c \"\"%s\"\"", arguments[1]);
        return !CreateProcessA(NULL, text, NULL, NULL, FALSE, 0, NULL, NULL, &start, &process);
    }
    return 0;
}
