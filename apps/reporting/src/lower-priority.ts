import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { constants, setPriority } from 'node:os';

/**
 * Puts every thread of this process behind those of payments. On Linux a priority is a thread's own, which those that it starts inherit.
 * V8's own threads run since the process began: they would collect the garbage of a large file on all cores.
 */
export function lowerPriority(): void {
  const priority = constants.priority.PRIORITY_LOW;
  setPriority(priority);
  if (process.platform !== 'linux') return;
  for (const thread of readdirSync('/proc/self/task')) setPriority(Number(thread), priority);
  lowerSessionPriority(priority);
}

/**
 * Linux divides time among sessions first, and a priority counts within its session alone: sched(7), "The autogroup feature". A session
 * that others share keeps its weight. In a container or a service the weight of the group decides, which its definition sets.
 */
function lowerSessionPriority(priority: number): void {
  try {
    const [, , , session] = (readFileSync('/proc/self/stat', 'utf8').split(') ').at(-1) ?? '').split(' ');
    if (Number(session) === process.pid) writeFileSync('/proc/self/autogroup', String(priority));
  } catch {
    // A kernel without the feature has no such file, and some containers let none be written.
  }
}
