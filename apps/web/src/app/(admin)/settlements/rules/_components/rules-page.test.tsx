// @vitest-environment happy-dom
import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import type { IgnoreRule } from '#/copy/settlements.ts';
import { button, expectCalls, field, openDashboard, tableOf } from '#/testing/dashboard.tsx';
import { RulesPage } from './rules-page.tsx';

const page = openDashboard('?mode=test&merchant=m-1');
const RULE: IgnoreRule = {
  ruleId: 'r-1',
  merchantId: 'm-1',
  merchantName: 'Balogun Books',
  accountId: 'acc-1',
  accountLabel: 'paystack-main',
  kind: 'UNMATCHED',
  lineKind: 'ADJUSTMENT',
  amountMax: '50',
  reason: 'Stamp duty',
  createdBy: 'staff:s-1',
  createdByName: 'Ada',
  createdAt: new Date('2026-11-20T01:00:00Z'),
  endedAt: null,
  endedByName: null,
  resolved: 12,
};
const ACCOUNT = { merchantId: 'm-1', merchantName: 'Balogun Books', accountId: 'acc-1', accountLabel: 'paystack-main' };

beforeEach(() => {
  page.allow('report:read', 'reconciliation:resolve');
  page.on('settlements.accounts', () => [ACCOUNT]);
  page.on('settlements.rules.list', () => [RULE, { ...RULE, ruleId: 'r-2', lineKind: null, endedAt: new Date() }]);
});

const show = () => page.show(<RulesPage scope={{ mode: 'test', merchantId: 'm-1' }} />);

test('rules are listed with what they cover, and one is switched off after a question in figures', async () => {
  page.on('settlements.rules.end', () => ({ changed: true }));
  const user = show();
  const rows = await tableOf('Ignore rules');
  expect(rows.map((cells) => cells.slice(0, 5))).toEqual([
    ['Discrepancy', 'Account', 'Up to', 'Reason', 'Closed under it'],
    ['Not matched: deduction', 'paystack-main · Balogun Books', '50', 'Stamp duty', '12'],
    ['Not matched', 'paystack-main · Balogun Books', '50', 'Stamp duty', '12'],
  ]);
  await user.click(await screen.findByRole('button', { name: 'Disable…' }));
  const dialog = await screen.findByRole('dialog');
  expect(dialog.textContent).toContain('Not matched: deduction up to 50 is open again when it is found');
  await user.click(within(dialog).getByRole('button', { name: 'Disable' }));
  await expectCalls(page, 'settlements.rules.end', [{ merchantId: 'm-1', ruleId: 'r-1' }]);
});

test('a rule is created for an account, with the largest amount that it covers and a reason', async () => {
  page.on('settlements.rules.create', () => ({ ruleId: 'r-3' }));
  const user = show();
  await user.click(await screen.findByRole('button', { name: 'Create rule…' }));
  await screen.findByRole('dialog');
  await user.type(await screen.findByLabelText('Up to'), '100');
  await user.type(field('Reason'), 'Stamp duty');
  await user.click(button('Create rule'));
  await waitFor(() => expect(page.toasts()).toHaveLength(1));
  const created = {
    merchantId: 'm-1',
    accountId: 'acc-1',
    kind: 'UNMATCHED',
    lineKind: null,
    amountMax: '100',
    reason: 'Stamp duty',
  };
  await expectCalls(page, 'settlements.rules.create', [created]);
});
