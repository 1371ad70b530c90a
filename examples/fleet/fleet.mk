# make -f fleet.mk -j2: a target for each shard. A shard that is not whole is begun again by the next make.
MODELS = models
OUT = converted
SHARDS = 1 2 3 4
all: $(SHARDS:%=run-%.done)
	opshift journal $(SHARDS:%=run-%.jsonl) --expect $(MODELS)
run-%.done: FORCE
	opshift convert -r $(MODELS) --opset 18 -o $(OUT)/ --shard $*/$(words $(SHARDS)) --journal run-$*.jsonl -j1
	touch $@
FORCE:
.PHONY: all FORCE
