"""What the compiler crashes of, or makes ops of that no library has, said otherwise. Each rule names the version that needs it."""
from __future__ import annotations

import contextlib
import pathlib
import re
from typing import Any, Iterator

import numpy
from jaxlib.mlir import ir
from jaxlib.mlir.dialects import stablehlo as hlo

from .choices import choose, is_choice
from .complexes import split
from .gradients import give_each, gives_back
from .loops import TILE, is_loop, prepare
from .orders import cut_begin, cuts_end
from .triangles import find, finds_triangle, solve, solves_triangle
from .walk import found


@contextlib.contextmanager
def _parsed(stablehlo: str) -> Iterator[ir.Module | None]:
    """The module, in a context of its own; None if it cannot be read, of which the compiler says why."""
    from jax.interpreters import mlir

    with mlir.make_ir_context():
        try:
            module = ir.Module.parse(stablehlo)
        except ir.MLIRError:
            module = None
        yield module


def compilable(stablehlo: str) -> str:
    """The module with sums over windows divided in f32, whatever they are of, and without windows of f32, of whole numbers and of factors; their maxima are of bf16 where what they are of
    was. Whether any of some is true is a maximum, remainders are of numbers without a sign, orders by several keys follow each
    other, their ends are beginnings of others, gradients of maxima are of f32, rows at computed places are looked up, volumes are padded before they are convolved, what is multiplied in two types is on the left in one, of
    functions that only compute all are run, what no step of a loop changes is computed before it, and complex tensors are two real ones."""
    is_complex = "complex<" in stablehlo
    if not is_complex and not any(all(name in stablehlo for name in names) for names in _NAMES):
        return stablehlo
    with _parsed(stablehlo) as module:
        if not module:
            return stablehlo
        if is_complex:
            split(module)
        for wanted, rewritten in _RULES:
            for op in found(module, wanted):
                rewritten(op)
        return str(module.operation.get_asm(enable_debug_info=True))


# ---- Types that the chip has not ------------------------------------------------------------------------------


def where_half(stablehlo: str) -> str | None:
    """Where f16 is first: " (model.py:12)", nothing if the module does not say; None where none is. 0.1.3 compiles it, and the library has no such tensor."""
    if not re.search("[<x]f16>", stablehlo):
        return None
    with _parsed(stablehlo) as module:
        if not module:
            return None
        halves = found(module, lambda op: any(re.search("[<x]f16>", str(value.type)) for value in (*op.operands, *op.results)))
        places = [re.search(r'"([^"]+\.py)":([0-9]+):', str(op.location)) for op in halves]
    place = next((place for place in places if place), None)
    return f" ({pathlib.Path(place[1]).name}:{place[2]})" if place else ""


# ---- Averages of bf16 -----------------------------------------------------------------------------------------


def _divides_narrow_window(op: ir.Operation) -> bool:
    """0.1.3 makes an average of a sum over a window and its division, and reads the divisor as f32 whatever it is: an average pool of bf16 ends it.
    A barrier between the two would do, but at level 2 the compiler knows no constraints of one."""
    if op.name != "stablehlo.divide":
        return False
    maker = op.operands[0].owner
    window = not isinstance(maker, ir.Block) and maker.name == "stablehlo.reduce_window"
    return window and isinstance(op.results[0].type.element_type, ir.BF16Type | ir.F16Type)


def _widen(division: ir.Operation) -> None:
    narrow = division.results[0].type
    with ir.InsertionPoint(division), division.location:
        wide = ir.RankedTensorType.get(narrow.shape, ir.F32Type.get())
        quotient = hlo.divide(*(hlo.convert(wide, operand) for operand in division.operands))
        division.results[0].replace_all_uses_with(hlo.convert(narrow, quotient))
    division.erase()


# ---- Maxima of bf16 that a framework looks for in f32 -------------------------------------------------------


def _made_by(value: ir.Value, name: str) -> ir.Operation | None:
    maker = value.owner
    return maker if not isinstance(maker, ir.Block) and maker.name == name else None


def _is_bf16(value: ir.Value) -> bool:
    return isinstance(ir.RankedTensorType(value.type).element_type, ir.BF16Type)


def _before_spreading(value: ir.Value) -> ir.Value:
    while spread := _made_by(value, "stablehlo.broadcast_in_dim"):
        value = spread.operands[0]
    return value


def _number(value: ir.Value) -> float | None:
    """What all elements are, if that is known."""
    constant = _made_by(_before_spreading(value), "stablehlo.constant")
    elements = ir.DenseElementsAttr(constant.attributes["value"]) if constant else None
    return float(elements.get_splat_value().value) if elements and elements.is_splat else None


def _finds_widened(op: ir.Operation) -> bool:
    """The largest of some numbers is one of them, so it is of their type; and the device has a pool of images of bf16."""
    if op.name != "stablehlo.reduce_window" or len(op.results) != 1 or not isinstance(op.results[0].type.element_type, ir.F32Type):
        return False
    meets = [inner.operation.name for inner in op.regions[0].blocks[0]]
    widened = _made_by(op.operands[0], "stablehlo.convert")
    narrow = widened is not None and _is_bf16(widened.operands[0]) and len(op.operands[0].type.shape) == 4
    return narrow and meets == ["stablehlo.maximum", "stablehlo.return"] and _number(op.operands[1]) == _STARTS[meets[0]]


def _narrow(window: ir.Operation) -> None:
    wide, narrow = window.results[0], ir.BF16Type.get()
    with ir.InsertionPoint(window), window.location:
        scalar = ir.RankedTensorType.get([], narrow)
        start = hlo.constant(ir.DenseElementsAttr.get_splat(scalar, ir.FloatAttr.get(narrow, -numpy.inf)))
        operands = [window.operands[0].owner.operands[0], start]
        attributes = {name: window.attributes[name] for name in window.attributes}
        made = ir.Operation.create("stablehlo.reduce_window", [ir.RankedTensorType.get(wide.type.shape, narrow)], operands, attributes, regions=1)
        block = made.regions[0].blocks.append(scalar, scalar)
        with ir.InsertionPoint(block):
            hlo.return_([hlo.maximum(*block.arguments)])
        for use in list(wide.uses):
            if use.owner.name == "stablehlo.convert" and _is_bf16(use.owner.results[0]):
                use.owner.results[0].replace_all_uses_with(made.results[0])
                use.owner.erase()
        wide.replace_all_uses_with(hlo.convert(wide.type, made.results[0]))
    window.erase()


# ---- Windows of f32 and of whole numbers ----------------------------------------------------------------------

_MEETINGS = {"stablehlo.add": None, "stablehlo.maximum": hlo.maximum, "stablehlo.minimum": hlo.minimum, "stablehlo.multiply": hlo.multiply}
_STARTS = {"stablehlo.add": 0.0, "stablehlo.maximum": -numpy.inf, "stablehlo.minimum": numpy.inf, "stablehlo.multiply": 1.0}


def _numbers(op: ir.Operation, name: str, count: int, otherwise: int) -> list[int]:
    return [int(number) for number in op.attributes[name]] if name in op.attributes else [otherwise] * count


def _sides(op: ir.Operation, rank: int) -> list[tuple[int, int]]:
    flat = _numbers(op, "padding", 2 * rank, 0)
    return list(zip(flat[::2], flat[1::2]))


def _are_whole(element: ir.Type) -> bool:
    return isinstance(element, ir.IntegerType) and element.width > 1


def _start(name: str, element: ir.Type) -> float:
    """What changes no number that it meets."""
    if name in ("stablehlo.add", "stablehlo.multiply") or not isinstance(element, ir.IntegerType):
        return _STARTS[name]
    bounds = numpy.iinfo(f"{'u' * element.is_unsigned}int{element.width}")
    return float(bounds.min if name == "stablehlo.maximum" else bounds.max)


def _pools_wide(op: ir.Operation) -> bool:
    """0.1.3 makes pools of windows, and those of the library take bf16 alone. What runs along a whole dimension is another op."""
    if op.name != "stablehlo.reduce_window" or len(op.results) != 1:
        return False
    element = op.results[0].type.element_type
    shape = op.operands[0].type.shape
    meets = [inner.operation.name for inner in op.regions[0].blocks[0]]
    # There is no pool of products. Whole numbers are filled up with what their windows begin with, and so are factors.
    multiplies = meets[0] == "stablehlo.multiply"
    begins_with_nothing = (multiplies or _are_whole(element)) and _number(op.operands[1]) == _start(meets[0], element)
    if not begins_with_nothing and (multiplies or not isinstance(element, ir.F32Type)):
        return False
    window, rank = _numbers(op, "window_dimensions", len(shape), 1), len(shape)
    plain = all(set(_numbers(op, name, rank, 1)) == {1} for name in ("base_dilations", "window_dilations"))
    runs = any(taps == size > 1 and sum(sides) == size - 1 for taps, size, sides in zip(window, shape, _sides(op, rank)))
    return plain and not runs and len(meets) == 2 and meets[0] in _MEETINGS


def _unfold(window: ir.Operation) -> None:
    """One dimension after the other: sums of f32 are products with a matrix that adds those of all windows at once, all else is of as many slices as a
    window has elements."""
    value, start = window.operands
    rank = len(value.type.shape)
    taps, steps = _numbers(window, "window_dimensions", rank, 1), _numbers(window, "window_strides", rank, 1)
    name = window.regions[0].blocks[0].operations[0].operation.name
    element = value.type.element_type
    meet = hlo.add if _are_whole(element) and name == "stablehlo.add" else _MEETINGS[name]
    with ir.InsertionPoint(window), window.location:
        for dim, sides in enumerate(_sides(window, rank)):
            if (taps[dim], steps[dim], *sides) == (1, 1, 0, 0):
                continue
            if meet is None:
                value = _summed(value, dim, taps[dim], steps[dim], sides)
            else:
                value = _met(value, start, meet, dim, taps[dim], steps[dim], sides)
        if _number(start) != _start(name, element):
            value = (meet or hlo.add)(value, hlo.broadcast_in_dim(value.type, start, []))
        window.results[0].replace_all_uses_with(value)
    window.erase()


def _summed(value: Any, dim: int, taps: int, step: int, sides: tuple[int, int]) -> Any:
    shape = list(value.type.shape)
    starts = range(-sides[0], shape[dim] + sides[1] - taps + 1, step)
    members = numpy.array([[begin <= element < begin + taps for begin in starts] for element in range(shape[dim])], numpy.float32)
    others = [other for other in range(len(shape)) if other != dim]
    made = ir.RankedTensorType.get([*(shape[other] for other in others), len(starts)], ir.F32Type.get())
    dims = hlo.DotDimensionNumbers.get([], [], [dim], [0])
    product = hlo.dot_general(made, value, hlo.constant(ir.DenseElementsAttr.get(members)), dims)
    order = [*range(dim), len(shape) - 1, *range(dim, len(shape) - 1)]
    return product if dim == len(shape) - 1 else hlo.transpose(product, order)


def _met(value: Any, start: Any, meet: Any, dim: int, taps: int, step: int, sides: tuple[int, int]) -> Any:
    rank = len(value.type.shape)
    if any(sides):
        low, high = ([side if other == dim else 0 for other in range(rank)] for side in sides)
        value = hlo.pad(value, start, low, high, [0] * rank)
    shape = list(value.type.shape)
    last = (shape[dim] - taps) // step * step
    parts = []
    for first in range(taps):
        begin = [first if other == dim else 0 for other in range(rank)]
        end = [first + last + 1 if other == dim else size for other, size in enumerate(shape)]
        parts.append(hlo.slice(value, begin, end, [step if other == dim else 1 for other in range(rank)]))
    found = parts[0]
    for part in parts[1:]:
        found = meet(found, part)
    return found


# ---- Whether any is true --------------------------------------------------------------------------------------


def _asks_for_any(op: ir.Operation) -> bool:
    """0.1.3 makes a sum of it, which counts: two that are true are not equal to one, and a result says how many were."""
    if op.name != "stablehlo.reduce" or len(op.results) != 1 or not isinstance(op.results[0].type.element_type, ir.IntegerType):
        return False
    meets = [inner.operation.name for inner in op.regions[0].blocks[0]]
    return meets == ["stablehlo.or", "stablehlo.return"] and op.results[0].type.element_type.width == 1


def _take_largest(reduce: ir.Operation) -> None:
    found, narrow = reduce.results[0], ir.BF16Type.get()
    with ir.InsertionPoint(reduce), reduce.location:
        scalar = ir.RankedTensorType.get([], narrow)
        operands = [hlo.convert(ir.RankedTensorType.get(operand.type.shape, narrow), operand) for operand in reduce.operands]
        shape = ir.RankedTensorType.get(found.type.shape, narrow)
        made = ir.Operation.create("stablehlo.reduce", [shape], operands, {"dimensions": reduce.attributes["dimensions"]}, regions=1)
        block = made.regions[0].blocks.append(scalar, scalar)
        with ir.InsertionPoint(block):
            hlo.return_([hlo.maximum(*block.arguments)])
        found.replace_all_uses_with(hlo.convert(found.type, made.results[0]))
    reduce.erase()


# ---- Remainders with the sign of what is divided --------------------------------------------------------------


def _takes_other_sign(op: ir.Operation) -> bool:
    """0.1.3 makes the library's remainder of it, which has the sign of the divisor. Where what follows sets the sign itself, as `%` of JAX does, or
    asks for zeros alone, either will do."""
    if op.name != "stablehlo.remainder" or (isinstance(op.results[0].type.element_type, ir.IntegerType) and op.results[0].type.element_type.is_unsigned):
        return False
    found, divisor = op.results[0], op.operands[1]
    users = [use.owner for use in found.uses]
    moved = [user for user in users if user.name == "stablehlo.add" and _before_spreading(user.operands[1]) == _before_spreading(divisor)]
    corrected = any(user.name == "stablehlo.select" and user.operands[2] == found and any(user.operands[1] == each.results[0] for each in moved)
                    for user in users)
    if corrected:
        return any(user.name not in ("stablehlo.add", "stablehlo.select", "stablehlo.compare") for user in users)
    return not all(_asks_for_zeros(user) for user in users)


def _asks_for_zeros(user: ir.Operation) -> bool:
    if user.name != "stablehlo.compare" or hlo.ComparisonDirectionAttr(user.attributes["comparison_direction"]).value not in ("EQ", "NE"):
        return False
    constant = _made_by(_before_spreading(user.operands[1]), "stablehlo.constant")
    elements = ir.DenseElementsAttr(constant.attributes["value"]) if constant else None
    return elements is not None and elements.is_splat and elements.get_splat_value().value == 0


def _divide_without_sign(remainder: ir.Operation) -> None:
    dividend, divisor = remainder.operands
    with ir.InsertionPoint(remainder), remainder.location:
        size = hlo.remainder(hlo.abs(dividend), hlo.abs(divisor))
        zero = ir.IntegerAttr if isinstance(dividend.type.element_type, ir.IntegerType) else ir.FloatAttr
        zeros = hlo.constant(ir.DenseElementsAttr.get_splat(dividend.type, zero.get(dividend.type.element_type, 0)))
        negative = hlo.compare(dividend, zeros, hlo.ComparisonDirectionAttr.get("LT"))
        remainder.results[0].replace_all_uses_with(hlo.select(negative, hlo.negate(size), size))
    remainder.erase()


# ---- Orders by several keys -----------------------------------------------------------------------------------


def _keys(sort: ir.Operation) -> list[int]:
    """The operands that are compared; JAX has the keys in front, the one that counts most first."""
    sides = list(sort.regions[0].blocks[0].arguments)
    return [key for key in range(len(sort.operands)) if any(list(side.uses) for side in sides[2 * key:2 * key + 2])]


def _asks_for_several(op: ir.Operation) -> bool:
    """0.1.3 looks at the first key alone, and leaves equal ones as they stand."""
    if op.name != "stablehlo.sort" or len(_keys(op)) < 2:
        return False
    compared = [inner.operation for inner in op.regions[0].blocks[0] if inner.operation.name == "stablehlo.compare"]
    # Equality says where the next key counts, and, of numbers alone, what is none.
    return all(hlo.ComparisonDirectionAttr(each.attributes["comparison_direction"]).value in ("LT", "EQ", "NE") for each in compared)


def _sort_by_each(sort: ir.Operation) -> None:
    """By the key that counts least first: each further order leaves what is equal as it stands."""
    values = list(sort.operands)
    with ir.InsertionPoint(sort), sort.location:
        for key in reversed(_keys(sort)):
            order = [key, *(other for other in range(len(values)) if other != key)]
            attributes = {"dimension": sort.attributes["dimension"], "is_stable": ir.BoolAttr.get(True)}
            made = ir.Operation.create("stablehlo.sort", [values[n].type for n in order], [values[n] for n in order], attributes, regions=1)
            scalars = [ir.RankedTensorType.get([], values[n].type.element_type) for n in order]
            block = made.regions[0].blocks.append(*(scalar for scalar in scalars for _ in range(2)))
            with ir.InsertionPoint(block):
                hlo.return_([hlo.compare(*block.arguments[:2], hlo.ComparisonDirectionAttr.get("LT"))])
            for n, value in zip(order, made.results):
                values[n] = value
    for before, value in zip(sort.results, values):
        before.replace_all_uses_with(value)
    sort.erase()


# ---- Rows at computed places ----------------------------------------------------------------------------------


def _cuts_rows(op: ir.Operation) -> bool:
    """0.1.3 makes a slice of it whose bounds are tensors. The library has one for whole tiles alone, so the table goes to the host and back, in each step of
    a `lax.scan` as well; rows of bf16 it looks up."""
    if op.name != "stablehlo.dynamic_slice" or not _is_bf16(op.operands[0]) or _made_by(op.operands[1], "stablehlo.constant"):
        return False
    shape, part = (list(value.type.shape) for value in (op.operands[0], op.results[0]))
    within_tiles = len(shape) == 2 or any(size % TILE for size in shape[-2:])
    return len(shape) > 1 and part[0] < shape[0] and part[1:] == shape[1:] and within_tiles


def _look_up(part: ir.Operation) -> None:
    table, begin = part.operands[0], part.operands[1]
    shape = list(part.results[0].type.shape)
    with ir.InsertionPoint(part), part.location:
        def number(value: int) -> Any:
            return hlo.constant(ir.DenseElementsAttr.get_splat(begin.type, ir.IntegerAttr.get(begin.type.element_type, value)))

        # What does not fit is moved until it does.
        fitting = hlo.clamp(number(0), begin, number(table.type.shape[0] - shape[0]))
        indices = ir.RankedTensorType.get([shape[0]], begin.type.element_type)
        rows = hlo.broadcast_in_dim(indices, fitting, [])
        if shape[0] > 1:
            rows = hlo.add(rows, hlo.iota(indices, 0))
        dims = hlo.GatherDimensionNumbers.get(offset_dims=list(range(1, len(shape))), collapsed_slice_dims=[0], operand_batching_dims=[],
                                              start_indices_batching_dims=[], start_index_map=[0], index_vector_dim=1)
        part.results[0].replace_all_uses_with(hlo.gather(table, rows, dims, [1, *shape[1:]], indices_are_sorted=True))
    part.erase()


# ---- Convolutions of volumes ----------------------------------------------------------------------------------


def _volume_sides(op: ir.Operation) -> list[tuple[int, int]]:
    flat = [int(number) for number in ir.DenseIntElementsAttr(op.attributes["padding"])] if "padding" in op.attributes else [0] * 6
    return list(zip(flat[::2], flat[1::2]))


def _spreads_volume(op: ir.Operation) -> bool:
    """0.1.3 takes volumes with as much padding on both sides, and passes over what lies between their elements, as convolutions backwards have it."""
    if op.name != "stablehlo.convolution" or len(op.results[0].type.shape) != 5:
        return False
    return any(before != behind for before, behind in _volume_sides(op)) or set(_numbers(op, "lhs_dilation", 3, 1)) != {1}


def _pad_before(convolution: ir.Operation) -> None:
    volume, dims = convolution.operands[0], hlo.ConvDimensionNumbers(convolution.attributes["dimension_numbers"]).input_spatial_dimensions
    low, high, between = ([0] * 5 for _ in range(3))
    for dim, sides, step in zip(dims, _volume_sides(convolution), _numbers(convolution, "lhs_dilation", 3, 1)):
        (low[dim], high[dim]), between[dim] = sides, step - 1
    with ir.InsertionPoint(convolution), convolution.location:
        element = volume.type.element_type
        nothing = hlo.constant(ir.DenseElementsAttr.get_splat(ir.RankedTensorType.get([], element), ir.FloatAttr.get(element, 0)))
        attributes = {name: convolution.attributes[name] for name in convolution.attributes if name not in ("padding", "lhs_dilation")}
        operands = [hlo.pad(volume, nothing, low, high, between), convolution.operands[1]]
        made = ir.Operation.create("stablehlo.convolution", [convolution.results[0].type], operands, attributes)
        convolution.results[0].replace_all_uses_with(made.results[0])
    convolution.erase()


# ---- Products of one tensor in two types ----------------------------------------------------------------------

#: Ops that give what they read another shape or type.
_FORMS = ("stablehlo.reshape", "stablehlo.convert")


def _root(value: ir.Value) -> ir.Value:
    """What the value is, in whatever shape and type."""
    while (maker := value.owner) and not isinstance(maker, ir.Block) and maker.name in _FORMS:
        value = maker.operands[0]
    return value


def _has_narrow_product(value: ir.Value) -> bool:
    """Whether a product of bf16 has it on its left, in whatever shape."""
    def is_left(use: Any) -> bool:
        if use.owner.name in _FORMS:
            return _has_narrow_product(use.owner.results[0])
        return use.owner.name == "stablehlo.dot_general" and use.operand_number == 0 and _is_bf16(use.owner.operands[0])

    return any(is_left(use) for use in value.uses)


def _multiplies_widened(op: ir.Operation) -> bool:
    """0.1.3 makes one product of all that have the same on their left, and takes what is the same in bf16 and in f32 for it, as the scores of experts
    are computed: it cuts results of one type from one of the other, which it refuses then."""
    if op.name != "stablehlo.dot_general" or not isinstance(op.results[0].type.element_type, ir.F32Type):
        return False
    dims = hlo.DotDimensionNumbers(op.attributes["dot_dimension_numbers"])
    root = _root(op.operands[0])
    return not dims.lhs_batching_dimensions and root != op.operands[0] and _is_bf16(root) and _has_narrow_product(root)


def _swap(product: ir.Operation) -> None:
    """The other way around, so that it is on the right."""
    left, right = product.operands
    dims = hlo.DotDimensionNumbers(product.attributes["dot_dimension_numbers"])
    swapped = hlo.DotDimensionNumbers.get([], [], dims.rhs_contracting_dimensions, dims.lhs_contracting_dimensions)
    shape = list(product.results[0].type.shape)
    of_left = len(left.type.shape) - len(dims.lhs_contracting_dimensions)
    attributes = {name: product.attributes[name] for name in product.attributes}
    with ir.InsertionPoint(product), product.location:
        made = ir.Operation.create("stablehlo.dot_general", [ir.RankedTensorType.get(shape[of_left:] + shape[:of_left], ir.F32Type.get())],
                                   [right, left], {**attributes, "dot_dimension_numbers": swapped})
        of_right = len(shape) - of_left
        order = [*range(of_right, len(shape)), *range(of_right)]
        product.results[0].replace_all_uses_with(hlo.transpose(made.results[0], order))
    product.erase()


#: What is said otherwise, and how, one after the other.
_RULES = ((is_choice, choose), (is_loop, prepare), (finds_triangle, find), (solves_triangle, solve), (_divides_narrow_window, _widen), (_finds_widened, _narrow), (_pools_wide, _unfold), (gives_back, give_each), (_asks_for_any, _take_largest),
          (_takes_other_sign, _divide_without_sign), (_asks_for_several, _sort_by_each), (cuts_end, cut_begin), (_cuts_rows, _look_up), (_spreads_volume, _pad_before),
          (_multiplies_widened, _swap))
#: Names of which a module has all of a line, if a rule is about it.
_NAMES = (("stablehlo.case",), ("stablehlo.while",), ("stablehlo.triangular_solve",), ("stablehlo.cholesky",), ("stablehlo.reduce_window",), ("stablehlo.select_and_scatter",), ("stablehlo.reduce", "stablehlo.or"), ("stablehlo.remainder",), ("stablehlo.sort",),
          ("stablehlo.dynamic_slice",), ("stablehlo.convolution",), ("stablehlo.dot_general", "stablehlo.convert"))
