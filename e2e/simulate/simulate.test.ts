import { execFile } from 'node:child_process';
import { rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { beforeAll, expect, test } from 'vitest';
import { INVARIANTS } from '../world/checker/invariants.ts';

/** Seconds after which no further world begins. The first is run twice. */
const SECONDS = '15';
/** Against a simulation that hangs: on a busy machine its minute is a tenth of that of a processor. */
const LIMIT_MS = 2_400_000;
/** Payments of a world with a bug. */
const BITE_PAYMENTS = 6;
const program = fileURLToPath(new URL('main.ts', import.meta.url));

/** A command that has ended. */
interface Ended {
  readonly output: string;
  readonly code: number | string | null | undefined;
}

let output: string;
let code: Ended['code'];

beforeAll(async () => {
  // Worlds run on the project's own Node, with types and modules as they are when it is started by hand, and in one process, which opens once.
  const options = ['--jobs', '1', '--each', '40', '--payments', '100000', '--seconds', SECONDS, '--twice', '1', '--bite'];
  ({ output, code } = await new Promise<Ended>((resolve) => {
    execFile(process.execPath, [program, ...options], { maxBuffer: 64 * 1024 * 1024 }, (error, stdout, stderr) =>
      resolve({ output: stdout + stderr, code: error === null ? 0 : error.code }),
    );
  }));
}, LIMIT_MS);

test('new worlds break no guarantee, and the same seed does the same twice', () => {
  expect(code, output).toBe(0);
  expect(output).toMatch(/^seeds \d+ to \d+: [1-9]\d* payments in \d+ worlds, no violation$/m);
});

test('a bug in the code that decides is found by unchanged code, and explained in forty lines by the history of one payment', () => {
  const [, found = ''] = /^a bug was put in:\n([\s\S]*?)\nseeds \d+ to /m.exec(output) ?? [];
  const report = found.split('\n');
  const text = report.join('\n');
  expect(report.length).toBeLessThanOrEqual(40);
  expect(report[0]).toMatch(/^seed \d+ breaks \d+ guarantees: /);
  expect(report[1]).toBe(INVARIANTS.decision_differs);
  expect(report[2]).toContain('decision_differs: ');
  expect(report[3]).toContain('of 1 payments');
  for (const part of [
    'merchant: initiate',
    'POST /',
    'customer pays',
    'webhook',
    'payment is SUCCESS',
    'event payment.succeeded',
  ]) {
    expect(text).toContain(part);
  }
  const times = report.flatMap((line) => {
    const [, day = '0', time] = /^ {2}(?:day (\d+) )?(\d\d:\d\d:\d\d\.\d{3})/.exec(line) ?? [];
    return time === undefined ? [] : [`${day.padStart(3, '0')} ${time}`];
  });
  expect(times.length).toBeGreaterThan(5);
  expect(times).toEqual(times.toSorted());
  expect(report.at(-1)).toMatch(
    new RegExp(`^again: npm run simulate -- --seed \\d+ --payments ${BITE_PAYMENTS} --each ${BITE_PAYMENTS} `),
  );
  const [, kept = ''] = /everything that happened: (\S+)/.exec(text) ?? [];
  rmSync(kept);
});
