# A toolchain file: 64-bit ARM by Debian's gcc-aarch64-linux-gnu; tests run under qemu-user. The libraries that are found are those of
# the machine that builds, so only targets that need none can be linked.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-aarch64 -L /usr/aarch64-linux-gnu)
