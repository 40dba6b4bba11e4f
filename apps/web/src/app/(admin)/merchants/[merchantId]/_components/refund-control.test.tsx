// @vitest-environment happy-dom
import { screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { button, expectCalls, expectProblem, field, openDashboard, undo } from '#/testing/dashboard.tsx';
import type { Profile } from './profile.ts';
import { ControlOfRefunds } from './refund-control.tsx';

const page = openDashboard('?mode=test&merchant=m-1');
const PROFILE: Profile = {
  merchantId: 'm-1',
  merchantNumber: 'M-100000',
  name: 'Balogun Books',
  defaultRedirectUrl: null,
  sessionMinutes: 60,
  timeZone: 'Africa/Lagos',
  refundDuplicates: false,
  rulesNeedApproval: false,
  holdoutPercent: 0,
  agentsMayWriteLive: false,
  createdAt: new Date(0),
  updatedAt: new Date(0),
};
const CONTROL = {
  secondPersonAbove: null,
  dailyLimits: { owner: 1_000_000n, finance: 200_000n },
  reasonCodes: [{ code: 'cancelled', title: 'Order cancelled' }],
  refunders: ['Ada Obi', 'Bola Ade'],
  waiver: null,
};
beforeEach(() => {
  page.allow('refund:configure');
  page.on('refunds.control.read', () => CONTROL);
});

async function showForm() {
  const user = page.show(<ControlOfRefunds profile={PROFILE} />);
  await screen.findByRole('button', { name: 'Save changes' });
  return user;
}

test('only the setting that was edited is sent, a limit with those of the other roles, and can be undone', async () => {
  page.on('refunds.control.change', () => ({ kind: 'changed', control: CONTROL, waiver: null }));
  const user = await showForm();
  await user.clear(field('Daily limit of one person, finance'));
  await user.type(field('Daily limit of one person, finance'), '50000');
  await user.click(button('Save changes'));
  await expectCalls(page, 'refunds.control.change', [
    { merchantId: 'm-1', changes: { dailyLimits: { owner: 1_000_000n, finance: 50_000n } } },
  ]);
  await waitFor(() => expect(page.toasts()).toEqual(['Control of refunds at Balogun Books was changed.']));
  await undo();
  expect(page.calls('refunds.control.change')[1]).toEqual({ merchantId: 'm-1', changes: { dailyLimits: CONTROL.dailyLimits } });
});

test('an amount above which a second person is needed warns where there is none', async () => {
  page.on('refunds.control.read', () => ({ ...CONTROL, refunders: ['Ada Obi'] }));
  page.on('refunds.control.change', () => ({ kind: 'changed', control: CONTROL, waiver: null }));
  const user = await showForm();
  expect(screen.queryByText(/only person who may approve refunds/)).toBeNull();
  await user.type(field('Second person above'), '50000');
  screen.getByText(/^Ada Obi is the only person who may approve refunds here/);
  await user.click(button('Save changes'));
  await expectCalls(page, 'refunds.control.change', [{ merchantId: 'm-1', changes: { secondPersonAbove: 50_000n } }]);
});

test('an empty field is no limit', async () => {
  page.on('refunds.control.change', () => ({ kind: 'changed', control: CONTROL, waiver: null }));
  const user = await showForm();
  await user.clear(field('Daily limit of one person, owner'));
  await user.click(button('Save changes'));
  await expectCalls(page, 'refunds.control.change', [{ merchantId: 'm-1', changes: { dailyLimits: { finance: 200_000n } } }]);
});

test('reason codes are entered one a line with their titles', async () => {
  page.on('refunds.control.change', () => ({ kind: 'changed', control: CONTROL, waiver: null }));
  const user = await showForm();
  await user.type(field('Reason codes'), '\n\nwrong_item: Wrong item: another size\nother');
  await user.click(button('Save changes'));
  const reasonCodes = [
    { code: 'cancelled', title: 'Order cancelled' },
    { code: 'wrong_item', title: 'Wrong item: another size' },
    { code: 'other', title: 'other' },
  ];
  await expectCalls(page, 'refunds.control.change', [{ merchantId: 'm-1', changes: { reasonCodes } }]);
});

test.each([
  ['Daily limit of one person, finance', '0', 'Must be above 0.'],
  ['Reason codes', 'Wrong item', 'Must have 1 to 40 of a to z, 0 to 9 and _.'],
  ['Reason codes', 'cancelled: Again\ncancelled: And again', 'Must have each code once.'],
])('what cannot be stored as %s is said beside the field', async (name, entered, problem) => {
  const user = await showForm();
  await user.clear(field(name));
  await user.type(field(name), entered);
  await user.click(button('Save changes'));
  await expectProblem('textbox', name, problem);
  expect(page.calls('refunds.control.change')).toEqual([]);
});

test('who may not change it reads it', async () => {
  page.allow('payment:refund');
  page.show(<ControlOfRefunds profile={PROFILE} />);
  await screen.findByText('Only owners can change this.');
  expect(field('Daily limit of one person, finance').value).toBe('200,000');
  expect(screen.queryByRole('button')).toBeNull();
});

const UNTIL = new Date('2026-11-22T09:00:00Z');
const WAIVER = {
  merchantId: 'm-1',
  requestedBy: 'staff:bola',
  requesterName: 'Bola Ade',
  requestedAt: new Date('2026-11-21T09:00:00Z'),
  until: UNTIL,
  above: 50_000n,
  wanted: null,
};
const asMe = (...permissions: string[]) => page.on('me', () => ({ staffId: 'me', access: [{ merchantId: 'm-1', permissions }] }));

test('a larger amount is requested, and holds once another person agreed', async () => {
  page.on('refunds.control.read', () => ({ ...CONTROL, secondPersonAbove: 50_000n }));
  page.on('refunds.control.change', () => ({ kind: 'changed', control: CONTROL, waiver: { wanted: null, until: UNTIL } }));
  const user = await showForm();
  await user.clear(field('Second person above'));
  await user.click(button('Save changes'));
  await expectCalls(page, 'refunds.control.change', [{ merchantId: 'm-1', changes: { secondPersonAbove: null } }]);
  await waitFor(() => expect(page.toasts()[0]).toMatch(/^Request sent\. Refunds above 50,000 need a second person until/));
});

test('another person who may approve refunds agrees to it or declines it', async () => {
  asMe('refund:approve');
  page.on('refunds.control.read', () => ({ ...CONTROL, secondPersonAbove: 50_000n, waiver: WAIVER }));
  page.on('refunds.control.answerWaiver', () => ({ kind: 'changed', control: CONTROL }));
  const user = page.show(<ControlOfRefunds profile={PROFILE} />);
  await screen.findByRole('region', { name: 'Request of Bola Ade' });
  screen.getByText('Bola Ade requested that no refund needs a second person');
  await user.click(button('Agree'));
  await expectCalls(page, 'refunds.control.answerWaiver', [{ merchantId: 'm-1', agree: true, wanted: null }]);
});

test('who requested it withdraws it, and does not agree', async () => {
  asMe('refund:configure', 'refund:approve');
  page.on('refunds.control.read', () => ({
    ...CONTROL,
    secondPersonAbove: 50_000n,
    waiver: { ...WAIVER, requestedBy: 'staff:me' },
  }));
  page.on('refunds.control.answerWaiver', () => ({ kind: 'closed' }));
  const user = page.show(<ControlOfRefunds profile={PROFILE} />);
  await user.click(await screen.findByRole('button', { name: 'Withdraw the request' }));
  await expectCalls(page, 'refunds.control.answerWaiver', [{ merchantId: 'm-1', agree: false, wanted: null }]);
  expect(screen.queryByRole('button', { name: 'Agree' })).toBeNull();
});
