import { expect, test } from 'vitest';
import { partial } from '../testing/partial.ts';
import type { Incident } from './incident-story.ts';
import { postMortemDraft } from './post-mortem.ts';

const AT = new Date('2024-11-21T13:02:00Z');
const later = (minutes: number) => new Date(AT.getTime() + minutes * 60_000);
const ACCOUNT = {
  merchantId: 'm-1',
  merchantName: 'Balogun Books',
  accountId: 'a-1',
  gateway: 'Paystack',
  label: 'paystack-main',
};
const DRAIN = {
  account: ACCOUNT,
  isOfGateway: true,
  method: null,
  action: 'drain',
  reason: 'Outage',
  by: 'Ada Obi',
  expiresAt: null,
};
const INCIDENT = partial<Incident>({
  title: 'Paystack (paystack-main) was down',
  why: 'Down from 14:02: 18 of 22 checkouts timed out in 30 s (Paystack, card).',
  since: AT,
  closedAt: later(30),
  accounts: [],
  events: [
    { what: 'first_sign', at: AT, account: ACCOUNT, fault: { paymentId: 'p', code: 'timeout', message: 'No answer.' } },
    { what: 'notified', at: later(1), event: 'opened', state: 'SENT', channels: [], error: null },
    { what: 'acknowledged', at: later(3), by: 'Ada Obi' },
    { what: 'override_set', at: later(4), ...DRAIN, isExpired: false, isPutBack: false },
    { what: 'override_ended', at: later(40), ...DRAIN, isExpired: false, isPutBack: true },
  ] as Incident['events'],
});

test('a post-mortem begins with what is known, under headings', () => {
  expect(postMortemDraft(INCIDENT, { currencies: [], isCut: false })).toMatchInlineSnapshot(`
    "### Summary
    Paystack (paystack-main) was down for 30 min, from 21 Nov, 14:02:00 to 21 Nov, 14:32:00. Down from 14:02: 18 of 22 checkouts timed out in 30 s (Paystack, card).

    ### Timeline
    - 21 Nov, 14:02:00: First failed checkout: paystack-main
    - 21 Nov, 14:05:00 (+3 min): Acknowledged, by Ada Obi
    - 21 Nov, 14:06:00 (+4 min): Drained: Paystack for all merchants, by Ada Obi
    - 21 Nov, 14:42:00 (+40 min): Drain ended: Paystack for all merchants. Put back by itself: the gateway had recovered

    ### Impact
    No payment has been affected so far.

    ### Cause


    ### What was done


    ### Actions
    - Action: … Owner: … Due: …
    "
  `);
});

test('of an incident that lasts it says since when; without the impact that is left to people', () => {
  const draft = postMortemDraft({ ...INCIDENT, closedAt: null }, null);
  expect(draft).toContain('Paystack (paystack-main) was down, since 21 Nov, 14:02:00.');
  expect(draft).toContain('### Impact\n\n');
});
