# Exports a few small models with PyTorch, with open dims, bodies and lists, at several opsets.
# Usage: export_models.py DIRECTORY; models that this PyTorch cannot export are left out.
import os
import sys
import warnings

import torch
from torch import nn

warnings.filterwarnings("ignore")


class Network(nn.Module):
    """Convolutions, a residual, squeeze and excitation, a head."""

    def __init__(self):
        super().__init__()
        self.stem = nn.Sequential(nn.Conv2d(3, 8, 3, 2, 1), nn.BatchNorm2d(8), nn.Hardswish(), nn.MaxPool2d(3, 2, 1))
        self.squeeze = nn.Sequential(nn.AdaptiveAvgPool2d(1), nn.Conv2d(8, 8, 1), nn.Hardsigmoid())
        self.up = nn.ConvTranspose2d(8, 4, 2, 2)
        self.head = nn.Linear(4, 5)

    def forward(self, x):
        y = self.stem(x)
        y = nn.functional.pad(self.up(y + y * self.squeeze(y)), (1, 2, 0, 1))
        return self.head(y.mean((2, 3))), nn.functional.interpolate(y, scale_factor=2.0, mode="bilinear")


class Attention(nn.Module):
    """Attention over a sequence of open length, with its mask."""

    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(50, 32)
        self.project = nn.Linear(32, 96)
        self.normalize = nn.LayerNorm(32)

    def forward(self, tokens):
        x = self.embed(tokens)
        parts = self.project(self.normalize(x)).chunk(3, -1)
        q, k, v = [t.view(t.shape[0], t.shape[1], 4, 8).transpose(1, 2) for t in parts]
        scores = q @ k.transpose(-1, -2) / 8**0.5
        at = torch.arange(scores.shape[-1])
        scores = scores.masked_fill(at[None, :] > at[:, None], -1e9)
        return x + (scores.softmax(-1) @ v).transpose(1, 2).flatten(2)


class Recurrent(nn.Module):
    def __init__(self, cell):
        super().__init__()
        self.cell = cell(8, 16, 2, bidirectional=True)

    def forward(self, x):
        return self.cell(x)[0]


class Indexing(nn.Module):
    """What picks, sorts, counts and scatters."""

    def forward(self, x):
        values, places = x.topk(2, -1)
        wide = x.unsqueeze(1).expand(x.shape[0], 3, x.shape[1], x.shape[2])
        slots = torch.zeros_like(x).scatter(-1, places, values)
        return (x.argmax(1), wide[:, :, 1:-1, ::2], slots, torch.nonzero(x > 0), x.cumsum(1), torch.where(x > 0, x, -x),
                x.reshape(x.shape[0], -1), torch.einsum("bij,bkj->bik", x, x), x.permute(2, 0, 1).flip(0), x[x > 0])


class Branches(nn.Module):
    """An If and a Loop, with outer values inside."""

    def forward(self, x, count: int):
        y = x.unsqueeze(0)
        for at in range(count):
            y = torch.cat((y[:, 1:], y[:, :1]), 1) * 2 + at
        if bool(y.sum() > 0):
            y = y.squeeze(0)
        else:
            y = (x @ x.t()) @ x
        return y, y.shape[0]


class Lists(nn.Module):
    """Parts of a tensor in a list that a loop fills."""

    def forward(self, x):
        parts = []
        for part in x.split(2):
            parts.append(part.sum(0, keepdim=True))
        return torch.cat(parts), len(parts)


def models():
    image, series, table = torch.randn(1, 3, 32, 32), torch.randn(5, 2, 8), torch.randn(2, 4, 6)
    yield "network", Network(), image, {0: "N", 2: "H"}
    yield "attention", Attention(), torch.randint(0, 50, (2, 7)), {0: "N", 1: "T"}
    yield "lstm", Recurrent(nn.LSTM), series, {0: "T", 1: "N"}
    yield "gru", Recurrent(nn.GRU), series, {0: "T"}
    yield "indexing", Indexing(), table, {1: "T"}
    yield "closed", Indexing(), table, {}
    yield "branches", torch.jit.script(Branches()), (torch.randn(3, 4), torch.tensor(2)), {}
    yield "lists", torch.jit.script(Lists()), torch.randn(4, 3), {0: "N"}


def main():
    torch.manual_seed(1)
    for name, model, inputs, axes in models():
        model.eval()
        for opset in (9, 13, 17):
            path = os.path.join(sys.argv[1], "%s-%d.onnx" % (name, opset))
            try:
                torch.onnx.export(model, inputs, path, opset_version=opset, input_names=["x"], dynamic_axes={"x": axes})
                print(path)
            except Exception as error:
                print(path, str(error)[:200], file=sys.stderr)


main()
