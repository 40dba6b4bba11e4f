import { readdirSync } from 'node:fs';
import { constants, setPriority } from 'node:os';

/**
 * Puts every thread of this process behind those of payments. On Linux a priority is a thread's own, which those that it starts inherit.
 * V8's own threads run since the process began: they would collect the garbage of a large file on all cores.
 */
export function lowerPriority(): void {
  setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
  if (process.platform !== 'linux') return;
  for (const thread of readdirSync('/proc/self/task')) setPriority(Number(thread), constants.priority.PRIORITY_BELOW_NORMAL);
}
