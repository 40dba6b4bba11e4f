/**
 * The guard: reads, one JSON line each, the processes that its parent started, and ends those that still run when the parent has
 * exited or was killed. See `guard.ts`.
 */
import { createInterface } from 'node:readline';
import type { Ending } from './guard.ts';
import { endProcess } from './processes.ts';

for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, () => undefined);

const endings: Ending[] = [];
for await (const line of createInterface({ input: process.stdin })) endings.push(JSON.parse(line));
for (const each of endings.reverse()) await endProcess(each.process, each.signals, each.graceMs);
