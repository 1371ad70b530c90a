# Exports the models of bench/models.mjs to a directory, with random weights: models.py DIRECTORY. Needs Debian's
# python3-torch and python3-torchvision.
import sys
import warnings

import torch
import torchvision

warnings.simplefilter("ignore")
torch.manual_seed(1)


class Transformer(torch.nn.Module):
    """Six encoder layers over 128 positions of 256 numbers."""

    def __init__(self):
        super().__init__()
        layer = torch.nn.TransformerEncoderLayer(256, 4, 1024, batch_first=True, dropout=0)
        self.layers = torch.nn.ModuleList(torch.nn.TransformerEncoder(layer, 6).layers)

    def forward(self, x):
        for layer in self.layers:
            x = layer.norm1(x + layer.self_attn(x, x, x, need_weights=False)[0])
            x = layer.norm2(x + layer.linear2(torch.relu(layer.linear1(x))))
        return x


MODELS = {
    "resnet18": (torchvision.models.resnet18(), (1, 3, 64, 64)),
    "mobilenet_v2": (torchvision.models.mobilenet_v2(), (1, 3, 64, 64)),
    "swin_t": (torchvision.models.swin_t(), (1, 3, 224, 224)),
    "transformer": (Transformer(), (1, 128, 256)),
}
for name, (model, shape) in MODELS.items():
    torch.onnx.export(model.train(False), torch.randn(shape), f"{sys.argv[1]}/{name}.onnx", opset_version=13,
                      input_names=["x"])
