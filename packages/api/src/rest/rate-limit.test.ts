import { issueKey } from '@switchyard/merchants/console/api-keys';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { serveOverHttp } from '../testing/served.ts';
import { createTestMerchant, ORIGIN, openTestSwitchyard } from '../testing/switchyard.ts';

const PER_SECOND = 2;

let opened: Awaited<ReturnType<typeof openTestSwitchyard>>;
let served: Awaited<ReturnType<typeof serveOverHttp>>;
let merchantId: string;

beforeAll(async () => {
  opened = await openTestSwitchyard(ORIGIN, { SWITCHYARD_REQUESTS_PER_SECOND: String(PER_SECOND) });
  merchantId = await createTestMerchant(opened.switchyard, 'Balogun Books');
  served = await serveOverHttp(opened.switchyard);
});
afterAll(async () => {
  await served.close();
  await opened.close();
});

async function issue(): Promise<string> {
  const command = {
    merchantId,
    mode: 'test',
    name: 'server',
    expiresAt: null,
    scopes: ['full_access'],
    actor: 'staff:ada',
  } as const;
  const outcome = await issueKey(opened.switchyard, command);
  if (outcome.kind !== 'issued') throw new Error(outcome.kind);
  return outcome.secretKey;
}

test('a key past its requests a second is refused with the seconds to wait, and another key of the merchant is served', async () => {
  const [busy, other] = [await issue(), await issue()];
  const ask = (key: string) =>
    fetch(`${served.url}/v1/payments/0193471e-8a3b-7c21-9f4e-2b6d5a7c9e11`, { headers: { authorization: `Bearer ${key}` } });
  // A second may end while they are asked.
  const answers = await Promise.all(Array.from({ length: 4 * PER_SECOND }, () => ask(busy)));
  const refused = answers.filter(({ status }) => status === 429);
  expect(refused.length).toBeGreaterThanOrEqual(2 * PER_SECOND);
  for (const { headers } of refused) {
    expect(Number(headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    expect(headers.get('ratelimit')).toBe('"default";r=0;t=1');
  }
  expect((await ask(other)).status).toBe(404);
});
