#!/bin/sh
# emulated.sh PROGRAM ARGUMENT...: runs a program on an x86-64 processor with AVX-512, emulated by Bochs, about 200
# times slower than a real one. Bochs boots Linux with an initial file system that has the program and its libraries.
# Prints the program's output, and exits with its status.
set -eu

for tool in bochs:bochs-term busybox:busybox-static cpio:cpio xorriso:xorriso; do
  command -v "${tool%:*}" >/dev/null || { echo "missing: ${tool%:*}; as root on Debian: apt-get install ${tool#*:}" >&2; exit 1; }
done
linux=$(find /boot -name 'vmlinuz-*' | sort | tail -n 1)
isolinux=/usr/lib/ISOLINUX/isolinux.bin
[ -r "$linux" ] || { echo "missing: a Linux kernel in /boot; as root on Debian: apt-get install linux-image-amd64" >&2; exit 1; }
[ -r $isolinux ] || { echo "missing: $isolinux; as root on Debian: apt-get install isolinux syslinux-common" >&2; exit 1; }

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
program=$(realpath "$1")
shift

# The initial file system. Its /init prints the program's output to a serial line, between the marks BEGIN and END.
root=$work/root
mkdir -p "$root/bin" "$root/dev" "$root/proc" "$work/disc/isolinux"
cp "$(command -v busybox)" "$root/bin/"
cp "$program" "$root/program"
ldd "$program" | grep -o '/[^ ]*' | while read -r library; do
  mkdir -p "$root${library%/*}"
  cp -L "$library" "$root$library"
done
cat >"$root/init" <<END
#!/bin/busybox sh
/bin/busybox mount -t devtmpfs none /dev
exec >/dev/ttyS0 2>&1
/bin/busybox stty -onlcr
/bin/busybox echo BEGIN
/program $*
/bin/busybox echo END \$?
/bin/busybox sleep 3
/bin/busybox poweroff -f
END
chmod +x "$root/init"
(cd "$root" && find . | cpio --quiet -o -H newc | gzip -1 >"$work/disc/root.gz")

# Makes a boot disc. noxsaves and clearcpuid are needed because Bochs compacts saved registers in another way than Linux
# expects.
cp "$linux" "$work/disc/linux"
cp $isolinux /usr/lib/syslinux/modules/bios/ldlinux.c32 "$work/disc/isolinux/"
cat >"$work/disc/isolinux/isolinux.cfg" <<'END'
DEFAULT linux
LABEL linux
 KERNEL /linux
 APPEND initrd=/root.gz console=ttyS0 quiet mitigations=off no_timer_check lpj=1000000 noxsaves clearcpuid=xsaves,xsavec
END
xorriso -as mkisofs -quiet -o "$work/disc.iso" -b isolinux/isolinux.bin -c isolinux/boot.cat -no-emul-boot -boot-load-size 4 -boot-info-table \
  "$work/disc" 2>/dev/null

cat >"$work/bochsrc" <<END
cpu: model=corei7_skylake_x, ips=50000000
megs: 512
romimage: file=/usr/share/bochs/BIOS-bochs-latest
vgaromimage: file=/usr/share/bochs/VGABIOS-lgpl-latest
ata0-master: type=cdrom, path=$work/disc.iso, status=inserted
boot: cdrom
com1: enabled=1, mode=file, dev=$work/serial
log: $work/log
panic: action=fatal
error: action=ignore
info: action=ignore
display_library: term
END
# The debugger of Bochs waits for a command ("c": continue). The display "term" waits until a reader opens its terminal.
echo c >"$work/commands"
TERM=xterm bochs -q -f "$work/bochsrc" -rc "$work/commands" </dev/null >"$work/messages" 2>&1 &
emulator=$!
trap 'kill $emulator 2>/dev/null || true; rm -rf "$work"' EXIT
screen=""
while [ -z "$screen" ] && kill -0 $emulator 2>/dev/null; do
  screen=$(sed -n 's/^Bochs connected to screen "\(.*\)"$/\1/p' "$work/messages")
  sleep 0.1
done
[ -z "$screen" ] || cat "$screen" >/dev/null 2>&1 &
wait $emulator || true

sed -n '/^BEGIN/,/^END/p' "$work/serial" | sed '/^BEGIN/d; /^END/d'
status=$(sed -n 's/^END \([0-9]*\).*/\1/p' "$work/serial")
[ -n "$status" ] || { echo "Bochs ended before the program did:" >&2; tail -n 5 "$work/messages" >&2; exit 1; }
exit "$status"
