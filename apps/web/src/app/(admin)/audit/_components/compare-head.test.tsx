// @vitest-environment happy-dom
import { waitFor } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { button, expectProblem, field, openDashboard } from '#/testing/dashboard.tsx';
import { CompareHead } from './compare-head.tsx';
import type { CheckedChain } from './use-audit.ts';

const page = openDashboard('?mode=live');
const HASH = 'a'.repeat(64);
const CHAIN: CheckedChain = {
  merchantId: null,
  name: 'Workspace',
  position: 7,
  hash: HASH,
  updatedAt: new Date(0),
  verified: null,
};
const onCompare = vi.fn();
const showForm = () => page.show(<CompareHead chains={[CHAIN]} running={false} onCompare={onCompare} />);

test('a saved head is compared with the log it is of', async () => {
  const user = showForm();
  expect(button('Compare').disabled).toBe(true);
  await user.type(field('A head you saved'), ` workspace:5:${HASH} {Enter}`);
  await waitFor(() => expect(onCompare.mock.calls).toEqual([[CHAIN, { position: 5, hash: HASH }]]));
});

test.each([
  ['no head', 'workspace:5', 'Must be a head as it is copied above.'],
  ['a head of another log', `019abcde-0000-7000-8000-000000000000:5:${HASH}`, 'Must be of one of the logs above.'],
])('%s is refused beside the field', async (_, entered, problem) => {
  onCompare.mockReset();
  const user = showForm();
  await user.type(field('A head you saved'), `${entered}{Enter}`);
  await expectProblem('textbox', 'A head you saved', problem);
  expect(onCompare).not.toHaveBeenCalled();
});
