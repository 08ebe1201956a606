// A tdh.dll for Wine 8, whose own lacks these functions and ends the process that calls one. No event has a description here.
#include <windows.h>

#define NOT_FOUND(name) \
    __declspec(dllexport) ULONG WINAPI name(void *first, void *second, void *third, void *fourth, void *fifth) { return ERROR_NOT_FOUND; }

NOT_FOUND(TdhEnumerateManifestProviderEvents)
NOT_FOUND(TdhEnumerateProviderFieldInformation)
NOT_FOUND(TdhEnumerateProviders)
NOT_FOUND(TdhFormatProperty)
NOT_FOUND(TdhGetEventInformation)
NOT_FOUND(TdhGetEventMapInformation)
NOT_FOUND(TdhGetManifestEventInformation)
NOT_FOUND(TdhGetProperty)
NOT_FOUND(TdhGetPropertySize)
NOT_FOUND(TdhLoadManifest)
NOT_FOUND(TdhQueryProviderFieldInformation)
NOT_FOUND(TdhUnloadManifest)
