"""A LocalCluster of Dask with two workers; a scheduler's address as the argument takes another cluster."""
import sys
from pathlib import Path

from dask.distributed import Client, LocalCluster


def convert(path, out):
    import opshift
    out.parent.mkdir(parents=True, exist_ok=True)
    try:
        opshift.convert(path, opset=18, out=out)
    except (opshift.Refused, opshift.ModelError) as error:
        return str(path), type(error).__name__, str(error)
    return str(path), "done", ""


if __name__ == "__main__":
    models, out = Path("models"), Path("converted")
    where = sys.argv[1] if len(sys.argv) > 1 else LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None)
    with Client(where) as client:
        paths = sorted(models.rglob("*.onnx"))
        tasks = client.map(convert, paths, [out / path.relative_to(models) for path in paths], retries=1)
        for path, outcome, why in client.gather(tasks):
            print(path, outcome, why)
