import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Sandbox } from '../sandbox.ts';
import { at, call, listAt, quickSandbox } from '../testing/harness.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await quickSandbox();
});
afterAll(() => sandbox.close());

const send = (service: string, body: unknown) => call('POST', `${sandbox.controlUrl}/messages/${service}`, null, body);
const caught = async () =>
  listAt((await call('GET', `${sandbox.controlUrl}/control/messages`)).body, 'messages').map((one) => [
    at(one, 'service'),
    at(one, 'headline'),
  ]);

describe('the message catcher', () => {
  it('answers as each service does and lists what it received, newest first', async () => {
    const card = { content: { body: [{ type: 'TextBlock', text: 'Gateway down' }] } };
    expect(await send('slack', { text: 'Gateway <down>' })).toMatchObject({ status: 200, text: 'ok' });
    expect((await send('teams', { type: 'message', attachments: [card] })).status).toBe(202);
    const event = { routing_key: 'R', event_action: 'trigger', dedup_key: 'k1', payload: { summary: 'Gateway down' } };
    expect((await send('pagerduty', event)).status).toBe(202);
    expect((await send('pagerduty', { routing_key: 'R', event_action: 'resolve', dedup_key: 'k1' })).status).toBe(202);
    expect((await send('webhook', { type: 'incident.opened', data: { title: 'Paystack is down' } })).status).toBe(200);
    expect(await caught()).toEqual([
      ['webhook', 'incident.opened: Paystack is down'],
      ['pagerduty', 'resolve: k1'],
      ['pagerduty', 'trigger: Gateway down'],
      ['teams', 'Gateway down'],
      ['slack', 'Gateway <down>'],
    ]);
    const { text } = await call('GET', `${sandbox.controlUrl}/messages`);
    expect(text).toContain('Gateway &lt;down&gt;');
  });

  it('refuses what the service would refuse', async () => {
    expect((await send('slack', {})).status).toBe(400);
    expect((await send('teams', { text: 'x' })).status).toBe(400);
    expect((await send('pagerduty', { event_action: 'trigger', payload: { summary: 'x' } })).status).toBe(400);
    expect((await send('fax', { text: 'x' })).status).toBe(404);
  });

  it('forgets on demand, and keeps no more than 200', async () => {
    for (let sent = 0; sent < 205; sent += 1) await send('slack', { text: String(sent) });
    expect(await caught()).toHaveLength(200);
    await call('POST', `${sandbox.controlUrl}/messages/clear`, null, {});
    expect(await caught()).toEqual([]);
  });
});
