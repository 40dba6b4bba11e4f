import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process';
import { createHmac, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { cpSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { reservePort } from '@switchyard/runtime/reserve-port';
import { type Language, SAMPLE_URL, samples } from '@switchyard/web/docs-samples';
import { openDispatcher } from '@switchyard/webhooks/deliveries';
import { createEndpoint } from '@switchyard/webhooks/endpoints';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { order } from '../harness/contract.ts';
import { eventually, untilListening } from '../harness/eventually.ts';
import { type Harness, startHarness } from '../harness/harness.ts';
import { hostileIds } from '../harness/hostile-ids.ts';
import { buildInstallFolder, emptyProject } from '../harness/installation.ts';
import { findNode, findPhp, findPython } from '../harness/interpreters.ts';
import type { TestMerchant } from '../harness/merchants.ts';

/*
 * The samples are run as they are shown, in a folder that was empty before the packages were installed that they name: types are checked,
 * calls reach the product, and a signature is the product's own.
 */

const ROOT = join(import.meta.dirname, '..', '..');
const run = promisify(execFile);
const php = findPhp();
const python = findPython();

/** How a file of each language is run, and how to find whether this machine can. */
const RUNNERS = {
  curl: { extension: 'sh', command: ['sh'], needs: ['curl', '--version'] },
  typescript: { extension: 'ts', command: [process.execPath], needs: [process.execPath, '--version'] },
  php: { extension: 'php', command: [php?.command ?? 'php', ...(php?.args ?? [])], needs: php === null ? null : ['true'] },
  python: {
    extension: 'py',
    command: [python?.command ?? 'python3'],
    needs: python === null ? null : [python.command, '-c', 'import requests'],
  },
  go: { extension: 'go', command: ['go', 'run'], needs: ['go', 'version'] },
} as const satisfies Readonly<
  Record<Language, { extension: string; command: readonly string[]; needs: readonly string[] | null }>
>;

function canRun(language: Language): boolean {
  const { needs } = RUNNERS[language];
  const [command = '', ...args] = needs ?? [];
  const can = needs !== null && spawnSync(command, args).status === 0;
  if (!can) console.warn(`LEFT OUT: the samples in ${language} do not run on this machine (${command} ${args.join(' ')})`);
  return can;
}
const runnable = (['curl', 'typescript', 'php', 'python', 'go'] as const).filter(canRun);
const ofServers = runnable.filter((language) => language !== 'curl');
/** Versions of Node that merchants run. */
const NODES = [20, 22, 24] as const;

let harness: Harness;
let merchant: TestMerchant;
let folder: string;
/** Names of files that an installation serves to merchants. */
let served: readonly string[];
const children: ChildProcess[] = [];

beforeAll(async () => {
  harness = await startHarness({ worker: false });
  merchant = await harness.merchant();
  const installation = buildInstallFolder();
  folder = await emptyProject([join(installation.path, 'switchyard-client.tgz')]);
  for (const name of ['switchyard.py', 'Switchyard.php']) cpSync(join(installation.path, name), join(folder, name));
  served = readdirSync(installation.path);
  installation.remove();
  // As `npm install standardwebhooks` and `@types/node` leave it.
  const modules = join(ROOT, 'node_modules');
  for (const name of ['standardwebhooks', '@stablelib/base64', 'fast-sha256', '@types/node', 'undici-types']) {
    cpSync(join(modules, name), join(folder, 'node_modules', name), { recursive: true });
  }
});
afterAll(async () => {
  for (const child of children) child.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
  await harness.close();
});

/** Writes a sample for this product, or for another server, with an order id of its own. */
function write(name: keyof typeof samples, language: Language, orderId = 'ORD-1001', url = harness.publicUrl): string {
  const code = samples[name].code[language];
  if (code === undefined) throw new Error(`${name} has no sample in ${language}`);
  const file = join(folder, `${name}-${language}.${RUNNERS[language].extension}`);
  writeFileSync(file, code.replaceAll(SAMPLE_URL, url).replaceAll('ORD-1001', orderId));
  return file;
}

function environmentOf(more: Readonly<Record<string, string>> = {}) {
  return { ...process.env, ...php?.env, SWITCHYARD_URL: harness.publicUrl, SWITCHYARD_API_KEY: merchant.testKey, ...more };
}

/** Runs a sample. Resolves with what it wrote; pages of PHP are served, and answer an address to go to or their text. */
async function runSample(language: Language, file: string, paymentId = ''): Promise<string> {
  if (language === 'php') return openPage(file, `?paymentId=${encodeURIComponent(paymentId)}`);
  const [command, ...before] = file.endsWith('.built') ? [file] : [...RUNNERS[language].command, file];
  return (await run(command, [...before, paymentId], { env: environmentOf({ PAYMENT_ID: paymentId }) })).stdout;
}

async function openPage(file: string, query: string): Promise<string> {
  const port = await reservePort();
  const server = startProgram([...RUNNERS.php.command, '-S', `127.0.0.1:${port}`, file], environmentOf());
  await untilListening(port);
  const page = await fetch(`http://127.0.0.1:${port}/${query}`, { redirect: 'manual' });
  // Before the server ends: it may have sent the head alone.
  const text = await page.text();
  server.kill();
  return page.headers.get('location') ?? text;
}

/** A server in the place of the product. Gives its address, and the requests that reached it. */
async function answerWith(answer: (request: IncomingMessage, response: ServerResponse) => void) {
  const reached: string[] = [];
  const server = createServer((request, response) => {
    reached.push(`${request.method} ${request.url}`);
    request.resume().on('end', () => answer(request, response));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`, reached, close };
}

function startProgram([command = '', ...args]: readonly string[], env: Record<string, string | undefined>): ChildProcess {
  const child = spawn(command, args, { env, cwd: folder });
  children.push(child);
  return child;
}

async function paymentOf(merchantOrderId: string) {
  const { merchantId } = merchant;
  return harness.database.prisma.payment.findFirstOrThrow({
    where: { merchantId, merchantOrderId },
    include: { attempts: true },
  });
}

async function settle(merchantOrderId: string): Promise<void> {
  const { attempts } = await paymentOf(merchantOrderId);
  await harness.gateways.settle('paystack', attempts[0]?.reference ?? '', 'success');
}

/** How merchants compile: in a package of modules as Node takes them, and for a bundler. */
const COMPILERS = [
  ['for Node', ['--module', 'NodeNext']],
  ['for a bundler', ['--module', 'ESNext', '--moduleResolution', 'bundler']],
] as const;

/** Runs the compiler as strictly as it can be. Returns what it says. */
function compile(files: readonly string[], options: readonly string[]): string {
  const strict = ['--strict', '--target', 'ES2022', '--types', 'node', '--skipLibCheck', '--allowImportingTsExtensions'];
  const compiler = join(ROOT, 'node_modules/typescript/bin/tsc');
  const checked = spawnSync(process.execPath, [compiler, '--ignoreConfig', ...strict, ...options, ...files], {
    cwd: folder,
    encoding: 'utf8',
  });
  return checked.stdout;
}

test.each(COMPILERS)('every sample of TypeScript, and of the read-me of the client, has no type error %s', (_, module) => {
  const names = Object.keys(samples).filter((name): name is keyof typeof samples => name in samples);
  const files = names.map((name) => write(name, 'typescript'));
  const shown = [...readFileSync(join(ROOT, 'packages/client/README.md'), 'utf8').matchAll(/```ts\n([\s\S]*?)```/g)];
  expect(shown).toHaveLength(3);
  const readMe = join(folder, 'read-me.ts');
  // Declarations of the shop around it.
  const around = ['declare const paymentId: string;', 'declare const ship: (orderId: string) => void;'];
  around.push('declare const order: { id: string };', 'declare const redirect: (address: string | undefined) => void;');
  around.push('declare const markPaid: (orderId: string) => Promise<void>;', '');
  writeFileSync(readMe, `${shown.map(([, code]) => code).join('\n')}\n${around.join('\n')}`);
  expect(compile([...files, readMe], ['--noEmit', ...module])).toBe('');
});

describe.each(runnable)('in %s', (language) => {
  test('a payment is started, is not shipped before it is paid, and is shipped then', async () => {
    merchant = await harness.merchant();
    expect(await runSample(language, write('initiate', language))).toContain('/paystack/');
    const { id } = await paymentOf('ORD-1001');
    const verifyFile = write('verify', language);
    expect(await runSample(language, verifyFile, id)).toMatch(/not paid|"payment.pending"/);
    await settle('ORD-1001');
    expect(await runSample(language, verifyFile, id)).toMatch(/ship it|"payment.succeeded"/);
  });
});

test.each(runnable.filter((language) => language === 'python' || language === 'php'))(
  'the client for %s starts a payment and verifies it, and goes on with it when it runs again',
  async (language) => {
    merchant = await harness.merchant();
    const [command, ...args] = RUNNERS[language].command;
    const program = [...args, write('client', language)];
    const shown = (await run(command, program, { env: environmentOf(), cwd: folder })).stdout;
    expect(shown).toMatch(/^http.*\/paystack\/.*\nnot paid\n$/);
    await startElsewhere('ORD-1002');
    const other = (await run(command, [...args, write('client', language, 'ORD-1002')], { env: environmentOf(), cwd: folder }))
      .stdout;
    expect(other).toMatch(/^http.*\/paystack\/.*\nnot paid\n$/);
    expect(await harness.database.prisma.payment.count({ where: { merchantId: merchant.merchantId } })).toBe(1);
  },
);

test('what the documentation says to install is what an installation serves', () => {
  const page = readFileSync(join(ROOT, 'apps/web/src/app/docs/_content/tools.mdx'), 'utf8');
  const named = [...page.matchAll(/\/install\/([\w.-]+\w)/g)].map(([, name]) => name);
  expect([...new Set(named)].toSorted()).toEqual(served.toSorted());
});

/** Starts the payment of an order under another key: what a process that was lost has left. */
async function startElsewhere(merchantOrderId: string): Promise<string> {
  merchant = await harness.merchant();
  const body = order({ merchantOrderId });
  await harness.send('node', 'POST', '/v1/payments/initiate', { key: merchant.testKey, body });
  return (await paymentOf(merchantOrderId)).id;
}

test.each(ofServers)('an order that has a payment already goes on with that one, in %s', async (language) => {
  const paymentId = await startElsewhere('ORD-409');
  const shown = await runSample(language, write('initiate', language, 'ORD-409'));
  expect(shown).toContain('/paystack/');
  if (language !== 'php') expect(shown).toContain(paymentId);
  expect(await harness.database.prisma.payment.count({ where: { merchantId: merchant.merchantId } })).toBe(1);
});

test.each(runnable)('an id that a customer changed becomes part of no address, in %s', async (language) => {
  const paid = { status: 'SUCCESS', merchantOrderId: 'ORD-1001', amount: 2_500, currency: 'NGN' };
  const server = await answerWith((_, response) => {
    response.end(JSON.stringify({ status: true, statusCode: 200, message: '', data: { type: 'payment.succeeded', data: paid } }));
  });
  const source = write('verify', language, 'ORD-1001', server.url);
  const file = language === 'go' ? `${source}.built` : source;
  // Compiling takes most of a run.
  if (language === 'go') await run('go', ['build', '-o', file, source]);
  const own = randomUUID();
  for (const id of hostileIds(own)) {
    const shown = await runSample(language, file, id).catch(String);
    expect(shown).not.toMatch(/ship it|payment\.succeeded/);
  }
  expect(server.reached).toEqual([]);
  expect(await runSample(language, file, own.toUpperCase())).toMatch(/ship it|payment\.succeeded/);
  expect(server.reached).toEqual([`POST /v1/payments/${own.toUpperCase()}/verify`]);
  server.close();
});

describe.each(ofServers)('after a 409, the sample in %s', (language) => {
  const INITIATE = 'POST /v1/payments/initiate';
  const refusal = (data: object | null) => ({ success: false, statusCode: 409, message: 'refused', code: 'x', data });
  const payment = (paymentId: string, status: string) => {
    const session = status === 'INITIATED' ? null : { redirectUrl: 'https://checkout.example/1' };
    const data = { paymentId, status, recommendedGateway: { session } };
    return { status: true, statusCode: 200, message: 'Payment failed', data };
  };

  test('waits while the first request opens its checkout, and sends the customer there', async () => {
    const id = randomUUID();
    const busy = refusal(null);
    const opening = refusal({ errors: ['merchantOrderId must be unique'], paymentId: id, status: 'INITIATED' });
    const answers = [busy, opening, payment(id, 'INITIATED'), payment(id, 'PENDING')];
    const server = await answerWith((_, response) => {
      const answer = answers.shift() ?? { statusCode: 500 };
      response.writeHead(answer.statusCode, { 'retry-after': '0' }).end(JSON.stringify(answer));
    });
    const shown = await runSample(language, write('initiate', language, 'ORD-1', server.url));
    expect(shown).toContain('https://checkout.example/1');
    const read = `GET /v1/payments/${id}`;
    expect(server.reached).toEqual([INITIATE, INITIATE, read, read]);
    server.close();
  });

  test('sends no customer to the checkout of a payment that failed', async () => {
    const id = randomUUID();
    const answers = [refusal({ errors: [], paymentId: id }), payment(id, 'FAILED')];
    const server = await answerWith((_, response) => {
      const answer = answers.shift() ?? { statusCode: 500 };
      response.writeHead(answer.statusCode).end(JSON.stringify(answer));
    });
    const shown = await runSample(language, write('initiate', language, 'ORD-1', server.url));
    expect(shown).toMatch(/^Payment failed\. Offer another try/);
    server.close();
  });

  test('puts no id into an address that is no UUID', async () => {
    const answers = hostileIds(randomUUID()).slice(0, 9);
    const server = await answerWith((_, response) => {
      const paymentId = answers.shift();
      const data = paymentId === undefined ? null : { errors: [], paymentId };
      const answer = paymentId === undefined ? { statusCode: 404, message: 'that was all', data } : refusal(data);
      response.writeHead(answer.statusCode, { 'retry-after': '0' }).end(JSON.stringify(answer));
    });
    await runSample(language, write('initiate', language, 'ORD-1', server.url)).catch(String);
    expect(server.reached).toEqual(Array(10).fill(INITIATE));
    server.close();
  });
});

/** Samples as a merchant without a version of Node that reads TypeScript compiles them, by their names: the same for every version. */
const built = new Map<string, string>();

/** Writes a sample, as JavaScript that the compiler makes of it. Returns the file. */
function buildSample(name: keyof typeof samples): string {
  const known = built.get(name);
  if (known !== undefined) return known;
  const file = write(name, 'typescript');
  expect(compile([file], ['--module', 'NodeNext', '--rewriteRelativeImportExtensions'])).toBe('');
  const program = file.replace(/\.ts$/, '.js');
  built.set(name, program);
  return program;
}

describe.each(NODES)('on Node %i', (major) => {
  const node = findNode(major);
  /** The file of a sample under the name that it shows for a project without a compiler. */
  const module = (name: keyof typeof samples) => {
    const file = write(name, 'typescript');
    renameSync(file, file.replace(/\.ts$/, '.mjs'));
    return file.replace(/\.ts$/, '.mjs');
  };

  test('the quickstart runs as it is shown', async () => {
    merchant = await harness.merchant();
    const options = { env: environmentOf() };
    expect((await run(node, [module('initiate')], options)).stdout).toContain('/paystack/');
    const { id } = await paymentOf('ORD-1001');
    const verify = module('verify');
    expect((await run(node, [verify, id], options)).stdout).toBe('not paid\n');
    await settle('ORD-1001');
    expect((await run(node, [verify, id], options)).stdout).toBe('ship it\n');
  });

  test('the client starts a payment and verifies it, and goes on with it when it runs again', async () => {
    merchant = await harness.merchant();
    const program = buildSample('client');
    const shown = (await run(node, [program], { env: environmentOf() })).stdout;
    expect(shown).toMatch(/^http.*\/paystack\/.*\nnot paid\n$/);
    await settle('ORD-1001');
    expect((await run(node, [program], { env: environmentOf() })).stdout).toBe(shown.replace('not paid', 'ship it'));
    expect(await harness.database.prisma.payment.count({ where: { merchantId: merchant.merchantId } })).toBe(1);
  });

  test('the receiver takes what is signed, and refuses what is not', async () => {
    const secret = `whsec_${Buffer.alloc(24, 5).toString('base64')}`;
    const port = await reservePort();
    const url = `http://127.0.0.1:${port}/`;
    startProgram([node, module('receiveWebhook')], { ...process.env, PORT: String(port), WEBHOOK_SECRET: secret });
    await untilListening(port);
    const body = JSON.stringify({ id: 'e-1', type: 'payment.failed', data: {} });
    const at = new Date();
    const headers = { 'webhook-id': 'e-1', 'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)) };
    const post = (signature: string) =>
      fetch(url, { method: 'POST', headers: { ...headers, 'webhook-signature': signature }, body });
    expect((await post(new Webhook(secret).sign('e-1', at, body))).status).toBe(204);
    expect((await post('v1,AAAA')).status).toBe(400);
  });

  test('the retry goes on until there is an answer', async () => {
    // Older ones read no TypeScript.
    const program = major === 20 ? buildSample('retry') : write('retry', 'typescript');
    const call = `import { post } from ${JSON.stringify(program)};
      const response = await post('/v1/payments/initiate', { a: 1 }, 'key-1');
      console.log(response.status, await response.text());`;
    expect(await retryWith([node, '--input-type=module', '--disable-warning=ExperimentalWarning', '-e', call])).toBe('200 done');
  });
});

test.each([
  [
    'python',
    `from importlib import import_module\nr = import_module("retry-python").post("/v1/payments/initiate", {"a": 1}, "key-1")\nprint(r.status_code, r.text)`,
  ],
  [
    'php',
    `require 'retry-php.php'; [$status, $answer] = post('/v1/payments/initiate', ['a' => 1], 'key-1'); echo $status, ' ', $answer ?? 'done';`,
  ],
] as const)('the retry in %s goes on until there is an answer', async (language, call) => {
  if (!runnable.includes(language)) return;
  write('retry', language);
  expect(await retryWith([...RUNNERS[language].command, language === 'php' ? '-r' : '-c', call])).toBe('200 done');
});

/** Runs a program against a server that is lost once, is busy once, and answers then. Expects one key, and resolves with its output. */
async function retryWith(program: readonly string[]): Promise<string> {
  const keys: (string | undefined)[] = [];
  const server = createServer((request, response) => {
    keys.push(request.headers['idempotency-key']?.toString());
    request.resume();
    if (keys.length === 1) request.socket.destroy();
    else if (keys.length === 2) response.writeHead(409, { 'retry-after': '0' }).end('{}');
    else response.end('done');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const [command = '', ...args] = program;
  const env = {
    ...process.env,
    ...php?.env,
    SWITCHYARD_URL: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`,
  };
  const { stdout } = await run(command, args, { cwd: folder, env: { ...env, SWITCHYARD_API_KEY: 'sk_test_x' } });
  server.close();
  expect(keys).toEqual(['key-1', 'key-1', 'key-1']);
  return stdout.trim();
}

describe.each(ofServers)('a receiver in %s', (language) => {
  test('takes what the product signs, once, and refuses what is tampered with', async () => {
    merchant = await harness.merchant();
    const port = await reservePort();
    const url = `http://127.0.0.1:${port}/`;
    const key = { merchantId: merchant.merchantId, mode: 'test', actor: 'system:test' } as const;
    const outcome = await createEndpoint(harness.switchyard, { ...key, url, description: '', types: [] });
    if (outcome.kind !== 'created') throw new Error(outcome.kind);
    const output = await startReceiver(language, port, outcome.secret);

    await runSample('curl', write('initiate', 'curl', `ORD-${language}`));
    const attempt = await harness.database.prisma.attempt.findFirstOrThrow({ where: { merchantId: merchant.merchantId } });
    await harness.gateways.settle('paystack', attempt.reference, 'success');
    await runSample('curl', write('verify', 'curl'), attempt.paymentId);
    const dispatcher = openDispatcher(harness.switchyard, { onError: (error) => output.push(String(error)) });
    await dispatcher.sweep();
    const delivered = await eventually('the delivery to arrive', () =>
      harness.database.prisma.webhookDelivery.findFirst({ where: { merchantId: merchant.merchantId, state: 'DELIVERED' } }),
    );
    await dispatcher.stop();
    expect(delivered.attempts).toBe(1);
    expect(output.join('').match(/paid \S+/g)).toEqual([`paid ORD-${language}`]);

    const forged = {
      'webhook-id': 'a',
      'webhook-timestamp': String(Math.floor(Date.now() / 1_000)),
      'webhook-signature': 'v1,AAAA',
    };
    expect((await fetch(url, { method: 'POST', headers: forged, body: '{}' })).status).toBe(400);
  });
});

const SECRET = `whsec_${Buffer.alloc(24, 5).toString('base64')}`;

/** A signed message, with headers of other values where they are given. */
function signedMessage(event: object, key: Buffer, headers: Readonly<Record<string, string>> = {}): RequestInit {
  const body = JSON.stringify(event);
  const at = String(Math.floor(Date.now() / 1_000));
  const signature = createHmac('sha256', key).update(`e-1.${at}.${body}`).digest('base64');
  const signed = { 'Webhook-Id': 'e-1', 'WEBHOOK-TIMESTAMP': at, 'webhook-signature': `v1,${signature}` };
  return { method: 'POST', headers: { ...signed, ...headers }, body };
}

describe.each(ofServers)('a receiver in %s that goes wrong', (language) => {
  const succeeded = (id: string, merchantOrderId: string) => ({ id, type: 'payment.succeeded', data: { merchantOrderId } });
  const key = Buffer.alloc(24, 5);

  test('does the work of an event once: when it failed, by the retry', async () => {
    const port = await reservePort();
    const url = `http://127.0.0.1:${port}/`;
    const output = await startReceiver(language, port, SECRET);
    const [id, other] = [`e-${randomUUID()}`, `e-${randomUUID()}`];
    // An order without a name is none that the receiver knows: its work fails.
    expect((await fetch(url, signedMessage(succeeded(id, ''), key))).status).toBe(500);
    expect((await fetch(url, signedMessage(succeeded(id, 'ORD-R'), key))).status).toBe(204);
    expect((await fetch(url, signedMessage(succeeded(id, 'ORD-R'), key))).status).toBe(204);
    expect((await fetch(url, signedMessage(succeeded(other, 'ORD-S'), key))).status).toBe(204);
    await eventually('the work', async () => output.join('').includes('ORD-S') || null);
    expect(output.join('').match(/paid \S+/g)).toEqual(['paid ORD-R', 'paid ORD-S']);
  });

  test('survives a client that goes away in mid-body, and a time-stamp of 5,000 digits', async () => {
    const port = await reservePort();
    const url = `http://127.0.0.1:${port}/`;
    const output = await startReceiver(language, port, SECRET);
    const socket = connect(port, '127.0.0.1');
    socket.resume().on('error', () => undefined);
    socket.end('POST / HTTP/1.1\r\nHost: shop\r\nContent-Length: 1000\r\n\r\n{"id":');
    await once(socket, 'close');
    for (const timestamp of ['9'.repeat(5_000), `${'0'.repeat(4_990)}1764358400`, '-1', '1e9', 'now']) {
      const sent = signedMessage(succeeded('e-2', 'ORD-T'), key, { 'WEBHOOK-TIMESTAMP': timestamp });
      expect((await fetch(url, sent)).status).toBe(400);
    }
    const id = `e-${randomUUID()}`;
    expect((await fetch(url, signedMessage(succeeded(id, 'ORD-U'), key))).status).toBe(204);
    await eventually('the work', async () => output.join('').includes('ORD-U') || null);
    expect(output.join('').match(/paid \S+/g)).toEqual(['paid ORD-U']);
  });

  test.each([
    ['not set', undefined],
    ['empty', ''],
    ['a prefix alone', 'whsec_'],
    ['of 23 bytes', `whsec_${Buffer.alloc(23, 5).toString('base64')}`],
  ])('takes nothing with a secret that is %s', async (_, secret) => {
    const port = await reservePort();
    const child = await startWithSecret(language, port, secret);
    const listening = await Promise.race([untilListening(port).then(() => true), child.ended.then(() => false)]);
    const weak = Buffer.from((secret ?? '').replace('whsec_', ''), 'base64');
    if (listening) {
      const sent = signedMessage(succeeded(`e-${randomUUID()}`, 'ORD-F'), weak);
      expect((await fetch(`http://127.0.0.1:${port}/`, sent)).status).toBe(400);
    }
    expect(child.output.join('')).not.toContain('paid');
  });
});

/** The part of a sample that verifies, called as a framework calls it: names of headers in another case, values as lists. */
test.each([
  [
    'python',
    'class Webhooks',
    `secret, headers, body = sys.argv[1:]\nprint(verify_webhook(secret, json.loads(headers), body.encode())["type"])`,
  ],
  [
    'php',
    '$body = file_get',
    `[, $secret, $headers, $body] = $argv;\necho verify_webhook($secret, json_decode($headers, true), $body)['type'];`,
  ],
] as const)('the verifier in %s takes names of headers in any case, and values as lists', async (language, end, call) => {
  if (!runnable.includes(language)) return;
  const code = readFileSync(write('receiveWebhook', language), 'utf8');
  const file = join(folder, `verifier.${RUNNERS[language].extension}`);
  const verifier = code.slice(0, code.indexOf(end));
  writeFileSync(file, language === 'python' ? `import sys\n${verifier}\n${call}\n` : `${verifier}\n${call}\n`);
  const body = JSON.stringify({ type: 'payment.succeeded' });
  const at = String(Math.floor(Date.now() / 1_000));
  const signature = createHmac('sha256', Buffer.alloc(24, 5)).update(`e-1.${at}.${body}`).digest('base64');
  const headers = { 'WEBHOOK-ID': ['e-1'], 'Webhook-Timestamp': [at], 'webhook-signature': ['v1,AAAA', `v1,${signature}`] };
  const [command, ...args] = RUNNERS[language].command;
  const { stdout } = await run(command, [...args, file, SECRET, JSON.stringify(headers), body], { env: environmentOf() });
  expect(stdout.trim()).toBe('payment.succeeded');
});

/** Starts the sample with any secret, or with none. It may end at once. */
async function startWithSecret(language: Language, port: number, secret: string | undefined) {
  const child = await startReceiverProgram(language, port, secret);
  const output: string[] = [];
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (data) => output.push(String(data)));
  return { output, ended: once(child, 'exit') };
}

/** Starts the sample; gives what it writes. */
async function startReceiver(language: Language, port: number, secret: string): Promise<string[]> {
  const { output } = await startWithSecret(language, port, secret);
  await untilListening(port);
  return output;
}

async function startReceiverProgram(language: Language, port: number, secret: string | undefined): Promise<ChildProcess> {
  const file = write('receiveWebhook', language);
  const database = `sqlite:${join(folder, 'handled.sqlite')}`;
  const env = { ...environmentOf(), PORT: String(port), WEBHOOK_SECRET: secret, DATABASE_DSN: database };
  const server = language === 'php' ? ['-S', `127.0.0.1:${port}`] : [];
  if (language === 'php') {
    const create = `(new PDO('${database}'))->exec('CREATE TABLE IF NOT EXISTS handled_event (id TEXT PRIMARY KEY)');`;
    const [command, ...args] = RUNNERS.php.command;
    await run(command, [...args, '-r', create], { env });
  }
  return startProgram([...RUNNERS[language].command, ...server, file], env);
}
