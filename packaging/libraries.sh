# Sourced by web/build and packaging/static: the libraries that opshift needs, as archives, from Debian's source packages.
# The caller sets
#   here, native, build    the source tree, a build for this machine, a directory to work in
#   sources, prefix        where the packages are or will be; where archives and headers go
#   host, flags            as for configure: the triple, CFLAGS
#   compiler, archiver     their names
#   nettle_options         options for nettle's configure; nothing: plain C
#   threads                1 if the host has threads, else 0
#   jobs                   how many compilers run side by side
#   configure_by           what runs configure, or nothing
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
        apt-get -q -q update && apt-get -q -q source --download-only protobuf-c libyaml jansson zlib nettle libxml2
    ) || {
        rm -rf "$sources"
        fail "the source packages cannot be fetched from the archives that /etc/apt names"
    }
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

# Each library once: what is there stays.
library() { # NAME ARCHIVE: unpacks NAME, unless its archive is there
    [ ! -f "$prefix/lib/$2" ] && unpack "$1"
}

# Compiles side by side and makes an archive. No configure: under emscripten each of its questions takes a second.
archive() { # ARCHIVE "FLAG..." FILE...
    name=$1 more=$2
    shift 2
    mkdir -p opshift-objects
    (
        cd opshift-objects
        for file; do echo "../$file"; done | xargs -P "$jobs" -n 6 $compiler $flags -I.. -I../src -I../include $more -c
        $archiver rcs "$prefix/lib/$name" ./*.o
    )
}

# nettle's own makefile, for its assembler.
nettle_configured() {
    autoreconf -fi
    ./configure -q --host="$host" --prefix="$prefix" --disable-shared CFLAGS="$flags" $nettle_options --disable-public-key \
        --disable-openssl --disable-documentation
    make -s -j"$jobs" libnettle.a
    cp libnettle.a "$prefix/lib/"
}

# What POSIX has, for libraries that ask by HAVE_... of configure.
posix="-DHAVE_CTYPE_H -DHAVE_ENDIAN_H -DHAVE_ERRNO_H -DHAVE_FCNTL_H -DHAVE_FLOAT_H -DHAVE_INTTYPES_H -DHAVE_LIMITS_H
-DHAVE_LOCALE_H -DHAVE_MATH_H -DHAVE_SCHED_H -DHAVE_STDARG_H -DHAVE_STDINT_H -DHAVE_STDIO_H -DHAVE_STDLIB_H -DHAVE_STRINGS_H
-DHAVE_STRING_H -DHAVE_SYS_PARAM_H -DHAVE_SYS_STAT_H -DHAVE_SYS_TIME_H -DHAVE_SYS_TYPES_H -DHAVE_TIME_H -DHAVE_UNISTD_H
-DHAVE_CLOSE -DHAVE_GETPID -DHAVE_GETTIMEOFDAY -DHAVE_OPEN -DHAVE_RAND -DHAVE_READ -DHAVE_SCHED_YIELD -DHAVE_SNPRINTF
-DHAVE_SRAND -DHAVE_STAT -DHAVE_STRTOLL -DHAVE_TIME -DHAVE_VSNPRINTF -DHAVE_VA_COPY -DHAVE_ATOMIC_BUILTINS
-DHAVE_SYNC_BUILTINS -DUSE_URANDOM"

build_libraries() {
    mkdir -p "$prefix/lib" "$prefix/include/protobuf-c" "$prefix/include/nettle" "$prefix/include/libxml2/libxml"
    (
        library protobuf-c libprotobuf-c.a || exit 0
        cp protobuf-c/protobuf-c.h "$prefix/include/protobuf-c/"
        archive libprotobuf-c.a "" protobuf-c/protobuf-c.c
    )
    (
        library libyaml libyaml.a || exit 0
        cp include/yaml.h "$prefix/include/"
        version=$(dpkg-parsechangelog -S Version | sed 's/-.*//')
        IFS=. read -r major minor patch <<END
$version
END
        archive libyaml.a "-DYAML_VERSION_STRING=\"$version\" -DYAML_VERSION_MAJOR=$major
            -DYAML_VERSION_MINOR=$minor -DYAML_VERSION_PATCH=$patch" src/*.c
    )
    (
        library jansson libjansson.a || exit 0
        sed 's/@json_inline@/inline/; s/@json_[a-z_]*@/1/' src/jansson_config.h.in >src/jansson_config.h
        cp src/jansson.h src/jansson_config.h "$prefix/include/"
        : >src/jansson_private_config.h
        archive libjansson.a "$posix -DINITIAL_HASHTABLE_ORDER=3" src/*.c
    )
    (
        library zlib libz.a || exit 0
        cp zconf.h.in zconf.h
        cp zlib.h zconf.h "$prefix/include/"
        archive libz.a "-DHAVE_UNISTD_H -DHAVE_STDARG_H" adler32.c crc32.c inffast.c inflate.c inftrees.c zutil.c
    )
    (
        library nettle libnettle.a || exit 0
        cp ./*.h "$prefix/include/nettle/"
        if [ -n "$nettle_options" ]; then
            nettle_configured
        else
            archive libnettle.a "" sha1.c sha1-compress.c sha256.c sha256-compress.c write-be32.c
        fi
    )
    (
        library libxml2 libxml2.a || exit 0
        version=$(dpkg-parsechangelog -S Version | sed 's/[+-].*//')
        sed -e "s/@VERSION@/$version/; s/@LIBXML_VERSION_NUMBER@/$(echo "$version" | awk -F . '{print $1 * 10000 + $2 * 100 + $3}')/" \
            -e "s/@WITH_\(OUTPUT\|PUSH\|WRITER\)@/1/; s/@WITH_THREADS@/$threads/; s/@WITH_[A-Z0-9_]*@/0/; s/@[A-Z_]*@//" \
            include/libxml/xmlversion.h.in >include/libxml/xmlversion.h
        cp include/libxml/*.h "$prefix/include/libxml2/libxml/"
        : >config.h
        archive libxml2.a "$posix -DXML_SOCKLEN_T=socklen_t $([ "$threads" = 0 ] || echo -DHAVE_PTHREAD_H)" buf.c chvalid.c dict.c encoding.c \
            entities.c error.c globals.c hash.c list.c parser.c parserInternals.c SAX2.c threads.c tree.c uri.c valid.c xmlIO.c \
            xmlmemory.c xmlsave.c xmlstring.c xmlunicode.c xmlwriter.c
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
