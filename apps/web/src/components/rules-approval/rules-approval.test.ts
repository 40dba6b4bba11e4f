import { beforeEach, describe, expect, test } from 'vitest';
import { openHookPage } from '#/testing/hook-page.ts';
import { describePeople } from '../second-person/use-second-person.ts';
import { shownToasts } from '../toasts/toast-store.ts';
import { useRulesApproval } from './rules-approval.tsx';

const page = openHookPage('?mode=test&merchant=m-1');
const MERCHANT = { merchantId: 'm-1', name: 'Yaba Gadget Hub' };
const UNTIL = new Date('2026-11-22T09:00:00Z');

let access: object;
const open = () => page.render(() => useRulesApproval(MERCHANT));
const lastToast = () => shownToasts().at(-1);

beforeEach(() => {
  access = {
    needsApproval: true,
    approvers: [
      { staffId: 'me', name: 'Ada Obi' },
      { staffId: 'bola', name: 'Bola Ade' },
    ],
    people: [{ staffId: 'bola', name: 'Bola Ade' }],
    waiver: null,
  };
  page.server().on('me', () => ({ staffId: 'me', access: [] }));
  page.server().on('routing.access', () => access);
});

test('the others who can approve leave out the person who looks', async () => {
  const { result } = await open();
  expect([result.current.required, result.current.others]).toEqual([true, ['Bola Ade']]);
});

test('the requirement is undefined until it is loaded, so that no switch shows a wrong state', async () => {
  page.server().on('routing.access', () => new Promise(() => undefined));
  const { result } = await open();
  expect([result.current.required, result.current.waiver]).toEqual([undefined, null]);
});

test.each([
  ['staff:me', true, 'A colleague'],
  ['staff:bola', false, 'Bola Ade'],
  ['staff:left', false, 'A colleague'],
])('a request to publish without approval names who made it: %s', async (requestedBy, isMine, requesterName) => {
  access = { ...access, waiver: { requestedBy, until: UNTIL } };
  const { result } = await open();
  expect(result.current.waiver).toMatchObject({ isMine, requesterName });
});

test('switching the requirement on refreshes what depends on it', async () => {
  page.server().on('routing.versions.requireApproval', () => ({ kind: 'changed', required: true }));
  const { result, act } = await open();
  const before = page.server().calls('routing.access').length;
  await act(() => result.current.setWithToast(true));
  await page.wait();
  expect(page.server().calls('routing.versions.requireApproval')).toEqual([{ merchantId: 'm-1', required: true }]);
  expect(page.server().calls('routing.access').length).toBe(before + 1);
  expect(lastToast()?.text).toBe('A second person has to approve rules of Yaba Gadget Hub.');
});

test('switching it off that waits for a second person can be withdrawn', async () => {
  page.server().on('routing.versions.requireApproval', () => ({ kind: 'needs_second_person', until: UNTIL }));
  const { result, act } = await open();
  await act(() => result.current.setWithToast(false));
  expect(lastToast()?.text).toMatch(
    /^Request sent\. A second person still has to approve rules of Yaba Gadget Hub until Bola Ade agrees, by /,
  );
  page.server().on('routing.versions.requireApproval', () => ({ kind: 'changed', required: true }));
  await act(() => lastToast()?.action?.run());
  expect(page.server().calls('routing.versions.requireApproval').at(-1)).toEqual({ merchantId: 'm-1', required: true });
});

test('switching it off offers to undo only where another person could approve afterwards', async () => {
  page.server().on('routing.versions.requireApproval', () => ({ kind: 'changed', required: false }));
  const { result, act } = await open();
  await act(() => result.current.setWithToast(false));
  expect(lastToast()?.action?.label).toBe('Undo');
  access = { ...access, approvers: [{ staffId: 'me', name: 'Ada Obi' }] };
  await page.wait(15_000);
  await page.wait();
  await act(() => result.current.setWithToast(false));
  expect(lastToast()?.action).toBeUndefined();
});

test.each([
  ['no_second_person', /No one else can approve rules of Yaba Gadget Hub/],
  ['not_a_person', /Only people decide this/],
  ['not_found', /no such merchant/],
])('a refusal is thrown with its reason: %s', async (kind, reason) => {
  page.server().on('routing.versions.requireApproval', () => ({ kind }));
  const { result, act } = await open();
  await act(() => expect(result.current.setWithToast(true)).rejects.toThrow(reason));
});

describe('approvers of whom one is enough', () => {
  test.each([
    [[], 'another person'],
    [['Ada'], 'Ada'],
    [['Ada', 'Bola'], 'Ada or Bola'],
    [['Ada', 'Bola', 'Chi'], 'Ada, Bola or Chi'],
    [['Ada', 'Bola', 'Chi', 'Dayo'], 'Ada, Bola or 2 others'],
  ])('%j', (names, text) => {
    expect(describePeople(names)).toBe(text);
  });
});
