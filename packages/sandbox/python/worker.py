"""The life of a session after the lockdown: takes code from the host, runs it, answers."""
import ast
import json
import linecache
import os
import pathlib
import signal
import sys
import traceback

import plain_json
import tensors
from output_files import OutputFiles

CONTROL = 3
MOST_FRAMES = 50
MOST_NAME = 1000
OUT_OF_MEMORY = 99  # the exit status when the tensors alone are too large


class Worker:
    def __init__(self, channel, spec, opened, result, scratch):
        self.channel, self.spec, self.opened, self.result = channel, spec, opened, result
        self.files = OutputFiles(scratch, result, spec['outputFiles'], spec['outputFileBytes'])
        self.has_host = False
        self.running = False
        self.count = 0
        self.state = {'__name__': '__main__', '__builtins__': __builtins__}
        if spec.get('fileFunction'):
            self.state[spec['fileFunction']] = self.file_function(spec['fileFunction'])

    def serve(self):
        while True:
            signal.signal(signal.SIGINT, self.interrupted)
            try:
                request = self.channel.receive_request()
            except MemoryError:
                os._exit(OUT_OF_MEMORY)
            if request is None:
                return
            header, buffers = request
            answer, buffers_out = {}, []
            self.begin(header)
            try:
                # The flag and not the handler decides, so that a late interrupt can't hit the lines below.
                self.running = True
                try:
                    if header['op'] == 'predict':
                        answer = self.predict(header, buffers)
                    else:
                        buffers_out = self.run(header)
                finally:
                    self.running = False
            except BaseException as error:
                self.running = False
                answer = failure(error)
            if header['collectFiles']:
                answer.update(self.collect())
            self.flush(header['mark'])
            self.channel.send({'answer': header['id'], **answer}, buffers_out)

    def interrupted(self, number, frame):
        if self.running and self.channel.busy:
            self.channel.interrupted = True
        elif self.running:
            raise KeyboardInterrupt

    def begin(self, header):
        """What this run may do."""
        self.channel.interrupted = False
        self.has_host = header['host']
        if header['host']:
            self.state['call'] = self.call
        try:
            sys.stdout.reconfigure(line_buffering=header['streams'])
            if header['collectFiles']:
                self.files.prepare()
        except BaseException:
            pass  # the code replaced its output, or put something else in the way of the folder

    def run(self, header):
        value = self.execute(header['code'], self.state, header['returnValue'])
        if value is None:
            return []
        try:
            text = plain_json.encode(value)
        except (TypeError, ValueError, RecursionError) as error:
            raise tensors.Refused('The value that the code returns is not JSON: %s' % error) from None
        if len(text) > self.spec['jsonBytes']:
            raise tensors.Refused(
                'The value that the code returns has %d bytes as JSON; the limit is %d' % (len(text), self.spec['jsonBytes']))
        return [text]

    def call(self, name, args=None):
        """Calls a function of the host with JSON, and returns its result."""
        if not self.has_host:
            raise RuntimeError('This run has no host functions')
        text = plain_json.encode(args)
        if len(text) > self.spec['jsonBytes']:
            raise ValueError('The arguments have %d bytes as JSON; the limit is %d' % (len(text), self.spec['jsonBytes']))
        if len(str(name)) > MOST_NAME:
            raise ValueError('The name of a function has at most %d characters' % MOST_NAME)
        answer, buffers = self.channel.ask({'call': str(name)}, [text])
        if 'error' in answer:
            raise RuntimeError(answer['error'])
        return json.loads(bytes(buffers[0]))

    def collect(self):
        try:
            return self.files.collect()
        except BaseException:
            return {'files': [], 'refused': []}

    def execute(self, code, namespace, returns=False):
        self.count += 1
        name = '<code %d>' % self.count
        linecache.cache[name] = (len(code), None, code.splitlines(True), name)
        try:
            if not returns:
                exec(compile(code, name, 'exec', dont_inherit=True), namespace)
                return None
            tree = compile(code, name, 'exec', ast.PyCF_ONLY_AST, dont_inherit=True)
            last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
            exec(compile(tree, name, 'exec', dont_inherit=True), namespace)
            return last and eval(compile(ast.Expression(last.value), name, 'eval', dont_inherit=True), namespace)
        except SystemExit as request:
            if request.code not in (None, 0):
                raise
            return None

    def predict(self, header, buffers):
        inputs = {name: self.tensor(name, source, buffers) for name, source in header['tensors'].items()}
        namespace = {'__name__': 'model', '__builtins__': __builtins__}
        self.execute(header['code'], namespace)
        model = namespace.get('predict')
        if not callable(model):
            raise tensors.Refused('the code defines no function predict(tensors)')
        described, array = tensors.result(model(inputs), self.spec['resultBytes'])
        # Through a file: faster than the connection, which hands over a few pages at a time.
        view, done = memoryview(array), 0
        while done < len(view):
            done += os.pwrite(self.result, view[done:], done)
        return {**described, 'bytes': done}

    def tensor(self, name, source, buffers):
        try:
            return tensors.read(source, buffers, self.opened)
        except (ValueError, OSError, EOFError, SyntaxError) as error:
            raise tensors.Refused("tensor '%s' is not a readable .npy file: %s" % (name, error)) from None

    def file_function(self, name):
        ask = self.channel.ask

        def find(memory_id: str, memory_name: str) -> pathlib.Path:
            answer = ask({'file': str(memory_id), 'name': str(memory_name)})[0]
            if 'path' not in answer:
                raise FileNotFoundError(answer['error'])
            return pathlib.Path(answer['path'])

        find.__name__ = find.__qualname__ = name
        return find

    def flush(self, mark):
        """Ends this call's output with a mark, so that the host knows when it has all of it."""
        for stream, fd in ((sys.stdout, 1), (sys.stderr, 2)):
            try:
                stream.flush()
            except BaseException:
                pass
            try:
                os.write(fd, b'\0' + mark.encode() + b'\n')
            except OSError:
                pass


def last_frames(place):
    """Of a deep recursion only the end, or describing it would take longer than the recursion itself."""
    depth, way = 0, place
    while way is not None:
        depth, way = depth + 1, way.tb_next
    while depth > MOST_FRAMES:
        depth, place = depth - 1, place.tb_next
    return traceback.extract_tb(place)


def failure(error):
    if isinstance(error, tensors.Refused):
        return {'kind': 'refused', 'message': str(error)[:4000]}
    kind = 'memory' if isinstance(error, MemoryError) else 'interrupted' if isinstance(error, KeyboardInterrupt) else 'exception'
    try:
        message = ''.join(traceback.format_exception_only(type(error), error)).strip()
        frames = [frame for frame in last_frames(error.__traceback__) if frame.filename.startswith('<code ')]
        lines = ['Traceback (most recent call last):\n', *traceback.format_list(frames)] if frames else []
        text = ''.join(lines) + message
    except BaseException:
        message = text = type(error).__name__
    return {'kind': kind, 'message': message[-4000:], 'traceback': text[-16000:]}
