# Sourced by web/build and packaging/static: the libraries that opshift needs, as archives, from Debian's source packages.
# The caller sets
#   here, native, build    the source tree, a build for this machine, a directory to work in
#   sources, prefix        where the packages are or will be; where archives and headers go
#   host, flags            as for configure: the triple, CFLAGS
#   compiler, archiver     their names
#   nettle_options         more options for its configure
#   configure_by, make_by  what runs configure and make, or nothing
# shellcheck shell=sh disable=SC2086,SC2154

# From the archives that this machine has its packages from.
fetch() {
    lists=$build/apt
    mkdir -p "$lists/sources" "$lists/lists/partial" "$sources"
    for file in /etc/apt/sources.list /etc/apt/sources.list.d/*; do
        case $file in
        *.list) [ ! -f "$file" ] || sed -n 's/^deb /deb-src /p' "$file" >"$lists/sources/$(basename "$file")" ;;
        *.sources) sed 's/^Types:.*/Types: deb-src/' "$file" >"$lists/sources/$(basename "$file")" ;;
        esac
    done
    cat >"$lists/apt.conf" <<END
Dir::Etc::sourcelist "/dev/null";
Dir::Etc::sourceparts "$lists/sources";
Dir::State::lists "$lists/lists";
APT::Sandbox::User "$(id -un)";
END
    (
        cd "$sources"
        export APT_CONFIG="$lists/apt.conf"
        apt-get -q -q update
        apt-get -q -q source --download-only protobuf-c libyaml jansson zlib nettle libxml2
    )
}

unpack() { # LIBRARY: into source/LIBRARY
    directory=$build/source/$1
    rm -rf "$directory"
    mkdir -p "$build/source"
    set -- "$1" "$sources/$1"_*.dsc
    [ -f "$2" ] || fail "no source package of $1 in $sources"
    dpkg-source --require-strong-checksums -x "$2" "$directory" # with Debian's patches
    cd "$directory"
}

configured() { # OPTIONS: in the directory of a library
    autoreconf -fi # an old config.sub does not know WebAssembly
    $configure_by ./configure -q --host="$host" --prefix="$prefix" --libdir="$prefix/lib" --disable-shared --enable-static \
        CFLAGS="$flags" "$@"
}

# Each library once: what is there stays.
library() { # NAME ARCHIVE: unpacks NAME, unless its archive is there
    [ ! -f "$prefix/lib/$2" ] && unpack "$1"
}

build_libraries() {
    mkdir -p "$prefix/lib" "$prefix/include/protobuf-c" "$prefix/include/nettle"
    (
        library protobuf-c libprotobuf-c.a || exit 0
        cp protobuf-c/protobuf-c.h "$prefix/include/protobuf-c/"
        $compiler $flags -c protobuf-c/protobuf-c.c -I. -o protobuf-c.o
        $archiver rcs "$prefix/lib/libprotobuf-c.a" protobuf-c.o
    )
    (
        library libyaml libyaml.a || exit 0
        configured
        $make_by make -s -C include install
        $make_by make -s -C src install
    )
    (
        library jansson libjansson.a || exit 0
        configured
        $make_by make -s -C src install
    )
    (
        library zlib libz.a || exit 0
        CFLAGS="$flags" $configure_by ./configure --static --prefix="$prefix"
        $make_by make -s libz.a
        cp zlib.h zconf.h "$prefix/include/"
        cp libz.a "$prefix/lib/"
    )
    (
        library nettle libnettle.a || exit 0
        configured $nettle_options --disable-public-key --disable-openssl --disable-documentation
        $make_by make -s libnettle.a
        cp ./*.h "$prefix/include/nettle/"
        cp libnettle.a "$prefix/lib/"
    )
    (
        library libxml2 libxml2.a || exit 0
        configured --with-minimum --with-push --with-writer --without-lzma --without-zlib
        $make_by make -s libxml2.la
        $make_by make -s -C include install
        cp .libs/libxml2.a "$prefix/lib/"
    )
}

# Calls opshift's configure with these libraries and the options given.
configure_opshift() {
    $configure_by "$here/configure" -q --host="$host" --with-native-build="$native" --disable-shared --enable-static \
        PROTOBUF_C_CFLAGS="-I$prefix/include" PROTOBUF_C_LIBS="-L$prefix/lib -lprotobuf-c" \
        YAML_CFLAGS="-I$prefix/include" YAML_LIBS="-L$prefix/lib -lyaml" \
        JANSSON_CFLAGS="-I$prefix/include" JANSSON_LIBS="-L$prefix/lib -ljansson" \
        ZLIB_CFLAGS="-I$prefix/include" ZLIB_LIBS="-L$prefix/lib -lz" \
        LIBXML_CFLAGS="-I$prefix/include/libxml2" LIBXML_LIBS="-L$prefix/lib -lxml2" \
        NETTLE_CFLAGS="-I$prefix/include" NETTLE_LIBS="-L$prefix/lib -lnettle" "$@"
}
