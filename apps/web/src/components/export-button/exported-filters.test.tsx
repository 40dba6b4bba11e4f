// @vitest-environment happy-dom
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { screen, waitFor } from '@testing-library/react';
import type { ReactElement } from 'react';
import { describe, expect, test } from 'vitest';
import { DisputesPage } from '#/app/(admin)/disputes/_components/disputes-page.tsx';
import { filterParsers as disputeParsers } from '#/app/(admin)/disputes/filters.ts';
import { FeesPage } from '#/app/(admin)/fees/_components/fees-page.tsx';
import { filterParsers as feeParsers } from '#/app/(admin)/fees/filters.ts';
import { PaymentsPage } from '#/app/(admin)/payments/_components/list/payments-page.tsx';
import { filterParsers as paymentParsers } from '#/app/(admin)/payments/filters.ts';
import { ReconciliationPage } from '#/app/(admin)/reconciliation/_components/reconciliation-page.tsx';
import { filterParsers as reconciliationParsers } from '#/app/(admin)/reconciliation/filters.ts';
import { RefundsPage } from '#/app/(admin)/refunds/_components/refunds-page.tsx';
import { moneyParsers } from '#/app/(admin)/refunds/filters.ts';
import { SettlementsPage } from '#/app/(admin)/settlements/_components/settlements-page.tsx';
import { SettlementPage } from '#/app/(admin)/settlements/[settlementId]/_components/settlement-page.tsx';
import { lineParsers, filterParsers as settlementParsers } from '#/app/(admin)/settlements/filters.ts';
import { Deliveries } from '#/app/(admin)/webhooks/endpoints/[endpointId]/_components/deliveries.tsx';
import { filterParsers as deliveryParsers } from '#/app/(admin)/webhooks/endpoints/[endpointId]/filters.ts';
import type { FeeSums } from '#/copy/fees.ts';
import { type Dashboard, openDashboard } from '#/testing/dashboard.tsx';

/*
 * Exports and schedules of each list's page have the filter of the list beside them: every page with an export is opened with all of its filters set,
 * and without any. A page that exports without its line fails.
 */

const ID = '11111111-1111-4111-8111-111111111111';
const OTHER_ID = '22222222-2222-4222-8222-222222222222';

interface Line {
  /** The file that shows the export. */
  readonly file: string;
  readonly element: ReactElement;
  /** The filters in the address, each with a value of its own. */
  readonly filters: Readonly<Record<string, string>>;
  /** Parameters of the page's address, and the names of those that are not filters of this list. */
  readonly parsers: object;
  readonly others?: readonly string[];
  /** Names in the address that say which list is shown. */
  readonly view?: Readonly<Record<string, string>>;
  /** The query of the list's rows. */
  readonly list: string;
}

const DAYS = { from: '2026-11-01', to: '2026-11-20' };
const MONEY = { gateway: 'kora', payment: ID, q: 'order-1', ...DAYS };

const LINES: Readonly<Record<string, Line>> = {
  payments: {
    file: 'payments/_components/list/payments-page.tsx',
    element: <PaymentsPage publicUrl="https://pay.example" />,
    parsers: paymentParsers,
    filters: {
      ...DAYS,
      status: 'FAILED',
      gateway: 'kora',
      at: 'paystack',
      method: 'CARD',
      min: '100',
      max: '900',
      rule: 'cards',
      reason: 'declined',
      account: ID,
      fallback: 'monnify',
      affected: OTHER_ID,
      outcome: 'lost',
      currency: 'USD',
      customer: 'ada@example.com',
      q: 'order-1',
      review: 'true',
      reversed: 'true',
      disputed: 'true',
    },
    list: 'payments.list',
  },
  refunds: {
    file: 'refunds/_components/refunds-page.tsx',
    element: <RefundsPage />,
    parsers: moneyParsers,
    view: { tab: 'refunds' },
    filters: { ...MONEY, state: 'FAILED' },
    list: 'refunds.list',
  },
  'duplicate payments': {
    file: 'refunds/_components/refunds-page.tsx',
    element: <RefundsPage />,
    parsers: moneyParsers,
    view: { tab: 'duplicates' },
    filters: { ...MONEY, state: 'OPEN' },
    list: 'refunds.duplicates.list',
  },
  reconciliation: {
    file: 'reconciliation/_components/reconciliation-page.tsx',
    element: <ReconciliationPage />,
    parsers: reconciliationParsers,
    view: { view: 'discrepancies' },
    // An age is a filter by days.
    others: ['until', 'age', 'sort'],
    filters: {
      account: ID,
      day: '2026-11-02',
      state: 'closed',
      kind: 'AMOUNT',
      owner: OTHER_ID,
      least: '10',
      most: '90',
      tolerated: 'true',
    },
    list: 'reconciliation.discrepancies',
  },
  disputes: {
    file: 'disputes/_components/disputes-page.tsx',
    element: <DisputesPage />,
    parsers: disputeParsers,
    filters: { state: 'WON', gateway: 'kora', q: 'order-1' },
    list: 'disputes.list',
  },
  settlements: {
    file: 'settlements/_components/settlements-section.tsx',
    element: <SettlementsPage />,
    parsers: settlementParsers,
    view: { view: 'settlements' },
    others: ['state', 'kind', 'place', 'owner', 'settlement', 'sort'],
    filters: { ...DAYS, account: ID, status: 'PAID', unexplained: 'true', q: 'TRF_1' },
    list: 'settlements.list',
  },
  'discrepancies of settlements': {
    file: 'settlements/_components/discrepancies/discrepancies-section.tsx',
    element: <SettlementsPage />,
    parsers: settlementParsers,
    view: { view: 'discrepancies' },
    others: ['status', 'from', 'to', 'unexplained', 'q', 'sort'],
    filters: { account: ID, state: 'closed', kind: 'LATE', place: 'payouts', owner: OTHER_ID, settlement: ID },
    list: 'settlements.discrepancies.list',
  },
  'lines of a settlement': {
    file: 'settlements/[settlementId]/_components/settlement-page.tsx',
    element: <SettlementPage settlementId={OTHER_ID} />,
    parsers: lineParsers,
    filters: { kind: 'FEE', unmatched: 'true' },
    list: 'settlements.lines',
  },
  fees: {
    file: 'fees/_components/audit-section.tsx',
    element: <FeesPage />,
    parsers: feeParsers,
    view: { view: 'audit' },
    filters: { ...DAYS, account: ID, date: 'settled', settlement: OTHER_ID, all: 'true' },
    list: 'fees.list',
  },
  deliveries: {
    file: 'webhooks/endpoints/[endpointId]/_components/deliveries.tsx',
    element: <Deliveries merchantId={ID} endpointId={OTHER_ID} openId={null} onOpen={() => undefined} />,
    parsers: deliveryParsers,
    filters: { state: 'FAILED', q: ID, since: '2026-11-01', until: '2026-11-20' },
    list: 'webhooks.deliveries.list',
  },
};

/** Pages without a list that export by filters of theirs. */
const WITHOUT_LIST = ['settlements/bank/_components/bank-page.tsx'];

test('each page that exports has a line', () => {
  const root = join(import.meta.dirname, '../../app/(admin)');
  const exporting = globSync('**/*.tsx', { cwd: root }).filter(
    (file) => !file.endsWith('.test.tsx') && readFileSync(join(root, file), 'utf8').includes('<ExportButton'),
  );
  expect([...new Set([...Object.values(LINES).map(({ file }) => file), ...WITHOUT_LIST])].toSorted()).toEqual(
    exporting.toSorted(),
  );
});

/** Parameters for the page of a list, and for its order. */
const PAGING = new Set(['limit', 'cursor', 'direction', 'sort', 'newestFirst']);

/** A filter as JSON, without what matches any. */
function meantBy(filter: unknown): Readonly<Record<string, unknown>> {
  const entries: readonly [string, unknown][] = Object.entries(JSON.parse(JSON.stringify(filter)));
  const isAny = (value: unknown) => value === null || value === false || (Array.isArray(value) && value.length === 0);
  return Object.fromEntries(entries.filter(([name, value]) => !PAGING.has(name) && !isAny(value)));
}

/** A settlement's lines and an endpoint's deliveries are of its merchant: their lists name it otherwise than files. */
function scopeless({
  mode: _mode,
  merchantId: _merchantId,
  merchantIds: _merchantIds,
  ...rest
}: Readonly<Record<string, unknown>>) {
  return rest;
}

const FEES: FeeSums = {
  currency: 'NGN',
  payments: 40,
  amount: '100000',
  compared: 38,
  expected: '1500',
  charged: '1877.5',
  difference: '377.5',
  overcharged: 2,
  overcharge: '380.5',
  undercharged: 1,
  undercharge: '3',
  withoutContract: 1,
  withoutFee: 1,
};
const SETTLEMENT = {
  settlementId: OTHER_ID,
  merchantId: ID,
  merchantName: 'Balogun Books',
  mode: 'live',
  accountId: ID,
  accountLabel: 'paystack-main',
  gateway: 'paystack',
  gatewayTitle: 'Paystack',
  reference: '3090024',
  road: 'FILE',
  status: 'PAID',
  currency: 'NGN',
  gross: '100',
  fees: '1',
  deductions: '0',
  net: '99',
  explained: '100',
  unexplained: '0',
  settledOn: '2026-11-20',
  lineCount: 0,
  openDiscrepancies: 0,
  createdAt: new Date('2026-11-20T09:00:00Z'),
  periodFrom: null,
  periodTo: null,
  unrecognised: null,
  unrecognisedRecord: null,
  totals: [],
};
const ACCOUNT = {
  merchantId: ID,
  merchantName: 'Balogun Books',
  accountId: ID,
  label: 'paystack-main',
  gateway: 'paystack',
  mode: 'live',
};
const NOTHING = { items: [], next: null };

/** Answers what the pages ask beside their lists. */
function answerAll(on: Dashboard['on']): void {
  for (const { list } of Object.values(LINES)) on(list, () => NOTHING);
  on('fees.sums', () => [FEES]);
  on('settlements.byId', () => SETTLEMENT);
  on('reconciliation.accounts', () => [ACCOUNT]);
  on('reconciliation.runs', () => NOTHING);
  for (const query of ['fees.months', 'fees.rates', 'fees.contracts', 'merchants.list', 'disputes.counts', 'disputes.accounts'])
    on(query, () => []);
  for (const query of ['settlements.accounts', 'settlements.explained', 'reconciliation.owners', 'reconciliation.byAge'])
    on(query, () => []);
  for (const query of ['payments.counts', 'refunds.counts', 'refunds.duplicates.counts', 'webhooks.deliveries.counts'])
    on(query, () => null);
}

const SCOPE = `mode=live&merchant=${ID}`;

describe.each(Object.entries(LINES))('%s', (_, { element, filters, parsers, others = [], view = {}, list }) => {
  test('has a value for each filter', () =>
    expect([...Object.keys(filters), ...Object.keys(view), ...others].toSorted()).toEqual(Object.keys(parsers).toSorted()));

  describe.each([
    ['all of its filters', filters],
    ['none', {}],
  ])('with %s', (_set, given) => {
    const page = openDashboard(`?${new URLSearchParams(`${SCOPE}&${new URLSearchParams({ ...view, ...given })}`)}`, '/');

    test('is exported and scheduled as it is listed', async () => {
      page.allow('report:export', 'payment:read', 'report:read', 'webhook:read');
      answerAll(page.on);
      const user = page.show(element);
      await user.click(await screen.findByRole('button', { name: 'Export' }));
      await waitFor(() => expect(page.calls(list).length).toBeGreaterThan(0));
      // The list's own call comes first: an empty one asks what the search alone finds.
      const listed = meantBy(page.calls(list)[0]);
      const links = screen.getAllByRole('link').map((link) => new URL(link.getAttribute('href') ?? '', 'https://pay.example'));
      const files = links.filter(({ pathname }) => pathname.startsWith('/api/export/'));
      const schedule = links.find(({ pathname }) => pathname === '/reports/scheduled');
      expect(files.length).toBeGreaterThan(2);
      for (const { searchParams } of [...files, schedule ?? new URL('about:blank')]) {
        const exported = meantBy(JSON.parse(searchParams.get('filter') ?? '{}'));
        expect(scopeless(exported)).toEqual(scopeless(listed));
      }
      expect(schedule?.searchParams.get('list')).toBe(files[0]?.pathname.split('/').at(-1));
    });
  });
});
