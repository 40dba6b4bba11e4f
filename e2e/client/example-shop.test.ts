import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { reservePort } from '@switchyard/runtime/reserve-port';
import { expect, test } from 'vitest';
import { eventually } from '../harness/eventually.ts';
import { startHarness } from '../harness/harness.ts';
import { findNode } from '../harness/interpreters.ts';

const ROOT = join(import.meta.dirname, '..', '..');

test('the example shop is started from Node 20, as its script in package.json has it, and sells', async () => {
  const harness = await startHarness({ worker: false });
  const merchant = await harness.merchant();
  const port = await reservePort();
  const env = {
    ...process.env,
    SWITCHYARD_URL: harness.publicUrl,
    SWITCHYARD_API_KEY: merchant.testKey,
    WEBHOOK_SECRET: 'whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA',
    PORT: String(port),
  };
  const shop = spawn(findNode(20), ['scripts/run.mjs', 'apps/example-shop/src/main.ts'], { cwd: ROOT, env });
  let output = '';
  for (const stream of [shop.stdout, shop.stderr]) {
    stream.on('data', (data) => {
      output += String(data);
    });
  }
  try {
    await eventually('the shop to listen', async () => {
      if (shop.exitCode !== null) throw new Error(output);
      return output.includes(`http://127.0.0.1:${port}`) ? true : null;
    });
    const bought = await fetch(`http://127.0.0.1:${port}/buy`, { method: 'POST', redirect: 'manual' });
    expect([bought.status, bought.headers.get('location')]).toEqual([303, expect.stringContaining('/paystack/')]);
  } finally {
    shop.kill();
    await harness.close();
  }
});
