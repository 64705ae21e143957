/* What wine lacks of Windows 10: the random numbers that Rust's standard library asks for. For tests under
 * wine only; it is in no package. */
#include <windows.h>
#include <ntsecapi.h>

__declspec(dllexport) BOOL WINAPI ProcessPrng(PBYTE data, SIZE_T length) {
    return RtlGenRandom(data, (ULONG)length);
}
