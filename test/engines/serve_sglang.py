"""Serves a model with SGLang on a CPU, without its kernels: serve_sglang.py FLAG..."""

import sys
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType

# What SGLang imports in any case, and does not call to serve text on a CPU without AMX.
UNUSED = {"IPython", "datasets", "gguf", "modelscope", "sgl_kernel", "soundfile"}


class Unused(ModuleType):
    """A package, each of its modules, and what they contain."""

    def __getattr__(self, name: str) -> "Unused":
        if name.startswith("__"):
            raise AttributeError(name)
        return Unused(f"{self.__name__}.{name}")

    def __call__(self, *_: object, **__: object) -> None:
        raise NotImplementedError(f"{self.__name__} is not installed")


class Finder(MetaPathFinder, Loader):
    def find_spec(self, name: str, *_: object) -> ModuleSpec | None:
        return ModuleSpec(name, self, is_package=True) if name.split(".")[0] in UNUSED else None

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        return Unused(spec.name)

    def exec_module(self, module: ModuleType) -> None:
        pass


# Also in the processes that SGLang starts, which import this file.
sys.meta_path.insert(0, Finder())

if __name__ == "__main__":
    from sglang.launch_server import prepare_server_args, run_server

    run_server(prepare_server_args(sys.argv[1:]))
