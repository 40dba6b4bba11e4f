// @vitest-environment happy-dom
import { screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { button, expectRefusal, field, openDashboard } from '#/testing/dashboard.tsx';
import { RollBack } from './roll-back.tsx';

const page = openDashboard('?mode=live&merchant=m-1');
const ROLL_BACK = 'routing.versions.rollBack';
const onClose = vi.fn();

beforeEach(() => {
  window.sessionStorage.clear();
  onClose.mockReset();
  page.on('merchants.list', () => [{ merchantId: 'm-1', name: 'Yaba Gadgets' }]);
  page.on('routing.access', () => ({ people: [{ staffId: 'ada', name: 'Ada' }], needsApproval: false, approvers: [] }));
  page.on('routing.live', () => ({ ruleSet: { version: 5 }, accounts: [] }));
});

async function showDialog() {
  const user = page.show(<RollBack version={2} current={5} onClose={onClose} />);
  await user.type(await screen.findByRole('textbox', { name: /merchant's name: Yaba Gadgets/ }), 'Yaba Gadgets');
  return user;
}

test('a version is rolled back to with a reason, which is then forgotten', async () => {
  page.on(ROLL_BACK, () => ({ kind: 'published', ruleSet: { version: 6 } }));
  const user = await showDialog();
  expect(button('Roll back to version 2').disabled).toBe(true);
  await user.type(field('Reason'), ' Too many declines ');
  await user.click(button('Roll back to version 2'));
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce());
  const command = { merchantId: 'm-1', mode: 'live', version: 2, baseVersion: 5, reason: 'Too many declines' };
  expect(page.calls(ROLL_BACK)).toEqual([command]);
  expect(window.sessionStorage.length).toBe(0);
});

test('a refusal is said, and the reason stays', async () => {
  page.on(ROLL_BACK, () => ({ kind: 'stale_base', publishedBy: 'staff:ada', currentVersion: 6 }));
  const user = await showDialog();
  await user.type(field('Reason'), 'Too many declines');
  await user.click(button('Roll back to version 2'));
  await expectRefusal('Ada published version 6 meanwhile. Review it first.');
  expect(onClose).not.toHaveBeenCalled();
  expect(field('Reason').value).toBe('Too many declines');
});
