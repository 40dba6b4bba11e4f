import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Sandbox } from '../sandbox.ts';
import { at, call, listAt, quickSandbox } from '../testing/harness.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await quickSandbox();
});
afterAll(() => sandbox.close());

const shop = (path: string) => `${sandbox.controlUrl}/shop/${path}`;
const messages = async (name: string) =>
  listAt((await call('GET', `${sandbox.controlUrl}/control/shop/${name}`)).body, 'messages');

describe("a merchant's server", () => {
  it('lists the webhooks it receives, newest first, separately for each shop', async () => {
    for (const order of [1, 2]) {
      expect((await call('POST', shop('fabrics'), null, { type: 'payment.succeeded', order })).status).toBe(200);
    }
    await call('POST', shop('kitchen'), null, 'no json <b>');
    expect((await messages('fabrics')).map((message) => [at(message, 'type'), at(message, 'body')])).toEqual([
      ['payment.succeeded', '{"type":"payment.succeeded","order":2}'],
      ['payment.succeeded', '{"type":"payment.succeeded","order":1}'],
    ]);
    const { text } = await call('GET', shop('kitchen'));
    expect(text).toContain('no json &lt;b&gt;');
    expect(text).not.toContain('payment.succeeded');
  });

  it('answers with the status in its address, and keeps no more than 500', async () => {
    expect((await call('POST', `${shop('broken')}?answer=503`, null, {})).status).toBe(503);
    expect(await messages('broken')).toMatchObject([{ answered: 503 }]);
    expect((await call('POST', shop('No Such'), null, {})).status).toBe(404);
    for (let sent = 0; sent < 510; sent += 1) await call('POST', shop('busy'), null, {});
    expect(await messages('busy')).toHaveLength(500);
    expect(await messages('broken')).toEqual([]);
  });
});
