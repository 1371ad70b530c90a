# make -f fleet.mk -j2: a target for each shard. Models that are refused or malformed do not stop the others; after what cannot be read or was
# killed, the next make goes on from the journals.
MODELS = models
OUT = converted
SHARDS = 1 2 3 4
all: $(SHARDS:%=shard-%)
	opshift journal $(SHARDS:%=run-%.jsonl) --expect "$(MODELS)"
shard-%: FORCE
	opshift convert -r "$(MODELS)" --opset 18 -o "$(OUT)/" --shard $*/$(words $(SHARDS)) --journal run-$*.jsonl -j1 || \
	    case $$? in 1|3) ;; *) exit 4 ;; esac
FORCE:
.PHONY: all FORCE
