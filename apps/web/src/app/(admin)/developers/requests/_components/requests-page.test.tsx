// @vitest-environment happy-dom
import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { button, openDashboard, tableOf, textOf } from '#/testing/dashboard.tsx';
import { RequestsPage } from './requests-page.tsx';

const page = openDashboard('?mode=test&merchant=m-1', '/developers/requests');
const REQUEST_ID = '0193471e-8a3b-7c21-9f4e-2b6d5a7c9e10';
const LISTED = {
  apiRequestId: 'r-1',
  merchantId: 'm-1',
  merchantName: 'Balogun Books',
  mode: 'test',
  keyId: 'k-1',
  keyName: 'server',
  requestId: REQUEST_ID,
  method: 'POST',
  path: '/v1/payments/initiate',
  status: 400,
  durationMs: 1_250,
  endedAt: new Date('2024-11-21T13:02:00Z'),
  paymentId: null,
};
const ANSWERED = { ...LISTED, apiRequestId: 'r-2', method: 'GET', path: '/v1/payments', status: 200, durationMs: 4 };

beforeEach(() => {
  page.allow('key:read');
  page.on('requests.list', () => ({ items: [LISTED, ANSWERED], next: null, searched: null }));
  page.on('requests.byId', () => ({
    ...LISTED,
    requestBody: '{"amount":0,"customer":{"email":"[redacted]"}}',
    responseBody: '{"code":"bad_request"}',
    error: { code: 'bad_request', fields: [{ field: 'amount', code: 'too_small' }] },
  }));
  page.on('keys.list', () => [{ keyId: '0193471e-8a3b-7c21-9f4e-2b6d5a7c9e11', name: 'server', lastFour: 'a1b2' }]);
});
const show = () => page.show(<RequestsPage publicUrl="https://pay.example" />);
const lastInput = () => page.calls('requests.list').at(-1);

test('requests are listed as they were answered', async () => {
  show();
  const [header, ...rows] = await tableOf('Requests');
  expect(header).toEqual(['Request', 'Status', 'Duration, ms', 'Key', 'Request ID', 'Time']);
  expect(rows).toEqual([
    ['POST /v1/payments/initiate', 'HTTP 400', '1,250', 'server', '…2b6d5a7c9e10', '21 Nov 2024, 14:02'],
    ['GET /v1/payments', 'HTTP 200', '4', 'server', '…2b6d5a7c9e10', '21 Nov 2024, 14:02'],
  ]);
});

test('a refused request opens with its bodies, and its codes lead to the documentation', async () => {
  const user = show();
  await user.click(await screen.findByRole('button', { name: 'POST /v1/payments/initiate' }));
  const panel = within(await screen.findByRole('complementary', { name: 'Request' }));
  expect(await panel.findByRole('region', { name: 'the request body' })).toBeTruthy();
  expect(textOf(panel.getByRole('region', { name: 'the request body' }))).toContain('"email": "[redacted]"');
  expect(panel.getByRole('link', { name: 'bad_request' }).getAttribute('href')).toBe('/docs/errors#badRequest');
  expect(panel.getByRole('link', { name: 'too_small' }).getAttribute('href')).toBe('/docs/errors#fields');
  expect(page.search()).toContain('request=r-1');
});

test('an id searches by request id, any other text by path, and status and key filter', async () => {
  const user = show();
  const search = await screen.findByRole('searchbox', { name: 'Search by request id or path' });
  await user.type(search, `${REQUEST_ID}{Enter}`);
  await waitFor(() => expect(lastInput()).toMatchObject({ requestId: REQUEST_ID, path: null }));
  await user.clear(search);
  await user.type(search, '/v1/ref{Enter}');
  await waitFor(() => expect(lastInput()).toMatchObject({ requestId: null, path: '/v1/ref' }));
  await user.click(button(/^Status/));
  await user.click(await screen.findByRole('checkbox', { name: 'Refused (4xx)' }));
  await user.keyboard('{Escape}');
  await user.click(button(/^Key/));
  await user.click(await screen.findByRole('checkbox', { name: 'server …a1b2' }));
  await waitFor(() =>
    expect(lastInput()).toMatchObject({ outcomes: ['refused'], keyIds: ['0193471e-8a3b-7c21-9f4e-2b6d5a7c9e11'] }),
  );
});

test('an empty list says how to make a first request, and a filtered one how to see more', async () => {
  page.on('requests.list', () => ({ items: [], next: null, searched: null }));
  const user = show();
  expect(await screen.findByText('No requests with test keys yet')).toBeTruthy();
  expect(textOf(document.body)).toContain('curl https://pay.example/v1/payments/initiate');
  await user.click(button(/^Method/));
  await user.click(await screen.findByRole('checkbox', { name: 'GET' }));
  expect(await screen.findByText('No requests match these filters')).toBeTruthy();
  await user.keyboard('{Escape}');
  await user.click(button('Clear the filters'));
  expect(await screen.findByText('No requests with test keys yet')).toBeTruthy();
});

test('a list of which the newest requests alone were searched says so at its end, and when none was found', async () => {
  const SEARCHED = 'Only the newest 5,000 requests of each merchant were searched: choose days for older ones.';
  page.on('requests.list', () => ({ items: [LISTED], next: null, searched: 5_000 }));
  const user = show();
  await tableOf('Requests');
  expect(textOf(document.body)).toContain(`1 request${SEARCHED}`);
  page.on('requests.list', () => ({ items: [], next: null, searched: 5_000 }));
  await user.click(button(/^Method/));
  await user.click(await screen.findByRole('checkbox', { name: 'GET' }));
  expect(await screen.findByText('No requests match these filters')).toBeTruthy();
  expect(textOf(document.body)).toContain(SEARCHED);
});

test('a list that has all that match says nothing of a search', async () => {
  show();
  await tableOf('Requests');
  expect(textOf(document.body)).not.toContain('were searched');
});
