import { execFileSync } from 'node:child_process';
import { constants } from 'node:os';
import { expect, test } from 'vitest';

const PRINT_PRIORITIES = `
import { readdirSync, readFileSync } from 'node:fs';
import { lowerPriority } from ${JSON.stringify(new URL('./lower-priority.ts', import.meta.url).href)};
lowerPriority();
const priorityOf = (thread) => Number(readFileSync('/proc/self/task/' + thread + '/stat', 'utf8').split(') ')[1].split(' ')[16]);
console.log(JSON.stringify(readdirSync('/proc/self/task').map(priorityOf)));`;

test.runIf(process.platform === 'linux')(
  'every thread has a lower priority than payments, those that collect garbage too',
  () => {
    const printed = execFileSync(process.execPath, ['--input-type=module', '-e', PRINT_PRIORITIES], {
      encoding: 'utf8',
      timeout: 60_000,
    });
    const priorities: unknown[] = JSON.parse(printed);
    expect(priorities.length).toBeGreaterThan(1);
    expect(new Set(priorities)).toEqual(new Set([constants.priority.PRIORITY_BELOW_NORMAL]));
  },
);
