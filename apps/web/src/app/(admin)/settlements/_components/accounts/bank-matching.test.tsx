// @vitest-environment happy-dom
import { screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { button, expectCalls, expectProblem, field, openDashboard } from '#/testing/dashboard.tsx';
import { BankMatchingSection } from './accounts-section.tsx';

const page = openDashboard('?mode=live');

const DEFAULTS = { tolerance: '100', days: 5, workingDays: 2 };

beforeEach(() => {
  page.allow('reconciliation:resolve');
  page.server().on('settlements.bank.matching', () => ({
    merchants: [
      { merchantId: 'm-1', merchantName: 'Balogun Books', ...DEFAULTS, isDefault: true },
      { merchantId: 'm-2', merchantName: 'Eze Furniture', tolerance: '52.5', days: 1, workingDays: 3, isDefault: false },
    ],
    defaults: DEFAULTS,
  }));
  page.server().on('settlements.bank.setMatching', () => ({ changed: true }));
});

async function open(merchant: string) {
  const user = page.show(<BankMatchingSection />);
  await user.click(await screen.findByRole('button', { name: `Change… the bank matching of ${merchant}` }));
  await screen.findByRole('dialog', { name: `Bank matching of ${merchant}` });
  return user;
}

test('each merchant shows its setting, and whether it is the defaults', async () => {
  page.show(<BankMatchingSection />);
  expect(await screen.findByText('The defaults')).toBeTruthy();
  expect(screen.getByText('52.5')).toBeTruthy();
  expect(screen.getByText('1 day')).toBeTruthy();
  expect(screen.getByText('3 working days')).toBeTruthy();
});

test('what was entered is sent as an exact amount and numbers', async () => {
  const user = await open('Balogun Books');
  await user.clear(field('Tolerance'));
  await user.type(field('Tolerance'), '53.75');
  await user.clear(field('Missing after'));
  await user.type(field('Missing after'), '4');
  await user.click(button('Save matching'));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  const matching = { tolerance: '53.75', days: 5, workingDays: 4 };
  await expectCalls(page, 'settlements.bank.setMatching', [{ merchantId: 'm-1', matching }]);
});

test('a window of more days than a bank takes is refused beside its field, and nothing is sent', async () => {
  const user = await open('Balogun Books');
  await user.clear(field('Match window'));
  await user.type(field('Match window'), '31');
  await user.click(button('Save matching'));
  await expectProblem('textbox', 'Match window', 'Must be at most 30.');
  await expectCalls(page, 'settlements.bank.setMatching', []);
});

test('a merchant returns to the defaults', async () => {
  const user = await open('Eze Furniture');
  await user.click(button('Follow the defaults'));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await expectCalls(page, 'settlements.bank.setMatching', [{ merchantId: 'm-2', matching: null }]);
});
