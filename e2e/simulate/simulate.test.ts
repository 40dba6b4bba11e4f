import { expect, test } from 'vitest';
import { runSimulator } from './testing/run-simulator.ts';

/** Seconds after which no further world begins. The first is run twice. */
const SECONDS = '15';

test('new worlds break no guarantee, and the same seed does the same twice', async () => {
  const { code, output } = await runSimulator(['--each', '20', '--payments', '100000', '--seconds', SECONDS, '--twice', '1']);
  expect(code, output).toBe(0);
  expect(output).toMatch(/^seeds \d+ to \d+: [1-9]\d* payments in \d+ worlds, no violation$/m);
}, 2_400_000);
