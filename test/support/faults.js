// Faults on demand. NODE_OPTIONS=--import loads this module into processes under test. SIGWINCH blocks the event loop
// for ever. SIGURG writes to address zero in native code.
import koffi from 'koffi';

const memset = koffi.load('libc.so.6').func('void *memset(void *, int, size_t)');
process.on('SIGWINCH', () => {
  for (;;);
});
process.on('SIGURG', () => memset(null, 0, 1));
