// @vitest-environment happy-dom
import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import type { EndpointRow } from '#/app/(admin)/webhooks/_components/endpoint-badge.tsx';
import { SecretHost } from '#/components/shown-once/secret-host.tsx';
import { button, expectCalls, expectProblem, expectRefusal, field, openDashboard, radio, undo } from '#/testing/dashboard.tsx';
import { EditDialog, ResendDialog, RotateSecretDialog } from './dialogs.tsx';

const page = openDashboard('?mode=test&merchant=m-1');
const onClose = vi.fn();
beforeEach(() => onClose.mockReset());

const ENDPOINT: EndpointRow = {
  endpointId: 'e-1',
  merchantId: 'm-1',
  mode: 'test',
  url: 'https://shop.example/hooks',
  description: 'Orders',
  types: [],
  format: 'switchyard',
  enabled: true,
  traffic: { attempts: 7, delivered: 7, oldestWaitingAt: null, waiting: 2 },
  failingSince: null,
  lastFailedAt: null,
  lastDeliveredAt: null,
  disabledAt: null,
  disabledReason: null,
  certificateExpiresAt: null,
  previousSecretEndsAt: null,
  createdAt: new Date(0),
  updatedAt: new Date(0),
};
const done = () => undefined;

test('only what was edited is sent, with what becomes of waiting events, and can be undone', async () => {
  page.on('webhooks.update', () => ({ kind: 'updated' }));
  const user = page.show(<EditDialog endpoint={ENDPOINT} onDone={done} onClose={onClose} />);
  await user.type(field('Address'), '2');
  screen.getByText(/2 events wait; they go to the new/);
  await user.click(button('Save'));
  const key = { merchantId: 'm-1', endpointId: 'e-1' };
  await expectCalls(page, 'webhooks.update', [{ ...key, changes: { url: 'https://shop.example/hooks2' } }]);
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce());
  await undo();
  expect(page.calls('webhooks.update')[1]).toEqual({ ...key, changes: { url: 'https://shop.example/hooks' } });
});

test('events are limited to some, at least one, and back to the usual ones', async () => {
  page.on('webhooks.update', () => ({ kind: 'updated' }));
  const user = page.show(<EditDialog endpoint={{ ...ENDPOINT, types: ['payment.succeeded'] }} onDone={done} onClose={onClose} />);
  expect(radio('Only these').checked).toBe(true);
  for (const one of screen.getAllByRole('checkbox', { checked: true })) await user.click(one);
  await user.click(button('Save'));
  await expectProblem('group', 'Which events', 'Must name at least one event.');
  expect(page.calls('webhooks.update')).toEqual([]);
  await user.click(screen.getAllByRole('radio')[0] ?? button('Save'));
  await user.click(button('Save'));
  await expectCalls(page, 'webhooks.update', [{ merchantId: 'm-1', endpointId: 'e-1', changes: { types: [] } }]);
});

test('a refused address is beside its field', async () => {
  page.on('webhooks.update', () => ({ kind: 'invalid', problems: [{ field: 'url', message: 'must be reachable' }] }));
  const user = page.show(<EditDialog endpoint={ENDPOINT} onDone={done} onClose={onClose} />);
  await user.type(field('Address'), '2{Enter}');
  await expectProblem('textbox', 'Address', 'Must be reachable.');
});

function showRotation(format: EndpointRow['format']) {
  return page.show(
    <>
      <RotateSecretDialog endpoint={{ ...ENDPOINT, format }} onDone={done} onClose={onClose} />
      <SecretHost />
    </>,
  );
}

test('the signing secret is rotated, with the old one for as long as chosen', async () => {
  page.on('webhooks.rotateSecret', () => ({ kind: 'rotated', secret: 'whsec_2' }));
  const user = showRotation('switchyard');
  await user.click(radio('For 7 days'));
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() });
  onTestFinished(() => void vi.useRealTimers());
  await user.click(button('Rotate secret'));
  await screen.findByRole('dialog', { name: 'The new signing secret' });
  const [sent] = page.calls('webhooks.rotateSecret');
  expect(sent).toMatchObject({ merchantId: 'm-1', endpointId: 'e-1', secret: null });
  // A minute less, so that a clock that is ahead does not pass the server's limit.
  expect(Reflect.get(Object(sent), 'oldSignsUntil')).toEqual(new Date(Date.now() + 7 * 86_400_000 - 60_000));
  await user.click(button('I have stored it'));
});

test("the secret of a gateway's format is chosen, and a refused one is beside its field", async () => {
  page.on('webhooks.rotateSecret', () => ({ kind: 'invalid', problems: [{ field: 'secret', message: 'must be longer' }] }));
  const user = showRotation('paystack');
  await user.type(screen.getByLabelText('Secret'), 'short{Enter}');
  await screen.findByText('Must be longer.');
  expect(page.calls('webhooks.rotateSecret')).toMatchObject([{ secret: 'short' }]);
});

const COUNT = 'webhooks.deliveries.countRange';
const RESEND = 'webhooks.deliveries.resendRange';
const dayOf = async (group: string) =>
  within(await screen.findByRole('group', { name: group })).getByRole('textbox', { name: 'Date' });

function showResend() {
  page.on(COUNT, () => ({ kind: 'counted', total: 3 }));
  return page.show(<ResendDialog endpoint={ENDPOINT} from="2026-11-20T09:00:00Z" onDone={done} onClose={onClose} />);
}

test('the events of the period are sent again, after their number was shown', async () => {
  page.on(RESEND, () => ({ kind: 'begun', total: 3 }));
  const user = showResend();
  await user.click(radio(/^All events/));
  await user.click(await screen.findByRole('button', { name: 'Send 3 events' }));
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce());
  const [sent] = page.calls(RESEND);
  expect(sent).toMatchObject({ merchantId: 'm-1', endpointId: 'e-1', onlyUndelivered: false });
  expect(Reflect.get(Object(sent), 'from')).toEqual(new Date('2026-11-20T09:00:00Z'));
  expect(page.calls(COUNT)).toContainEqual(sent);
});

test('a period that ends before it begins is neither counted nor sent, and says why beside its end', async () => {
  const user = showResend();
  await screen.findByRole('button', { name: 'Send 3 events' });
  const counted = page.calls(COUNT).length;
  await user.clear(await dayOf('To'));
  await user.type(await dayOf('To'), '1 Nov 2026');
  screen.getByText('The period is not valid.');
  await user.click(button('Send'));
  await expectProblem('group', 'To', 'Must be after the beginning.');
  expect([page.calls(RESEND), page.calls(COUNT).length]).toEqual([[], counted]);
});

test('a period that could not be sent is said, and is not lost without a question', async () => {
  page.on(RESEND, () => {
    throw new Error('The server did not answer.');
  });
  const user = showResend();
  await user.click(radio(/^All events/));
  await user.click(await screen.findByRole('button', { name: 'Send 3 events' }));
  await expectRefusal('The server did not answer.');
  await user.click(button('Close'));
  screen.getByText('What you entered is not saved.');
  expect(onClose).not.toHaveBeenCalled();
});
