import type { Page } from '@playwright/test';
import { z } from 'zod';
import { expectAccessible } from './fixtures/overlays.ts';
import { openReceiver } from './fixtures/receiver.ts';
import { call, signInAsOwner } from './fixtures/staff.ts';
import { demo, expect, merchant, test } from './fixtures/test.ts';

const CHANNEL = `On call ${Date.now()}`;
/** Time for the message of an incident's end: a condition absent for 30 seconds has ended, and the worker checks every ten. */
const ENDS_WITHIN_MS = 60_000;

const channelsSchema = z.array(z.looseObject({ channelId: z.uuid(), name: z.string(), kind: z.string() }));

test('staff add a channel, are told once that an endpoint was switched off, and once that this is over', async ({ page }) => {
  await page.request.post(`${demo.sandboxUrl}/messages/clear`);
  await signInAsOwner(page);
  const endpoint = await addEndpoint(page);
  await page.goto('/alerts/channels?mode=test');
  await page.getByRole('button', { name: 'Add a channel' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Slack').check();
  await dialog.getByLabel('Name').fill(CHANNEL);
  await dialog.getByLabel('Address of the incoming webhook').fill('nowhere');
  await dialog.getByRole('button', { name: 'Add channel' }).click();
  await expect(dialog).toContainText('Must be an https:// or http:// address');
  await expectAccessible(page);
  await dialog.getByLabel('Address of the incoming webhook').fill(`${demo.sandboxUrl}/messages/slack`);
  await dialog.getByRole('button', { name: 'Add channel' }).click();
  const channel = page.getByRole('listitem').filter({ hasText: CHANNEL });
  await channel.getByRole('button', { name: `Send test to ${CHANNEL}` }).click();
  await expect(channel).toContainText('Last message arrived', { timeout: 20_000 });
  expect(await messagesOf(page, 'Test message')).toHaveLength(1);
  await sendAtOnce(page);

  // The merchant's server says that the endpoint is gone.
  endpoint.receiver.answerWith(410);
  await page.goto(endpoint.path);
  await page.getByRole('button', { name: 'Send test event' }).click();
  await page.goto('/alerts?mode=test');
  const incident = page.getByRole('row').filter({ hasText: endpoint.host });
  await expect(incident).toContainText('Warning', { timeout: 30_000 });
  await expect.poll(() => messagesOf(page, endpoint.host), { timeout: 20_000 }).toHaveLength(1);
  await incident.getByRole('button', { name: /^Acknowledge/ }).click();
  await expect(incident).toContainText(/By .+ (just now|\d+ s ago)/);

  endpoint.receiver.answerWith(200);
  await incident.getByRole('link', { name: /^View endpoint/ }).click();
  await page.getByRole('button', { name: 'Enable' }).click();
  await expect(page.getByRole('button', { name: 'Send test event' })).toBeVisible();
  await page.goto('/alerts?mode=test');
  await expect(incident).toHaveCount(0);
  await expect.poll(() => messagesOf(page, endpoint.host), { timeout: ENDS_WITHIN_MS }).toHaveLength(2);
  await page.getByRole('tab', { name: 'History' }).click();
  await expect(incident.first()).toContainText('Warning');
  await page.getByRole('button', { name: 'Columns', exact: true }).click();
  const kept = page.waitForResponse(/account\.setTable/);
  await page.getByRole('checkbox', { name: 'Type' }).click();
  await kept;
  await page.keyboard.press('Escape');
  await expect(page.getByRole('columnheader', { name: 'Type' })).toBeVisible();
  await page.reload();
  await expect(page.getByRole('columnheader', { name: 'Type' })).toBeVisible();
  await page.getByRole('tab', { name: 'Messages' }).click();
  await expect(page.getByText(CHANNEL).first()).toBeVisible();
  await expectAccessible(page);
  await page.goto('/alerts/channels?mode=test');
  await channel.getByRole('button', { name: `Disable ${CHANNEL}` }).click();
  await expect(channel).toContainText('Disabled');
  await endpoint.receiver.close();
});

/** An endpoint of the merchant at a server of ours, and its page. */
async function addEndpoint(page: Page) {
  const receiver = await openReceiver();
  const { payment } = await merchant.initiate();
  const { merchantId } = z.looseObject({ merchantId: z.uuid() }).parse(payment.recommendedGateway.session?.metadata);
  const settings = { merchantId, mode: 'test', url: receiver.url, types: [], description: 'Alerts' };
  const { endpointId } = await call(page, 'webhooks.create', settings, z.object({ endpointId: z.uuid() }));
  const path = `/webhooks/endpoints/${endpointId}?mode=test&merchant=${merchantId}`;
  return { receiver, path, host: new URL(receiver.url).host };
}

/** The first lines of the messages that the sandbox's Slack received about something. */
async function messagesOf(page: Page, about: string): Promise<string[]> {
  const answer = await page.request.get(`${demo.sandboxUrl}/control/messages`);
  const caughtSchema = z.array(z.object({ service: z.string(), headline: z.string(), body: z.string() }));
  const { messages } = z.object({ messages: caughtSchema }).parse(await answer.json());
  return messages.filter(({ service, body }) => service === 'slack' && body.includes(about)).map(({ headline }) => headline);
}

/** Sends without waiting for others to go into the same message. */
async function sendAtOnce(page: Page): Promise<void> {
  const input = encodeURIComponent(JSON.stringify({ json: { merchantId: null } }));
  const answer = await page.request.get(`/api/trpc/alerts.channels?input=${input}`);
  const reply = z.object({ result: z.object({ data: z.object({ json: channelsSchema }) }) }).parse(await answer.json());
  const channelId = reply.result.data.json.find(({ name }) => name === CHANNEL)?.channelId;
  const settings = {
    name: CHANNEL,
    modes: ['test'],
    kinds: [],
    minSeverity: 'warning',
    escalationsOnly: false,
    groupSeconds: 0,
    quietHours: null,
    escalation: null,
  };
  await call(
    page,
    'alerts.updateChannel',
    { merchantId: null, channelId, settings },
    z.looseObject({ kind: z.literal('changed') }),
  );
}
