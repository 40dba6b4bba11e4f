import type { StaffSession } from '@switchyard/staff/permissions';
import { describe, expect, test } from 'vitest';
import { staffViewer, tokenViewer } from './viewer.ts';

const merchants = (...ids: readonly string[]) => ids.map((id) => ({ merchant: { id } }));
const session = (staffId: string, ...grants: StaffSession['grants']): StaffSession => ({
  sessionId: 's',
  staffId,
  name: 'Ada',
  email: 'ada@example.com',
  twoFactorEnabled: false,
  mustSetUpTwoFactor: false,
  timeZone: null,
  grants,
  signedInAt: new Date(0),
  endsAt: new Date(0),
});
type TokenAccess = Parameters<typeof tokenViewer>[0];

const access = (tokenId: string, merchantIds: readonly string[], ...grants: TokenAccess['grants']): TokenAccess => ({
  tokenId,
  merchantIds,
  modes: ['live'],
  grants,
});
const everywhere = { merchantId: null, role: 'owner' } as const;
const PERMISSION = 'payment:read';

describe('the reach of a viewer', () => {
  test('grows with a new merchant', () => {
    const ada = session('ada', everywhere);
    expect(staffViewer(ada, merchants('a')).merchantsFor(PERMISSION)).toEqual(['a']);
    expect(staffViewer(ada, merchants('a', 'b')).merchantsFor(PERMISSION)).toEqual(['a', 'b']);
    const named = ['a', 'b'];
    expect(tokenViewer(access('t', named, everywhere), merchants('a')).merchantsFor(PERMISSION)).toEqual(['a']);
    expect(tokenViewer(access('t', named, everywhere), merchants('a', 'b')).merchantsFor(PERMISSION)).toEqual(['a', 'b']);
  });

  test.each([
    { how: 'is taken back', grants: [] },
    { how: 'is for another merchant now', grants: [{ merchantId: 'b', role: 'owner' }] },
    { how: 'is another role now', grants: [{ merchantId: 'a', role: 'viewer' }] },
  ] as const)('shrinks when a grant $how', ({ grants }) => {
    const known = merchants('a', 'b');
    const named = ['a'];
    const before = { merchantId: 'a', role: 'owner' } as const;
    expect(staffViewer(session('ada', before), known).mayAccess('a', 'team:manage')).toBe(true);
    expect(tokenViewer(access('t', named, before), known).mayAccess('a', 'team:manage')).toBe(true);
    expect(staffViewer(session('ada', ...grants), known).mayAccess('a', 'team:manage')).toBe(false);
    expect(tokenViewer(access('t', named, ...grants), known).mayAccess('a', 'team:manage')).toBe(false);
    expect(staffViewer(session('ada', before), known).mayAccess('a', 'team:manage')).toBe(true);
  });

  test('is separate for each token, even of one creator', () => {
    const known = merchants('a', 'b');
    const reach = (tokenId: string, named: readonly string[]) =>
      tokenViewer(access(tokenId, named, everywhere), known).merchantsFor(PERMISSION);
    expect([reach('t', ['a']), reach('u', ['b']), reach('t', ['a', 'b'])]).toEqual([['a'], ['b'], ['a', 'b']]);
  });
});
