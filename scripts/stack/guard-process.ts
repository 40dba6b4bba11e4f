/**
 * The guard: reads, one JSON line each, the processes that its parent started, and ends those that are still there when the
 * parent has gone, whichever way it went. See `guard.ts`.
 */
import { createInterface } from 'node:readline';
import { z } from 'zod';
import { endProcess } from './processes.ts';

const signalName = z.custom<NodeJS.Signals>((value) => typeof value === 'string' && value.startsWith('SIG'));
const ending = z.object({
  process: z.object({ pid: z.number().int().positive(), startedAt: z.string() }),
  signals: z.array(signalName),
  graceMs: z.number(),
});

for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, () => undefined);

const endings: z.infer<typeof ending>[] = [];
for await (const line of createInterface({ input: process.stdin })) endings.push(ending.parse(JSON.parse(line)));
for (const each of endings.reverse()) await endProcess(each.process, each.signals, each.graceMs);
