"""What an interpreter is and which of the wanted packages it has, as one line of JSON. With --import they are loaded."""
import importlib.util
import json
import os
import sys

MODULES = ['numpy', 'pandas', 'openpyxl', 'xlrd', 'scipy', 'sklearn', 'xgboost']


def present(module):
    if '--import' not in sys.argv:
        return importlib.util.find_spec(module) is not None
    try:
        importlib.import_module(module)
        return True
    except Exception:
        return False


print(json.dumps({
    'executable': sys.executable,
    'version': '%d.%d.%d' % sys.version_info[:3],
    'prefixes': sorted({os.path.realpath(path) for path in (sys.prefix, sys.base_prefix)} | {sys.prefix, sys.base_prefix}),
    'modules': [module for module in MODULES if present(module)],
}))
