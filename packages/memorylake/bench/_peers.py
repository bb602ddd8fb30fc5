"""Reads files with other libraries: python _peers.py TOOL FOLDER CACHE < list of files. One JSON file for each, made once."""
import datetime
import hashlib
import json
import os
import sys
import time


def cell(value):
    if isinstance(value, datetime.datetime):
        return value.strftime('%Y-%m-%d' if value.time() == datetime.time() else '%Y-%m-%d %H:%M:%S')
    if isinstance(value, (datetime.date, datetime.time, datetime.timedelta)):
        return str(value)
    if isinstance(value, (str, int, float, bool)) or value is None:
        return value
    return str(value)


def openpyxl(path):
    import openpyxl
    book = openpyxl.load_workbook(path, data_only=True)
    return {'sheets': [{'name': sheet.title, 'rows': [[cell(value) for value in row] for row in sheet.iter_rows(values_only=True)]}
                       for sheet in book.worksheets]}


def xlrd(path):
    import xlrd
    book = xlrd.open_workbook(path, logfile=open(os.devnull, 'w'))

    def value(one):
        if one.ctype == xlrd.XL_CELL_DATE:
            try:
                return cell(xlrd.xldate_as_datetime(one.value, book.datemode))
            except Exception:
                return one.value
        if one.ctype == xlrd.XL_CELL_BOOLEAN:
            return bool(one.value)
        if one.ctype == xlrd.XL_CELL_ERROR:
            return xlrd.error_text_from_code.get(one.value, '#ERROR')
        return one.value if one.ctype else None

    return {'sheets': [{'name': sheet.name, 'rows': [[value(one) for one in sheet.row(at)] for at in range(sheet.nrows)]}
                       for sheet in book.sheets()]}


def pymupdf(path):
    import pymupdf
    with pymupdf.open(path) as document:
        return {'text': '\n'.join(page.get_text() for page in document)}


def markitdown(path):
    from markitdown import MarkItDown
    return {'text': MarkItDown().convert(path).text_content}


def pdfplumber(path):
    import pdfplumber
    with pdfplumber.open(path) as document:
        return {'tables': [{'page': page.page_number, 'rows': rows} for page in document.pages for rows in page.extract_tables()]}


def camelot(path):
    import camelot
    tables = []
    for flavor in ('lattice', 'stream'):
        found = camelot.read_pdf(path, pages='all', flavor=flavor, suppress_stdout=True)
        tables.append([{'page': table.page, 'rows': table.df.values.tolist()} for table in found])
    return {'tables': tables[0] or tables[1], 'both': tables}


TOOLS = {'openpyxl': openpyxl, 'xlrd': xlrd, 'pymupdf': pymupdf, 'markitdown': markitdown, 'pdfplumber': pdfplumber, 'camelot': camelot}

if __name__ == '__main__':
    tool, folder, cache = sys.argv[1:4]
    os.makedirs(os.path.join(cache, tool), exist_ok=True)
    for name in sys.stdin.read().splitlines():
        made = os.path.join(cache, tool, hashlib.sha256(name.encode()).hexdigest()[:16] + '.json')
        if os.path.exists(made):
            continue
        start = time.perf_counter()
        try:
            result = TOOLS[tool](os.path.join(folder, name))
        except Exception as error:  # a peer that cannot read a file has read nothing of it
            result = {'error': str(error)[:200]}
        result['ms'] = (time.perf_counter() - start) * 1000
        with open(made, 'w', encoding='utf-8') as file:
            json.dump(result, file, default=str)
