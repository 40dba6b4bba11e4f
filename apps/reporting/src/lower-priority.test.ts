import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { constants } from 'node:os';
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
function lowered({ leads }: { readonly leads: boolean }): Priorities {
  const program = ['--input-type=module', '-e', PRINT_PRIORITIES];
  const { stdout, stderr, status } = spawnSync(process.execPath, program, { encoding: 'utf8', timeout: 60_000, detached: leads });
  expect({ stderr, status }).toEqual({ stderr: '', status: 0 });
  return JSON.parse(stdout);
}

describe.runIf(process.platform === 'linux')('on Linux', () => {
  test('every thread has a lower priority than payments, those that collect garbage too', () => {
    const { threads } = lowered({ leads: false });
    expect(threads.length).toBeGreaterThan(1);
    expect(new Set(threads)).toEqual(new Set([constants.priority.PRIORITY_LOW]));
  });

  // Kernels may be built without sessions of their own weight.
  test.runIf(existsSync('/proc/self/autogroup'))(
    'a session of its own has it too, one that others share keeps its weight',
    () => {
      expect(lowered({ leads: true }).session).toBe(constants.priority.PRIORITY_LOW);
      expect(lowered({ leads: false }).session).toBe(sessionPriority());
    },
  );
});
