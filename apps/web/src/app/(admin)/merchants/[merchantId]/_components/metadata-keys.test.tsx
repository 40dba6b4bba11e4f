// @vitest-environment happy-dom
import { screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { button, expectCalls, expectProblem, field, openDashboard } from '#/testing/dashboard.tsx';
import { MetadataKeys } from './metadata-keys.tsx';
import type { Profile } from './profile.ts';

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
beforeEach(() => {
  page.allow('merchant:update');
  page.on('routing.metadataKeys.list', () => []);
});

async function addKey() {
  const user = page.show(
    <>
      <a href="/payments">Payments</a>
      <MetadataKeys profile={PROFILE} />
    </>,
  );
  await user.click(await screen.findByRole('button', { name: 'Add key' }));
  await user.type(field('Name in metadata'), 'tier');
  return user;
}

test('the keys are sent as a whole, and a problem of one is beside its field', async () => {
  page.on('routing.metadataKeys.save', () => ({
    kind: 'invalid',
    problems: [{ field: '0.label', message: 'must not be empty' }],
  }));
  const user = await addKey();
  await user.click(button('Save keys'));
  await expectProblem('textbox', 'Label', 'Must not be empty.');
  page.on('routing.metadataKeys.save', () => ({ kind: 'saved', keys: [] }));
  await user.type(field('Label'), 'Customer tier');
  await user.click(button('Save keys'));
  await waitFor(() => expect(page.toasts()).toEqual(['The keys for rules were changed.']));
  const sent = (label: string) => ({ merchantId: 'm-1', keys: [{ name: 'tier', label, type: 'string' }] });
  await expectCalls(page, 'routing.metadataKeys.save', [sent(''), sent('Customer tier')]);
});

test('a link asks before a key that was entered is lost, and not once it is undone', async () => {
  const user = await addKey();
  await user.click(screen.getByRole('link', { name: 'Payments' }));
  await screen.findByRole('dialog', { name: 'Leave without saving?' });
  await user.click(button('Keep editing'));
  expect(field('Name in metadata').value).toBe('tier');
  await user.click(button('Undo changes'));
  await user.click(screen.getByRole('link', { name: 'Payments' }));
  expect(screen.queryByRole('dialog')).toBeNull();
});

test('a key that was entered stays when another person saves, with a word of theirs', async () => {
  const user = await addKey();
  const gold = { key: { name: 'channel', label: 'Channel', type: 'string' }, rules: [] };
  page.on('routing.metadataKeys.list', () => [gold]);
  await page.readAgain();
  await screen.findByText(/Another person has changed the keys/);
  expect(field('Name in metadata').value).toBe('tier');
  await user.click(button('Undo changes'));
  expect(field('Name in metadata').value).toBe('channel');
  expect(screen.queryByText(/Another person/)).toBeNull();

  // What is not edited follows, and a rule that begins to compare a key takes nothing from what is.
  page.on('routing.metadataKeys.list', () => [{ ...gold, key: { ...gold.key, name: 'source' } }]);
  await page.readAgain();
  await waitFor(() => expect(field('Name in metadata').value).toBe('source'));
  await user.type(field('Label'), 's');
  page.on('routing.metadataKeys.list', () => [{ key: { ...gold.key, name: 'source' }, rules: ['cards'] }]);
  await page.readAgain();
  await screen.findByText('Compared by cards.');
  expect(field('Label').value).toBe('Channels');
  expect(screen.queryByText(/Another person/)).toBeNull();
});
