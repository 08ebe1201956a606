# Sourced by run.sh: makes an emulated arm64 machine in the folder $work from packages and boots it. QEMU emulates it; kernel and C library
# are Debian's, .NET is the feed's runtime pack. What is there already is kept, except the project's own programs.

skip() { echo "skipped: $1"; exit 0; }

# install_tools: programs of this machine.
install_tools() {
  local pair missing=() pairs=(qemu-system-aarch64:qemu-system-arm cpio:cpio mke2fs:e2fsprogs perl:perl-base)
  pairs+=(aarch64-linux-gnu-gcc:gcc-aarch64-linux-gnu)
  for pair in "${pairs[@]}"; do
    command -v "${pair%:*}" > /dev/null || missing+=("${pair#*:}")
  done
  [ ${#missing[@]} -eq 0 ] && return
  command -v apt-get > /dev/null || skip "no ${missing[*]}, and no apt-get to install them"
  # a new machine has no package lists yet
  { apt-get update -qq && apt-get install -y --no-install-recommends "${missing[@]}"; } > "$work/apt.log" 2>&1 \
    || skip "apt-get cannot install ${missing[*]} ($work/apt.log)"
}

# fetch_system: the kernel and the libraries that .NET needs, by an apt with folders of its own: this machine's architectures and package
# lists stay as they are.
fetch_system() {
  [ -e "$work/system.done" ] && return
  rm -rf "$work"/{apt,kernel,root}
  mkdir -p "$work"/apt/{state/lists/partial,cache/archives/partial} "$work"/{kernel,root}
  mkdir -p "$work"/apt/etc/{apt.conf.d,preferences.d,trusted.gpg.d,sources.list.d}
  local file
  for file in /etc/apt/apt.conf.d/* /etc/apt/sources.list /etc/apt/sources.list.d/debian.sources; do
    [ -e "$file" ] && cp "$file" "$work/apt/etc/${file#/etc/apt/}"
  done
  touch "$work/apt/status"
  cat > "$work/apt/apt.conf" <<END
APT::Architecture "arm64"; APT::Architectures { "arm64"; };
Dir::State "$work/apt/state"; Dir::State::status "$work/apt/status"; Dir::Cache "$work/apt/cache"; Dir::Etc "$work/apt/etc";
Acquire::Languages "none"; APT::Sandbox::User "root";
END
  export APT_CONFIG="$work/apt/apt.conf"
  apt-get update -qq >> "$work/apt.log" 2>&1 || skip "apt-get cannot read Debian's lists of arm64 packages ($work/apt.log)"
  local kernel
  kernel=$(apt-cache depends linux-image-arm64 2> /dev/null | awk '/Depends: linux-image/ { print $2; exit }')
  [ -n "$kernel" ] || skip "the distribution has no package linux-image-arm64 (tried on Debian 12)"
  (cd "$work/apt/cache/archives" && apt-get download -qq "$kernel" >> "$work/apt.log" 2>&1 \
    && apt-get install -y --download-only --no-install-recommends libc6 libstdc++6 zlib1g libssl3 busybox-static >> "$work/apt.log" 2>&1) \
    || skip "apt-get cannot fetch arm64 packages ($work/apt.log)"
  unset APT_CONFIG
  for file in "$work"/apt/cache/archives/*.deb; do
    case $file in */linux-image-*) dpkg-deb -x "$file" "$work/kernel" ;; *) dpkg-deb -x "$file" "$work/root" ;; esac
  done
  touch "$work/system.done"
}

# fetch_runtime: the runtime pack, laid out as an installed runtime. No package has the command 'dotnet' of arm64, so programs start by
# hosts of their own.
fetch_runtime() {
  local version packs=${NUGET_PACKAGES:-$HOME/.nuget/packages} pack target=$work/root/opt/dotnet
  version=$(dotnet --list-runtimes | awk '$1 == "Microsoft.NETCore.App" && $2 ~ /^10\./ { found = $2 } END { print found }')
  [ -n "$version" ] || skip "no .NET 10 runtime here, whose version the machine takes"
  host_pack=$packs/microsoft.netcore.app.host.linux-arm64/$version/runtimes/linux-arm64/native/apphost
  [ -e "$target/shared/Microsoft.NETCore.App/$version/libcoreclr.so" ] && [ -e "$host_pack" ] && return
  mkdir -p "$work/packs"
  cat > "$work/packs/packs.csproj" <<END
<Project Sdk="Microsoft.NET.Sdk">
  <PropertyGroup><TargetFramework>net10.0</TargetFramework></PropertyGroup>
  <ItemGroup>
    <PackageDownload Include="Microsoft.NETCore.App.Runtime.linux-arm64;Microsoft.NETCore.App.Host.linux-arm64" Version="[$version]" />
  </ItemGroup>
</Project>
END
  dotnet restore "$work/packs" -v q > "$work/packs/restore.log" 2>&1 \
    || skip "the NuGet feed has no runtime pack $version of linux-arm64 ($work/packs/restore.log)"
  pack=$packs/microsoft.netcore.app.runtime.linux-arm64/$version/runtimes/linux-arm64
  rm -rf "$target" && mkdir -p "$target/host/fxr/$version" "$target/shared/Microsoft.NETCore.App/$version"
  cp "$pack"/native/* "$pack"/lib/net10.0/* "$target/shared/Microsoft.NETCore.App/$version/"
  mv "$target/shared/Microsoft.NETCore.App/$version/libhostfxr.so" "$target/host/fxr/$version/"
}

# dotnet_publish ARGUMENTS…: prints the end of the log where it fails.
dotnet_publish() {
  dotnet publish "$@" -c Release -v q -nodeReuse:false > "$work/publish.log" 2>&1 && return
  tail -n 20 "$work/publish.log"
  echo "failed: dotnet publish $*"
  exit 1
}

# publish: the project's programs, from a copy of its sources: a build for another system replaces what the checkout has of its own.
publish() {
  rm -rf "$work/src" # files that no longer exist would be compiled, too
  mkdir -p "$work/src" && (cd "$sources" && tar --exclude=./artifacts --exclude=./.git -c .) | tar -C "$work/src" -x
  # Precompiled as in their packages: the emulated machine spends most of a tool's time in the JIT. TestProgram and the suite are not,
  # because they are what is measured.
  local project folder ready precompiled=true
  if ! dotnet restore "$work/src/Analyzer" -r linux-arm64 -p:PublishReadyToRun=true -v q > "$work/precompile.log" 2>&1; then
    precompiled=false
    echo "the NuGet feed has no compiler of native code: the emulated machine takes longer ($work/precompile.log)"
  fi
  for project in Recorder:esp:$precompiled Analyzer:ana:$precompiled tests/TestProgram:test:false; do
    IFS=: read -r project folder ready <<< "$project"
    dotnet_publish "$work/src/$project" -r linux-arm64 --no-self-contained "-p:PublishReadyToRun=$ready" -o "$work/root/opt/$folder"
  done
  # What is published for arm64 does not start elsewhere.
  dotnet_publish "$work/src/Analyzer" -o "$work/here"
  # The suite is published as a .dll for 'dotnet'. A host has this text where the name of its assembly belongs.
  local suite=$work/root/opt/esp/workload/esp-workload text=c3ab8ff13720e8ad9047dd39466b3c8974e592c2fa383d4a3960714caef0c4f2
  perl -0777 -pe "s/$text/pack('a64', 'esp-workload.dll')/e" "$host_pack" > "$suite"
  chmod +x "$suite"

  local kind compile=(aarch64-linux-gnu-gcc -O2 -fPIC -mbranch-protection=pac-ret+leaf)
  for kind in framed:-fno-omit-frame-pointer bare:-fomit-frame-pointer; do
    "${compile[@]}" "${kind#*:}" "-DPREFIX=${kind%:*}" -c "$here/signed.c" -o "$work/${kind%:*}.o"
  done
  aarch64-linux-gnu-gcc -shared -nostdlib -Wl,--build-id "$work/framed.o" "$work/bare.o" -o "$work/root/opt/test/libsigned.so"
}

# make_disk: the first file system with the modules for disk, share and ext4 in the order of their needs, and the disk.
make_disk() {
  local module number=10 initrd=$work/initrd root=$work/root
  local modules=(virtio_pci_modern_dev virtio_pci_legacy_dev virtio_pci virtio_blk crc32c_generic jbd2 mbcache crc16 ext4)
  modules+=(netfs fscache 9pnet 9p 9pnet_virtio)
  rm -rf "$initrd" && mkdir -p "$initrd"/{bin,mod,proc,sys,dev,root}
  cp "$root/bin/busybox" "$initrd/bin/"
  for module in "${modules[@]}"; do
    cp "$(find "$work/kernel/lib/modules" -name "$module.ko")" "$initrd/mod/$number-$module.ko"
    number=$((number + 1))
  done
  cat > "$initrd/init" <<'END'
#!/bin/busybox sh
/bin/busybox mount -t proc proc /proc; /bin/busybox mount -t sysfs sys /sys; /bin/busybox mount -t devtmpfs dev /dev
for module in /mod/*.ko; do /bin/busybox insmod $module; done
/bin/busybox mount -t ext4 /dev/vda /root || exec /bin/busybox poweroff -f
for folder in proc sys dev; do /bin/busybox mount --move /$folder /root/$folder; done
exec /bin/busybox switch_root /root /init
END
  chmod +x "$initrd/init"
  (cd "$initrd" && find . | cpio -o -H newc --quiet | gzip -1) > "$work/initrd.gz"

  mkdir -p "$root"/{proc,sys,dev,tmp,run,mnt,root,etc/dotnet,home/u,usr/bin,usr/sbin,sbin}
  chown 1000:1000 "$root/home/u"
  echo /opt/dotnet > "$root/etc/dotnet/install_location"
  printf 'root:x:0:0::/root:/bin/sh\nu:x:1000:1000::/home/u:/bin/sh\n' > "$root/etc/passwd"
  printf 'root:x:0:\nu:x:1000:\n' > "$root/etc/group"
  echo '127.0.0.1 localhost arm64' > "$root/etc/hosts"
  # DOTNET_EnableWriteXorExecute=0: with the runtime's two views of code QEMU now and then runs stale code.
  cat > "$root/init" <<'END'
#!/bin/busybox sh
/bin/busybox --install -s
export PATH=/usr/bin:/bin:/usr/sbin:/sbin HOME=/root TERM=dumb DOTNET_EnableWriteXorExecute=0
mount -t tmpfs tmpfs /tmp; chmod 1777 /tmp; mount -t tmpfs tmpfs /run; mkdir -p /dev/shm; mount -t tmpfs tmpfs /dev/shm
mount -t tracefs nodev /sys/kernel/tracing; mount -t 9p -o trans=virtio,version=9p2000.L,msize=512000 share /mnt
hostname arm64; ip link set lo up
/mnt/guest.sh > /mnt/out/guest.log 2>&1; echo $? > /mnt/out/exit-code
sync; umount /mnt; poweroff -f
END
  chmod +x "$root/init"
  rm -f "$work/disk.img" && mke2fs -q -t ext4 -d "$root" "$work/disk.img" 1500M > /dev/null
}

# boot: runs guest.sh in the machine; what it writes to /mnt/out is in $work/share/out.
boot() {
  rm -rf "$work/share" && mkdir -p "$work/share/out" && cp "$here/guest.sh" "$work/share/"
  timeout 3000 qemu-system-aarch64 -M virt,gic-version=max -accel tcg,thread=multi -cpu max,pauth-impdef=on -smp 2 -m 3072 \
    -nographic -no-reboot -nic none \
    -kernel "$(ls "$work"/kernel/boot/vmlinuz-*)" -initrd "$work/initrd.gz" -append "console=ttyAMA0 quiet loglevel=3 panic=-1" \
    -drive "file=$work/disk.img,if=none,format=raw,id=d0,cache=unsafe" -device virtio-blk-pci,drive=d0 \
    -virtfs "local,path=$work/share,mount_tag=share,security_model=none" -device virtio-rng-pci \
    < /dev/null > "$work/console.log" 2>&1 && return
  tail -n 5 "$work/console.log"
  echo "failed: the machine did not end by itself ($work/console.log)"
  exit 1
}
