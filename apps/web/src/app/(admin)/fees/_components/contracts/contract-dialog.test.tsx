// @vitest-environment happy-dom
import { screen, waitFor } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import type { ContractAccount } from '#/copy/fees.ts';
import {
  button,
  checkbox,
  expectCalls,
  expectProblem,
  expectRefusal,
  field,
  openDashboard,
  radio,
} from '#/testing/dashboard.tsx';
import { ContractDialog } from './contract-dialog.tsx';

const page = openDashboard('?mode=live', '/fees');
const ACCOUNT: ContractAccount = {
  merchantId: 'm-1',
  merchantName: 'Balogun Books',
  accountId: 'acc-1',
  accountLabel: 'paystack-main',
  gateway: 'paystack',
  gatewayTitle: 'Paystack',
  methods: ['CARD', 'TRANSFER'],
  currency: 'NGN',
  contracts: [],
};

function open(account: ContractAccount = ACCOUNT) {
  const onClose = vi.fn();
  return { user: page.show(<ContractDialog account={account} onClose={onClose} />), onClose };
}

async function enter(user: ReturnType<typeof open>['user'], name: string, text: string, at = 0) {
  const input = screen.getAllByRole('textbox', { name })[at];
  if (input === undefined) throw new Error(`There is no field ${name}.`);
  await user.clear(input);
  if (text !== '') await user.type(input, text);
}

test('terms are sent in hundredths of a per cent and exact amounts, with an exception for international cards', async () => {
  page.on('fees.addContract', () => ({ kind: 'added' }));
  const { user, onClose } = open();
  await enter(user, 'Percentage', '1.5');
  await enter(user, 'Flat', '100');
  await enter(user, 'Flat waived below', '2500');
  await enter(user, 'Cap', '2000');
  await enter(user, 'VAT on the fee', '7.5');
  await enter(user, 'Stamp duty', '50');
  await enter(user, 'Stamp duty from', '10000');
  await user.click(button('Add an exception'));
  await user.click(checkbox('Card'));
  await user.click(radio('International'));
  await enter(user, 'Percentage', '3.9', 1);
  await user.type(field('Note'), 'No. 7');
  await user.click(button('Enter contract'));
  await waitFor(() => expect(onClose).toHaveBeenCalled());
  const none = { flatWaivedBelow: null, cap: null, vatBasisPoints: 0 };
  const appliesFrom = new Intl.DateTimeFormat('en-CA', { timeZone: 'Africa/Lagos' }).format(new Date());
  await expectCalls(page, 'fees.addContract', [
    {
      merchantId: 'm-1',
      accountId: 'acc-1',
      schedule: {
        percentBasisPoints: 150,
        flat: 100,
        flatWaivedBelow: 2_500,
        cap: 2_000,
        vatBasisPoints: 750,
        stampDuty: { amount: 50, from: 10_000 },
        exceptions: [
          {
            ...none,
            percentBasisPoints: 390,
            flat: 0,
            methods: ['CARD'],
            origin: 'international',
            amount: { from: 0, to: null },
          },
        ],
      },
      appliesFrom,
      tolerance: '0.01',
      note: 'No. 7',
    },
  ]);
  expect(page.toasts()).toEqual(['The contract of paystack-main is entered.']);
});

test('it begins with the terms that apply, and an exception can be removed', async () => {
  page.on('fees.addContract', () => ({ kind: 'added' }));
  const terms = { percentBasisPoints: 140, flat: 0, flatWaivedBelow: null, cap: 1_500, vatBasisPoints: 0 };
  const exception = {
    ...terms,
    percentBasisPoints: 350,
    methods: ['CARD'],
    origin: 'international',
    amount: { from: 0, to: null },
  } as const;
  const contract = {
    contractId: 'c-1',
    accountId: 'acc-1',
    appliesFrom: new Date('2026-01-01T00:00:00Z'),
    appliesTo: null,
    schedule: { ...terms, exceptions: [exception] },
    tolerance: '0.5',
    note: null,
  };
  const { user } = open({ ...ACCOUNT, contracts: [contract] as never });
  expect(screen.getAllByRole<HTMLInputElement>('textbox', { name: 'Percentage' }).map(({ value }) => value)).toEqual([
    '1.4',
    '3.5',
  ]);
  expect(field('Tolerance').value).toBe('0.5');
  await user.click(button('Remove exception 1'));
  await user.click(button('Enter contract'));
  await waitFor(() => expect(page.calls('fees.addContract')).toMatchObject([{ schedule: terms, tolerance: '0.5', note: null }]));
  expect(page.calls('fees.addContract')[0]).not.toHaveProperty('schedule.exceptions');
});

test('a percentage above 100 and an empty amount are refused beside their fields, and nothing is sent', async () => {
  const { user, onClose } = open();
  await enter(user, 'Percentage', '101');
  await enter(user, 'Flat', '');
  await user.click(button('Enter contract'));
  await expectProblem('textbox', 'Percentage', 'Must lie between 0 and 100.');
  await expectProblem('textbox', 'Flat', 'Must be an amount.');
  await expectCalls(page, 'fees.addContract', []);
  expect(onClose).not.toHaveBeenCalled();
});

test('what the server refuses is beside the field it names, else above the form', async () => {
  page.on('fees.addContract', () => ({
    kind: 'invalid',
    problems: [{ field: 'schedule.vatBasisPoints', message: 'must be 100 at most' }],
  }));
  const { user } = open();
  await user.click(button('Enter contract'));
  await expectProblem('textbox', 'VAT on the fee', 'Must be 100 at most.');
  page.on('fees.addContract', () => ({ kind: 'too_many', limit: 1_000 }));
  await user.click(button('Enter contract'));
  await expectRefusal('A merchant has 1,000 contracts at most.');
});
