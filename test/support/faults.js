// Faults on demand, loaded with NODE_OPTIONS=--import into processes under test: SIGWINCH blocks the
// event loop forever, SIGURG writes to address zero in native code.
import koffi from 'koffi';

const memset = koffi.load('libc.so.6').func('void *memset(void *, int, size_t)');
process.on('SIGWINCH', () => {
  for (;;);
});
process.on('SIGURG', () => memset(null, 0, 1));
