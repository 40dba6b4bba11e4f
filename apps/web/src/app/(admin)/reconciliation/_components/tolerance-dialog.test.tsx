// @vitest-environment happy-dom
import { screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { expectCalls, expectProblem, expectRefusal, field, openDashboard } from '#/testing/dashboard.tsx';
import { ToleranceDialog } from './tolerance-dialog.tsx';

const page = openDashboard('?mode=live');
let tolerance: string;
beforeEach(() => {
  tolerance = '50';
  page.on('me', () => ({ access: [{ merchantId: 'm-1', permissions: ['reconciliation:resolve'] }] }));
  page.on('reconciliation.tolerances', () => [
    { merchantId: 'm-1', merchantName: 'Balogun Books', tolerance, updatedAt: null },
    { merchantId: 'm-2', merchantName: 'Yaba Gadgets', tolerance: '1', updatedAt: null },
  ]);
});

async function showDialog() {
  const user = page.show(<ToleranceDialog onClose={() => undefined} />);
  await screen.findByRole('button', { name: 'Save' });
  return user;
}

test('a tolerance is saved as the exact decimal that was entered', async () => {
  page.on('reconciliation.setTolerance', (input) => {
    tolerance = Reflect.get(Object(input), 'tolerance');
    return { kind: 'changed' };
  });
  const user = await showDialog();
  await user.clear(field('Balogun Books'));
  await user.type(field('Balogun Books'), '1234567.000001{Enter}');
  await expectCalls(page, 'reconciliation.setTolerance', [{ merchantId: 'm-1', tolerance: '1234567.000001' }]);
  await waitFor(() => expect(page.toasts()).toEqual(['Tolerance of Balogun Books saved.']));
});

test('what is no amount is said beside the field, and not sent', async () => {
  const user = await showDialog();
  await user.clear(field('Balogun Books'));
  await user.type(field('Balogun Books'), '12345678{Enter}');
  await expectProblem('textbox', 'Balogun Books', 'Must be an amount, such as 50 or 0.5.');
  expect(page.calls('reconciliation.setTolerance')).toEqual([]);
});

test('a failed call is said at the form', async () => {
  page.on('reconciliation.setTolerance', () => {
    throw new Error('The server did not answer.');
  });
  const user = await showDialog();
  await user.type(field('Balogun Books'), '1{Enter}');
  await expectRefusal('The server did not answer.');
});

test('without the permission a tolerance is only read', async () => {
  await showDialog();
  expect(field('Yaba Gadgets').disabled).toBe(true);
  expect(screen.getAllByRole('button', { name: 'Save' })).toHaveLength(1);
});
