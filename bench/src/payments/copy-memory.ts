/*
 * Copies memory without end at the lowest priority, until it is killed: it takes caches and memory from others, and no processor that
 * they need.
 */
import { constants, setPriority } from 'node:os';

const BYTES = 128 * 1024 * 1024;

setPriority(constants.priority.PRIORITY_LOW);
const from = new Uint8Array(BYTES);
const to = new Uint8Array(BYTES);
process.send?.({ ready: true });
// The message is sent before the loop takes the thread.
setImmediate(() => {
  for (;;) to.set(from);
});
