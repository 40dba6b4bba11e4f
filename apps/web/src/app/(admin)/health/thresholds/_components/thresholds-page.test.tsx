// @vitest-environment happy-dom
import { screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { button, expectProblem, expectRefusal, field, openDashboard } from '#/testing/dashboard.tsx';
import { type KnownThresholds, ThresholdsForm, ThresholdsPage } from './thresholds-page.tsx';

const page = openDashboard('?mode=live&merchant=m-1');
const inForce: KnownThresholds['inForce'] = {
  minSamples: 10,
  downShare: 0.5,
  degradedShare: 0.2,
  healthyShare: 0.1,
  hardFaults: 3,
  slowTimes: 3,
  slowMs: 10_000,
  fastMs: 1_000,
  healthyHoldMs: 60_000,
  restMs: 30_000,
  restMaxMs: 600_000,
  probePayments: 3,
  probeForMs: 30_000,
  probeEveryMs: 5_000,
  openingTimeoutMinMs: 3_000,
  openingTimeoutMaxMs: 10_000,
  openingTarget: 0.99,
  learnFromOthers: true,
};
const wide = { min: 0, max: 1_000_000 };
const KNOWN: KnownThresholds = {
  inForce,
  defaults: { ...inForce, hardFaults: 5 },
  bounds: {
    minSamples: wide,
    downShare: { min: 0.05, max: 1 },
    degradedShare: wide,
    healthyShare: wide,
    hardFaults: wide,
    slowTimes: wide,
    slowMs: wide,
    fastMs: wide,
    healthyHoldMs: wide,
    restMs: wide,
    restMaxMs: wide,
    probePayments: wide,
    probeForMs: wide,
    probeEveryMs: wide,
    openingTimeoutMinMs: wide,
    openingTimeoutMaxMs: wide,
    openingTarget: wide,
  },
  revision: 4,
  updatedBy: null,
  updatedAt: null,
};
const PREVIEW = { kind: 'preview', series: [], from: new Date(0), to: new Date(1) };

beforeEach(() => {
  page.on('me', () => ({ access: [{ merchantId: 'm-1', permissions: ['routing:publish'] }] }));
  page.on('merchants.list', () => [{ merchantId: 'm-1', name: 'Balogun Books', merchantNumber: 'M-1' }]);
  page.on('health.previewThresholds', () => PREVIEW);
});

async function showForm() {
  const user = page.show(<ThresholdsForm merchantId="m-1" mode="live" known={KNOWN} />);
  await screen.findByRole('button', { name: 'Publish' });
  return user;
}
const DOWN = 'Failure rate for down';

test('thresholds are tried before they can be published, and again once they are edited', async () => {
  page.on('health.changeThresholds', () => ({ kind: 'changed' }));
  const user = await showForm();
  await user.clear(field(DOWN));
  await user.type(field(DOWN), '40');
  screen.getByText('1 change not published');
  expect(button('Publish').disabled).toBe(true);
  await user.click(button('Try on last month'));
  await waitFor(() => expect(button('Publish').disabled).toBe(false));
  expect(page.calls('health.previewThresholds')).toEqual([
    { merchantId: 'm-1', mode: 'live', days: 31, thresholds: { ...inForce, downShare: 0.4 } },
  ]);
  await user.type(field(DOWN), '{Backspace}5');
  expect(button('Publish').disabled).toBe(true);
  await user.type(field(DOWN), '{Enter}');
  await waitFor(() => expect(button('Publish').disabled).toBe(false));
  await user.click(button('Publish'));
  await user.click(await screen.findByRole('button', { name: 'Publish thresholds' }));
  await waitFor(() => expect(page.toasts()).toEqual(['Thresholds of Balogun Books are active.']));
  expect(page.calls('health.changeThresholds')).toEqual([
    { merchantId: 'm-1', mode: 'live', thresholds: { ...inForce, downShare: 0.45 }, revision: 4 },
  ]);
});

test('a threshold outside its bounds is not tried', async () => {
  const user = await showForm();
  await user.clear(field(DOWN));
  await user.type(field(DOWN), '150');
  await user.tab();
  await expectProblem('textbox', DOWN, 'Must lie between 5 and 100.');
  await user.click(button('Try on last month'));
  expect(page.calls('health.previewThresholds')).toEqual([]);
  await user.click(button('Undo changes'));
  expect(field(DOWN).value).toBe('50');
  await user.click(button('Reset to defaults'));
  expect(field('Consecutive failures for down').value).toBe('5');
});

test('a refusal is beside its field, and a failed call at the form', async () => {
  page.on('health.previewThresholds', () => ({ kind: 'invalid', problems: [{ field: 'downShare', message: 'must be more' }] }));
  const user = await showForm();
  await user.click(button('Try on last month'));
  await expectProblem('textbox', DOWN, 'Must be more.');
  page.on('health.previewThresholds', () => {
    throw new Error('The server did not answer.');
  });
  await user.click(button('Try on last month'));
  await expectRefusal('The server did not answer.');
});

test('what was typed stays when another person publishes first, and is tried again beside theirs', async () => {
  let known = KNOWN;
  page.on('health.thresholds', () => known);
  page.on('health.changeThresholds', () => ({ kind: 'stale' }));
  const user = page.show(<ThresholdsPage />);
  await screen.findByRole('button', { name: 'Publish' });
  await user.clear(field(DOWN));
  await user.type(field(DOWN), '40');
  await user.click(button('Try on last month'));
  await waitFor(() => expect(button('Publish').disabled).toBe(false));
  known = { ...KNOWN, revision: 5, inForce: { ...inForce, hardFaults: 7 } };
  await user.click(button('Publish'));
  await user.click(await screen.findByRole('button', { name: 'Publish thresholds' }));
  await waitFor(() => expect(field('Consecutive failures for down').value).toBe('7'));
  expect(field(DOWN).value).toBe('40');
  expect(page.toasts()).toEqual(['Another person has changed the thresholds. Yours are kept: try them again beside theirs.']);

  page.on('health.changeThresholds', () => ({ kind: 'changed' }));
  expect(button('Publish').disabled).toBe(true);
  await user.click(button('Try on last month'));
  await waitFor(() => expect(button('Publish').disabled).toBe(false));
  await user.click(button('Publish'));
  await user.click(await screen.findByRole('button', { name: 'Publish thresholds' }));
  await waitFor(() => expect(page.toasts()).toContain('Thresholds of Balogun Books are active.'));
  const thresholds = { ...inForce, downShare: 0.4, hardFaults: 7 };
  expect(page.calls('health.changeThresholds').at(-1)).toEqual({ merchantId: 'm-1', mode: 'live', thresholds, revision: 5 });
});
