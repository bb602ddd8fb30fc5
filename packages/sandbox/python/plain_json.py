"""JSON of what code passes on: also of NumPy and pandas values. NaN and infinities are null, as JSON has none."""
import json
import math


def encode(value):
    try:
        text = json.dumps(value, allow_nan=False, default=convert, ensure_ascii=False)
    except ValueError:
        text = json.dumps(plain(value), allow_nan=False, ensure_ascii=False)
    return text.encode('utf-8', 'replace')


def convert(value):
    if hasattr(value, 'to_dict') and hasattr(value, 'columns'):
        return value.to_dict('records')
    for name in ('tolist', 'isoformat'):
        if hasattr(value, name):
            return getattr(value, name)()
    raise TypeError('%s is not JSON' % type(value).__name__)


def plain(value):
    if isinstance(value, float):
        return float(value) if math.isfinite(value) else None
    if value is None or isinstance(value, (str, int)):
        return value
    if isinstance(value, dict):
        return {key: plain(inner) for key, inner in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(inner) for inner in value]
    return plain(convert(value))
