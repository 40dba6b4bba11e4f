// @vitest-environment happy-dom
import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { CurrencyImpact } from '#/copy/incident-impact.ts';
import type { Incident, StoryEvent } from '#/copy/incident-story.ts';
import { button, expectCalls, hrefOf, openDashboard, textOf } from '#/testing/dashboard.tsx';
import { partial } from '#/testing/partial.ts';
import { IncidentPage } from './incident-page.tsx';

const AT = new Date('2024-11-21T13:02:00Z');
const later = (minutes: number) => new Date(AT.getTime() + minutes * 60_000);
const ACCOUNT = {
  merchantId: 'm-1',
  merchantName: 'Balogun Books',
  accountId: 'acc-1',
  gateway: 'Paystack',
  label: 'paystack-main',
};
const FAULT = { paymentId: 'p-1', code: 'timeout', message: 'Paystack did not answer in time.' };
const DRAIN = {
  account: ACCOUNT,
  method: null,
  action: 'drain',
  reason: 'Gateway outage',
  by: 'Ada Obi',
  isExpired: false,
  isPutBack: false,
  isOfGateway: false,
  expiresAt: null,
} as const;
const SLOW = {
  code: 'slow',
  gateway: 'Paystack',
  method: 'CARD',
  state: 'down',
  since: later(1).toISOString(),
  again: false,
  latencyMs: 9_000,
  usualMs: null,
} as const;
const EVENTS: readonly StoryEvent[] = [
  { what: 'first_sign', at: AT, account: ACCOUNT, fault: FAULT },
  { what: 'health', at: later(1), account: ACCOUNT, method: 'CARD', state: 'down', why: SLOW },
  { what: 'opened', at: later(1) },
  {
    what: 'notified',
    at: later(2),
    event: 'opened',
    state: 'SENT',
    channels: [
      { name: 'On call', kind: 'slack' },
      { name: 'Ops', kind: 'email' },
    ],
    error: null,
  },
  { what: 'acknowledged', at: later(3), by: 'Ada Obi' },
  { what: 'muted', at: later(3), by: 'Ada Obi', until: later(243) },
  { what: 'unmuted', at: later(4), by: null },
  { what: 'override_set', at: later(4), ...DRAIN },
  { what: 'rules_published', at: later(5), merchantName: 'Balogun Books', version: 8, by: null },
  { what: 'override_ended', at: later(20), ...DRAIN },
  { what: 'recovered', at: later(30) },
  { what: 'closed', at: later(31), isAbsorbed: false },
];
const SPANS = [
  { state: 'healthy' as const, from: later(-30), to: later(1), why: null },
  { state: 'down' as const, from: later(1), to: null, why: null },
];
const CHART = {
  from: later(-30),
  to: later(31),
  stepMs: 60_000,
  series: [
    { method: null, steps: [0, 32], succeeded: [5, 0], faulted: [0, 12], latencyMs: [240, null], spans: SPANS },
    { method: 'CARD', steps: [32], succeeded: [0], faulted: [12], latencyMs: [null], spans: SPANS },
  ],
};
const CLOSED = partial<Incident>({
  key: 'i-1',
  incidentId: 'i-1',
  merchantId: 'm-1',
  merchantName: 'Balogun Books',
  mode: 'live',
  kind: 'gateway_down',
  kindTitle: 'Gateway down',
  severity: 'critical',
  title: 'Paystack (paystack-main) is down',
  why: 'Every checkout failed.',
  figures: [{ label: 'Cards', value: 'down' }],
  since: later(1),
  openedAt: later(1),
  closedAt: later(31),
  closedReason: 'ended',
  acknowledgedAt: null,
  mutedUntil: null,
  action: { label: 'View health', path: '/health', query: { account: 'acc-1' } },
  accounts: [{ ...ACCOUNT, metFrom: later(-4), metUntil: later(31), chart: CHART }],
  events: [...EVENTS],
});
const OPEN = partial<Incident>({ ...CLOSED, closedAt: null, closedReason: null, events: EVENTS.slice(0, 3) });

const NONE = { payments: 0, amount: 0n };
const IMPACT: CurrencyImpact = {
  currency: 'NGN',
  met: { payments: 13, amount: 45_000n },
  outcomes: {
    recovered: { payments: 9, amount: 30_000n },
    retried: { payments: 1, amount: 5_000n },
    lost: { payments: 3, amount: 10_000n },
    open: NONE,
    same_account: NONE,
  },
  recoveredBy: [
    { gateway: 'flutterwave', payments: 8, amount: 25_000n },
    { gateway: 'monnify', payments: 1, amount: 5_000n },
  ],
  lostInCheckout: { payments: 2, amount: 6_000n },
  extraFee: { amount: '37.5', payments: 9, withoutContract: 0 },
  lostWithoutFallbacks: { payments: 12, amount: 40_000n },
};

const NOTHING_WRITTEN = { notes: [], postMortem: null };
const NOTE = { noteId: 'n-1', text: 'Called their support.', authorName: 'Ada Obi', createdAt: later(10) };
const POST_MORTEM = { text: 'Their database was full.', revision: 3, updatedByName: 'Ada Obi', updatedAt: later(90) };

const page = openDashboard('?mode=live', '/alerts/i-1');
beforeEach(() => {
  page.allow('alert:read', 'payment:read', 'health:read');
  page.on('incidents.byId', () => CLOSED);
  accountsNow(NOW);
  page.on('incidents.impact', () => ({ currencies: [IMPACT], isCut: false }));
  page.on('incidents.notes', () => NOTHING_WRITTEN);
});

const HEALTH = { judgedBy: 'method', why: { code: 'unused' }, since: AT, answersSince: null } as const;
const NOW = {
  merchantId: 'm-1',
  merchantName: 'Balogun Books',
  accountId: 'acc-1',
  label: 'paystack-main',
  gateway: 'paystack',
  gatewayTitle: 'Paystack',
  enabled: true,
  fault: null,
  health: [{ ...HEALTH, method: null, state: 'down' }],
  overrides: [],
  planned: [],
};
const DRAINED = { overrideId: 'o-1', gateway: null, method: null, action: 'drain', expiresAt: null, putBack: false };
const accountsNow = (...accounts: readonly object[]) => page.on('health.overview', () => ({ asOf: AT, accounts, trouble: [] }));

const showPage = () => page.show(<IncidentPage incidentId="i-1" />);
const section = async (name: string) => within(await screen.findByRole('region', { name }));

describe('the accounts of an incident as they are now', () => {
  beforeEach(() => page.allow('alert:read', 'payment:read', 'health:read', 'override:set'));

  test('are drained in two clicks while it is open, with a reason proposed', async () => {
    page.on('incidents.byId', () => OPEN);
    page.on('gateways.usage', () => ({ payments: 12, onlyFor: [] }));
    page.on('health.setOverride', () => ({ kind: 'set', override: { id: 'o-1' } }));
    const user = showPage();
    await user.click(await screen.findByRole('button', { name: 'Drain paystack-main of Balogun Books' }));
    const dialog = within(await screen.findByRole('dialog'));
    await user.click(dialog.getByRole('checkbox', { name: /Put back by itself/ }));
    await user.click(dialog.getByRole('button', { name: 'Drain paystack-main' }));
    await expectCalls(page, 'health.setOverride', [
      expect.objectContaining({ accountId: 'acc-1', action: 'drain', reason: 'Gateway outage', putBack: true }),
    ]);
  });

  test('are put back in one click once they have recovered, also after it has closed', async () => {
    accountsNow({ ...NOW, overrides: [{ ...DRAINED, recoveredAt: later(25) }] });
    page.on('health.endOverride', () => ({ kind: 'ended' }));
    const user = showPage();
    await screen.findByText('Recovered, still drained:');
    await user.click(screen.getByRole('button', { name: 'Put back paystack-main of Balogun Books' }));
    await expectCalls(page, 'health.endOverride', [{ merchantId: 'm-1', overrideId: 'o-1' }]);
  });

  test('are not offered to be put back while they fail', async () => {
    page.on('incidents.byId', () => OPEN);
    accountsNow({ ...NOW, overrides: [{ ...DRAINED, recoveredAt: null }] });
    showPage();
    await screen.findByRole('button', { name: 'End drain of paystack-main of Balogun Books' });
    expect(screen.queryByRole('button', { name: /Put back/ })).toBeNull();
  });

  test('say that only a checkout can show that they work, where status checks saw no fault', async () => {
    page.on('incidents.byId', () => OPEN);
    accountsNow({
      ...NOW,
      health: [{ ...HEALTH, method: null, state: 'probing' }],
      overrides: [{ ...DRAINED, recoveredAt: null }],
    });
    showPage();
    await screen.findByText(/only a checkout can show whether it works/);
    screen.getByRole('button', { name: 'Put back paystack-main of Balogun Books' });
  });

  test('of a correlated outage are drained with their gateway for all merchants, by who may act for all of them', async () => {
    const outage = { ...OPEN, kind: 'correlated_outage', merchantId: null, merchantName: null };
    page.on('incidents.byId', () => outage);
    accountsNow(
      NOW,
      { ...NOW, accountId: 'acc-2', merchantId: 'm-2' },
      { ...NOW, accountId: 'acc-3', gateway: 'kora', gatewayTitle: 'Kora' },
    );
    page.on('health.drainGateway', () => ({ kind: 'set', override: { id: 'o-2' } }));
    page.on('gateways.gatewayUsage', () => ({
      accounts: 2,
      merchants: 2,
      payments: 312,
      stranded: [{ merchantId: 'm-2', merchantName: 'Ade Fabrics', methods: ['CARD', 'USSD'] }],
      strandedCount: 3,
    }));
    const user = showPage();
    await user.click(await screen.findByRole('button', { name: 'Drain Paystack for all merchants' }));
    expect(screen.queryByRole('button', { name: 'Drain Kora for all merchants' })).toBeNull();
    const dialog = within(await screen.findByRole('dialog', { name: 'Drain Paystack for all merchants?' }));
    await dialog.findByText(/312 payments of the last 24 hours went there, by 2 accounts of 2 merchants in live mode/);
    expect(textOf(dialog.getByRole('note'))).toBe(
      'Payments of 3 merchants would fail: no other account takes them.Ade Fabrics: card, USSD2 other merchants',
    );
    expect(page.calls('gateways.gatewayUsage')).toEqual([{ gateway: 'paystack', mode: 'live' }]);
    await user.click(dialog.getByRole('button', { name: 'Drain Paystack' }));
    await expectCalls(page, 'health.drainGateway', [expect.objectContaining({ gateway: 'paystack', mode: 'live' })]);
  });

  test('of one outage alone are drained one by one', async () => {
    page.on('incidents.byId', () => OPEN);
    showPage();
    await screen.findByRole('button', { name: 'Drain paystack-main of Balogun Books' });
    expect(screen.queryByRole('button', { name: /for all merchants/ })).toBeNull();
  });

  test('of a gateway that is drained for all merchants are put back by who may act for all of them', async () => {
    const one = { ...NOW, overrides: [{ ...DRAINED, gateway: 'paystack', recoveredAt: later(25) }] };
    accountsNow(one);
    showPage();
    await screen.findByText(/Paystack, for all merchants/);
  });
});

describe('the page of an incident', () => {
  test('says what it was, of whom, when it began and how long it lasted', async () => {
    showPage();
    await screen.findByRole('heading', { level: 1, name: 'Paystack (paystack-main) is down' });
    screen.getByText('Closed', { selector: 'p *' });
    screen.getByText('Gateway down · Balogun Books · Live');
    expect(textOf(screen.getByText(/lasted 30 min/))).toBe('21 Nov, 14:03:00, lasted 30 min');
    screen.getByText('Cards: down');
    expect(hrefOf('Alerts')).toBe('/alerts?mode=live');
    expect(screen.queryByRole('button', { name: /Acknowledge|Mute/ })).toBeNull();
  });

  test('says what happened, in order, with who did it and what it meant for routing', async () => {
    showPage();
    const steps = (await section('Timeline')).getAllByRole('listitem').map(textOf);
    expect(steps).toEqual([
      'First failed checkout: paystack-mainPaystack did not answer in time.21 Nov, 14:02:00',
      'Down: paystack-main, CardDown from 14:03: checkouts take 9.0 s on average (Paystack, card).Routing: payments went there only when no better account opened a checkout21 Nov, 14:03:00+1 min',
      'Incident opened21 Nov, 14:03:00+0 ms',
      'Alert sentTo On call (Slack), Ops (E-mail)21 Nov, 14:04:00+1 min',
      'AcknowledgedBy Ada Obi21 Nov, 14:05:00+1 min',
      'MutedNo messages until 21 Nov, 18:05:00.By Ada Obi21 Nov, 14:05:00+0 ms',
      'UnmutedMessages are sent again.By a former colleague21 Nov, 14:06:00+1 min',
      'Drained: paystack-mainGateway outageNo new payments go there. Open checkouts can still be paid. By Ada Obi21 Nov, 14:06:00+0 ms',
      'Rules published: version 8By the system21 Nov, 14:07:00+1 min',
      'Drain ended: paystack-mainBy Ada Obi21 Nov, 14:22:00+15 min',
      'Recovered21 Nov, 14:32:00+10 min',
      'ClosedHealthy for 30 s.21 Nov, 14:33:00+1 min',
    ]);
  });

  test('counts the payments that met the fault, as a number that opens their list, and what became of them', async () => {
    showPage();
    const impact = await section('Impact');
    const link = await impact.findByRole('link', { name: '13 payments' });
    const list = '/payments?mode=live&merchant=m-1&affected=i-1';
    expect(link.getAttribute('href')).toBe(list);
    impact.getByText(
      '(NGN 45,000.00) affected: 9 recovered (NGN 30,000.00), 1 made to try again (NGN 5,000.00), 3 lost (NGN 10,000.00).',
    );
    expect(hrefOf('9')).toBe(`${list}&outcome=recovered`);
    expect(hrefOf('3')).toBe(`${list}&outcome=lost`);
    expect(hrefOf('8')).toBe(`${list}&outcome=recovered&at=flutterwave`);
    expect(hrefOf('2 of them')).toBe(`${list}&outcome=lost_in_checkout`);
    expect(page.calls('incidents.impact')).toEqual([{ incidentId: 'i-1', merchantId: 'm-1' }]);
    const rows = impact.getAllByRole('term').map((term) => textOf(term.parentElement ?? term));
    expect(rows).toEqual([
      'RecoveredPaid at another gateway account.By Flutterwave: 8, NGN 25,000.00By Monnify: 1, NGN 5,000.009NGN 30,000.00',
      'Made to try againNot paid; the same customer paid the same amount with another payment within a day.1NGN 5,000.00',
      'LostNot paid, and the customer did not pay with another payment. 2 of them had a checkout at another gateway and did not pay.3NGN 10,000.00',
    ]);
    impact.getByText(
      'Without fallbacks 9 more payments (NGN 30,000.00) would have been lost, 12 in all (NGN 40,000.00). By contract their fees are NGN 37.50 higher than at the account that failed.',
    );
  });

  test('keeps currencies apart, and says that no payment met the fault', async () => {
    page.on('incidents.impact', () => ({ currencies: [IMPACT, { ...IMPACT, currency: 'GHS' }], isCut: true }));
    showPage();
    const impact = await section('Impact');
    const ofGhana = within(await impact.findByRole('article', { name: 'Impact, GHS' }));
    expect(ofGhana.getByRole('link', { name: '13 payments' }).getAttribute('href')).toBe(
      '/payments?mode=live&merchant=m-1&affected=i-1&currency=GHS',
    );
    impact.getByText(/the latest 20,000 are counted/);
  });

  test('says that no payment was affected', async () => {
    page.on('incidents.impact', () => ({ currencies: [], isCut: false }));
    showPage();
    await (await section('Impact')).findByText('No payment has been affected so far.');
  });

  test('shows the health of that time, by method, with its figures as a table', async () => {
    const user = showPage();
    const health = await section('Health');
    health.getByRole('article', { name: 'Health of paystack-main' });
    expect(
      health
        .getAllByRole('img')
        .slice(0, 2)
        .map((image) => image.getAttribute('aria-label')),
    ).toEqual([
      '5 checkouts answered and 12 failed in 13:32 to 14:33; in trouble for 30 min.',
      '0 checkouts answered and 12 failed in 13:32 to 14:33; in trouble for 30 min.',
    ]);
    await user.click(screen.getByRole('radio', { name: 'Table' }));
    expect(health.getAllByRole('row')).toHaveLength(3);
  });

  test('names accounts with few checkouts in one line, and draws no chart of them', async () => {
    const none = { ...CHART.series[0], steps: [], succeeded: [], faulted: [], latencyMs: [] };
    const some = { ...none, steps: [3], succeeded: [3], faulted: [1], latencyMs: [200] };
    const other = (label: string, series: object) => ({
      ...CLOSED.accounts[0],
      accountId: label,
      label,
      chart: { ...CHART, series: [series] },
    });
    page.on('incidents.byId', () => ({
      ...CLOSED,
      accounts: [...CLOSED.accounts, other('kora-main', none), other('squad-main', some)],
    }));
    showPage();
    const health = await section('Health');
    // No point of the success rate has enough checkouts.
    expect(health.queryByText('Success rate')).toBeNull();
    health.getByText('Latency, mean');
    health.getByText('Too few checkouts for a chart: kora-main · Paystack (none), squad-main · Paystack (4).');
    expect(health.getAllByRole('article').map((article) => article.getAttribute('aria-label'))).toEqual([
      'Health of paystack-main',
    ]);
  });

  test('shows times to the millisecond on focus, and copies them', async () => {
    const user = showPage();
    const [first] = (await section('Timeline')).getAllByRole('button');
    if (first === undefined) throw new Error('the timeline has no times');
    expect(first).toHaveProperty('textContent', '21 Nov, 14:02:00');
    expect(first.getAttribute('data-exact')).toBe('Thu, 21 Nov 2024, 14:02:00.000 GMT+1');
    await user.click(first);
    expect(await navigator.clipboard.readText()).toBe(AT.toISOString());
  });

  test('says that no chart was kept', async () => {
    page.on('incidents.byId', () => ({ ...CLOSED, accounts: CLOSED.accounts.map((account) => ({ ...account, chart: null })) }));
    showPage();
    await (await section('Health')).findByText('No chart was kept of this incident.');
  });

  test('of what payments do not meet has neither impact nor chart', async () => {
    page.on('incidents.byId', () => ({ ...CLOSED, kind: 'refund_stuck', accounts: [] }));
    showPage();
    await section('Timeline');
    expect(screen.queryByRole('region', { name: 'Impact' })).toBeNull();
    expect(page.calls('incidents.impact')).toEqual([]);
  });

  test('that is open is acknowledged and muted by those who may', async () => {
    page.allow('alert:read', 'alert:acknowledge');
    page.on('incidents.byId', () => OPEN);
    page.on('alerts.acknowledge', () => ({}));
    const user = showPage();
    await screen.findByText('Open');
    await user.click(await screen.findByRole('button', { name: 'Acknowledge: Paystack (paystack-main) is down' }));
    await expectCalls(page, 'alerts.acknowledge', [{ merchantId: 'm-1', incidentId: 'i-1' }]);
    button('Mute 4 h: Paystack (paystack-main) is down');
    expect(screen.queryByRole('region', { name: 'Impact' })).toBeNull();
  });
});

describe('what people write about an incident', () => {
  beforeEach(() => page.allow('alert:read', 'alert:acknowledge'));

  test('are notes, to which those who may acknowledge add', async () => {
    page.on('incidents.notes', () => ({ ...NOTHING_WRITTEN, notes: [NOTE] }));
    page.on('incidents.addNote', () => ({ kind: 'added', noteId: 'n-2' }));
    const user = showPage();
    const notes = await section('Notes');
    expect(notes.getAllByRole('listitem').map(textOf)).toEqual(['Called their support.Ada Obi, 21 Nov, 14:12:00']);
    await user.type(notes.getByLabelText('Add a note'), 'They fixed it.');
    await user.click(notes.getByRole('button', { name: 'Add note' }));
    await expectCalls(page, 'incidents.addNote', [{ merchantId: 'm-1', incidentId: 'i-1', text: 'They fixed it.' }]);
  });

  test('is a post-mortem, which is changed from what was read', async () => {
    page.on('incidents.notes', () => ({ ...NOTHING_WRITTEN, postMortem: POST_MORTEM }));
    page.on('incidents.writePostMortem', () => ({ kind: 'changed_meanwhile' }));
    const user = showPage();
    const part = await section('Post-mortem');
    part.getByText('Their database was full.');
    await user.click(part.getByRole('button', { name: 'Edit' }));
    const text = part.getByLabelText('Text');
    await user.clear(text);
    await user.type(text, 'A disk was full.');
    await user.click(part.getByRole('button', { name: 'Save post-mortem' }));
    await expectCalls(page, 'incidents.writePostMortem', [
      { merchantId: 'm-1', incidentId: 'i-1', text: 'A disk was full.', revision: 3 },
    ]);
    await part.findByText(/Another person changed it meanwhile/);
    page.on('incidents.writePostMortem', () => ({ kind: 'written', revision: 4 }));
    page.on('incidents.notes', () => ({ ...NOTHING_WRITTEN, postMortem: { ...POST_MORTEM, text: 'A disk was full.' } }));
    await user.click(part.getByRole('button', { name: 'Save post-mortem' }));
    await part.findByText('A disk was full.', { selector: 'p' });
  });

  test('begins with what is known, and asks for actions with their owners', async () => {
    const user = showPage();
    const part = await section('Post-mortem');
    part.getByText('Not written yet.');
    await user.click(part.getByRole('button', { name: 'Write' }));
    const text: HTMLTextAreaElement = await part.findByLabelText('Text');
    expect(text.value.match(/^### .*$/gm)).toEqual([
      '### Summary',
      '### Timeline',
      '### Impact',
      '### Cause',
      '### What was done',
      '### Actions',
    ]);
    expect(text.value).toContain('for 30 min, from 21 Nov, 14:03:00');
    expect(text.value).toContain('Owner: … Due: …');
    await user.click(part.getByRole('button', { name: 'Cancel' }));
    part.getByText('Not written yet.');
  });

  test('is read by those who may not write, where there is something', async () => {
    page.allow('alert:read');
    page.on('incidents.notes', () => ({ ...NOTHING_WRITTEN, notes: [NOTE] }));
    showPage();
    const notes = await section('Notes');
    expect(notes.queryByLabelText('Add a note')).toBeNull();
    expect(screen.queryByRole('region', { name: 'Post-mortem' })).toBeNull();
  });
});

test('an incident is saved as Markdown, with what its reader may see', async () => {
  const saved: Blob[] = [];
  const create = vi.spyOn(URL, 'createObjectURL').mockImplementation((blob) => {
    if (blob instanceof Blob) saved.push(blob);
    return 'blob:incident';
  });
  page.allow('alert:read');
  page.on('incidents.notes', () => ({ notes: [NOTE], postMortem: POST_MORTEM }));
  const user = showPage();
  await user.click(await screen.findByRole('button', { name: 'Markdown' }));
  await waitFor(() => expect(saved).toHaveLength(1));
  const text = await saved[0]?.text();
  expect(text).toContain('# Paystack (paystack-main) is down');
  expect(text).toContain('> Called their support.');
  expect(text).not.toContain('## Impact');
  create.mockRestore();
});
