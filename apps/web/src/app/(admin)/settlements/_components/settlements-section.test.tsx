// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { hrefOf, openDashboard } from '#/testing/dashboard.tsx';
import { SettlementsPage } from './settlements-page.tsx';

const ACCOUNT = '22222222-2222-4222-8222-222222222222';
const page = openDashboard(`?mode=live&account=${ACCOUNT}`, '/settlements');

test('what is missing at the chosen accounts leads to their discrepancies, not to those of all', async () => {
  page.allow('report:read');
  page.on('settlements.accounts', () => []);
  page.on('settlements.list', () => ({ items: [], next: null }));
  const sums = { currency: 'NGN', settled: '0', explained: '0', unexplained: '0', share: null, onTheWay: '0' };
  page.on('settlements.explained', () => [{ ...sums, late: '12.5', missing: '750' }]);
  page.show(<SettlementsPage />);
  await screen.findByText('NGN 750.00');
  expect(page.calls('settlements.explained')).toMatchObject([{ accountIds: [ACCOUNT] }]);
  const ofAccount = (kind: string) => `/settlements?mode=live&view=discrepancies&kind=${kind}&account=${ACCOUNT}`;
  expect([hrefOf('Show late'), hrefOf('Show missing')]).toEqual([ofAccount('LATE'), ofAccount('MISSING')]);
});
