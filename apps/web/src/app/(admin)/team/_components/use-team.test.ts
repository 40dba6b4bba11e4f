import { beforeEach, expect, test } from 'vitest';
import { dismissToast, shownToasts } from '#/components/toasts/toast-store.ts';
import { openHookPage } from '#/testing/hook-page.ts';
import { type Person, useMerchants, usePersonActions } from './use-team.ts';

const page = openHookPage('?mode=test');
const ADA: Pick<Person, 'staffId' | 'name' | 'roles'> = {
  staffId: 'ada',
  name: 'Ada Obi',
  roles: [{ merchantId: 'm-1', role: 'viewer', group: null }],
};
const merchantName = (id: string | null) => id ?? 'all merchants';
const open = (person: Person = Object(ADA)) => page.render(() => usePersonActions(person, merchantName));
const lastToast = () => shownToasts().at(-1);
const calls = (action: string) => page.server().calls(`team.${action}`);

beforeEach(() => {
  for (const { id } of shownToasts()) dismissToast(id);
  for (const action of ['grantRole', 'revokeRole', 'setDisabled', 'requireTwoFactor', 'resetTwoFactor', 'endSessions'])
    page.server().on(`team.${action}`, () => ({ kind: 'done' }));
});

test('undoing a changed role gives the former one back', async () => {
  const { result, act } = await open();
  await act(() => result.current.giveRole('m-1', 'operator'));
  expect(lastToast()?.text).toBe('Ada Obi is Operator for m-1.');
  await act(() => lastToast()?.action?.run());
  expect(calls('grantRole').at(-1)).toEqual({ staffId: 'ada', merchantId: 'm-1', role: 'viewer' });
});

test('undoing a first role takes it away', async () => {
  const { result, act } = await open();
  await act(() => result.current.giveRole('m-2', 'finance'));
  await act(() => lastToast()?.action?.run());
  expect(calls('revokeRole')).toEqual([{ staffId: 'ada', merchantId: 'm-2' }]);
});

test('undoing a revoked role grants it again', async () => {
  const { result, act } = await open();
  await act(() => result.current.takeRole('m-1', 'viewer'));
  await act(() => lastToast()?.action?.run());
  expect(calls('grantRole')).toEqual([{ staffId: 'ada', merchantId: 'm-1', role: 'viewer' }]);
});

test.each([
  ['setDisabled', 'disabled'],
  ['requireTwoFactor', 'required'],
] as const)('%s is undone by its opposite', async (action, field) => {
  const { result, act } = await open();
  await act(async () => expect(await result.current[action](true)).toBeNull());
  await act(() => lastToast()?.action?.run());
  expect(calls(action)).toEqual([
    { staffId: 'ada', [field]: true },
    { staffId: 'ada', [field]: false },
  ]);
});

test('what cannot be undone offers no undo', async () => {
  const { result, act } = await open();
  await act(() => result.current.resetTwoFactor());
  expect(lastToast()?.action).toBeUndefined();
  await act(() => result.current.endSessions(null));
  expect([lastToast()?.text, lastToast()?.action]).toEqual(['Ada Obi is signed out everywhere.', undefined]);
});

test.each([
  ['last_owner', /No one else owns the whole workspace/],
  ['oneself', /cannot disable yourself/],
  ['unknown_merchant', /no such merchant/],
])('a refusal is returned with its reason, and nothing is confirmed: %s', async (kind, reason) => {
  page.server().on('team.setDisabled', () => ({ kind }));
  const { result, act } = await open();
  await act(async () => expect(await result.current.setDisabled(true)).toMatch(reason));
  expect(lastToast()).toBeUndefined();
});

test('merchants have names, also all of them together and one the person may not see', async () => {
  page.server().on('merchants.list', () => [{ merchantId: 'm-1', name: 'Yaba Gadget Hub' }]);
  const { result } = await page.render(useMerchants);
  expect(['m-1', null, 'm-2'].map((id) => result.current.name(id))).toEqual([
    'Yaba Gadget Hub',
    'all merchants',
    'another merchant',
  ]);
});

test('a disabled person whom decisions wait for is named with these', async () => {
  const neededFor = [{ of: 'refunds', merchantId: 'm-1', merchantName: 'Balogun Books', waiting: 2 }];
  page.server().on('team.setDisabled', () => ({ kind: 'changed', neededFor }));
  const { result, act } = await open();
  await act(() => result.current.setDisabled(true));
  expect(lastToast()?.text).toBe(
    'Ada Obi can no longer sign in, and is signed out everywhere. Without Ada Obi, too few people can approve refunds of Balogun Books: 2 requests wait.',
  );
});
