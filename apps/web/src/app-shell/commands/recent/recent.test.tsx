// @vitest-environment happy-dom
import { waitFor } from '@testing-library/react';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { signOut } from '#/app-shell/sign-out.ts';
import { openDashboard } from '#/testing/dashboard.tsx';
import { recentCommands } from '../find-commands.ts';
import { type RecentObject, recentObjects, rememberOpened } from './recent-objects.ts';
import { RememberOpened } from './remember-opened.tsx';

const page = openDashboard('?mode=test');
const payment = (id: string, more: Partial<RecentObject> = {}): RecentObject => ({
  kind: 'payment',
  id,
  title: `order of ${id}`,
  mode: 'test',
  merchantId: 'm-1',
  ...more,
});
const ids = (staffId: string) => recentObjects(staffId).map(({ id }) => id);
const SCOPE = { mode: 'test', merchantId: null } as const;
const everything = () => true;

beforeEach(() => window.localStorage.clear());

describe('objects that a person has opened', () => {
  test('are kept as their page showed them, the last first, each once and eight of them', () => {
    for (let count = 1; count <= 10; count += 1) rememberOpened('ada', payment(`p-${count}`));
    rememberOpened('ada', payment('p-5', { title: 'order of p-5, NGN 1.00' }));
    expect(ids('ada')).toEqual(['p-5', 'p-10', 'p-9', 'p-8', 'p-7', 'p-6', 'p-4', 'p-3']);
    expect(recentObjects('ada')[0]?.title).toBe('order of p-5, NGN 1.00');
  });

  test('are of this person alone: the next one in this browser sees none, and leaves none', () => {
    rememberOpened('ada', payment('p-1'));
    expect(ids('bem')).toEqual([]);
    rememberOpened('bem', payment('p-2'));
    expect([ids('ada'), ids('bem')]).toEqual([[], ['p-2']]);
  });

  test('are gone after signing out', async () => {
    const assign = vi.spyOn(window.location, 'assign').mockImplementation(() => undefined);
    vi.stubGlobal('fetch', async () => new Response());
    rememberOpened('ada', payment('p-1'));
    await signOut();
    expect(ids('ada')).toEqual([]);
    expect(window.localStorage.getItem('recent')).toBeNull();
    assign.mockRestore();
    vi.unstubAllGlobals();
  });

  test.each(['{', 'null', '{"staffId":"ada","objects":[{"kind":"secret"}]}'])('are none where %s is stored', (stored) => {
    window.localStorage.setItem('recent', stored);
    expect(ids('ada')).toEqual([]);
    rememberOpened('ada', payment('p-1'));
    expect(ids('ada')).toEqual(['p-1']);
  });

  test('are remembered by their page, once it is known whose they are', async () => {
    page.on('me', () => ({ staffId: 'ada', access: [] }));
    page.show(<RememberOpened {...payment('p-1')} />);
    await waitFor(() => expect(recentObjects('ada')).toEqual([payment('p-1')]));
  });
});

describe('the menu offers of them', () => {
  const labels = (...of: Parameters<typeof recentCommands>) => recentCommands(...of).map(({ label }) => label);

  test('those of the mode and the merchant shown', () => {
    const objects = [
      payment('p-1'),
      payment('p-2', { mode: 'live' }),
      payment('m-2', { kind: 'merchant', mode: null, merchantId: 'm-2', title: 'Yaba' }),
    ];
    expect(labels(objects, SCOPE, everything)).toEqual(['Payment: order of p-1', 'Merchant: Yaba']);
    expect(labels(objects, { mode: 'live', merchantId: 'm-1' }, everything)).toEqual(['Payment: order of p-2']);
  });

  test('none that the person may no longer see', () => {
    const objects = [
      payment('p-1'),
      payment('p-2', { merchantId: 'm-2' }),
      payment('s-1', { kind: 'settlement' }),
      payment('e-1', { kind: 'endpoint' }),
    ];
    const seen = labels(objects, SCOPE, (permission, merchantId) => permission === 'payment:read' && merchantId === 'm-1');
    expect(seen).toEqual(['Payment: order of p-1']);
  });

  test('each by its own address', () => {
    const go = vi.fn();
    const kinds = ['payment', 'settlement', 'dispute', 'merchant', 'draft', 'endpoint'] as const;
    const commands = recentCommands(
      kinds.map((kind) => payment('x', { kind })),
      SCOPE,
      everything,
    );
    for (const { run } of commands) run(Object({ go }));
    expect(go.mock.calls).toEqual([
      ['/payments/x', {}],
      ['/settlements/x', {}],
      ['/disputes/x', {}],
      ['/merchants/x', {}],
      ['/routing/drafts/x', { merchant: 'm-1' }],
      ['/webhooks/endpoints/x', {}],
    ]);
  });
});
