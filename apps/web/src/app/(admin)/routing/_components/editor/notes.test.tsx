// @vitest-environment happy-dom
import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { textOf } from '#/testing/dashboard.tsx';
import { openPage } from '#/testing/page.tsx';
import type { LiveCheck, Note } from '../queries/use-check.ts';
import { subjectOfFinding, subjectOfTakeover, unmetIn } from '../rules/takeovers.ts';
import { Analysis } from './notes.tsx';

const { show } = openPage();
const GAP = { currency: 'NGN', method: 'CARD', from: 1, to: 1, countries: [], others: true, keys: null } as const;
const FINDING = { kind: 'gap', ruleIds: [], accountIds: [], gap: GAP, limit: null } as const;
const TAKEOVER = { from: null, to: { ruleId: 'vip', name: 'VIP', position: 0 } };
const OTHER = { from: null, to: { ruleId: 'large', name: 'Large', position: 1 } };

const note = (message: string, more: Partial<Note>): Note => ({
  severity: 'info',
  message,
  field: 'rule',
  accountId: null,
  gap: null,
  position: null,
  subject: null,
  isNew: null,
  isPermanent: false,
  ...more,
});
const checkOf = (...all: readonly Note[]): LiveCheck =>
  Object({ check: { compared: null }, gone: [], isBehind: false, notes: { all } });
const NOTES = [
  note('Name must not be empty.', { severity: 'blocks' }),
  note('No account can take it.', { severity: 'critical', subject: subjectOfFinding(FINDING) }),
  note('No rule covers NGN 1.00.', { severity: 'warning', subject: subjectOfFinding(FINDING) }),
  note('Takes over VIP.', { subject: subjectOfTakeover(TAKEOVER) }),
  note('Takes over Large.', { subject: subjectOfTakeover(OTHER) }),
];
const example = { currency: 'NGN', amount: 1, method: 'CARD', customerCountry: null } as const;
const unmet = (cut: boolean) =>
  unmetIn(
    {
      kind: 'compared',
      liveVersion: 1,
      omitted: 0,
      overlaps: [],
      decided: [],
      payments: 50_000,
      cut,
      unmet: [FINDING],
      takeovers: [
        { ...TAKEOVER, example, payments: 0 },
        { ...OTHER, example, payments: 3 },
      ],
    },
    30,
  );
const shownOutside = () =>
  screen
    .getAllByRole('listitem')
    .filter((item) => item.closest('details') === null)
    .map((item) => textOf(item));

test('findings that no payment met are folded under one line, which shows them by one click', async () => {
  const user = show(<Analysis check={checkOf(...NOTES)} unmet={unmet(false)} />);
  expect(shownOutside()).toEqual(['ErrorName must not be empty.', 'CriticalNo account can take it.', 'InfoTakes over Large.']);
  const line = screen.getByText('2 findings that no payment of the last 30 days met');
  const details = line.closest('details');
  expect(details?.open).toBe(false);
  await user.click(line);
  expect(details?.open).toBe(true);
  expect(
    within(details ?? line)
      .getAllByRole('listitem')
      .map(textOf),
  ).toEqual(['WarningNo rule covers NGN 1.00.', 'InfoTakes over VIP.']);
});

test('where not all payments were counted, the line says of how many it is known', () => {
  show(<Analysis check={checkOf(...NOTES)} unmet={unmet(true)} />);
  screen.getByText('2 findings that none of the newest 50,000 payments met');
});

test('nothing is folded before the payments are counted', () => {
  show(<Analysis check={checkOf(...NOTES)} />);
  expect(shownOutside()).toHaveLength(5);
});

test('notes on minimum amounts are folded before any payment is counted, so that warnings are seen', () => {
  const minimum = note('paystack-main takes no less than NGN 50.', { isPermanent: true });
  show(<Analysis check={checkOf(minimum, ...NOTES)} />);
  expect(shownOutside()).toHaveLength(5);
  const details = screen.getByText('1 note on minimum amounts').closest('details');
  expect(details?.open).toBe(false);
  expect(details?.textContent).toContain(minimum.message);
});
