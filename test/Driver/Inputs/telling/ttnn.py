"""A library for programs that `tessera export --python` writes: it computes nothing, and tells of each op and of each tensor that goes."""
import itertools
import sys

_number = itertools.count()


class Tensor:
    def __init__(self, name):
        self.name = f"{name} {next(_number)}"

    def __del__(self):
        if not sys.is_finalizing():
            print("gone:", self.name)

    def storage_type(self):
        return StorageType.DEVICE

    def __getattr__(self, name):
        return _Word()


class StorageType:
    DEVICE = "device"


class _Word:
    """Whatever is no op: a type, a layout, a config. One is as good as another."""

    def __getattr__(self, name):
        return _Word()

    def __call__(self, *arguments, **named):
        return _Word()

    def __getitem__(self, at):
        return _Word()

    def __mod__(self, other):
        """No rows end inside a shard."""
        return 0

    def __hash__(self):
        return 0

    def __eq__(self, other):
        return isinstance(other, _Word)


def _op(name):
    def call(*arguments, **named):
        tensors = [each for each in (*arguments, *named.values()) if isinstance(each, Tensor)]
        result = Tensor(name)
        print(f"{result.name} of {', '.join(each.name for each in tensors)}")
        return result

    return call


def __getattr__(name):
    return _op(name) if name in ("to_memory_config", "matmul", "gelu", "add", "relu", "permute") else _Word()
