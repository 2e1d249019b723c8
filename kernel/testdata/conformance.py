"""The Jupyter project's conformance tests (jupyter_kernel_test), on the kernel that is installed as gaplab."""

import unittest

import jupyter_kernel_test

EXPERIMENT = """
dataset: {name: digits, train: 60, validation: 10}
model: {name: multiclass, loss: log}
regularisation: {convention: lambda, lambda: 0.01}
solvers: [{name: eg, eta: 0.5}]
stop: {passes: 2}
figure: {x: passes, y: gap, yscale: log, series: "{as}"}
"""


class Gaplab(jupyter_kernel_test.KernelTests):
    kernel_name = "gaplab"
    language_name = "gaplab"
    file_extension = ".yaml"
    code_display_data = [{"code": EXPERIMENT, "mime": "text/html"}]
    completion_samples = [
        {"text": "solvers: [{name: one-sl", "matches": {"one-slack"}},
        {"text": "%run eg/fig0", "matches": {"eg/fig04", "eg/fig05", "eg/fig06", "eg/fig07", "eg/fig08", "eg/fig09",
                                              "eg/fig01", "eg/fig02", "eg/fig03"}},
    ]
    complete_code_samples = ["%help", "stop: {passes: 3}"]
    incomplete_code_samples = ["dataset:"]
    code_generate_error = "nonsense: 1"
    code_inspect_sample = "bcfw"
    supported_history_operations = ("tail", "range", "search")
    code_history_pattern = "%sc*"
    code_clear_output = ""

    def test_stop_on_error(self):
        """A request that was sent before a cell failed is aborted, not executed."""
        self.kc.execute("nonsense: 1")
        self.kc.execute("%scale smoke")
        self.assertEqual(self.get_non_kernel_info_reply(timeout=15)["content"]["status"], "error")
        reply = self.get_non_kernel_info_reply(timeout=15)
        self.assertIn(reply["content"]["status"], ("aborted",))


if __name__ == "__main__":
    unittest.main()
