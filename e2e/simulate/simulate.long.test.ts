import { rmSync } from 'node:fs';
import { expect, test } from 'vitest';
import { INVARIANTS } from '../world/checker/violation.ts';
import { runSimulator } from './testing/run-simulator.ts';

/** Against a simulation that hangs. */
const LIMIT_MS = 2_400_000;
/** Payments of a world with a bug. */
const BITE_PAYMENTS = 6;

test(
  'a bug in the code that decides is found by unchanged code, and explained in forty lines by the history of one payment',
  async () => {
    const { code, output } = await runSimulator(['--each', String(BITE_PAYMENTS), '--payments', String(BITE_PAYMENTS), '--bite']);
    expect(code, output).toBe(0);
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
  },
  LIMIT_MS,
);
