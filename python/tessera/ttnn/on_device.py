"""What programs do on the device by several ops, where one expression would do parts of it again: functions that are copied into them as they stand here."""
import ttnn


def row_numbers(index, sizes):
    """One number for each row of a table of such sizes, of those for each dimension, 1 x dimensions x M. A row outside of a dimension gets a number
    outside of the table, and not that of another row."""
    numbers, outside, count = 0, 0, 1
    for place, size in enumerate(sizes):
        part = ttnn.to_layout(ttnn.slice(index, [0, place, 0], [1, place + 1, index.shape[2]]), ttnn.TILE_LAYOUT)
        inside = ttnn.clamp(part, 0, size - 1)
        # -1, 0 or 1, and twice the next one's: their sum is 0 where all are.
        apart = ttnn.multiply(ttnn.clamp(ttnn.subtract(part, inside), -1, 1), 2**place)
        numbers = ttnn.add(ttnn.multiply(numbers, size), inside) if place else inside
        outside = ttnn.add(outside, apart) if place else apart
        count *= size
    return ttnn.to_layout(ttnn.add(numbers, ttnn.multiply(outside, count)), ttnn.ROW_MAJOR_LAYOUT)
