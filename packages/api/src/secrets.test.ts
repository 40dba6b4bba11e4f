import { randomBytes, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { sendNotifications } from '@switchyard/alerts/send';
import type { Payment } from '@switchyard/db/client';
import { findLeaks } from '@switchyard/db/testing';
import { readDocumented, signDocumented } from '@switchyard/gateways/testing';
import { issueKey, revokeKey } from '@switchyard/merchants/console/api-keys';
import { describeGateways } from '@switchyard/merchants/console/gateway-accounts';
import { readCall } from '@switchyard/payments/attempts';
import { readBody } from '@switchyard/payments/gateway-webhooks';
import { StoredDocuments } from '@switchyard/payments/testing';
import { readDecision } from '@switchyard/rule-sets/read-inputs';
import { issueToken } from '@switchyard/staff/machine-tokens';
import { openTestProvider } from '@switchyard/staff/testing';
import { openDispatcher } from '@switchyard/webhooks/deliveries';
import { openSender } from '@switchyard/webhooks/sending';
import superjson from 'superjson';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { watchClientAddresses } from './client-address.ts';
import { exportAudit } from './export/audit-log.ts';
import { issueTestToken } from './testing/agent.ts';
import { inputFields } from './testing/input-fields.ts';
import { serveOverHttp } from './testing/served.ts';
import { Browser, createStaffWithGrants, ORIGIN, openTestSwitchyard } from './testing/switchyard.ts';
import { handleTrpc } from './trpc/trpc.ts';

/*
 * Canaries in every field that holds a secret, and card numbers, sent through every path in and out: REST, the dashboard, sign-in, tokens,
 * gateways and their webhooks, merchants' endpoints and alert channels, all of which answer with what they were sent. Then nothing of it is
 * in the log, in any column of any table, in the audit log, in exports, or in an answer that does not hand a secret out.
 *
 * No card number is sent in fields that are kept and answered as given, by contract: `merchantOrderId`, `metadata`, `customer.id`, and what
 * staff write as name, description, reason or note.
 */

/** Fields for secrets, and the canary that is sent in each. A field that is new and has the name of a secret fails here. */
const SECRET_FIELDS: Readonly<Record<string, string>> = {
  'trpc gateways.connect credentials.*': 'of each gateway, by its own fields',
  'trpc gateways.update changes.credentials.*': 'replaced',
  'trpc webhooks.create secret': 'chosen',
  'trpc webhooks.rotateSecret secret': 'rotated',
  'trpc alerts.createChannel target.url': 'the address of Slack holds its key',
  'trpc alerts.createChannel target.routingKey': 'the key of PagerDuty',
  'trpc alerts.updateChannel target.url': 'replaced',
  'trpc alerts.updateChannel target.routingKey': 'replaced',
  'trpc singleSignOn.save clientSecret': 'of our client at a provider of sign-in',
};
const SECRET_NAME = /^(.*(secret|password|credential|routingkey|api_?key|token|pin|otp|cvv|cvc)s?|target\.url)(\.\*)?$/i;

/** Published numbers for tests: Visa, Mastercard, Verve, American Express. */
const CARDS = ['4084084084084081', '4111111111111111', '5555555555554444', '5060666666666666666', '378282246310005'];
const [CARD = '', VISA = '', MASTERCARD = '', VERVE = '', AMEX = ''] = CARDS;

let opened: Awaited<ReturnType<typeof openTestSwitchyard>>;
let served: Awaited<ReturnType<typeof serveOverHttp>>;
let echo: Server;
let echoUrl: string;
let echoStatus = 200;
const secrets: string[] = [];
const heard: string[] = [];
const echoed: string[] = [];

function canary(prefix = ''): string {
  const secret = `${prefix}${randomBytes(18).toString('hex')}`;
  secrets.push(secret);
  return secret;
}

/** Answers with everything it was sent, in clear and encoded, and with card data. */
async function answerAll(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(Buffer.from(chunk));
  const body = Buffer.concat(chunks).toString();
  const authorization = request.headers.authorization ?? '';
  echoed.push(`${request.url} ${authorization} ${body}`);
  const said = `refused ${authorization} for ${request.url} with card ${CARD}, ${VISA.replace(/(\d{4})(?=\d)/g, '$1 ')}`;
  const json = JSON.stringify({
    status: echoStatus === 200,
    message: said,
    data: { card: { number: MASTERCARD, pan: Number(CARD) }, verve: VERVE, amex: AMEX, headers: request.headers, body },
    encoded: Buffer.from(`for ${authorization}`).toString('base64'),
    url: encodeURIComponent(said),
    hex: Buffer.from(authorization.replace(/^\w+ /, '')).toString('hex'),
  });
  const isHtml = echoStatus === 502;
  response.writeHead(echoStatus, { 'content-type': isHtml ? 'text/html' : 'application/json' });
  response.end(isHtml ? `<html>${said} ${Buffer.from(`for ${authorization}`).toString('base64')}</html>` : json);
}

beforeAll(async () => {
  watchClientAddresses({});
  opened = await openTestSwitchyard();
  secrets.push(opened.key, opened.authSecret);
  served = await serveOverHttp(opened.switchyard);
  echo = createServer((request, response) => void answerAll(request, response));
  await new Promise<void>((listening) => echo.listen(0, '127.0.0.1', listening));
  echoUrl = `http://127.0.0.1:${z.object({ port: z.number() }).parse(echo.address()).port}`;
});
afterAll(async () => {
  vi.unstubAllEnvs();
  echo.closeAllConnections();
  echo.close();
  await served.close();
  await opened.close();
});

async function hear(answer: Response): Promise<string> {
  const text = await answer.text();
  heard.push(`${answer.status} ${JSON.stringify([...answer.headers])} ${text}`);
  return text;
}

/** Credentials of a gateway in test mode, as its documented examples have them, every secret a canary behind its prefix. */
function credentialsAt(gateway: string): Record<string, string> {
  const fields = describeGateways().find(({ name }) => name === gateway)?.fields ?? [];
  const secretFields = new Set(fields.filter(({ secret }) => secret).map(({ name }) => name));
  const entries = Object.entries(readDocumented(gateway).credentials).map(([name, value]) => {
    const [prefix = ''] = /^.*[_-](?=d0c0)/i.exec(value) ?? [];
    return [name, secretFields.has(name) ? canary(prefix) : value];
  });
  return Object.fromEntries(entries);
}

test('every field for a secret has a canary here', () => {
  const named = inputFields().filter(
    ({ path }) => SECRET_NAME.test(path.split('.').slice(-2).join('.')) || SECRET_NAME.test(path.split('.').at(-1) ?? ''),
  );
  expect(named.map(({ entry, path }) => `${entry} ${path}`).toSorted()).toEqual(Object.keys(SECRET_FIELDS).toSorted());
  for (const { name, fields } of describeGateways()) {
    const given = credentialsAt(name);
    for (const field of fields) if (field.secret) expect(secrets, `${name} ${field.name}`).toContain(given[field.name]);
  }
});

/** Sends a procedure as the dashboard does. What hands a secret out once is not `heard`. */
async function trpc(browser: Browser, path: string, type: 'query' | 'mutation', input: unknown, isHeard = true) {
  const text = superjson.stringify(input);
  const headers = browser.headers({ 'content-type': 'application/json' });
  const url = `${ORIGIN}/api/trpc/${path}`;
  const request =
    type === 'mutation'
      ? new Request(url, { method: 'POST', headers, body: text })
      : new Request(`${url}?input=${encodeURIComponent(text)}`, { headers });
  const answer = await handleTrpc(opened.switchyard, request);
  if (isHeard) return hear(answer);
  return answer.text();
}

/** The first text of a name in an answer. */
function textIn(json: string, name: string): string {
  const found = new RegExp(`"${name}":"([^"]+)"`).exec(json)?.[1];
  if (found === undefined) throw new Error(`no ${name} in ${json}`);
  return found;
}

/** Sends a request to the API. */
async function rest(
  method: string,
  path: string,
  key: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<string> {
  const sent = body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) };
  const all = { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers };
  return hear(await fetch(`${served.url}${path}`, { method, headers: all, ...sent }));
}

const order = (more: object = {}) => ({
  merchantOrderId: randomUUID(),
  amount: 2_500,
  currency: 'NGN',
  customer: { email: 'ada@example.com' },
  paymentMethod: 'card',
  ...more,
});

/** Payments, webhooks and changes of an account at a gateway. Returns the merchant. */
async function payThrough(owner: Browser, gateway: string): Promise<string> {
  const { switchyard } = opened;
  const created = await trpc(owner, 'merchants.create', 'mutation', { name: `Shop of ${gateway}`, defaultRedirectUrl: null });
  const merchantId = textIn(created, 'merchantId');
  const credentials = credentialsAt(gateway);
  const account = {
    gateway,
    label: `${gateway}-main`,
    enabled: true,
    currencies: ['NGN'],
    methods: ['CARD'],
    minAmount: 1,
    maxAmount: null,
  };
  const connected = await trpc(owner, 'gateways.connect', 'mutation', {
    ...{ ...account, merchantId, mode: 'test', fees: null, baseUrl: echoUrl, credentials },
  });
  const accountId = textIn(connected, 'id');
  const issued = await issueKey(switchyard, {
    merchantId,
    mode: 'test',
    name: 'Shop',
    expiresAt: null,
    scopes: ['full_access'],
    actor: 'system:test',
  });
  if (issued.kind !== 'issued') throw new Error(issued.kind);
  secrets.push(issued.secretKey);
  await switchyard.resources.configuration.refresh();
  const before = echoed.length;
  for (const status of [200, 400, 401, 500, 502]) {
    echoStatus = status;
    const paid = await rest('POST', '/v1/payments/initiate', issued.secretKey, order());
    const paymentId = /"paymentId":"([^"]+)"/.exec(paid)?.[1] ?? '';
    await rest('POST', `/v1/payments/${paymentId}/verify`, issued.secretKey, {});
    await rest('GET', `/v1/payments/${paymentId}`, issued.secretKey);
    await trpc(owner, 'gateways.testConnection', 'mutation', { accountId });
    for (const path of ['payments.byId', 'payments.messages']) await trpc(owner, path, 'query', { paymentId });
  }
  expect(echoed.length, gateway).toBeGreaterThan(before + 5);
  await webhooksFrom(gateway, accountId, credentials);
  await misplaced(issued.secretKey);
  await trpc(owner, 'gateways.list', 'query', { merchantId, mode: 'test' });
  await trpc(owner, 'gateways.webhooks', 'query', { accountId });
  // Wrong and ended keys.
  await rest('GET', '/v1/payments', `${issued.secretKey}x`);
  await revokeKey(switchyard, { merchantId, keyId: issued.key.id, actor: 'system:test' });
  await rest('GET', '/v1/payments', issued.secretKey);
  const changed = { merchantId, accountId, changes: { credentials: credentialsAt(gateway) } };
  await trpc(owner, 'gateways.update', 'mutation', changed);
  const wrong = { merchantId, accountId, changes: { credentials: { secretKey: `${canary()} ${CARD}`, other: canary() } } };
  await trpc(owner, 'gateways.update', 'mutation', wrong);
  return merchantId;
}

/** Webhooks with a secret and a card in them: genuine ones where a signature is made of the secret alone, and forged ones. */
async function webhooksFrom(gateway: string, accountId: string, credentials: Record<string, string>): Promise<void> {
  const body = JSON.stringify({
    event: 'charge.success',
    data: {
      reference: 'unknown-reference',
      id: 4_099_260_516,
      authorization: { authorization_code: 'AUTH_72btv547xk', card_number: CARD, last4: '4081', cvv: '408' },
      message: `${credentials.secretKey} ${VISA} token: ${Buffer.from(credentials.secretKey ?? '').toString('base64')}`,
      pan: Number(MASTERCARD),
    },
  });
  const documented = readDocumented(gateway);
  const { header, key } = documented.signature;
  const secret = credentials[key] ?? '';
  for (const signature of [signDocumented(documented, secret, body), `wrong ${secret}`]) {
    const headers = { 'content-type': 'application/json', [header]: signature };
    const sent = { method: 'POST', headers, body };
    await hear(await fetch(`${served.url}/webhooks/${gateway}/${accountId}`, sent));
  }
}

/** Cards and keys where they do not belong. */
async function misplaced(key: string): Promise<void> {
  const card = { number: CARD, cvv: '408', expiry: '04/30' };
  await rest('POST', '/v1/payments/initiate', key, order({ card, pan: VISA, secretKey: key }));
  await rest('POST', '/v1/payments/initiate', key, order({ amount: CARD, currency: CARD, paymentMethod: VISA }));
  await rest(
    'POST',
    '/v1/payments/initiate',
    key,
    order({ customer: { email: MASTERCARD, phone: `card ${CARD}`, country: VISA } }),
  );
  await rest('POST', '/v1/payments/initiate', key, `{"card": "${CARD}", "key": "${key}"`);
  await rest(
    'POST',
    '/v1/payments/initiate',
    key,
    order({ [`card ${CARD}`]: 1, redirectUrl: `https://shop.example/?card=${CARD} ${key}` }),
  );
  await rest('POST', `/v1/payments/${key}/verify`, key, { transactionId: `${key} ${CARD} %` });
  await rest('GET', `/v1/payments?cursor=${key}&status=${CARD}`, key);
  await rest('GET', `/v1/${key}/${CARD}`, key);
  await rest('POST', '/v1/payments/initiate', key, order({ currency: 'XXX' }), {
    'idempotency-key': `${key} ${CARD}`,
    'x-request-id': key,
  });
  await rest('POST', '/compat/paystack/transaction/initialize', key, {
    email: 'ada@example.com',
    amount: '100',
    card,
    authorization_code: key,
  });
}

/** A webhook endpoint and alert channels that answer with all that they are sent. */
async function merchantsServers(owner: Browser, merchantId: string): Promise<void> {
  const { switchyard } = opened;
  const endpoint = { merchantId, mode: 'test', url: `${echoUrl}/hooks`, description: '', types: [] };
  const generated = await trpc(owner, 'webhooks.create', 'mutation', endpoint, false);
  secrets.push(textIn(generated, 'secret'));
  const chosen = { ...endpoint, format: 'paystack', secret: canary() };
  const made = await trpc(owner, 'webhooks.create', 'mutation', chosen, false);
  await trpc(owner, 'webhooks.create', 'mutation', { ...chosen, format: 'switchyard', secret: canary() });
  const rotated = {
    merchantId,
    endpointId: textIn(made, 'endpointId'),
    oldSignsUntil: new Date(Date.now() + 60_000),
    secret: canary(),
  };
  await trpc(owner, 'webhooks.rotateSecret', 'mutation', rotated, false);
  const ids = [textIn(generated, 'endpointId'), textIn(made, 'endpointId')];
  for (const endpointId of ids) await trpc(owner, 'webhooks.sendTest', 'mutation', { merchantId, endpointId });
  for (const status of [500, 200]) {
    echoStatus = status;
    const dispatcher = openDispatcher(switchyard, {
      onError: (error) => heard.push(String(error)),
      formatEvent: async () => '{"event":"charge.success"}',
    });
    await dispatcher.sweep();
    await expect.poll(() => deliveriesAnswered(merchantId)).toBe(ids.length);
    await dispatcher.stop();
  }
  const deliveries = await trpc(owner, 'webhooks.deliveries.list', 'query', { merchantId, mode: 'test' });
  for (const [, deliveryId] of deliveries.matchAll(/"deliveryId":"([^"]+)"/g)) {
    await trpc(owner, 'webhooks.deliveries.byId', 'query', { merchantId, deliveryId });
  }
  const slack = { kind: 'slack', url: `${echoUrl}/services/${canary()}` };
  const pagerduty = { kind: 'pagerduty', url: `${echoUrl}/v2/enqueue`, routingKey: canary().slice(0, 32) };
  secrets.push(pagerduty.routingKey);
  const sender = openSender();
  for (const target of [slack, pagerduty, { kind: 'webhook', url: `${echoUrl}/alerts/${canary()}` }]) {
    const channel = await trpc(
      owner,
      'alerts.createChannel',
      'mutation',
      { merchantId, target, settings: { name: target.kind, modes: ['test'] } },
      false,
    );
    const channelId = textIn(channel, 'channelId');
    if (target.kind === 'webhook') secrets.push(textIn(channel, 'secret'));
    for (const status of [200, 400]) {
      echoStatus = status;
      await trpc(owner, 'alerts.testChannel', 'mutation', { merchantId, channelId });
      const context = { ...switchyard, sender, mailer: null };
      await sendNotifications(context, { merchantId, channelId });
    }
    const next = {
      ...target,
      url: `${echoUrl}/${canary()}`,
      ...(target.kind === 'pagerduty' && { routingKey: canary().slice(0, 32) }),
    };
    if ('routingKey' in next) secrets.push(String(next.routingKey));
    await trpc(owner, 'alerts.updateChannel', 'mutation', { merchantId, channelId, target: next });
    await trpc(owner, 'alerts.updateChannel', 'mutation', {
      merchantId,
      channelId,
      target: { ...next, url: `ftp://${canary()}` },
    });
  }
  await sender.close();
  for (const path of ['alerts.channels', 'alerts.messages', 'webhooks.list'])
    await trpc(owner, path, 'query', { merchantId, mode: 'test' });
}

async function deliveriesAnswered(merchantId: string): Promise<number> {
  const { rows } = await opened.switchyard.resources.database.pool.query<{ n: number }>(
    'SELECT count(*)::int AS n FROM webhook_delivery WHERE merchant_id = $1 AND last_status IS NOT NULL',
    [merchantId],
  );
  return rows[0]?.n ?? 0;
}

/** A provider of sign-in that answers with what it is sent, and one that is saved and changed. */
async function signInByProvider(owner: Browser): Promise<void> {
  vi.stubEnv('SWITCHYARD_PRIVATE_ADDRESSES', 'allow');
  const provider = await openTestProvider(`${ORIGIN}/api/auth/sso/callback`);
  const fields = {
    type: 'oidc',
    name: 'Provider',
    domains: ['provider.example'],
    clientId: provider.clientId,
    groupClaim: 'groups',
    required: false,
    secondFactorRequired: false,
    groupRoles: [],
  };
  const save = (issuer: string, providerId: string | null) =>
    trpc(owner, 'singleSignOn.save', 'mutation', { ...fields, issuer, clientSecret: canary(), providerId });
  await save(echoUrl, null);
  await save(provider.issuer, textIn(await save(provider.issuer, null), 'providerId'));
  await trpc(owner, 'singleSignOn.list', 'query', undefined);
  await provider.close();
}

/** Signing in right and wrong, links, and the tokens of programs. */
async function signInAndTokens(owner: Browser, ownerEmail: string): Promise<void> {
  const { switchyard } = opened;
  const stranger = new Browser(switchyard);
  await hear(await stranger.signIn(ownerEmail, canary()));
  await hear(await stranger.signIn(canary(), `${canary()} ${CARD}`));
  const invitation = await trpc(
    owner,
    'team.invite',
    'mutation',
    { email: 'new@example.com', name: 'New', grants: [{ merchantId: null, role: 'finance' }] },
    false,
  );
  const token = /[\w-]{30,}(?=")/.exec(invitation.replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, ''))?.[0] ?? invitation;
  expect(token).toMatch(/^[\w-]{30,}$/);
  secrets.push(token);
  const password = canary('Correct-horse-');
  for (const body of [
    { token, password: 'short', name: 'New' },
    { token, password, name: 'New' },
    { token, password, name: 'Again' },
  ]) {
    await hear(await stranger.post('/link/accept', body));
  }
  const { id: staffId } = await switchyard.resources.database.prisma.staffUser.findUniqueOrThrow({
    where: { email: ownerEmail },
  });
  const merchantIds = switchyard.resources.configuration.merchants().map(({ merchant }) => merchant.id);
  const expiresAt = new Date(Date.now() + 86_400_000);
  const finance = await issueToken(switchyard, {
    scopes: ['reports'],
    name: 'Books',
    merchantIds,
    modes: ['test'],
    staffId,
    expiresAt,
  });
  if (finance.kind !== 'issued') throw new Error(finance.kind);
  const agent = await issueTestToken(switchyard, staffId);
  secrets.push(finance.token, agent.token);
  for (const authorization of [`Bearer ${finance.token}`, `Bearer ${agent.token}`, `Bearer ${finance.token}x`, finance.token]) {
    const headers = { authorization, 'content-type': 'application/json' };
    for (const query of [
      '{ payments(filter: { mode: test }) { edges { node { merchantOrderId attempts { reference } } } } }',
      `{ payments(filter: { mode: "${finance.token} ${CARD}" }) { x } }`,
      `{ "${CARD}`,
    ]) {
      for (const accept of ['application/json', 'application/graphql-response+json', 'text/event-stream', 'multipart/mixed']) {
        const sent = { method: 'POST', headers: { ...headers, accept }, body: JSON.stringify({ query }) };
        await hear(await fetch(`${served.url}/api/graphql`, sent));
      }
    }
    for (const list of ['payments', 'webhook-deliveries', 'refunds', agent.token]) {
      const filter = encodeURIComponent(JSON.stringify({ mode: 'test' }));
      await hear(await fetch(`${served.url}/api/export/${list}?filter=${filter}`, { headers }));
    }
    const call = {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'find_payments', arguments: { mode: 'test', search: `${agent.token} ${CARD}` } },
    };
    const accept = 'application/json, text/event-stream';
    await hear(
      await fetch(`${served.url}/api/mcp`, { method: 'POST', headers: { ...headers, accept }, body: JSON.stringify(call) }),
    );
  }
}

test('no secret and no card number is in the log, a table, the audit log, an export or an answer', async () => {
  const ownerPassword = canary('Correct-horse-');
  const { switchyard, lines } = opened;
  const email = await createStaffWithGrants(
    switchyard,
    'owner@example.com',
    [{ merchantId: null, role: 'owner' }],
    ownerPassword,
  );
  const owner = new Browser(switchyard);
  await hear(await owner.signIn(email, ownerPassword));
  let merchantId = '';
  for (const { name } of describeGateways()) merchantId = await payThrough(owner, name);
  await merchantsServers(owner, merchantId);
  await signInAndTokens(owner, email);
  await signInByProvider(owner);
  for (const format of ['csv', 'ndjson']) {
    await hear(
      await exportAudit(switchyard, new Request(`${ORIGIN}/audit/export?format=${format}`, { headers: owner.headers() })),
    );
  }
  await trpc(owner, 'audit.list', 'query', { merchantId: null });

  const { database } = switchyard.resources;
  expect(secrets.length).toBeGreaterThan(60);
  expect(heard.length).toBeGreaterThan(300);
  expect(lines.length).toBeGreaterThan(200);
  // The canaries went out, and came back.
  for (const gateway of ['sk_test_', 'FLWSECK_TEST-', 'sandbox_sk_']) expect(echoed.join('\n')).toContain(`Bearer ${gateway}`);
  const bodies = (await database.prisma.gatewayWebhook.findMany()).map(readBody);
  expect(bodies.filter((body) => body.includes('charge.success'))).not.toEqual([]);
  heard.push(...bodies);
  const calls = await database.prisma.attempt.findMany({ select: { packedCall: true } });
  expect(calls.length).toBeGreaterThan(0);
  const payments = await database.prisma.payment.findMany();
  heard.push(...payments.map((payment) => JSON.stringify(documentsOf(payment))));
  heard.push(...calls.map((attempt) => JSON.stringify(readCall(attempt))));
  const cards = [...CARDS, VISA.replace(/(\d{4})(?=\d)/g, '$1 '), 'AUTH_72btv547xk'];
  expect(await findLeaks(database, [...new Set([...secrets, ...cards])], [...heard, ...lines])).toEqual([]);
});

/** Texts that a payment's row holds packed. */
function documentsOf(payment: Payment) {
  const { session } = new StoredDocuments({ ...payment, paymentId: payment.id });
  return { ...readDecision(payment), session };
}
