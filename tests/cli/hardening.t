#!/bin/sh
# The hardening flags of compiler and linker are effective in the installed binaries.
. "${srcdir:-.}/tests/cli/tap.sh"
command -v readelf >/dev/null || skip_all "readelf is not here"
grep -q 'fsanitize' "$builddir/Makefile" && skip_all "a build with sanitizers is not what users get"
asked=$(sed -n 's/^HARDENING_[A-Z_]* = //p' "$builddir/Makefile")
[ -n "$(echo $asked)" ] || skip_all "built with --disable-hardening"

# held FLAG WHAT COMMAND...: the command prints something, if configure found the flag supported.
held() {
    flag=$1 what=$2
    shift 2
    case " $(echo $asked) " in
    *" $flag "*)
        "$@" >/dev/null
        ok $? "$what"
        ;;
    *) skip "$what" "this compiler, or how it is called, has no $flag" ;;
    esac
}

shows() { readelf -W "$1" "$2" | grep -E "$3"; }
stack_is_data() { shows -l "$1" 'GNU_STACK.* RW ' && ! shows -l "$1" 'GNU_STACK.*E'; }
is_position_free() { shows -h "$1" 'Type: *DYN' && shows -d "$1" 'FLAGS_1.* PIE'; }
is_bound_at_start() { shows -d "$1" 'FLAGS.*NOW'; }
takes() { shows --dyn-syms "$1" " UND $2(@|\$)"; }
has_no_plain_code() { ! shows -d "$1" TEXTREL; }

program=$builddir/opshift
held -pie "the program can lie anywhere" is_position_free "$program"
# The linker keeps the mark only if all of the system's objects have it.
held -fcf-protection "jumps may only go where one may land" shows -n "$builddir/src/opshift-main.o" 'IBT, SHSTK'
held -pie "the helper can lie anywhere" is_position_free "$builddir/opshift-ort"
for file in "$program" "$builddir/opshift-ort" "$builddir/.libs/libopshift.so"; do
    name=$(basename "$file")
    [ -e "$file" ] || { skip "$name" "built without a shared library" && continue; }
    held -Wl,-z,relro "$name: read-only after it is loaded" shows -l "$file" GNU_RELRO
    held -Wl,-z,now "$name: every name bound at the start" is_bound_at_start "$file"
    held -Wl,-z,noexecstack "$name: no code on the stack" stack_is_data "$file"
    held -fPIE "$name: no code is written to" has_no_plain_code "$file"
    held -fstack-protector-strong "$name: a smashed stack is seen" takes "$file" __stack_chk_fail
    # The helper has no other copy into a buffer of known size.
    for function in snprintf $([ "$name" = opshift-ort ] || echo memcpy); do
        held -D_FORTIFY_SOURCE=3 "$name: $function knows how much room there is" takes "$file" "__${function}_chk"
    done
done
done_testing
