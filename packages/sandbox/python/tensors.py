"""Tensors in and out of predict(). Pickles are never read: an array of objects is refused on both ways."""
import io
import os

DTYPES = {
    'bool', 'int8', 'int16', 'int32', 'int64', 'uint8', 'uint16', 'uint32', 'uint64', 'float16', 'float32', 'float64'}
HEADER_BYTES = 1 << 17


class Refused(Exception):
    """Tensors or a result that don't fit the contract."""


def read(source, buffers, opened):
    import numpy as np
    if 'buffer' in source:
        return np.frombuffer(buffers[source['buffer']], dtype=source['dtype']).reshape(source['shape'])
    if 'npy' in source:
        return from_bytes(buffers[source['npy']])
    with os.fdopen(opened.pop(source['opened']), 'rb') as file:
        return mapped(file)


def from_bytes(data):
    import numpy as np
    file = io.BytesIO(data[:HEADER_BYTES])
    shape, fortran, dtype = header_of(file)
    count = int(np.prod(shape, dtype=np.int64))
    return np.frombuffer(data, dtype=dtype, count=count, offset=file.tell()).reshape(shape, order='F' if fortran else 'C')


def mapped(file):
    """The array in an .npy file, mapped copy-on-write: the code may change its own view, never the file."""
    import numpy as np
    shape, fortran, dtype = header_of(file)
    if 0 in shape or shape == ():
        return from_bytes(bytearray(file.seek(0) or file.read()))
    order = 'F' if fortran else 'C'
    return np.memmap(file, dtype=dtype, mode='c', offset=file.tell(), shape=shape, order=order).view(np.ndarray)


def header_of(file):
    import numpy as np
    version = np.lib.format.read_magic(file)
    header = {(1, 0): np.lib.format.read_array_header_1_0, (2, 0): np.lib.format.read_array_header_2_0}.get(version)
    if header is None:
        raise Refused('.npy version %d.%d is not known here' % version)
    shape, fortran, dtype = header(file)
    if dtype.hasobject:
        raise Refused('the .npy file holds Python objects')
    return shape, fortran, dtype


def result(value, most_bytes):
    """The result as a header and a contiguous little-endian array."""
    import numpy as np
    if value is None or isinstance(value, (str, bytes, dict, set)):
        raise Refused('predict returned %s; a numeric array is needed' % type(value).__name__)
    try:
        array = np.asarray(value)
    except ValueError as error:
        raise Refused('predict returned no regular array: %s' % error) from None
    name = array.dtype.name
    if name not in DTYPES:
        raise Refused('predict returned an array of %s; a numeric array (%s) is needed' % (name, ', '.join(sorted(DTYPES))))
    if array.ndim > 32:
        raise Refused('predict returned %d dimensions; at most 32 are kept' % array.ndim)
    if array.nbytes > most_bytes:
        raise Refused('predict returned %d bytes; the limit is %d' % (array.nbytes, most_bytes))
    little = np.ascontiguousarray(array, dtype=array.dtype.newbyteorder('<'))
    return {'dtype': name, 'shape': list(array.shape)}, little.reshape(-1).view(np.uint8)
