"""Tensors in and out of predict(). Pickles are never read: an array of objects is refused on both ways."""
import os

DTYPES = {
    'bool', 'int8', 'int16', 'int32', 'int64', 'uint8', 'uint16', 'uint32', 'uint64', 'float16', 'float32', 'float64'}


class Refused(Exception):
    """Tensors or a result that don't fit the contract."""


def read(source, buffers, opened):
    import numpy as np
    if 'buffer' in source:
        return np.frombuffer(buffers[source['buffer']], dtype=source['dtype']).reshape(source['shape'])
    with open(source['path'], 'rb') if 'path' in source else os.fdopen(opened.pop(source['opened']), 'rb') as file:
        return mapped(file)


def mapped(file):
    """The array in an .npy file, mapped copy-on-write: the code may change its own view, never the file."""
    import numpy as np
    shape, fortran, dtype = header_of(file)
    if 0 in shape or shape == ():
        count = 0 if 0 in shape else 1
        return np.frombuffer(bytearray(file.read(count * dtype.itemsize)), dtype=dtype).reshape(shape)
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
    if isinstance(value, (list, tuple)):
        raise Refused('predict returned a %s; return a NumPy array, such as numpy.array(result)' % type(value).__name__)
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
