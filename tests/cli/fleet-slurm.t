#!/bin/sh
# examples/fleet/slurm.sh on Slurm: an array of 8 over 400 models; a task is killed in the middle, what the journals print is submitted
# again, and the journals are merged. Slurm runs here as root, with its own key, ports and directories.
. "${srcdir:-.}/tests/cli/tap.sh"
grep -q fsanitize "$builddir/Makefile" && skip_all "slow under sanitizers, which find nothing here that others do not"

for program in munged slurmctld slurmd sbatch scancel squeue; do
    PATH=$PATH:/usr/sbin command -v $program >/dev/null || skip_all "$program is not here (Debian: slurmctld slurmd munge)"
done
[ "$(id -u)" = 0 ] || skip_all "only root can start Slurm's daemons"
PATH=$PATH:/usr/sbin
examples=$srcdir/examples/fleet

# A shell ends what was started, by its number.
started=
cleanup() {
    [ ! -e slurm.conf ] || SLURM_CONF=$work/slurm.conf scancel --full --signal=KILL --user=root 2>/dev/null
    for process in $started; do
        kill "$process" 2>/dev/null
    done
    for process in $started; do
        wait "$process" 2>/dev/null
    done
    chmod -R u+rwx "$work"
    rm -rf "$work"
}
trap cleanup EXIT
give_up() {
    sed 's/^/# /' ./*.log | tail -n 20
    skip_all "$1"
}

# ---- Slurm ----
port=$((20000 + $$ % 20000))
mkdir state spool
dd if=/dev/urandom of=munge.key bs=1024 count=1 2>/dev/null
chmod 400 munge.key
munged --foreground --force --key-file="$work/munge.key" --socket="$work/munge.socket" --pid-file="$work/munge.pid" \
    --log-file="$work/munge.log" --seed-file="$work/munge.seed" >munged.log 2>&1 &
started="$!"
cat >slurm.conf <<CONF
ClusterName=opshift
SlurmctldHost=$(hostname -s)(127.0.0.1)
SlurmctldPort=$port
SlurmdPort=$((port + 1))
SlurmUser=root
AuthType=auth/munge
AuthInfo=socket=$work/munge.socket
CredType=cred/munge
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
MpiDefault=none
ReturnToService=2
StateSaveLocation=$work/state
SlurmdSpoolDir=$work/spool
SlurmctldPidFile=$work/slurmctld.pid
SlurmdPidFile=$work/slurmd.pid
SlurmctldLogFile=$work/slurmctld.log
SlurmdLogFile=$work/slurmd.log
SlurmdParameters=config_overrides
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
PluginDir=$(dirname "$(find /usr/lib -name auth_munge.so -path '*slurm*' | head -n 1)")
NodeName=node NodeHostname=$(hostname -s) NodeAddr=127.0.0.1 CPUs=4
PartitionName=all Nodes=node Default=YES State=UP
CONF
SLURM_CONF=$work/slurm.conf
export SLURM_CONF
tries=0
until [ -S munge.socket ] || [ $tries = 50 ]; do
    sleep 0.1
    tries=$((tries + 1))
done
slurmctld -D >ctld.log 2>&1 &
started="$started $!"
slurmd -D -N node >d.log 2>&1 &
started="$started $!"
tries=0
until sinfo -h -o %T 2>/dev/null | grep -q idle; do
    tries=$((tries + 1))
    [ $tries -lt 150 ] || give_up "Slurm does not start here"
    sleep 0.2
done

# ---- 400 models, of which one in the fourth task takes long ----
assemble relu <<'MODEL'
<ir_version: 8, opset_import: ["" : 13]>
g (float[N] x) => (float[N] y) { y = Relu(x) }
MODEL
perl -MFile::Copy=copy -MDigest::SHA=sha256 -e '
    my $large;
    for my $i (1 .. 400) {
        my $name = sprintf("%s/m %03d.onnx", $i % 2 ? "vision" : "a text", $i);
        mkdir for "models", "models/vision", "models/a text";
        copy("relu.onnx", "models/$name") or die;
        my ($hash) = unpack "Q>", sha256($name);
        $large = $name if $i % 2 && $i > 200 && $hash % 8 == 3 && !$large;
    }
    open my $f, ">>", "models/$large" or die;  # an unknown field of 300 MB of zeros, which take no room
    print $f "\xa2\x06\x80\x80\x80\x90\x01";
    close $f;
    truncate "models/$large", (-s "models/$large") + 0x12000000;
    print $large' >large
mkdir bin
ln -s "$opshift" bin/opshift
PATH=$work/bin:$PATH
export PATH

# ended JOB: waits until Slurm has nothing left of it
ended() {
    tries=0
    while [ -n "$(squeue -h -j "$1" 2>/dev/null)" ] && [ $tries -lt 600 ]; do
        sleep 0.2
        tries=$((tries + 1))
    done
}
job=$(sbatch --parsable --array=0-7 "$examples/slurm.sh")
like '^[0-9]' "$job" "an array of 8 is submitted"
tries=0
until grep -qF "\"begin\":\"$(cat large)\"" run-3.jsonl 2>/dev/null || [ $tries = 1500 ]; do
    sleep 0.02
    tries=$((tries + 1))
done
scancel --full --signal=KILL "${job}_3"
ok $? "the fourth task is killed"
ended "$job"
run journal run-*.jsonl --expect models
is 4 "$status" "the journals tell that not all is done"
like "^\(unfinished\|killed\): $(cat large): " "$out" "what was begun is named"
is "$(printf '%s' "$out" | sed -n 's/^done  *//p')" \
    "$((400 - $(printf '%s' "$out" | sed -n 's/^missing  *//p') - 1))" "the others are done, or missing"
[ "$(grep -c '^{"end"' run-3.jsonl)" -gt 5 ]
ok $? "it was in the middle"
is "--array=3 --export=ALL,OPSHIFT_ARRAY=0-7:1" "$(opshift journal run-*.jsonl --expect models -f slurm)" \
    "what is to be submitted again is printed"
# shellcheck disable=SC2046
job=$(sbatch --parsable $(opshift journal run-*.jsonl --expect models -f slurm) "$examples/slurm.sh")
ended "$job"
run journal run-*.jsonl --expect models
is 0 "$status" "submitted again: all is done"
is "done       400" "$(printf '%s\n' "$out" | head -n 1)" "400 models"
is 400 "$(find converted -type f | grep -c .)" "400 files"
is "" "$(find converted -name '.*' -type f)" "and no other"
is 401 "$(cat run-*.jsonl | grep -c '^{"begin"')" "one was begun twice"
is "" "$(opshift journal run-*.jsonl --expect models -f slurm)" "nothing is left"
done_testing
