import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  createTestMerchant,
  DASHBOARD_ORIGIN,
  type DashboardMerchant,
  openTestDashboard,
  sessionOf,
  type TestDashboard,
} from './testing/dashboard.ts';
import { sendGraphql } from './testing/served.ts';
import { Browser, createStaffWithGrants, recordPayment } from './testing/switchyard.ts';
import { createCallerFactory } from './trpc/procedure.ts';
import { appRouter } from './trpc/router.ts';

let dashboard: TestDashboard;
let merchant: DashboardMerchant;
let paymentId: string;

beforeAll(async () => {
  dashboard = await openTestDashboard();
  merchant = await createTestMerchant(dashboard);
  paymentId = await recordPayment(dashboard.switchyard, merchant.merchantId, 'in-capitals');
  await dashboard.switchyard.resources.configuration.refresh();
});
afterAll(() => dashboard.close());

test('an id in capitals is the same id for the dashboard', async () => {
  const session = sessionOf('owner', merchant.merchantId);
  const caller = createCallerFactory(appRouter)({ switchyard: dashboard.switchyard, session });
  expect((await caller.payments.byId({ paymentId: paymentId.toUpperCase() })).paymentId).toBe(paymentId);
  const listed = await caller.payments.list({ merchantIds: [merchant.merchantId.toUpperCase()], mode: 'test', limit: 10 });
  expect(listed.items.map((item) => item.paymentId)).toEqual([paymentId]);
});

test('an id in capitals is the same id in GraphQL', async () => {
  const browser = new Browser(dashboard.switchyard, DASHBOARD_ORIGIN);
  const grants = [{ merchantId: merchant.merchantId, role: 'owner' as const }];
  await browser.signIn(await createStaffWithGrants(dashboard.switchyard, 'ada@example.com', grants));
  const filter = `{mode: test, merchantIds: ["${merchant.merchantId.toUpperCase()}"]}`;
  const query = `{ payment(id: "${paymentId.toUpperCase()}") { id } payments(filter: ${filter}, first: 5) { edges { node { id } } } }`;
  const headers = browser.headers({ 'content-type': 'application/json' });
  const request = new Request(`${DASHBOARD_ORIGIN}/api/graphql`, { method: 'POST', headers, body: JSON.stringify({ query }) });
  expect(await (await sendGraphql(dashboard.switchyard, request)).json()).toMatchObject({
    data: { payment: { id: paymentId }, payments: { edges: [{ node: { id: paymentId } }] } },
  });
});
