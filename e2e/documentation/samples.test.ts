import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Language, SAMPLE_URL, samples } from '@switchyard/web/docs-samples';
import { openDispatcher } from '@switchyard/webhooks/deliveries';
import { createEndpoint } from '@switchyard/webhooks/endpoints';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../harness/eventually.ts';
import { type Harness, startHarness } from '../harness/harness.ts';
import type { TestMerchant } from '../harness/merchants.ts';
import { findNode20 } from '../harness/node-20.ts';

/*
 * The samples are run as they are shown, on this machine's languages: types are checked, calls reach the product, and a signature is the
 * product's own.
 */

const REPOSITORY = join(import.meta.dirname, '..', '..');
const run = promisify(execFile);

/** How a file of each language is run, and whether this machine can. */
const RUNNERS = {
  curl: { extension: 'sh', command: 'sh', needs: ['curl', '--version'] },
  typescript: { extension: 'ts', command: process.execPath, needs: [process.execPath, '--version'] },
  php: { extension: 'php', command: 'php', needs: ['php', '-r', 'exit(extension_loaded("curl") ? 0 : 1);'] },
  python: { extension: 'py', command: 'python3', needs: ['python3', '-c', 'import requests'] },
  go: { extension: 'go', command: 'go', needs: ['go', 'version'] },
} as const satisfies Readonly<Record<Language, { extension: string; command: string; needs: readonly string[] }>>;

const canRun = (language: Language) => {
  const [command = '', ...args] = RUNNERS[language].needs;
  return spawnSync(command, args).status === 0;
};
const runnable = (['curl', 'typescript', 'python', 'go'] as const).filter(canRun);
const runnableReceivers = (['typescript', 'python', 'go'] as const).filter(canRun);

let harness: Harness;
let merchant: TestMerchant;
let folder: string;
const children: ChildProcess[] = [];

beforeAll(async () => {
  harness = await startHarness({ worker: false });
  // Inside the repository, so that the package of the sample is found.
  mkdirSync(join(REPOSITORY, 'e2e/.local'), { recursive: true });
  folder = mkdtempSync(join(REPOSITORY, 'e2e/.local/samples-'));
});
afterAll(async () => {
  for (const child of children) child.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
  await harness.close();
});

/** Writes a sample for this product, with an order id of its own. */
function write(name: keyof typeof samples, language: Language, orderId = 'ORD-1001'): string {
  const code = samples[name].code[language];
  if (code === undefined) throw new Error(`${name} has no sample in ${language}`);
  const file = join(folder, `${name}-${language}.${RUNNERS[language].extension}`);
  writeFileSync(file, code.replaceAll(SAMPLE_URL, harness.publicUrl).replaceAll('ORD-1001', orderId));
  return file;
}

async function runSample(language: Language, file: string, args: readonly string[] = [], env: Record<string, string> = {}) {
  const { command } = RUNNERS[language];
  const before = language === 'go' ? ['run'] : [];
  const environment = { ...process.env, SWITCHYARD_API_KEY: merchant.testKey, ...env };
  return (await run(command, [...before, file, ...args], { env: environment })).stdout;
}

/** How merchants compile: in a package of modules as Node takes them, and for a bundler. */
const COMPILERS = [
  ['for Node', ['--module', 'NodeNext']],
  ['for a bundler', ['--module', 'ESNext', '--moduleResolution', 'bundler']],
] as const;

test.each(COMPILERS)('every sample of TypeScript has no type error %s', async (_, module) => {
  const names = Object.keys(samples).filter((name): name is keyof typeof samples => name in samples);
  const files = names.map((name) => write(name, 'typescript'));
  const options = [
    '--noEmit',
    '--strict',
    '--target',
    'ES2022',
    ...module,
    '--types',
    'node',
    '--skipLibCheck',
    '--allowImportingTsExtensions',
  ];
  const compiler = join(REPOSITORY, 'node_modules/typescript/bin/tsc');
  const checked = spawnSync(process.execPath, [compiler, '--ignoreConfig', ...options, ...files], {
    cwd: folder,
    encoding: 'utf8',
  });
  expect(checked.stdout).toBe('');
  expect(checked.status).toBe(0);
});

describe.each(runnable)('in %s', (language) => {
  test('a payment is started, is not shipped before it is paid, and is shipped then', async () => {
    merchant = await harness.merchant();
    const started = await runSample(language, write('initiate', language));
    const paymentId = /[0-9a-f]{8}-[0-9a-f-]{27}/.exec(started)?.[0] ?? '';
    expect(started).toContain('/paystack/');
    const verifyFile = write('verify', language);
    const verify = () => runSample(language, verifyFile, [paymentId], { PAYMENT_ID: paymentId });
    expect(await verify()).toMatch(/not paid|"payment.pending"/);
    const payment = await harness.database.prisma.attempt.findFirstOrThrow({ where: { paymentId } });
    await harness.gateways.settle('paystack', payment.reference, 'success');
    expect(await verify()).toMatch(/ship it|"payment.succeeded"/);
  });
});

test('the quickstart for Node runs on Node 20 as it is shown', async () => {
  merchant = await harness.merchant();
  const node20 = findNode20();
  const env = { ...process.env, SWITCHYARD_API_KEY: merchant.testKey };
  const runOn20 = async (name: 'initiate' | 'verify' | 'receiveWebhook', ...args: string[]) => {
    const file = write(name, 'typescript').replace(/\.ts$/, '.mjs');
    renameSync(file.replace(/\.mjs$/, '.ts'), file);
    return run(node20, [...(args.includes('--check') ? ['--check', file] : [file, ...args])], { env });
  };
  const started = (await runOn20('initiate')).stdout;
  expect(started).toContain('/paystack/');
  const paymentId = /[0-9a-f]{8}-[0-9a-f-]{27}/.exec(started)?.[0] ?? '';
  expect((await runOn20('verify', paymentId)).stdout).toBe('not paid\n');
  const payment = await harness.database.prisma.attempt.findFirstOrThrow({ where: { paymentId } });
  await harness.gateways.settle('paystack', payment.reference, 'success');
  expect((await runOn20('verify', paymentId)).stdout).toBe('ship it\n');
  expect((await runOn20('receiveWebhook', '--check')).stderr).toBe('');
});

test('the client starts a payment and verifies it, each time that it runs', async () => {
  merchant = await harness.merchant();
  const file = write('client', 'typescript');
  expect(await runSample('typescript', file)).toMatch(/^http.*\/paystack\/.*\nnot paid\n$/);
  expect(await runSample('typescript', file)).toMatch(/^http.*\/paystack\/.*\nnot paid\n$/);
});

describe.each(runnableReceivers)('a receiver in %s', (language) => {
  test('takes what the product signs, once, and refuses what is tampered with', async () => {
    merchant = await harness.merchant();
    const port = await freePort();
    const url = `http://127.0.0.1:${port}/`;
    const key = { merchantId: merchant.merchantId, mode: 'test', actor: 'system:test' } as const;
    const outcome = await createEndpoint(harness.switchyard, { ...key, url, description: '', types: [] });
    if (outcome.kind !== 'created') throw new Error(outcome.kind);
    const output = await startReceiver(language, port, outcome.secret);

    await runSample('curl', write('initiate', 'curl', `ORD-${language}`));
    const attempt = await harness.database.prisma.attempt.findFirstOrThrow({ where: { merchantId: merchant.merchantId } });
    await harness.gateways.settle('paystack', attempt.reference, 'success');
    await runSample('curl', write('verify', 'curl'), [], { PAYMENT_ID: attempt.paymentId });
    const dispatcher = openDispatcher(harness.switchyard, { onError: (error) => output.push(String(error)) });
    await dispatcher.sweep();
    const delivered = await eventually('the delivery to arrive', () =>
      harness.database.prisma.webhookDelivery.findFirst({ where: { merchantId: merchant.merchantId, state: 'DELIVERED' } }),
    );
    await dispatcher.stop();
    expect(delivered.attempts).toBe(1);
    expect(output.join('').trim()).toBe(`paid ORD-${language}`);

    const forged = {
      'webhook-id': 'a',
      'webhook-timestamp': String(Math.floor(Date.now() / 1_000)),
      'webhook-signature': 'v1,AAAA',
    };
    expect((await fetch(url, { method: 'POST', headers: forged, body: '{}' })).status).toBe(400);
  });
});

/** Starts the sample; gives what it writes. */
async function startReceiver(language: Language, port: number, secret: string): Promise<string[]> {
  const env = { ...process.env, PORT: String(port), WEBHOOK_SECRET: secret };
  const before = language === 'go' ? ['run'] : [];
  const child = spawn(RUNNERS[language].command, [...before, write('receiveWebhook', language)], { env });
  children.push(child);
  const output: string[] = [];
  child.stdout.on('data', (data) => output.push(String(data)));
  await eventually('the receiver to listen', () =>
    fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body: '{}' }).then(
      ({ status }) => status,
      () => null,
    ),
  );
  return output;
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (typeof address !== 'object' || address === null) throw new Error('no port is free');
  return address.port;
}
