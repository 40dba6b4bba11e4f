import { describe, expect, test } from 'vitest';
import { partial } from '#/testing/partial.ts';
import type { CurrencyImpact } from './incident-impact.ts';
import { incidentMarkdown } from './incident-markdown.ts';
import type { Incident } from './incident-story.ts';

const AT = new Date('2024-11-21T13:02:00Z');
const later = (minutes: number) => new Date(AT.getTime() + minutes * 60_000);
const ACCOUNT = {
  merchantId: 'm-1',
  merchantName: 'Balogun Books',
  accountId: 'acc-1',
  gateway: 'Paystack',
  label: 'paystack|main',
};
const INCIDENT = partial<Incident>({
  incidentId: 'i-1',
  title: 'Paystack (paystack_main) is down',
  why: 'Every checkout failed: <b>500</b>.',
  kindTitle: 'Gateway down',
  merchantName: 'Balogun Books',
  mode: 'live',
  since: AT,
  closedAt: later(30),
  acknowledgedAt: later(3),
  acknowledgedByName: 'Ada Obi',
  accounts: [{ ...ACCOUNT, metFrom: later(-5), metUntil: later(30), chart: null }],
  events: [
    { what: 'first_sign', at: AT, account: ACCOUNT, fault: { paymentId: 'p', code: 'timeout', message: 'No answer\nin time.' } },
    { what: 'acknowledged', at: later(3), by: 'Ada Obi' },
  ],
});
const NONE = { payments: 0, amount: 0n };
const IMPACT: CurrencyImpact = {
  currency: 'NGN',
  met: { payments: 2, amount: 3_000n },
  outcomes: {
    recovered: { payments: 1, amount: 1_000n },
    retried: NONE,
    lost: { payments: 1, amount: 2_000n },
    open: NONE,
    same_account: NONE,
  },
  recoveredBy: [{ gateway: 'flutterwave', payments: 1, amount: 1_000n }],
  lostInCheckout: NONE,
  extraFee: { amount: '-0.5', payments: 1, withoutContract: 0 },
  lostWithoutFallbacks: { payments: 2, amount: 3_000n },
};
const WRITING = {
  notes: [{ noteId: 'n', text: 'Called them.\nThey knew.', authorName: 'Ada Obi', createdAt: later(10) }],
  postMortem: { text: 'Why:\n- their database', revision: 1, updatedByName: 'Ada Obi', updatedAt: later(60) },
};

describe('an incident in Markdown', () => {
  test('has its facts, impact, timeline, post-mortem and notes', () => {
    const markdown = incidentMarkdown({
      incident: INCIDENT,
      impact: { currencies: [IMPACT], isCut: false },
      writing: WRITING,
      url: 'https://pay.example/alerts/i-1',
    });
    expect(markdown).toMatchInlineSnapshot(`
      "# Paystack (paystack\\_main) is down

      Every checkout failed: \\<b\\>500\\</b\\>.

      |  |  |
      |---|---|
      | Type | Gateway down |
      | Merchant | Balogun Books |
      | Mode | Live |
      | Started | Thu, 21 Nov 2024, 14:02:00.000 GMT+1 |
      | Ended | Thu, 21 Nov 2024, 14:32:00.000 GMT+1 |
      | Duration | 30 min |
      | Acknowledged | Ada Obi, Thu, 21 Nov 2024, 14:05:00.000 GMT+1 |

      ## Impact

      2 payments (NGN 3,000.00) affected: 1 recovered (NGN 1,000.00), 1 lost (NGN 2,000.00).

      | What became of them | Payments | Amount |
      |---|---|---|
      | Recovered | 1 | NGN 1,000.00 |
      | – by Flutterwave | 1 | NGN 1,000.00 |
      | Made to try again | 0 | NGN 0.00 |
      | Lost | 1 | NGN 2,000.00 |
      | Still open | 0 | NGN 0.00 |
      | Paid at the same account | 0 | NGN 0.00 |

      Without fallbacks 1 more payment (NGN 1,000.00) would have been lost, 2 in all (NGN 3,000.00). By contract their fees are NGN 0.50 lower than at the account that failed.

      ## Timeline

      | Time | What | Details |
      |---|---|---|
      | 21 Nov, 14:02:00 | First failed checkout: paystack\\|main | No answer in time. |
      | 21 Nov, 14:05:00 | Acknowledged | By Ada Obi |

      ## Post-mortem

      Why:
      - their database

      ## Notes

      > Called them.
      > They knew.
      >
      > Ada Obi, Thu, 21 Nov 2024, 14:12:00.000 GMT+1

      Source: https://pay.example/alerts/i-1
      "
    `);
  });

  test('leaves out what its reader may not see, and what there is not', () => {
    const open = { ...INCIDENT, closedAt: null, acknowledgedAt: null };
    const markdown = incidentMarkdown({ incident: open, impact: null, writing: { notes: [], postMortem: null }, url: 'u' });
    expect(markdown).toContain('| Ended | Still open |');
    expect(markdown).toContain('| Acknowledged | No |');
    expect(markdown.match(/^## .*$/gm)).toEqual(['## Timeline']);
  });

  test('keeps text of others from being markup, or another cell', () => {
    const markdown = incidentMarkdown({ incident: INCIDENT, impact: null, writing: null, url: 'u' });
    expect(markdown).toContain('# Paystack (paystack\\_main) is down');
    expect(markdown).toContain('\\<b\\>500\\</b\\>');
    expect(markdown).toContain('paystack\\|main | No answer in time. |');
  });
});
