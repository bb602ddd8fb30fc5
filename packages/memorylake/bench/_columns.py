"""Aggregates of the columns of CSV files, counted exactly: python _columns.py < list of paths. One JSON line for each file."""
import csv
import io
import json
import re
import sys
from decimal import Decimal

MISSING = {'', 'na', 'n/a', '#n/a', 'n.a.', 'nan', 'null', 'none', '-', '--', '–', '—', '.', '..', '?', '<na>', 'nil'}
NUMBER = re.compile(r'^(?:\d{1,3}(?:,\d{3})+|\d+)?(?:\.\d*)?(?:[eE][+-]?\d+)?$')


def number(text):
    """A decimal with a point, as the cell is written; its sign, currency and percent sign taken off."""
    text = text.strip()
    negative = text.startswith('(') and text.endswith(')')
    if negative:
        text = text[1:-1].strip()
    text = text.replace('$', '').replace('€', '').replace('£', '').replace('%', '').strip()
    if text[:1] in '+-':
        negative, text = negative or text[:1] == '-', text[1:].strip()
    if not re.search(r'\d', text) or not NUMBER.match(text):
        return None
    try:
        value = Decimal(text.replace(',', ''))
    except ArithmeticError:
        return None
    return -value if negative else value


def columns(path):
    data = open(path, 'rb').read()
    try:
        text = data.decode('utf-8-sig')
    except UnicodeDecodeError:
        text = data.decode('cp1252', 'replace')
    first = text.split('\n')[0]
    separator = max(',;\t|', key=first.count)
    rows = [row for row in csv.reader(io.StringIO(text, newline=''), delimiter=separator) if any(cell.strip() for cell in row)]
    found = []
    for at in range(max(map(len, rows), default=0)):
        cells = [(row[at] if at < len(row) else '').strip() for row in rows]
        values = [number(cell) for cell in cells]
        found.append({
            'cells': cells[:4],
            'filled': [cell.lower() not in MISSING for cell in cells],
            'numbers': [None if value is None else str(value) for value in values],
        })
    return {'rows': len(rows), 'columns': found}


csv.field_size_limit(10 ** 9)
for path in sys.stdin.read().splitlines():
    print(json.dumps({'path': path, **columns(path)}))
