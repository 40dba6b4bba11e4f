// @vitest-environment happy-dom
import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, test } from 'vitest';
import { button, hrefOf, openDashboard, textOf } from '#/testing/dashboard.tsx';
import { partial } from '#/testing/partial.ts';
import { DiffView, type RuleSetDiff } from './diff-view.tsx';
import { HistoryPage } from './history-page.tsx';

const page = openDashboard('?mode=test&merchant=m-1', '/routing/history');
const AT = new Date('2024-11-21T13:02:00Z');
const version = (number: number, change: object = {}) => ({
  ruleSetId: `set-${number}`,
  version: number,
  state: 'PUBLISHED',
  publishedAt: AT,
  publishedBy: 'staff:s-1',
  endedAt: null,
  reason: null,
  restoredVersion: null,
  approvedBy: null,
  scheduledFor: null,
  editors: ['staff:s-1'],
  ...change,
});
const ENDED = new Date(AT.getTime() + 3 * 3_600_000);
const FIRST = version(1, {
  state: 'SUPERSEDED',
  endedAt: ENDED,
  reason: 'First rules',
  approvedBy: 'staff:s-9',
  scheduledFor: AT,
  editors: ['staff:s-1', 'staff:s-2', 'api_key:k-1'],
});
const SECOND = version(2, { publishedBy: 'system:schedule', restoredVersion: 1, editors: [] });
const results = (number: number) => ({
  version: number,
  currencies: [{ currency: 'NGN', payments: 100, paid: 90, failed: 10, fees: '12.500000' }],
});

beforeEach(() => {
  page.allow('routing:read');
  page.on('routing.versions.list', () => ({ items: [SECOND, FIRST], next: null }));
  page.on('routing.versions.results', () => [results(1), results(2)]);
  page.on('routing.versions.diff', () => ({ kind: 'not_found' }));
  page.on('routing.versions.byVersion', () => null);
  page.on('routing.live', () => ({ accounts: [] }));
  page.on('routing.access', () => ({
    people: [
      { staffId: 's-1', name: 'Ada Obi' },
      { staffId: 's-2', name: 'Bola Ade' },
    ],
    needsApproval: false,
    approvers: [],
    waiver: null,
  }));
});
const showPage = () => page.show(<HistoryPage />);
const entries = () =>
  within(screen.getByRole('region', { name: 'Versions' }))
    .getAllByRole('listitem')
    .map(textOf);

describe('the versions of the rules', () => {
  test('say when, by whom, why and for how long, with what came of payments under them', async () => {
    showPage();
    await screen.findAllByText(/Ada Obi/);
    await waitFor(() =>
      expect(entries().map((entry) => entry.replaceAll('\u00a0', ' '))).toEqual([
        'Version 2Active21 Nov 2024, 14:02 by the schedule100 payments · 90.0% succeeded · NGN 12.50 feesrolled back to version 1',
        'Version 121 Nov 2024, 14:02 by Ada ObiFirst rules100 payments · 90.0% succeeded · NGN 12.50 feesscheduled · approved by a former colleague · edited with Bola Ade and an API key · active for 3 h',
      ]),
    );
    expect(page.calls('routing.versions.results')).toEqual([{ merchantId: 'm-1', mode: 'test', versions: [2, 1] }]);
  });

  test('are compared with the one before, and with any that is chosen, in the order of time', async () => {
    const user = showPage();
    await user.click(await screen.findByRole('button', { name: /^Version 1/ }));
    await waitFor(() =>
      expect(page.calls('routing.versions.diff').at(-1)).toMatchObject({ from: null, to: { kind: 'version', version: 1 } }),
    );
    expect(page.search()).toContain('version=1');
    await user.click(screen.getByRole('combobox', { name: /^Compared with/ }));
    expect((await screen.findAllByRole('option')).map(textOf)).toEqual(['version 2, active', 'no rules, previous']);
    await user.click(screen.getByRole('option', { name: 'version 2, active' }));
    await screen.findByText('From version 1 to version 2.');
    expect(page.calls('routing.versions.diff')).toContainEqual(
      expect.objectContaining({ from: { kind: 'version', version: 1 }, to: { kind: 'version', version: 2 } }),
    );
    expect(entries()[0]).toContain('Compared with');
    screen.getByText('One of the two versions cannot be read.');
  });

  test('are exported by all, edited and rolled back to only by those who may publish', async () => {
    const user = showPage();
    await user.click(await screen.findByRole('button', { name: /^Version 1/ }));
    await screen.findByRole('button', { name: 'Export' });
    expect(screen.queryByRole('button', { name: /Edit as a draft|Roll back/ })).toBeNull();
  });

  test('are not rolled back to while they are active', async () => {
    page.allow('routing:publish');
    const user = showPage();
    await screen.findByRole('button', { name: 'Edit as a draft' });
    expect(screen.queryByRole('button', { name: /Roll back/ })).toBeNull();
    await user.click(button(/^Version 1/));
    await screen.findByRole('button', { name: 'Roll back to version 1' });
  });

  test('that are none lead to the first rules', async () => {
    page.on('routing.versions.list', () => ({ items: [], next: null }));
    showPage();
    await screen.findByText(/Nothing has been published in test mode yet/);
    expect(hrefOf('Create the first rules')).toBe('/routing?mode=test&merchant=m-1');
    expect(page.calls('routing.versions.results')).toEqual([]);
  });

  test('that could not be read say that payments go on, and are tried again', async () => {
    page.on('routing.versions.list', () => {
      throw new Error('The database is unavailable.');
    });
    const user = showPage();
    await screen.findByText(/Payments are not affected/);
    page.on('routing.versions.list', () => ({ items: [SECOND], next: null }));
    await user.click(button('Try again'));
    await screen.findByRole('region', { name: 'Versions' });
  });

  test('come page by page', async () => {
    page.on('routing.versions.list', (input) =>
      (input as { cursor?: number }).cursor === undefined ? { items: [SECOND], next: 1 } : { items: [FIRST], next: null },
    );
    const user = showPage();
    await user.click(await screen.findByRole('button', { name: 'Earlier versions' }));
    await waitFor(() => expect(entries()).toHaveLength(2));
    expect(screen.queryByRole('button', { name: 'Earlier versions' })).toBeNull();
    expect(page.calls('routing.versions.results').map((input) => (input as { versions: number[] }).versions)).toEqual([[2], [1]]);
  });
});

describe('how two versions differ', () => {
  const SAME: RuleSetDiff = {
    same: true,
    added: [],
    removed: [],
    changed: [],
    moved: [],
    defaultOrder: null,
    expectations: null,
    keys: null,
  };

  test('is a line for each rule, with the accounts by their names', () => {
    const diff = { ...SAME, moved: [{ name: '', from: 0, to: 2 }], defaultOrder: { before: [], after: ['acc-1', 'acc-2'] } };
    page.show(<DiffView diff={partial<RuleSetDiff>(diff)} accounts={[]} />);
    const lines = screen.getAllByRole('listitem').map(textOf);
    expect(lines[0]).toBe('MovedUnnamed ruleMoves from position 1 to 3');
    expect(lines[1]).toMatch(/^ChangedDefault order.*orderno account→ .*, then /);
  });

  test('may be nothing, and says so', () => {
    page.show(<DiffView diff={SAME} accounts={[]} />);
    screen.getByText('No differences.');
  });
});
