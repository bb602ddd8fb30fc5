"""Frames to and from the host: u32 length, JSON header, then the raw buffers whose sizes it lists."""
import json
import os
import select
import struct
import threading


def frame(header, buffers=()):
    text = json.dumps({**header, 'buffers': [len(buffer) for buffer in buffers]}).encode('utf-8', 'surrogatepass')
    return b''.join((struct.pack('<I', len(text)), text, *buffers))


class Channel:
    def __init__(self, fd):
        self.fd = fd
        self.lock = threading.Lock()
        self.asked = 0
        # While a frame is under way an interrupt has to wait, or the next one would begin in its middle.
        self.busy = False
        self.interrupted = False

    def receive(self):
        """The next header and its buffers, or None when the host is gone."""
        length = self._read(4)
        if length is None:
            return None
        header = json.loads(bytes(self._read(struct.unpack('<I', length)[0])))
        return header, [self._read(size) for size in header.get('buffers', ())]

    def receive_request(self):
        """The next request. Replies to questions that were interrupted are skipped."""
        while True:
            request = self.receive()
            if request is None or 'reply' not in request[0]:
                return request

    def send(self, header, buffers=()):
        self._write(frame(header, buffers))

    def ask(self, question, buffers=()):
        """One question, one reply, from any thread."""
        with self.lock:
            self.busy = True
            try:
                self.asked += 1
                number = self.asked
                self.send({**question, 'ask': number}, buffers)
                reply = None
                while reply is None or reply[0].get('reply') != number:
                    self.busy = False
                    self.yield_to_interrupt()
                    select.select([self.fd], [], [])
                    self.busy = True
                    reply = self.receive()
                    if reply is None:
                        os._exit(0)
            finally:
                self.busy = False
        self.yield_to_interrupt()
        return reply

    def yield_to_interrupt(self):
        if self.interrupted:
            self.interrupted = False
            raise KeyboardInterrupt

    def _read(self, size):
        data = bytearray(size)
        view, done = memoryview(data), 0
        while done < size:
            count = os.readv(self.fd, [view[done:]])
            if count == 0:
                return None
            done += count
        return data

    def _write(self, data):
        view, done = memoryview(data), 0
        while done < len(view):
            done += os.write(self.fd, view[done:done + (1 << 20)])
