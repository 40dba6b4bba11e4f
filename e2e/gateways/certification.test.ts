import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { certificationSchema, findGateway } from '@switchyard/gateways/certification';
import { replayRecordings, replayWebhooks } from '@switchyard/gateways/testing';
import { reservePort } from '@switchyard/runtime/reserve-port';
import { type Sandbox, simulators, startSandbox } from '@switchyard/sandbox';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { GATEWAYS, type GatewayName } from '../harness/gateways.ts';
import { cardsOf } from '../harness/test-cards.ts';

/*
 * The command itself, as a person runs it with a gateway's own test keys: here against the simulators, and against ones that differ from
 * what the gateway documents, where its checks have to fail.
 */

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const MAIN = join(ROOT, 'packages', 'cli', 'src', 'main.ts');

let sandbox: Sandbox;
let folder: string;
/** Servers of one test. */
let servers: Server[] = [];

beforeAll(async () => {
  sandbox = await startSandbox({ port: 0, webhookDelayMs: 20, refundDelayMs: 50 });
});
afterAll(() => sandbox.close());
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'switchyard-certification-'));
});
afterEach(async () => {
  for (const name of GATEWAYS) await fetch(`${sandbox.controlUrl}/control/${name}/fault`, { method: 'DELETE' });
  for (const proxy of servers) {
    proxy.closeAllConnections();
    await new Promise((done) => proxy.close(done));
  }
  servers = [];
  rmSync(folder, { recursive: true, force: true });
});

async function portOf(server: Server): Promise<number> {
  if (!server.listening) await once(server, 'listening');
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

/** The simulators behind a proxy that changes the texts of their answers, or the paths that it is asked for. Returns its address. */
async function differing(change: (text: string) => string, path = (asked: string) => asked): Promise<string> {
  const proxy = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', async () => {
      const headers = Object.entries(request.headers).filter(([name]) => !/^(host|connection|content-length)$/.test(name));
      const answer = await fetch(sandbox.controlUrl + path(request.url ?? ''), {
        method: request.method ?? 'GET',
        headers: headers.map(([name, value]): [string, string] => [name, String(value)]),
        ...(chunks.length === 0 ? {} : { body: Buffer.concat(chunks) }),
      });
      response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? 'text/plain' });
      response.end(change(await answer.text()));
    });
  }).listen(0, '127.0.0.1');
  servers.push(proxy);
  return `http://127.0.0.1:${await portOf(proxy)}`;
}

/** Waits for the account's webhook at a port and pastes it, as it is shown by any tool that prints requests. */
function pasteInto(stdin: NodeJS.WritableStream, port: number): void {
  const receiver = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const headers = Object.entries(request.headers).map(([name, value]) => `${name}: ${value}`);
      response.end();
      stdin.end(`POST /webhooks HTTP/1.1\n${headers.join('\n')}\n\n${Buffer.concat(chunks).toString('utf8')}\n`);
    });
  }).listen(port, '127.0.0.1');
  servers.push(receiver);
}

interface Started {
  readonly args?: readonly string[];
  /** Credentials that the command is given in place of the account's. */
  readonly credentials?: Readonly<Record<string, string>>;
  readonly address?: string;
  readonly command?: readonly [string, ...string[]];
  /** The person at the terminal pastes the webhook, which no tunnel brings. */
  readonly pastes?: true;
  /** The person pastes nothing, and leaves the terminal open. */
  readonly pastesNothing?: true;
  /** The person leaves with Ctrl-C where they should pay. */
  readonly leaves?: true;
}

/** Runs the command for an account of its own, pays as the person at the terminal when it asks to, and reads its report. */
async function certify(
  name: GatewayName,
  { args = [], address, command, pastes, pastesNothing, leaves, ...options }: Started = {},
) {
  const spec = simulators[name];
  const own = spec.credentialsFor('certification');
  const port = await reservePort();
  const webhookUrl = `http://127.0.0.1:${port}/webhooks`;
  const registered = await fetch(`${sandbox.controlUrl}/control/${name}/keys`, {
    method: 'PUT',
    body: JSON.stringify({ ...own, webhookUrl, refundWebhooks: true }),
  });
  expect(registered.status).toBe(200);
  const variables = Object.entries({ ...own, ...options.credentials }).map(([field, value]) => [
    `${name}_${field.replaceAll(/[A-Z]/g, '_$&')}`.toUpperCase(),
    value,
  ]);
  const host = `${address ?? sandbox.controlUrl}/${name}${spec.apiPath}`;
  const [program, ...before] = command ?? [process.execPath, MAIN, 'certify'];
  const tunnel = ['--webhook-url', webhookUrl, '--webhook-port', String(port)];
  const more = [
    '--gateway',
    name,
    '--host',
    host,
    '--wait',
    '20',
    '--output',
    folder,
    ...(pastes || pastesNothing ? ['--paste-webhook'] : tunnel),
  ];
  const { PATH, HOME, NODE_COMPILE_CACHE } = process.env;
  const child = spawn(program, [...before, ...more, ...args], {
    cwd: ROOT,
    env: { PATH, HOME, NODE_COMPILE_CACHE, SWITCHYARD_PRIVATE_ADDRESSES: 'allow', ...Object.fromEntries(variables) },
  });
  if (pastes) pasteInto(child.stdin, port);
  else if (!pastesNothing) child.stdin.end();
  let out = '';
  let err = '';
  let asked = false;
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    out += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    err += text;
    const page = /^Pay at (\S+) with .+\n/m.exec(err)?.[1];
    if (page === undefined || asked) return;
    asked = true;
    if (leaves) return void child.kill('SIGINT');
    const { number, expiry, cvv } = cardsOf(name).plain;
    // A page behind a proxy is at the simulator.
    void fetch(`${page}/card`, {
      method: 'POST',
      body: new URLSearchParams({ number, expiry, cvv: cvv ?? '123' }),
      redirect: 'manual',
    });
  });
  const [code] = await once(child, 'close');
  const [json] = readdirSync(folder).filter((file) => file.endsWith('.json'));
  const text = json === undefined ? null : readFileSync(join(folder, json), 'utf8');
  const report = text === null ? null : certificationSchema.parse(JSON.parse(text));
  const markdown = json === undefined ? '' : readFileSync(join(folder, json.replace(/json$/, 'md')), 'utf8');
  const results = Object.fromEntries((report?.checks ?? []).map(({ id, result }) => [id, result]));
  return { code, out, err, text: `${text}${markdown}${out}${err}`, report, markdown, results, own, byPerson: asked };
}

function present<T>(value: T | null): T {
  if (value === null) throw new Error('there is no report, or no such gateway');
  return value;
}

/** The certification's facts about a gateway. */
function factsOf(name: GatewayName) {
  const { notPossible, payByTestCard } = present(findGateway(name)).certification;
  // Lists that show payments which a customer began, and no open checkouts, have too few rows for pages.
  const paging = simulators[name].transactionIs === 'charge' ? ['paging'] : [];
  return { notPossible: new Set([...Object.keys(notPossible), ...paging]), byApi: payByTestCard !== undefined };
}

/** Checks that call no operation of the connector. */
const OUTSIDE: ReadonlySet<string> = new Set(['checkout_page', 'webhook', 'timeouts']);

describe.each(GATEWAYS)('the certification of %s', (name) => {
  test('passes at its simulator, and its recordings are read again as they were', async () => {
    const { code, err, report, results, text, own, markdown, byPerson } = await certify(name);
    const expected = Object.keys(results).map((id) => [id, factsOf(name).notPossible.has(id) ? 'not_possible' : 'passed']);
    expect([results, err]).toEqual([Object.fromEntries(expected), expect.anything()]);
    expect(Object.keys(results)).toHaveLength(17);
    expect(code).toBe(0);
    expect([byPerson, err]).toEqual([!factsOf(name).byApi, expect.anything()]);
    for (const secret of [own.secretKey, own.secretHash, own.webhookSecret]) if (secret) expect(text).not.toContain(secret);
    const done = present(report);
    const others = done.otherCalls.flatMap(({ check, exchanges }) =>
      exchanges.map(({ method, status }) => [check, method, status]),
    );
    const [page, ...ofPayment] = others;
    expect(page).toEqual(['checkout_page', 'GET', 200]);
    expect(new Set(ofPayment.map(([check, _method, status]) => `${check} ${status}`))).toEqual(
      new Set(factsOf(name).byApi ? ['payment 200'] : []),
    );
    expect(done).toMatchObject({ gateway: name, otherHost: true, connector: expect.stringMatching(/^[0-9a-f]{12}$/) });
    expect(done.checks.filter(({ section }) => !section.address.startsWith('https://'))).toEqual([]);
    expect(markdown).toContain(`# Certification of ${name}`);

    const replayed = await replayRecordings(done);
    const called = done.checks.filter(({ id, result }) => result === 'passed' && !OUTSIDE.has(id)).map(({ id }) => id);
    expect(done.recordings.map(({ check }) => check)).toEqual(expect.arrayContaining(called));
    // Without pages of a list, no checkouts are opened for them.
    expect(replayed.length).toBeGreaterThan(results.paging === 'passed' ? 14 : 12);
    expect(replayed.map((each) => [each.name, each.replayed])).toEqual(replayed.map((each) => [each.name, each.recorded]));
    const webhooks = replayWebhooks(done);
    expect(webhooks.length).toBeGreaterThan(0);
    expect(webhooks.map((each) => each.replayed)).toEqual(webhooks.map((each) => each.recorded));
  });
});

test('a webhook may be pasted', async () => {
  const { results, report } = await certify('kora', { pastes: true });
  expect([results.payment, results.webhook]).toEqual(['passed', 'passed']);
  expect(present(report).webhooks).toHaveLength(1);
});

test('a webhook that is never pasted is waited for no longer than --wait', async () => {
  const { code, report, results } = await certify('kora', { pastesNothing: true, args: ['--wait', '2'] });
  expect([code, results.payment, results.webhook, results.list_payments]).toEqual([1, 'passed', 'failed', 'passed']);
  expect(present(report).checks.find(({ id }) => id === 'webhook')).toMatchObject({ received: 'none.' });
});

test('without the secret that signs webhooks, none is waited for', async () => {
  const { code, report, results } = await certify('flutterwave', { credentials: { secretHash: '' } });
  expect([code, results.payment, results.webhook]).toEqual([0, 'passed', 'skipped']);
  expect(present(report).checks.find(({ id }) => id === 'webhook')).toMatchObject({
    reason: expect.stringMatching(/^FLUTTERWAVE_SECRET_HASH was not given/),
  });
});

test('a certification that is stopped writes what was made', async () => {
  const { code, err, report, results, markdown } = await certify('kora', { leaves: true });
  expect([code, results.open, results.payment, results.refund_part, results.timeouts]).toEqual([
    130,
    'passed',
    'skipped',
    'skipped',
    'skipped',
  ]);
  expect(err).toMatch(/Stopped\.\n$/);
  expect(markdown).toContain('The certification was stopped.');
  expect(present(report).recordings.length).toBeGreaterThan(3);
});

test('a port that is in use is named, before anything is called', async () => {
  const taken = createServer().listen(0);
  servers.push(taken);
  const port = await portOf(taken);
  const { code, err, report } = await certify('paystack', { args: ['--webhook-port', String(port)] });
  expect([code, report]).toEqual([2, null]);
  expect(err).toMatch(new RegExp(`^Port ${port} cannot be used: .*EADDRINUSE.*\n$`));
});

describe('a certification fails', () => {
  test('where a word for a state is not a published one, with the body that has it', async () => {
    const address = await differing((text) => text.replaceAll('"abandoned"', '"quarantined"'));
    const { code, report, results, markdown } = await certify('paystack', { address, args: ['--skip-paid'] });
    expect([code, results.verify_unpaid, results.open]).toEqual([1, 'failed', 'passed']);
    const failed = present(report).checks.find(({ id }) => id === 'verify_unpaid');
    expect(failed).toMatchObject({
      expected: 'words for states that the gateway publishes.',
      received: 'another word for the state of a transaction.',
      call: {
        method: 'GET',
        path: expect.stringContaining('/transaction/verify/cert-'),
        status: 200,
        answer: { data: { status: 'quarantined' } },
      },
    });
    expect(markdown).toContain('"status": "quarantined"');
  });

  test('where a field of an answer is missing', async () => {
    const address = await differing((text) => text.replaceAll('"authorization_url"', '"checkout"'));
    const { code, results, report, markdown } = await certify('paystack', { address, args: ['--skip-paid'] });
    expect([code, results.credentials, results.open, results.checkout_page]).toEqual([1, 'passed', 'failed', 'skipped']);
    const failed = present(report).checks.find(({ id }) => id === 'open');
    expect(failed).toMatchObject({
      call: { method: 'POST', request: { currency: 'NGN' }, answer: { data: { checkout: expect.anything() } } },
    });
    expect(markdown).toMatch(/POST \S+\/transaction\/initialize.+"currency": "NGN".+answered 200.+"checkout": /s);
  });

  test('where a reference is taken twice that has to be refused', async () => {
    const address = await differing((text) =>
      text.replaceAll('Duplicate Transaction Reference', 'Try again').replaceAll('duplicate_reference', 'unknown'),
    );
    const { code, results } = await certify('paystack', { address, args: ['--skip-paid'] });
    expect([code, results.duplicate_reference]).toEqual([1, 'failed']);
  });

  test('where a reference that was never opened is not answered as unknown', async () => {
    const address = await differing((text) =>
      text.replaceAll('transaction_not_found', 'unknown').replaceAll('Transaction reference not found', 'Try again'),
    );
    const { code, results } = await certify('paystack', { address, args: ['--skip-paid'] });
    expect([code, results.unknown_reference]).toEqual([1, 'failed']);
  });

  test('where a list ends before its last page', async () => {
    const address = await differing((text) => text.replaceAll(/"pageCount": ?\d+/g, '"pageCount":1'));
    const { code, report, results } = await certify('paystack', { address, args: ['--skip-paid'] });
    expect([code, results.paging]).toEqual([1, 'failed']);
    const failed = present(report).checks.find(({ id }) => id === 'paging');
    expect(failed).toMatchObject({
      expected: 'all payments of the whole list.',
      received: expect.stringMatching(/^all but \d+\.$/),
    });
  });

  test('where a page of a list has more payments than were asked for', async () => {
    const address = await differing(
      (text) => text,
      (path) => path.replace('perPage=2', 'perPage=50'),
    );
    const { code, report, results } = await certify('paystack', { address, args: ['--skip-paid'] });
    expect([code, results.paging]).toEqual([1, 'failed']);
    expect(present(report).checks.find(({ id }) => id === 'paging')).toMatchObject({
      expected: 'at most 2 payments on a page.',
      received: expect.stringMatching(/^\d+ on page 1\.$/),
    });
  });

  test('where the page of a checkout is not there, with what came in its place', async () => {
    const address = await differing((text) => text.replaceAll('/checkout/', '/nowhere/'));
    const { code, results, report } = await certify('monnify', { address, args: ['--skip-paid'] });
    expect([code, results.open, results.checkout_page]).toEqual([1, 'passed', 'failed']);
    expect(present(report).checks.find(({ id }) => id === 'checkout_page')).toMatchObject({
      call: { method: 'GET', path: expect.stringContaining('/nowhere/'), status: 401, answer: { requestSuccessful: false } },
    });
  });

  test('where a refund that was accepted has failed', async () => {
    const address = await differing((text) => text.replaceAll('"COMPLETED"', '"FAILED"'));
    const { code, results } = await certify('monnify', { address });
    expect([code, results.refund_part, results.refund_states]).toEqual([1, 'passed', 'failed']);
  });

  test('where the webhook is not signed with the secret that was given', async () => {
    const { code, results, report, text, own } = await certify('flutterwave', {
      credentials: { secretHash: 'another-secret-hash' },
      args: ['--wait', '3'],
    });
    expect([code, results.payment, results.webhook]).toEqual([1, 'passed', 'failed']);
    expect(present(report).checks.find(({ id }) => id === 'webhook')).toMatchObject({ received: 'refused (bad_signature).' });
    expect(own.secretHash).toMatch(/.{8,}/);
    expect(text).not.toContain(own.secretHash);
  });

  test('where less money comes than was ordered', async () => {
    const fault = { method: 'PUT', body: JSON.stringify({ kind: 'underpaid' }) };
    await fetch(`${sandbox.controlUrl}/control/kora/fault`, fault);
    const { code, results } = await certify('kora');
    expect([code, results.payment, results.refund_part]).toEqual([1, 'failed', 'skipped']);
  });

  test('where the keys are wrong, and the report has none of them', async () => {
    const secretKey = 'sk_test_certification_unknown_key';
    const { code, results, text } = await certify('paystack', { credentials: { secretKey } });
    expect([code, results.credentials, results.open]).toEqual([1, 'failed', 'skipped']);
    expect(text).not.toContain(secretKey);
  });
});

test('npm run certify is the same command', async () => {
  const { code, results } = await certify('squad', { command: ['npm', 'run', '-s', 'certify', '--'], args: ['--skip-paid'] });
  expect([code, results.open, results.payment]).toEqual([0, 'passed', 'skipped']);
});

test('a key of live mode calls nothing', async () => {
  const { code, results } = await certify('paystack', { credentials: { secretKey: 'sk_live_certification_unknown' } });
  expect([code, results.credentials]).toEqual([1, 'failed']);
});
