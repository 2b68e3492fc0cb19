"""Complex tensors as two real ones. The compiler keeps them as one tensor whose last dimension is two, which fills a tile sixteen times over, and knows few
ops of them: it refuses Fourier's transforms, padding, reversing and more.
"""
from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import numpy
from jaxlib.mlir import ir
from jaxlib.mlir.dialects import stablehlo as hlo
from jaxlib.mlir.passmanager import PassManager

from .fourier import transformed
from .walk import found

#: A complex tensor's real and imaginary part.
Pair = tuple[Any, Any]


def split(module: ir.Module) -> None:
    """Parts of what is computed; arguments, results, and what no rule is for, stay complex."""
    _inline(module)
    for loop in found(module, lambda op: op.name == "stablehlo.while" and any(map(_is_complex, op.operands))):
        _carry_parts(loop)
    parts: dict[ir.Value, Pair] = {}
    done: list[ir.Operation] = []

    def visit(block: ir.Block) -> None:
        for op in [each.operation for each in block.operations]:
            with ir.InsertionPoint(op), op.location:
                is_split = _visit(op, parts)
            if is_split:
                done.append(op)
                continue
            for region in op.regions:
                for inner in region.blocks:
                    visit(inner)

    visit(module.body)
    for op in reversed(done):  # what reads an op comes behind it
        op.erase()


def _inline(module: ir.Module) -> None:
    """Functions that take or return complex tensors are put where they are called; the bindings' own pass knows no function that is."""
    functions = [each.operation for each in module.body.operations if each.operation.name == "func.func" and len(each.operation.regions[0].blocks)]
    bodies = {ir.StringAttr(function.attributes["sym_name"]).value: function.regions[0].blocks[0] for function in functions}
    while calls := found(module, lambda op: op.name == "func.call" and any(map(_is_complex, (*op.operands, *op.results)))):
        for call in calls:
            body = bodies[ir.FlatSymbolRefAttr(call.attributes["callee"]).value]
            values = dict(zip(body.arguments, call.operands))
            for inner in [each.operation for each in body.operations]:
                if inner.name == "func.return":
                    continue
                copy = inner.clone(ir.InsertionPoint(call)).operation
                _use(copy, values)
                values.update(zip(inner.results, copy.results))
            for result, made in zip(call.results, body.operations[len(body.operations) - 1].operands):
                result.replace_all_uses_with(values[made])
            call.erase()
    PassManager.parse("builtin.module(symbol-dce)").run(module.operation)


def _apart(values: list[ir.Value]) -> list[ir.Value]:
    return [part for value in values for part in ((hlo.real(value), hlo.imag(value)) if _is_complex(value) else (value,))]


def _together(like: list[ir.Value], values: list[ir.Value]) -> list[ir.Value]:
    rest = iter(values)
    return [hlo.complex(next(rest), next(rest)) if _is_complex(value) else next(rest) for value in like]


def _carry_parts(loop: ir.Operation) -> None:
    """A loop that carries parts, and puts them together at the beginning of a step and behind the last."""
    with ir.InsertionPoint(loop), loop.location:
        given = _apart(list(loop.operands))
        types = [value.type for value in given]
        made = ir.Operation.create("stablehlo.while", types, given, regions=2)
        for before, region in zip(loop.regions, made.regions):
            block = region.blocks.append(*types)
            with ir.InsertionPoint(block):
                values = dict(zip(before.blocks[0].arguments, _together(list(loop.operands), list(block.arguments))))
                for inner in [each.operation for each in before.blocks[0].operations]:
                    if inner.name == "stablehlo.return":
                        hlo.return_(_apart([values.get(value, value) for value in inner.operands]))
                        continue
                    copy = inner.clone().operation
                    _use(copy, values)
                    values.update(zip(inner.results, copy.results))
        for result, whole in zip(loop.results, _together(list(loop.results), list(made.results))):
            result.replace_all_uses_with(whole)
    loop.erase()


def _use(op: ir.Operation, values: dict[ir.Value, ir.Value]) -> None:
    """In the op and all that is in it."""
    for each in found(op, lambda _: True):
        for n, operand in enumerate(each.operands):
            if operand in values:
                each.operands[n] = values[operand]


def _visit(op: ir.Operation, parts: dict[ir.Value, Pair]) -> bool:
    """Whether parts, or a real result, stand for what the op makes. Where it stays, it reads whole tensors again."""
    rule = _RULES.get(op.name)
    if rule and any(map(_is_complex, (*op.operands, *op.results))):
        made = rule(op, [parts.get(value) or (hlo.real(value), hlo.imag(value)) if _is_complex(value) else value for value in op.operands])
        if isinstance(made, tuple):
            parts[op.results[0]] = made
        elif made is not None:
            op.results[0].replace_all_uses_with(made)
        if made is not None:
            return True
    for n, operand in enumerate(op.operands):
        if operand in parts:
            op.operands[n] = hlo.complex(*parts[operand])
    return False


def _is_complex(value: ir.Value) -> bool:
    return isinstance(value.type, ir.RankedTensorType) and isinstance(value.type.element_type, ir.ComplexType)


# ---- Rules: of an op, and its operands as they are now, the parts of its result, or its result if that is real --------------


def _real_type(value: ir.Value) -> ir.RankedTensorType:
    return ir.RankedTensorType.get(value.type.shape, value.type.element_type.element_type)


def _each(op: ir.Operation, given: list[Any]) -> Pair:
    """The same of the real parts and of the imaginary ones."""
    def of(part: int) -> Any:
        operands = [value[part] if isinstance(value, tuple) else value for value in given]
        made = ir.Operation.create(op.name, [_real_type(op.results[0])], operands, {name: op.attributes[name] for name in op.attributes}, regions=len(op.regions))
        if op.regions:
            _join_into(made.regions[0], _real_type(op.results[0]).element_type, _meets(op))
        return made.results[0]

    return of(0), of(1)


def _meets(op: ir.Operation) -> list[str]:
    return [inner.operation.name for inner in op.regions[0].blocks[0]]


def _join_into(region: ir.Region, element: ir.Type, meets: list[str]) -> None:
    """The sum of both, or the second in place of the first."""
    scalar = ir.RankedTensorType.get([], element)
    block = region.blocks.append(scalar, scalar)
    with ir.InsertionPoint(block):
        hlo.return_([hlo.add(*block.arguments) if meets[0] == "stablehlo.add" else block.arguments[1]])


def _joined(op: ir.Operation, given: list[Any]) -> Pair | None:
    """Sums, and what is put into a tensor; of no other is a part that of the parts."""
    body = op.regions[0].blocks[0]
    puts = _meets(op) == ["stablehlo.return"] and body.operations[0].operands[0] == body.arguments[1]
    known = puts or _meets(op) == ["stablehlo.add", "stablehlo.return"]
    return _each(op, given) if known and len(op.results) == 1 else None


def _constant(op: ir.Operation, _: list[Any]) -> Pair:
    """The same numbers, two of them in place of each: the bindings can print complex ones, but not read them."""
    numbers, type_ = re.search(r"(dense<.*>) : (tensor<.*>)", op.get_asm()).groups()
    shape = op.results[0].type.shape
    is_splat = numbers.startswith("dense<(")
    last = "2xcomplex" if is_splat else "x".join([*map(str, shape), "2xcomplex"])
    pairs = re.sub("tensor<.*complex<(.*)>>", rf"tensor<{last.removesuffix('complex')}\1>", type_)
    values = numpy.array(ir.DenseElementsAttr(ir.Attribute.parse(f"{numbers.translate(str.maketrans('()', '[]'))} : {pairs}")))
    return tuple(hlo.constant(ir.DenseElementsAttr.get(numpy.array(numpy.broadcast_to(values[..., part], shape), order="C"))) for part in (0, 1))


def _convert(op: ir.Operation, given: list[Any]) -> Any:
    value, wanted = given[0], op.results[0].type
    if not _is_complex(op.results[0]):
        return hlo.convert(wanted, value[0])
    part = _real_type(op.results[0])
    if isinstance(value, tuple):
        return hlo.convert(part, value[0]), hlo.convert(part, value[1])
    return hlo.convert(part, value), _filled(part, 0)


def _filled(like: ir.RankedTensorType, value: float) -> Any:
    return hlo.constant(ir.DenseElementsAttr.get_splat(like, ir.FloatAttr.get(like.element_type, value)))


def _times(left: Pair, right: Pair, product: Callable[[Any, Any], Any] = hlo.multiply) -> Pair:
    return (hlo.subtract(product(left[0], right[0]), product(left[1], right[1])), hlo.add(product(left[0], right[1]), product(left[1], right[0])))


def _multiply(_: ir.Operation, given: list[Any]) -> Pair:
    return _times(*given)


def _divide(_: ir.Operation, given: list[Any]) -> Pair:
    above, (real, imag) = given
    size = hlo.add(hlo.multiply(real, real), hlo.multiply(imag, imag))
    product = _times(above, (real, hlo.negate(imag)))
    return hlo.divide(product[0], size), hlo.divide(product[1], size)


def _dot(op: ir.Operation, given: list[Any]) -> Pair:
    def product(left: Any, right: Any) -> Any:
        return ir.Operation.create(op.name, [_real_type(op.results[0])], [left, right], {name: op.attributes[name] for name in op.attributes}).results[0]

    return _times(*given, product)


def _abs(_: ir.Operation, given: list[Any]) -> Any:
    real, imag = given[0]
    return hlo.sqrt(hlo.add(hlo.multiply(real, real), hlo.multiply(imag, imag)))


def _exp(_: ir.Operation, given: list[Any]) -> Pair:
    size, angle = hlo.exponential(given[0][0]), given[0][1]
    return hlo.multiply(size, hlo.cosine(angle)), hlo.multiply(size, hlo.sine(angle))


def _log(op: ir.Operation, given: list[Any]) -> Pair:
    return hlo.log(_abs(op, given)), hlo.atan2(given[0][1], given[0][0])


def _compare(op: ir.Operation, given: list[Any]) -> Any:
    """Equal are those of which both parts are; others are unequal."""
    direction = str(op.attributes["comparison_direction"])
    join = hlo.and_ if "EQ" in direction else hlo.or_
    return join(*(hlo.compare(left, right, op.attributes["comparison_direction"]) for left, right in zip(*given)))


def _fft(op: ir.Operation, given: list[Any]) -> Any:
    lengths = [int(each) for each in ir.DenseI64ArrayAttr(op.attributes["fft_length"])]
    return transformed(re.search(r"\b(I?R?FFT)\b", str(op.attributes["fft_type"]))[1], given[0], lengths)


_RULES: dict[str, Callable[[ir.Operation, list[Any]], Any]] = {
    **{f"stablehlo.{name}": _each for name in ("add", "subtract", "negate", "reshape", "transpose", "broadcast_in_dim", "slice", "concatenate", "reverse",
                                               "select", "pad", "dynamic_slice", "dynamic_update_slice", "gather")},
    **{f"stablehlo.{name}": _joined for name in ("reduce", "reduce_window", "scatter")},
    "stablehlo.abs": _abs,
    "stablehlo.compare": _compare,
    "stablehlo.complex": lambda _, given: tuple(given),
    "stablehlo.constant": _constant,
    "stablehlo.convert": _convert,
    "stablehlo.divide": _divide,
    "stablehlo.dot_general": _dot,
    "stablehlo.exponential": _exp,
    "stablehlo.fft": _fft,
    "stablehlo.imag": lambda _, given: given[0][1],
    "stablehlo.log": _log,
    "stablehlo.multiply": _multiply,
    "stablehlo.real": lambda _, given: given[0][0],
}
