import { dayText } from '@switchyard/db/moments';
import { formatMoney } from '@switchyard/routing';
import { settlementLineNoun, settlementNoun } from '@switchyard/settlements/nouns';
import { z } from 'zod';
import { defineTool, quoteOrNull, quoteText, ToolRefusal, UNTRUSTED_WARNING, untrusted } from '../tool.ts';
import { cursorOf, limitOf, merchantIds, textOf } from './inputs.ts';

const PAGE_MAX = 50;
const LINES_MAX = 100;

const settlement = z.strictObject({
  settlementId: z.string(),
  merchantId: z.string(),
  account: z.string(),
  gateway: z.string(),
  status: z.string(),
  currency: z.string(),
  amounts: z.record(z.string(), z.string()).describe('Exact decimals: gross, fees, deductions, net, unexplained.'),
  settledOn: z.string().nullable(),
  lineCount: z.int(),
  openDiscrepancies: z.int(),
  untrusted: untrusted({ reference: z.string() }),
});

interface Listed {
  readonly settlementId: string;
  readonly merchantId: string;
  readonly accountLabel: string;
  readonly gateway: string;
  readonly status: string;
  readonly currency: string;
  readonly gross: string;
  readonly fees: string;
  readonly deductions: string;
  readonly net: string;
  readonly unexplained: string;
  readonly settledOn: string | null;
  readonly lineCount: number;
  readonly openDiscrepancies: number;
  readonly reference: string;
}

function shown(item: Listed): z.output<typeof settlement> {
  const { settlementId, merchantId, accountLabel: account, gateway, status, currency, settledOn, lineCount } = item;
  const { gross, fees, deductions, net, unexplained, openDiscrepancies } = item;
  const head = { settlementId, merchantId, account, gateway, status, currency, settledOn, lineCount, openDiscrepancies };
  const amounts = { gross, fees, deductions, net, unexplained };
  return { ...head, amounts, untrusted: { warning: UNTRUSTED_WARNING, reference: quoteText(item.reference) } };
}

export const listSettlements = defineTool({
  name: 'list_settlements',
  title: 'List settlements',
  description:
    'Payouts of gateways, those not paid out yet first, then the newest, at most 50 at once. For the next page, send the same filters with the cursor of this one.',
  changes: 'nothing',
  input: settlementNoun.filter
    .pick({ mode: true, statuses: true, from: true, to: true, unexplainedOnly: true })
    .extend({ merchantIds, cursor: cursorOf(60), limit: limitOf(PAGE_MAX) }),
  output: z.strictObject({
    settlements: z.array(settlement),
    cursor: z.string().nullable().describe('Null on the last page.'),
  }),
  async run({ trpc }, { cursor, ...filter }) {
    const after = cursor === null ? null : readCursor(cursor);
    const { items, next } = await trpc.settlements.list({ ...filter, cursor: after });
    const more = next === null ? 'There are no more.' : 'There are more: send the cursor.';
    return {
      text: `${items.length} settlement(s). ${more}`,
      data: { settlements: items.map(shown), cursor: next === null ? null : `${next.settledOn ?? ''} ${next.settlementId}` },
    };
  },
});

const key = z.object({ settledOn: dayText.nullable(), settlementId: z.uuid().toLowerCase() });

function readCursor(cursor: string): z.output<typeof key> {
  const [settledOn = '', settlementId] = cursor.split(' ');
  const parsed = key.safeParse({ settledOn: settledOn === '' ? null : settledOn, settlementId });
  if (!parsed.success) throw new ToolRefusal('This cursor is not one of ours.');
  return parsed.data;
}

export const getSettlement = defineTool({
  name: 'get_settlement',
  title: 'Get a settlement',
  description: 'One payout with its lines added up by kind, and a page of the lines: the payments, fees and deductions in it.',
  changes: 'nothing',
  input: settlementLineNoun.filter.pick({ kinds: true, unmatchedOnly: true }).extend({
    settlementId: z.uuid().toLowerCase().describe('Id of the settlement; list_settlements finds it.'),
    cursor: z.int().min(0).nullable().default(null).describe('The cursor of the page before.'),
    limit: limitOf(LINES_MAX),
  }),
  output: z.strictObject({
    settlement,
    totals: z.record(z.string(), z.string()).describe('Sums by kind of line.'),
    lines: z.array(
      z.strictObject({
        kind: z.string(),
        amount: z.string(),
        matchedWith: z.array(z.string()).describe('payment/<id>, refund/<id>, dispute/<id>.'),
        occurredAt: z.string().nullable(),
        untrusted: untrusted({ reference: z.string().nullable(), description: z.string().nullable() }),
      }),
    ),
    cursor: z.int().nullable().describe('Null on the last page.'),
  }),
  async run({ trpc }, { settlementId, ...query }) {
    const { totals, ...item } = await trpc.settlements.byId({ settlementId });
    const { items, next } = await trpc.settlements.lines({ settlementId, ...query });
    return {
      text: `${formatMoney(item.currency, item.net)} in ${item.lineCount} line(s).`,
      data: {
        settlement: shown(item),
        totals: Object.fromEntries(totals.map(({ kind, amount }) => [kind, amount])),
        lines: items.map(({ kind, amount, subjects, occurredAt, reference, description }) => ({
          kind,
          amount,
          matchedWith: [...subjects],
          occurredAt: textOf(occurredAt),
          untrusted: { warning: UNTRUSTED_WARNING, reference: quoteOrNull(reference), description: quoteOrNull(description) },
        })),
        cursor: next,
      },
    };
  },
});
