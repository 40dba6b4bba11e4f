import { afterAll, afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type RenderedHook, renderHook } from '#/testing/hook-page.ts';
import { type OriginServer, openOriginServer } from '#/testing/http-server.ts';
import { openServer, type TestServer } from '#/testing/server.tsx';
import { openWindow } from '#/testing/window.ts';
import { loadReportPage, toVariables } from '../filters.ts';
import { useReport } from './reports-page.tsx';

const window = openWindow();
afterAll(() => vi.unstubAllGlobals());

const SUMS = {
  payments: 12,
  paid: 9,
  failed: 2,
  expired: 1,
  pending: 1,
  late: 0,
  amount: 1_200,
  paidAmount: 900,
  refunded: 0,
  fees: '13.5',
  net: '886.5',
  conversion: 0.75,
};
const REPORT = {
  __typename: 'VolumeReport',
  currency: 'NGN',
  date: 'CREATED',
  zone: 'Africa/Lagos',
  asOf: null,
  period: { from: '2026-11-01', to: '2026-11-21' },
  total: SUMS,
  previousTotal: null,
  rows: [],
  closedMonths: [],
};
const variables = toVariables({ mode: 'test', merchantId: 'm-1' }, await loadReportPage({}), {
  from: '2026-11-01',
  to: '2026-11-21',
});

/** The first report also loads the module that reads it. */
const ANSWERED_WITHIN_MS = 20_000;

let server: OriginServer;
let dashboard: TestServer;
let page: RenderedHook<ReturnType<typeof useReport>, undefined>;

async function open(): Promise<ReturnType<typeof useReport>> {
  page = await renderHook(() => useReport('hash-of-the-query', variables), { props: undefined, wrapper: dashboard.wrapper });
  const expectAnswer = async () => {
    await page.act(() => undefined);
    expect(page.result.current.isPending).toBe(false);
  };
  await vi.waitFor(expectAnswer, { timeout: ANSWERED_WITHIN_MS });
  return page.result.current;
}

beforeEach(async () => {
  server = await openOriginServer();
  dashboard = openServer('?mode=test');
});

afterEach(async () => {
  await page.unmount();
  dashboard.close();
  await server.close();
  openWindow();
});

test('a report is requested by the hash of its query, as the persisted query of any program', async () => {
  server.answer = () => ({ status: 200, body: { data: { volume: REPORT } } });
  expect((await open()).data).toEqual(REPORT);
  const persistedQuery = { version: 1, sha256Hash: 'hash-of-the-query' };
  const sent = JSON.parse(JSON.stringify(variables));
  expect(server.requests).toEqual([{ path: '/api/graphql', body: { extensions: { persistedQuery }, variables: sent } }]);
});

test.each([
  [
    'refused input',
    { data: { volume: { __typename: 'InvalidInput', problems: ['to must follow from'] } } },
    /to must follow from/,
  ],
  ['an error', { errors: [{ message: 'The reports are not available.' }] }, /The reports are not available/],
  ['another shape', { data: { volume: { ...REPORT, total: null } } }, /The server gave no report/],
])('an answer without a report shows why: %s', async (_what, body, reason) => {
  server.answer = () => ({ status: 200, body });
  expect((await open()).error?.message).toMatch(reason);
});

test('a session that has ended leads to sign-in, and back to this report', async () => {
  const { location } = window;
  Object.assign(location, { pathname: '/reports', search: '?period=7d' });
  vi.stubGlobal('window', window);
  server.answer = () => ({ status: 401, body: {} });
  await open();
  expect(location.assign).toHaveBeenCalledWith(`/sign-in?next=${encodeURIComponent('/reports?period=7d')}`);
});
