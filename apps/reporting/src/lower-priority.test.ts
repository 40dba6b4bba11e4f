import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { constants } from 'node:os';
import { text } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';

const PRINT_PRIORITIES = `
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { lowerPriority } from ${JSON.stringify(new URL('./lower-priority.ts', import.meta.url).href)};
lowerPriority();
const priorityOf = (thread) => Number(readFileSync('/proc/self/task/' + thread + '/stat', 'utf8').split(') ')[1].split(' ')[16]);
const session = existsSync('/proc/self/autogroup') ? readFileSync('/proc/self/autogroup', 'utf8').trim().split(' ').at(-1) : null;
console.log(JSON.stringify({ threads: readdirSync('/proc/self/task').map(priorityOf), session: Number(session) }));`;

const sessionPriority = () => Number(readFileSync('/proc/self/autogroup', 'utf8').trim().split(' ').at(-1));

interface Priorities {
  readonly threads: readonly number[];
  readonly session: number;
}

/** Priorities in a process that leads its session, as a program of `npm start` does, or shares that of its parent. */
async function lowered({ leads }: { readonly leads: boolean }): Promise<Priorities> {
  const program = ['--input-type=module', '-e', PRINT_PRIORITIES];
  const child = spawn(process.execPath, program, { detached: leads, timeout: 60_000 });
  const [printed, problem] = await Promise.all([text(child.stdout), text(child.stderr)]);
  expect(problem).toBe('');
  return JSON.parse(printed);
}

describe.runIf(process.platform === 'linux')('on Linux', () => {
  test('every thread has a lower priority than payments, those that collect garbage too', async () => {
    const { threads } = await lowered({ leads: false });
    expect(threads.length).toBeGreaterThan(1);
    expect(new Set(threads)).toEqual(new Set([constants.priority.PRIORITY_LOW]));
  });

  // Kernels may be built without sessions of their own weight.
  test.runIf(existsSync('/proc/self/autogroup'))(
    'a session of its own has it too, one that others share keeps its weight',
    async () => {
      expect((await lowered({ leads: true })).session).toBe(constants.priority.PRIORITY_LOW);
      expect((await lowered({ leads: false })).session).toBe(sessionPriority());
    },
  );
});
