"""What programs do on the host, as no op of a published library does it: functions that are copied into them as they stand here."""
import numpy
import ttnn


def numbers_of(tensor):
    """The tensor on the host; bf16 as float32, which holds it exactly."""
    host = ttnn.to_layout(ttnn.from_device(tensor), ttnn.ROW_MAJOR_LAYOUT)
    return numpy.asarray((ttnn.to_dtype(host, ttnn.float32) if host.dtype == ttnn.bfloat16 else host).to_numpy())


def tensor_of(numbers, dtype):
    host = ttnn.Tensor(numpy.ascontiguousarray(numbers), ttnn.float32 if numbers.dtype.kind == "f" else dtype)
    return host if host.dtype == dtype else ttnn.to_dtype(host, dtype)


def whole_number(tensor):
    """On the host: how often a loop runs is known when it is reached."""
    return int(numbers_of(tensor).reshape(-1)[0])


def is_true(results):
    """On the host: whether a loop goes on, by what its condition returns."""
    return bool(numbers_of(results[0]).reshape(-1)[0])


def slice_part(table, begin, shape, dtype):
    """On the host: the part of such a shape from there on. One that does not fit is moved until it does."""
    numbers = numbers_of(table)
    first = numpy.clip(numbers_of(begin).reshape(-1).astype(numpy.int64), 0, numpy.subtract(numbers.shape, shape))
    return tensor_of(numbers[tuple(slice(at, at + count) for at, count in zip(first, shape))], dtype)


def places_of(index, sizes, windows):
    """On the host: where windows of a table of N x sizes x width lie in the flat sizes, N or 1 x M x window, at positions that the index, of N or 1 x
    dimensions x M, gives; and which fit, N or 1 x M x 1. One that does not is moved until it does."""
    begin = numbers_of(index).astype(numpy.int64)[..., None, :]  # a window's elements go before the last dimension
    last = numpy.subtract(sizes, windows)[None, :, None, None]
    fits = ((begin >= 0) & (begin <= last)).all(axis=1)
    inside = numpy.indices(windows).reshape(1, len(windows), -1, 1)
    places = (numpy.clip(begin, 0, last) + inside).swapaxes(2, 3)
    strides = numpy.cumprod([1, *sizes[:0:-1]])[::-1].reshape(1, -1, 1, 1)
    return (places * strides).sum(axis=1), fits.swapaxes(1, 2)


def gather_rows(table, index, sizes, windows, fills, shape, dtype):
    """On the host: windows of a table, as places_of has them. One that does not fit may be filled with what is no number (0 for integers)."""
    rows = numbers_of(table).reshape(table.shape[0], numpy.prod(sizes), -1)
    flat, fits = places_of(index, sizes, windows)
    found = numpy.stack([rows[n, flat[n % len(flat)]] for n in range(len(rows))])
    if fills:
        kept = numpy.broadcast_to(fits[..., None], found.shape)
        found = numpy.where(kept, found, numpy.nan if found.dtype.kind == "f" else 0).astype(found.dtype)
    return tensor_of(found.reshape(shape), dtype)


def scatter_rows(table, index, new, sizes, windows, reduction, dtype):
    """On the host: the table with new windows, as places_of has them, one after the other; they take the place of what is there, or meet it. One that
    does not fit is left out."""
    numbers = numbers_of(table)
    rows = numbers.reshape(len(numbers), numpy.prod(sizes), -1).copy()
    flat, fits = places_of(index, sizes, windows)
    values = numbers_of(new).reshape(len(rows), *flat.shape[1:], -1)
    meeting = {"sum": numpy.add, "prod": numpy.multiply, "min": numpy.minimum, "max": numpy.maximum}
    for n in range(len(rows)):
        kept = fits[n % len(fits), :, 0]
        at, come = flat[n % len(flat)][kept].reshape(-1), values[n][kept].reshape(-1, rows.shape[2])
        if reduction == "invalid":
            rows[n][at] = come
        else:
            meeting[reduction].at(rows[n], at, come)
    return tensor_of(rows.reshape(numbers.shape), dtype)


def cumulate(tensor, dim, reduction, from_end, dtype):
    """On the host: what each element makes with those before it, or behind it."""
    numbers = numbers_of(tensor)
    meeting = {"sum": numpy.add, "prod": numpy.multiply, "min": numpy.minimum, "max": numpy.maximum, "logsumexp": numpy.logaddexp}[reduction]
    lines = numpy.flip(numbers, dim) if from_end else numbers
    found = meeting.accumulate(lines, dim, dtype=numbers.dtype)
    return tensor_of(numpy.flip(found, dim) if from_end else found, dtype)


def sort_in_order(tensor, dim, descending, memory, index_type, device):
    """Values and where they were, equal ones in their order: on the host where the library has no such sort, which is until October 2026."""
    try:
        return ttnn.sort(tensor, dim, descending, True, memory_config=memory)
    except RuntimeError:
        numbers = numbers_of(tensor)
    keys = numbers if numbers.dtype.kind == "f" else numbers.astype(numpy.int64)
    order = numpy.argsort(-keys if descending else keys, dim, kind="stable")
    found = tensor_of(numpy.take_along_axis(numbers, order, dim), tensor.dtype), tensor_of(order.astype(numpy.int32), index_type)
    return [ttnn.to_device(ttnn.to_layout(host, ttnn.TILE_LAYOUT), device, memory) for host in found]
