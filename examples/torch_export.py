"""Exports a PyTorch module, moves it to the opset that a runtime takes, and compares both with PyTorch's own result."""
import io

import numpy as np
import opshift
import torch


class Gate(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = torch.nn.Linear(8, 12)

    def forward(self, x):
        value, gate = self.linear(x).chunk(2, dim=-1)
        return value * torch.sigmoid(gate)


net, x = Gate().eval(), torch.randn(3, 8)
exported = io.BytesIO()
torch.onnx.export(net, (x,), exported, opset_version=11, input_names=["x"], output_names=["y"], dynamic_axes={"x": {0: "batch"}})

done = opshift.convert(exported, opset=18, verify=True)    # the file object that was just written
assert done.certificate.same
print(done.certificate.counts)

result = opshift.run(done.model, {"x": x.numpy()})["y"]
np.testing.assert_allclose(result, net(x).detach().numpy(), rtol=1e-4, atol=1e-5)
