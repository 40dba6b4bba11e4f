import { spawn, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import { readLine, runCli, UsageError } from '@switchyard/cli';
import { webhooks } from '@switchyard/client';
import { issueKey } from '@switchyard/merchants/console/api-keys';
import { packEventBody, readEventBody } from '@switchyard/webhooks/events/packed';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { order } from '../harness/contract.ts';
import { eventually } from '../harness/eventually.ts';
import { type Harness, startHarness } from '../harness/harness.ts';
import { findPython } from '../harness/interpreters.ts';
import type { TestMerchant } from '../harness/merchants.ts';
import { openRefundHarness } from '../life/refund-harness.ts';
import { recordDisputes, recordSettlements } from './bank-side.ts';

const MAIN = join(import.meta.dirname, '..', '..', 'packages', 'cli', 'src', 'main.ts');
const TERMINAL = join(import.meta.dirname, 'terminal.py');

let harness: Harness;
let merchant: TestMerchant;
let home: string;

beforeAll(async () => {
  harness = await startHarness({ worker: false });
  merchant = await harness.merchant();
});
afterAll(() => harness.close());
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'switchyard-cli-'));
  return () => rmSync(home, { recursive: true, force: true });
});

interface Session {
  readonly apiKey?: string;
  readonly environment?: Record<string, string>;
}

/** Starts a command; `output` grows while it runs. */
function start(args: readonly string[], { apiKey = merchant.testKey, environment }: Session = {}) {
  const output = { out: '', err: '' };
  const stopping = new AbortController();
  const ended = runCli(args, {
    environment: environment ?? { SWITCHYARD_URL: harness.publicUrl, SWITCHYARD_API_KEY: apiKey },
    homeFolder: home,
    out: (text) => {
      output.out += text;
    },
    err: (text) => {
      output.err += text;
    },
    readLine: async () => null,
    readSecret: async () => apiKey,
    readText: async () => '',
    folder: home,
    signal: stopping.signal,
  });
  return { output, ended, stop: () => stopping.abort() };
}

async function run(args: readonly string[], session: Session = {}) {
  const { output, ended } = start(args, session);
  return { code: await ended, ...output };
}

function linesOf(text: string): number {
  return text.split('\n').length - 1;
}

async function pay(merchantOrderId: string): Promise<string> {
  const body = order({ merchantOrderId });
  await harness.send('node', 'POST', '/v1/payments/initiate', { key: merchant.testKey, body });
  const payment = await harness.database.prisma.payment.findFirstOrThrow({
    where: { merchantId: merchant.merchantId, merchantOrderId },
    include: { attempts: true },
  });
  await harness.gateways.settle('paystack', payment.attempts[0]?.reference ?? '', 'success');
  return payment.id;
}

/** Gives a payment the event of a refund of a part of it, an hour ago. */
async function recordRefund(paymentId: string): Promise<void> {
  const { prisma } = harness.database;
  const createdAt = new Date(Date.now() - 3_600_000);
  const at = createdAt.toISOString();
  const stored = await prisma.merchantEvent.findFirstOrThrow({ where: { merchantId: merchant.merchantId, paymentId } });
  const paid = JSON.parse(readEventBody(stored));
  const id = randomUUID();
  const refund = { refundId: randomUUID(), paymentId, amount: 1_000, currency: 'NGN', status: 'SUCCESS', reason: null };
  const data = { ...paid.data, refund: { ...refund, failureReason: null, createdAt: at, updatedAt: at } };
  const record = { ...paid, id, type: 'refund.succeeded', createdAt: at, data };
  const { merchantId } = merchant;
  const packedBody = packEventBody({ id, paymentId }, JSON.stringify(record));
  await prisma.merchantEvent.create({
    data: { merchantId, id, mode: 'test', paymentId, position: 9, type: record.type, packedBody, createdAt },
  });
}

async function keyWith(scopes: readonly string[]) {
  const command = { merchantId: merchant.merchantId, mode: 'test', expiresAt: null, actor: 'staff:ada' } as const;
  const issued = await issueKey(harness.switchyard, { ...command, name: 'pipeline', scopes });
  if (issued.kind !== 'issued') throw new Error(issued.kind);
  return { apiKey: issued.secretKey, keyId: issued.key.id };
}

describe('login', () => {
  test('saves address and key for their owner only, and later commands use them', async () => {
    const environment = { XDG_CONFIG_HOME: join(home, 'config') };
    const { code, out, err } = await run(['login', '--url', `${harness.publicUrl}/`], { environment });
    const path = join(home, 'config', 'switchyard', 'credentials.json');
    expect([code, out, err]).toEqual([0, `Logged in to ${harness.publicUrl} in test mode. Saved in ${path}.\n`, '']);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual({ url: harness.publicUrl, apiKey: merchant.testKey });
    expect((await run(['payments', 'list'], { environment })).code).toBe(0);
    expect((await run(['login', '--url', harness.publicUrl], { environment })).code).toBe(0);
    expect((await run(['login'], { environment })).out).toContain(`Logged in to ${harness.publicUrl} `);
    expect((await run(['login'], { environment: { SWITCHYARD_URL: harness.publicUrl } })).code).toBe(0);
  });

  test('refuses what is no key, a wrong key and a wrong address; without it commands say what to do', async () => {
    const login = ['login', '--url', harness.publicUrl];
    const nowhere = { environment: {} };
    expect(await run(login, { ...nowhere, apiKey: 'secret' })).toMatchObject({ code: 2 });
    expect(await run(login, { ...nowhere, apiKey: 'sk_test_wrong' })).toMatchObject({
      code: 1,
      err: expect.stringMatching(/^Invalid API key \(401\)/),
    });
    expect(await run(['login', '--url', 'pay.example'], nowhere)).toMatchObject({ code: 2 });
    expect(await run(['login'], nowhere)).toMatchObject({ code: 2, err: expect.stringContaining('login --url') });
    expect(await run(['payments', 'list'], nowhere)).toMatchObject({ code: 2, err: expect.stringContaining('switchyard login') });
  });
});

describe('the question for the key', () => {
  /** Answers it with what is typed or piped. */
  async function ask(typed: string, { isTTY }: { isTTY: boolean }) {
    const input = Object.assign(new PassThrough(), { isTTY });
    const output = new PassThrough();
    const question = { text: 'Secret key: ', secret: true };
    const answer = readLine(question, { input, output }, new AbortController().signal);
    if (isTTY) input.write(typed);
    else input.end(typed);
    const read = await answer.then(
      (secret) => ({ secret }),
      (error: unknown) => ({ error: error instanceof UsageError ? error.message : String(error) }),
    );
    return { ...read, shown: String(output.read() ?? '') };
  }

  test.each([
    ['Ctrl-C', '\u0003', true],
    ['Ctrl-D', '\u0004', true],
    ['Ctrl-C after some of the key', 'sk_test\u0003', true],
    ['a pipe without a line', '', false],
  ])('is left with one line: %s', async (_, typed, isTTY) => {
    expect(await ask(typed, { isTTY })).toEqual({
      error: 'No key was given; nothing is saved.',
      shown: isTTY ? 'Secret key: \n' : '',
    });
  });

  test('takes a line of a terminal without showing it, and one of a pipe', async () => {
    expect(await ask('sk_test_1\r', { isTTY: true })).toEqual({ secret: 'sk_test_1', shown: 'Secret key: \n' });
    expect(await ask('sk_test_1\n', { isTTY: false })).toEqual({ secret: 'sk_test_1', shown: '' });
  });

  test('prints no stack and ends with 2 in a process whose input is closed', async () => {
    const child = spawnSync(process.execPath, [MAIN, 'login', '--url', harness.publicUrl], { input: '', encoding: 'utf8' });
    expect([child.status, child.stdout, child.stderr]).toEqual([2, '', 'No key was given; nothing is saved.\n']);
  });
});

const python = findPython();

describe.skipIf(python === null)('on a terminal', () => {
  /** Runs the program there; each step is what has to be shown before something is typed. Moves of the cursor are left out, and lines end alike. */
  async function runOnTerminal(args: readonly string[], steps: readonly (readonly [string, string])[], environment = {}) {
    const script = JSON.stringify([steps, [process.execPath, MAIN, ...args]]);
    const env = { PATH: process.env.PATH, TERM: 'xterm', HOME: home, ...environment };
    const child = spawn(python?.command ?? '', [TERMINAL, script], { env, stdio: ['ignore', 'pipe', 'pipe'] });
    const output = { out: '', err: '' };
    child.stdout.on('data', (data) => {
      output.out += String(data);
    });
    child.stderr.on('data', (data) => {
      output.err += String(data);
    });
    await once(child, 'close');
    if (child.exitCode !== 0) throw new Error(output.err);
    const { shown, code }: { shown: string; code: number } = JSON.parse(output.out);
    return { code, shown: stripVTControlCharacters(shown).replaceAll(/\r+\n/g, '\n') };
  }
  const address = 'Address of Switchyard, such as https://pay.example: ';
  const key = 'Secret key (not shown): ';
  const nothing = 'No key was given; nothing is saved.\n';

  test('login asks for the address and the key, and shows the address alone', async () => {
    const { code, shown } = await runOnTerminal(
      ['login'],
      [
        [address, `${harness.publicUrl}\r`],
        [key, `${merchant.testKey}\r`],
      ],
    );
    const path = join(home, '.config', 'switchyard', 'credentials.json');
    expect(shown).toBe(
      `${address}${harness.publicUrl}\n${key}\nLogged in to ${harness.publicUrl} in test mode. Saved in ${path}.\n`,
    );
    expect(code).toBe(0);
    expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual({ url: harness.publicUrl, apiKey: merchant.testKey });
  });

  test('login asks for the key alone where the environment has the address', async () => {
    const { code, shown } = await runOnTerminal(['login'], [[key, `${merchant.testKey}\r`]], {
      SWITCHYARD_URL: harness.publicUrl,
    });
    expect([code, shown]).toEqual([0, expect.stringMatching(/^Secret key \(not shown\): \nLogged in to /)]);
  });

  test.each([
    ['Ctrl-C', '\u0003'],
    ['Ctrl-D', '\u0004'],
  ])('%s leaves each question with one line and nothing saved', async (_, typed) => {
    const [atAddress, atKey] = await Promise.all([
      runOnTerminal(['login'], [[address, typed]]),
      runOnTerminal(['login', '--url', harness.publicUrl], [[key, typed]]),
    ]);
    expect(atAddress).toEqual({ code: 2, shown: `${address}\n${nothing}` });
    expect(atKey).toEqual({ code: 2, shown: `${key}\n${nothing}` });
    expect(readdirSync(home)).toEqual([]);
  });

  test('Ctrl-C ends listen and logs tail with one line', async () => {
    const environment = { SWITCHYARD_URL: harness.publicUrl, SWITCHYARD_API_KEY: merchant.testKey };
    const [listen, log] = await Promise.all([
      runOnTerminal(
        ['listen', '--forward-to', 'localhost:1'],
        [['Forwarding events to http://localhost:1', '\u0003']],
        environment,
      ),
      runOnTerminal(['logs', 'tail'], [['Ctrl-C ends it.', '\u0003']], environment),
    ]);
    expect(listen).toEqual({
      code: 0,
      shown: expect.stringMatching(/^Signing secret: \S+\nForwarding events to http:\/\/localhost:1\n\^C\rStopped\.\n$/),
    });
    expect(log).toEqual({ code: 0, shown: 'Waiting for events; Ctrl-C ends it.\n^C\rStopped.\n' });
  });
});

test('a command whose answer does not come ends at once with 130 and one line when it is interrupted', async () => {
  const silent = createServer().listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const address = silent.address();
  const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
  const env = { PATH: process.env.PATH, HOME: home, SWITCHYARD_URL: url, SWITCHYARD_API_KEY: 'sk_test_x' };
  const child = spawn(process.execPath, [MAIN, 'payments', 'list'], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const output: string[] = [];
  child.stderr.on('data', (data) => output.push(String(data)));
  await once(silent, 'request');
  child.kill('SIGINT');
  await once(child, 'close');
  expect([child.exitCode, output.join('')]).toEqual([130, 'Stopped.\n']);
  silent.closeAllConnections();
  silent.close();
});

describe('payments', () => {
  test('are listed, read and verified, for people and for programs', async () => {
    const paymentId = await pay('ORD-CLI-1');
    expect(JSON.parse((await run(['payments', 'verify', paymentId, '--json'])).out)).toMatchObject({
      data: { status: 'SUCCESS' },
    });
    const table = await run(['payments', 'list', '--status', 'SUCCESS', '--limit', '1']);
    expect(table.out).toMatch(/^CREATED \(UTC\) .*\n.*SUCCESS +NGN 2,500\.00 +paystack +ORD-CLI-1 .*\n$/);
    const found = await run(['payments', 'list', '--order', 'ORD-CLI-1', '--json']);
    expect(JSON.parse(found.out)).toMatchObject([{ paymentId }]);
    expect((await run(['payments', 'get', paymentId])).out).toContain('order          ORD-CLI-1\n');
  });

  test('end with a code that says why they failed', async () => {
    expect(await run(['payments', 'get', '0193471e-8a3b-7c21-9f4e-2b6d5a7c9e11'])).toMatchObject({
      code: 1,
      err: expect.stringMatching(/^Payment not found \(404\)\n {2}request /),
    });
    for (const command of [
      ['payments', 'get'],
      ['payments', 'verify'],
      ['settlements', 'get'],
      ['settlements', 'lines'],
      ['disputes', 'get'],
    ]) {
      const id = '0193471e-8a3b-7c21-9f4e-2b6d5a7c9e11/refunds?';
      expect(await run([...command, id])).toMatchObject({
        code: 2,
        err: expect.stringMatching(/^The id of a \w+ must be a UUID\n$/),
      });
    }
    expect((await run(['payments', 'list', '--limit', '0'])).code).toBe(2);
    expect((await run(['payments', 'list', '--status', 'PAID'])).code).toBe(2);
    expect((await run(['--help'])).code).toBe(0);
  });

  test('show no control characters of what others wrote', async () => {
    await pay('ORD-\u001b[31mCLI');
    const { out } = await run(['payments', 'list', '--limit', '1']);
    expect(out).toContain('ORD-\\u001b[31mCLI');
  });
});

test('settlements and disputes are listed and read, for people and for programs', async () => {
  const own = await harness.merchant();
  const as = { apiKey: own.testKey };
  const [settlementId = ''] = await recordSettlements(harness, own);
  const listed = await run(['settlements', 'list', '--status', 'PAID', '--limit', '3'], as);
  expect([listed.code, linesOf(listed.out)]).toEqual([0, 4]);
  expect(listed.out.split('\n')[1]).toMatch(/^2026-11-20 +PAID +NGN 2,462\.50 +NGN 37\.50 +paystack +\S+ +[0-9a-f-]{36}$/);
  expect((await run(['settlements', 'get', settlementId], as)).out).toMatch(/^net +NGN 2,462\.50$/m);
  const lines = await run(['settlements', 'lines', settlementId, '--json'], as);
  expect(JSON.parse(lines.out).map(({ amount }: { amount: string }) => amount)).toEqual(['2500', '-37.5', '-0.01']);
  const paid = await harness.send('node', 'POST', '/v1/payments/initiate', { key: own.testKey, body: order({}) });
  expect(paid.status).toBe(200);
  const { id: paymentId } = await harness.database.prisma.payment.findFirstOrThrow({ where: { merchantId: own.merchantId } });
  const [disputeId = ''] = await recordDisputes(harness, own, paymentId);
  const open = await run(['disputes', 'list', '--state', 'needs_response', '--json'], as);
  expect(JSON.parse(open.out)).toHaveLength(4);
  expect((await run(['disputes', 'get', disputeId], as)).out).toMatch(/^amount +NGN 1,000\.50$/m);
});

test('events go to a local server as signed webhooks, triggered ones and those of payments, and to the log', async () => {
  const received: { type: string; orderId: string; refunded?: number }[] = [];
  let secret = '';
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { type, data } = webhooks.verify(Buffer.concat(chunks), request.headers, secret);
    received.push({ type, orderId: data.merchantOrderId, ...(data.refund && { refunded: data.refund.amount }) });
    response.writeHead(204).end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const target = `127.0.0.1:${typeof address === 'object' ? address?.port : ''}/webhooks`;

  const listening = start(['listen', '--forward-to', target]);
  const log = start(['logs', 'tail']);
  await eventually('both streams', async () =>
    listening.output.err.includes('Forwarding') && log.output.err.includes('Waiting') ? true : null,
  );
  secret = /whsec_\S+/.exec(listening.output.err)?.[0] ?? '';
  const none = await run(['trigger', 'payment.duplicate_charge']);
  expect([none.code, none.err]).toEqual([1, expect.stringContaining('type has had no event yet: pay a payment of test mode')]);
  const paymentId = await pay('ORD-CLI-2');
  await run(['payments', 'verify', paymentId]);
  await eventually('the webhook of the payment', async () => (received.length === 1 ? true : null));
  await recordRefund(paymentId);
  expect((await run(['trigger', 'refund.succeeded'])).code).toBe(0);
  await eventually('the webhook of the refund', async () => (received.length === 2 ? true : null));
  const triggered = await run(['trigger', 'payment.succeeded']);
  expect([triggered.code, triggered.out]).toEqual([
    0,
    expect.stringMatching(new RegExp(`^Sent payment\\.succeeded, event \\S+, order ORD-CLI-2, payment ${paymentId}\\n$`)),
  ]);
  expect(JSON.parse((await run(['payments', 'get', paymentId, '--json'])).out)).toMatchObject({ status: 'SUCCESS' });
  await eventually('three webhooks, answered and in the log', async () =>
    linesOf(listening.output.out) === 3 && log.output.out.split('ORD-CLI-2').length === 4 ? true : null,
  );
  expect(received).toEqual([
    { type: 'payment.succeeded', orderId: 'ORD-CLI-2' },
    { type: 'refund.succeeded', orderId: 'ORD-CLI-2', refunded: 1_000 },
    { type: 'payment.succeeded', orderId: 'ORD-CLI-2' },
  ]);
  expect(log.output.out).toMatch(/refund\.succeeded +SUCCESS +NGN 1,000\.00 of NGN 2,500\.00 {2}ORD-CLI-2/);
  expect(listening.output.out).toMatch(/ {2}payment\.succeeded {2}\S+ {2}→ 204 in \d+ ms\n$/);
  expect(log.output.out).toMatch(/payment\.succeeded +SUCCESS +NGN 2,500\.00 {2}ORD-CLI-2 /);

  server.closeAllConnections();
  server.close();
  await run(['trigger', 'payment.succeeded']);
  await eventually('a line without an answer', async () => (listening.output.out.includes('→ no answer') ? true : null));
  listening.stop();
  log.stop();
  expect(await Promise.all([listening.ended, log.ended])).toEqual([0, 0]);
  expect(await run(['listen', '--forward-to', target], { apiKey: 'sk_test_wrong' })).toMatchObject({
    code: 1,
    err: expect.stringContaining('Invalid API key'),
  });
});

test('listen keeps its endpoint and its secret between starts, for each mode, readable by their owner only', async () => {
  const secretOf = async (args: readonly string[], apiKey = merchant.testKey) => {
    const listening = start(['listen', ...args], { apiKey });
    await eventually('the stream', async () => (listening.output.err.includes('Forwarding') ? true : null));
    listening.stop();
    expect(await listening.ended).toBe(0);
    const [, secret = '', target = ''] = /^Signing secret: (\S+)\nForwarding events to (\S+)\n/.exec(listening.output.err) ?? [];
    return { secret, target };
  };
  expect(await run(['listen'])).toMatchObject({ code: 2, err: expect.stringContaining('listen --forward-to') });
  const first = await secretOf(['--forward-to', 'localhost:4242/webhooks']);
  expect(first).toEqual({ secret: expect.stringMatching(/^whsec_.{32}$/), target: 'http://localhost:4242/webhooks' });
  expect(await secretOf([])).toEqual(first);
  expect(await secretOf(['--forward-to', '4243'])).toEqual({ ...first, target: 'http://localhost:4243' });
  expect(await secretOf([])).toEqual({ ...first, target: 'http://localhost:4243' });
  const given = `whsec_${Buffer.alloc(24, 7).toString('base64')}`;
  await secretOf(['--secret', given]);
  expect((await secretOf([])).secret).toBe(given);
  expect(await run(['listen'], { apiKey: merchant.liveKey })).toMatchObject({ code: 2 });
  const path = join(home, '.config', 'switchyard', 'listen.json');
  expect(statSync(path).mode & 0o777).toBe(0o600);
  writeFileSync(path, 'not JSON');
  expect(await run(['listen'])).toMatchObject({ code: 2, err: `${path} is damaged. Delete it.\n` });
});

describe('trigger', () => {
  test('makes and pays a payment of the sandbox where none has had the event, and sends the event again after that', async () => {
    const as = { apiKey: (await harness.merchant()).testKey };
    const made = await run(['trigger', 'payment.succeeded'], as);
    expect(made).toMatchObject({ code: 0, err: '' });
    const [, paymentId = ''] =
      /^Made a payment for payment\.succeeded, event \S+, order trigger-\S+, payment (\S+)\n$/.exec(made.out) ?? [];
    expect(JSON.parse((await run(['payments', 'get', paymentId, '--json'], as)).out)).toMatchObject({
      status: 'SUCCESS',
      amount: 2_500,
    });
    const again = await run(['trigger', 'payment.succeeded', '--json'], as);
    expect(JSON.parse(again.out)).toMatchObject({ type: 'payment.succeeded', data: { paymentId } });
    expect(JSON.parse((await run(['payments', 'list', '--json'], as)).out)).toHaveLength(1);
  });

  test('refunds such a payment for events of refunds, and waits for the gateway', async () => {
    const own = await harness.merchant();
    const refunds = openRefundHarness(harness);
    const failing = start(['trigger', 'refund.failed', '--json'], { apiKey: own.testKey });
    const refund = await eventually('the refund', () =>
      harness.database.prisma.refund.findFirst({
        where: { merchantId: own.merchantId },
        include: { payment: { include: { attempts: true } } },
      }),
    );
    await refunds.runJobs();
    const reference = refund.payment.attempts[0]?.reference ?? '';
    await refunds.end({ paymentId: refund.paymentId, gateway: 'paystack', reference }, 'failed');
    await refunds.follow();
    expect(await failing.ended).toBe(0);
    expect(JSON.parse(failing.output.out)).toMatchObject({ type: 'refund.failed', data: { paymentId: refund.paymentId } });
    expect(refunds.errors).toEqual([]);
  });

  test('gives the address to pay at where it cannot pay itself, says why no payment can be made, and makes none in live mode', async () => {
    const atSquad = await harness.merchant({ order: ['squad'] });
    expect(await run(['trigger', 'refund.failed'], { apiKey: atSquad.testKey })).toMatchObject({
      code: 2,
      err: expect.stringMatching(
        /^No payment has had refund\.failed yet\. Pay one at http\S+\/squad\/\S+, and run this again\.\n$/,
      ),
    });
    const own = await harness.merchant();
    await harness.gateways.setFault('paystack', 'http_500');
    await harness.gateways.setFault('flutterwave', 'http_500');
    const refused = await run(['trigger', 'payment.succeeded'], { apiKey: own.testKey });
    await harness.gateways.heal();
    expect(refused).toMatchObject({ code: 1, err: expect.stringContaining('type has had no event yet') });
    expect(await run(['trigger', 'payment.succeeded'], { apiKey: own.liveKey })).toMatchObject({
      code: 1,
      err: expect.stringContaining('must be a key of test mode'),
    });
    expect(await harness.database.prisma.payment.count({ where: { merchantId: own.merchantId, mode: 'live' } })).toBe(0);
  });
});

describe('rules', () => {
  test('are pulled, checked and pushed as a draft under the name of the key, and never published', async () => {
    const { apiKey, keyId } = await keyWith(['rules:read', 'rules:write']);
    const path = join(home, 'rules.json');
    const pulled = await run(['rules', 'pull', path, '--accounts', join(home, 'accounts.json')], { apiKey });
    expect([pulled.code, pulled.out]).toEqual([0, `Wrote version 1 to ${path}\n`]);
    const file = JSON.parse(readFileSync(path, 'utf8'));
    expect(file).toMatchObject({ schemaVersion: 1, mode: 'test', version: 1, ruleSet: { rules: [{ ruleId: 'small-cards' }] } });
    expect(JSON.parse(readFileSync(join(home, 'accounts.json'), 'utf8')).accounts).toHaveLength(2);

    const checked = await run(['rules', 'check', path], { apiKey });
    expect([checked.code, checked.out]).toEqual([0, expect.stringContaining('these rules can be published')]);
    file.ruleSet.rules[0].then.accounts = ['paystack-main', 'nowhere'];
    writeFileSync(path, JSON.stringify(file));
    const broken = await run(['rules', 'check', path], { apiKey });
    expect([broken.code, broken.out]).toEqual([1, expect.stringMatching(/^error ruleSet\.rules\.0\.then\.accounts\.1 must be/)]);
    expect(await run(['rules', 'push', path], { apiKey })).toMatchObject({
      code: 1,
      err: expect.stringContaining('names "nowhere"'),
    });

    file.ruleSet.rules[0].then.accounts = ['flutterwave-main'];
    writeFileSync(path, JSON.stringify(file));
    const pushed = await run(['rules', 'push', path, '--name', 'Flutterwave first', '--json'], { apiKey });
    expect(pushed.code).toBe(0);
    const { draftId, url } = JSON.parse(pushed.out);
    expect(url).toContain(`/routing/drafts/${draftId}`);
    const versions = await harness.database.prisma.ruleSetVersion.findMany({ where: { merchantId: merchant.merchantId } });
    expect(versions.filter(({ state }) => state === 'DRAFT')).toMatchObject([
      { id: draftId, name: 'Flutterwave first', createdBy: `api_key:${keyId}` },
    ]);
    expect(versions.filter(({ state }) => state !== 'DRAFT')).toHaveLength(1);
    const audited = await harness.database.prisma.auditEntry.findMany({ where: { objectId: draftId } });
    expect(audited).toMatchObject([{ action: 'rule_set.drafted', actor: `api_key:${keyId}` }]);
  });

  test('need a key that was granted them by name', async () => {
    writeFileSync(join(home, 'rules.json'), '{}');
    const path = join(home, 'rules.json');
    expect(await run(['rules', 'pull', path])).toMatchObject({
      code: 1,
      err: expect.stringContaining('lacks the scope rules:read'),
    });
    const { apiKey } = await keyWith(['rules:read']);
    expect(await run(['rules', 'push', path], { apiKey })).toMatchObject({
      code: 1,
      err: expect.stringContaining('lacks the scope rules:write'),
    });
    expect(await run(['rules', 'check', join(home, 'none.json')], { apiKey })).toMatchObject({ code: 2 });
  });
});
