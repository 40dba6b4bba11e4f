// @vitest-environment happy-dom
import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { button, expectCalls, openDashboard } from '#/testing/dashboard.tsx';
import { MonthReview } from './month-review.tsx';

const page = openDashboard('?mode=live&merchant=m-1');
const UNTIL = new Date('2026-11-22T09:00:00Z');
const PEOPLE = [
  { staffId: 'me', name: 'Ada Obi' },
  { staffId: 'bola', name: 'Bola Ade' },
];
const WAIVER = {
  requestedBy: 'staff:bola',
  requesterName: 'Bola Ade',
  requestedAt: new Date('2026-11-21T09:00:00Z'),
  until: UNTIL,
};

let rule: object;
beforeEach(() => {
  page.allow('month:close');
  page.on('me', () => ({ staffId: 'me', access: [{ merchantId: 'm-1', permissions: ['month:close'] }] }));
  rule = { required: true, people: PEOPLE, waiver: null };
  page.on('monthClose.reviewRule', () => rule);
});
const show = () => page.show(<MonthReview merchantId="m-1" mode="live" />);
const books = { merchantId: 'm-1', mode: 'live' };

test('who needs the second person requests to do without, and nothing changes until the other agrees', async () => {
  page.on('monthClose.requireReview', () => ({ kind: 'needs_second_person', requestedBy: 'staff:me', until: UNTIL }));
  const user = show();
  await screen.findByText('A second person has to review a month before it is signed off.');
  await user.click(button('Let one person sign off'));
  const dialog = await screen.findByRole('dialog');
  within(dialog).getByText(/^Bola Ade has to agree within a day/);
  await user.click(within(dialog).getByRole('button', { name: 'Send request' }));
  await expectCalls(page, 'monthClose.requireReview', [{ ...books, required: false }]);
  await waitFor(() =>
    expect(page.toasts()[0]).toMatch(/^Request sent\. A second person still has to review months until Bola Ade agrees/),
  );
});

test('the other sees who requested it, and agrees or declines', async () => {
  rule = { required: true, people: PEOPLE, waiver: WAIVER };
  page.on('monthClose.requireReview', () => ({ kind: 'changed', required: false }));
  const user = show();
  await screen.findByRole('region', { name: 'Request of Bola Ade' });
  screen.getByText('Bola Ade requested that one person can sign off months');
  await user.click(button('Agree'));
  await expectCalls(page, 'monthClose.requireReview', [{ ...books, required: false }]);
  await user.click(button('Decline'));
  expect(page.calls('monthClose.requireReview')[1]).toEqual({ ...books, required: true });
});

test('one’s own request can be withdrawn, and not agreed to', async () => {
  rule = { required: true, people: PEOPLE, waiver: { ...WAIVER, requestedBy: 'staff:me' } };
  page.on('monthClose.requireReview', () => ({ kind: 'changed', required: true }));
  const user = show();
  await user.click(await screen.findByRole('button', { name: 'Withdraw the request' }));
  await expectCalls(page, 'monthClose.requireReview', [{ ...books, required: true }]);
  expect(screen.queryByRole('button', { name: 'Agree' })).toBeNull();
});

test('one who is alone cannot require another', async () => {
  rule = { required: false, people: PEOPLE.slice(0, 1), waiver: null };
  show();
  await screen.findByText('One person can close a month and sign it off.');
  await waitFor(() => expect(button('Require a second person’s review').disabled).toBe(true));
});

test('who may not close months reads it', async () => {
  page.on('me', () => ({ staffId: 'me', access: [{ merchantId: 'm-1', permissions: ['report:read'] }] }));
  show();
  await screen.findByText('A second person has to review a month before it is signed off.');
  expect(screen.queryByRole('button')).toBeNull();
});
