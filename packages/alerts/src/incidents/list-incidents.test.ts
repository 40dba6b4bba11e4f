import { NIL_ID } from '@switchyard/db';
import type { IncidentSeverity, Mode } from '@switchyard/db/client';
import { testMerchant } from '@switchyard/merchants/testing';
import { openTestContext, type TestContext } from '@switchyard/runtime/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type ClosedOrder, type ClosedQuery, type IncidentKey, listClosed } from './list-incidents.ts';

let context: TestContext;
let merchantId: string;

beforeAll(async () => {
  context = await openTestContext();
});
afterAll(() => context.close());
beforeEach(async () => {
  await context.database.pool.query('TRUNCATE incident');
  merchantId = await testMerchant(context);
});

const at = (minute: number) => new Date(Date.UTC(2026, 10, 20, 12, minute));

/** An incident that its subject names. Open without an end. */
async function record(
  subject: string,
  [began, ended]: readonly [number, number | null],
  severity: IncidentSeverity,
  more: { readonly merchantId?: string; readonly mode?: Mode } = {},
): Promise<void> {
  await context.database.prisma.incident.create({
    data: {
      merchantId,
      id: context.newId(),
      mode: 'test',
      kind: 'backlog',
      severity,
      subject,
      facts: { of: 'nothing' },
      since: at(began),
      openedAt: at(began),
      closedAt: ended === null ? null : at(ended),
      closedReason: ended === null ? null : 'ended',
      updatedAt: at(began),
      ...more,
    },
  });
}

async function recordSome(): Promise<void> {
  await record('long', [0, 50], 'warning');
  await record('short', [10, 11], 'critical');
  await record('middle', [20, 30], 'info');
  await record('same as middle', [20, 30], 'critical');
  await record('open', [40, null], 'critical');
  await record('live', [1, 2], 'critical', { mode: 'live' });
  await record('of the workspace', [5, 25], 'warning', { merchantId: NIL_ID, mode: 'live' });
  await record('of another', [3, 4], 'critical', { merchantId: await testMerchant(context) });
}

/** The subjects of all pages. Calls `between` after the first page. */
async function walk(sort: ClosedOrder, limit: number, more: Partial<ClosedQuery> = {}, between?: () => Promise<void>) {
  const found: string[] = [];
  let after: IncidentKey | null = null;
  for (let pages = 0; pages < 20; pages += 1) {
    const of = () => ({ merchantIds: [merchantId], workspace: true });
    const query: ClosedQuery = { of, mode: 'test', severity: null, sort, after, limit };
    const page = await listClosed(context, { ...query, ...more });
    found.push(...page.items.map(({ subject }) => subject));
    if (page.next === null) return found;
    after = page.next;
    if (pages === 0) await between?.();
  }
  throw new Error('the pages do not end');
}

const ORDERS: readonly [ClosedOrder['by'], readonly string[]][] = [
  ['began', ['same as middle', 'middle', 'short', 'of the workspace', 'long']],
  ['ended', ['long', 'same as middle', 'middle', 'of the workspace', 'short']],
  ['lasted', ['long', 'of the workspace', 'same as middle', 'middle', 'short']],
  ['severity', ['same as middle', 'short', 'of the workspace', 'middle', 'long']],
];

describe.each([1, 2, 100])('in pages of %i, each closed incident is listed once', (limit) => {
  test.each(ORDERS)('by %s', async (by, expected) => {
    await recordSome();
    expect(await walk({ by, descending: true }, limit)).toEqual(expected);
    expect(await walk({ by, descending: false }, limit)).toEqual(expected.toReversed());
  });
});

test('an order keeps the severity, and who may see what', async () => {
  await recordSome();
  const sort = { by: 'lasted', descending: false } as const;
  expect(await walk(sort, 1, { severity: 'critical' })).toEqual(['short', 'same as middle']);
  expect(await walk(sort, 1, { severity: 'warning' })).toEqual(['middle', 'of the workspace', 'long']);
  expect(await walk(sort, 1, { of: () => ({ merchantIds: [merchantId], workspace: false }) })).toEqual([
    'short',
    'middle',
    'same as middle',
    'long',
  ]);
});

test('incidents that end while someone pages move no row to another page', async () => {
  await recordSome();
  const added = async () => {
    await record('longer', [0, 59], 'warning');
    await record('shorter', [30, 31], 'warning');
  };
  const sort = { by: 'lasted', descending: true } as const;
  const all = ['long', 'of the workspace', 'same as middle', 'middle', 'shorter', 'short'];
  expect(await walk(sort, 2, {}, added)).toEqual(all);
});
