import { parentPort, workerData } from 'node:worker_threads';
import { FileStore } from '../../src/site/pictures/file-store.js';

// A thread that asks a store for a value. It makes the value only when the other thread has begun, too.

const { folder, arrived } = workerData as { folder: string; arrived: Int32Array };
Atomics.add(arrived, 0, 1);
Atomics.notify(arrived, 0);
let made = false;
const value = FileStore.at({ folder, bytesMax: 1024 }).valueOf(
  'one',
  () => {
    made = true;
    Atomics.wait(arrived, 0, 1);
    return 'value';
  },
  Buffer.from,
  String,
);
parentPort?.postMessage({ value, made });
