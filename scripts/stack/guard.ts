/**
 * The guard: reads the programs that its parent started, one JSON line each, and ends those that still run when the parent closes
 * the pipe, exits or is killed, the last first. `programs.ts` starts it.
 */
import { createInterface } from 'node:readline';
import { endProcess, type ProcessIdentity } from '../bootstrap/processes.mjs';

/** A process to be ended, and how. */
export interface Ending {
  readonly process: ProcessIdentity;
  /** Tried one after the other. */
  readonly signals: readonly NodeJS.Signals[];
  /** How long to wait after each signal. */
  readonly graceMs: number;
  /** True if it is ended after all that are not. */
  readonly endsLast: boolean;
}

for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, () => undefined);

const endings: Ending[] = [];
for await (const line of createInterface({ input: process.stdin })) endings.push(JSON.parse(line));
const inOrder = endings.reverse().sort((a, b) => Number(a.endsLast) - Number(b.endsLast));
for (const each of inOrder) await endProcess(each.process, each.signals, each.graceMs);
