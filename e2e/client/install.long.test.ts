import { spawn, spawnSync } from 'node:child_process';
import { createHash, createHmac, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { globSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { simulators } from '@switchyard/sandbox';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { type Harness, startHarness } from '../harness/harness.ts';
import { hostileIds } from '../harness/hostile-ids.ts';
import { buildInstallFolder, emptyProject, type InstallFolder } from '../harness/installation.ts';
import { findNode, findPhp, findPython, type Interpreter } from '../harness/interpreters.ts';
import type { TestMerchant } from '../harness/merchants.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const python = findPython();

let harness: Harness;
let installation: InstallFolder;
let files: Server;
let address: string;
const folders: string[] = [];

beforeAll(async () => {
  harness = await startHarness({ worker: false });
  installation = buildInstallFolder();
  files = await listen((request, response) => {
    response.end(readFileSync(join(installation.path, (request.url ?? '').replace('/install/', ''))));
  });
  address = `${addressOf(files)}/install`;
});
afterAll(async () => {
  await harness.close();
  files.close();
  installation.remove();
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

async function listen(answer: (request: IncomingMessage, response: ServerResponse) => void): Promise<Server> {
  const server = createServer(answer).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

function addressOf(server: Server): string {
  const address = server.address();
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
}

/** Runs a program beside the servers of this process. Resolves with its output; rejects where it fails. */
async function runProgram(
  command: string,
  args: readonly string[],
  env: Record<string, string | undefined>,
  cwd?: string,
): Promise<string> {
  const child = spawn(command, args, { env, stdio: ['ignore', 'pipe', 'pipe'], ...(cwd !== undefined && { cwd }) });
  const output = { out: '', err: '' };
  child.stdout.on('data', (data) => {
    output.out += String(data);
  });
  child.stderr.on('data', (data) => {
    output.err += String(data);
  });
  await once(child, 'close');
  if (child.exitCode !== 0) throw new Error(`${command} ${args.join(' ')}: ${output.out}${output.err}`);
  return output.out;
}

test('every file that is served has its checksum', () => {
  const names = readdirSync(installation.path).filter((name) => name !== 'SHA256SUMS');
  expect(names.toSorted()).toEqual([
    'Switchyard.php',
    'switchyard-cli.tgz',
    'switchyard-client.tgz',
    'switchyard.py',
    expect.stringMatching(/^switchyard_client-\d+\.\d+\.\d+-py3-none-any\.whl$/),
  ]);
  const sums = names.toSorted().map((name) => {
    return `${createHash('sha256')
      .update(readFileSync(join(installation.path, name)))
      .digest('hex')}  ${name}\n`;
  });
  expect(readFileSync(join(installation.path, 'SHA256SUMS'), 'utf8')).toBe(sums.join(''));
});

test('npm installs the client and the command line from an address without a registry, and both run', async () => {
  const project = await emptyProject([`${address}/switchyard-client.tgz`, `${address}/switchyard-cli.tgz`]);
  folders.push(project);
  const env = { PATH: process.env.PATH, HOME: project };
  await runProgram('npm', ['ls', '--all'], env, project);
  const lists = "import('@switchyard/client').then((client) => console.log(typeof client.createSwitchyard))";
  for (const major of [20, 22, 24]) {
    expect(await runProgram(findNode(major), ['--input-type=module', '-e', lists], env, project)).toBe('function\n');
  }
  const program = join(project, 'node_modules', '.bin', 'switchyard');
  const { version } = z
    .object({ version: z.string() })
    .parse(JSON.parse(readFileSync(join(ROOT, 'packages/cli/package.json'), 'utf8')));
  const name = 'paystack';
  const credentials = simulators[name].credentialsFor('installed');
  await harness.gateways.register(name, { ...credentials, webhookUrl: `${address}/webhooks` });
  const keys = { PAYSTACK_SECRET_KEY: credentials.secretKey, SWITCHYARD_PRIVATE_ADDRESSES: 'allow' };
  const host = harness.gateways.baseUrlOf(name);
  for (const major of [22, 24]) {
    expect(await runProgram(findNode(major), [program, '--version'], env, project)).toBe(`${version}\n`);
    const certify = [program, 'certify', '--gateway', name, '--host', host, '--skip-paid'];
    const certified = await runProgram(findNode(major), certify, { ...env, ...keys }, project);
    expect(certified).toMatch(/^passed {3}A checkout opens: .+ 0 failed, /ms);
  }
  const reports = readdirSync(project).filter((file) => /^paystack-.+\.json$/.test(file));
  expect(reports).toHaveLength(2);
  // Connectors come from a package that is not published.
  const texts = globSync('node_modules/@switchyard/**/*.{js,json,ts}', { cwd: project }).map((file) =>
    readFileSync(join(project, file), 'utf8'),
  );
  expect(texts.length).toBeGreaterThan(100);
  expect(texts.filter((text) => text.includes('@switchyard/gateways'))).toEqual([]);
});

describe.each(['client', 'cli'])('the package of the %s for npm', (name) => {
  const program = (command: string) => join(ROOT, 'node_modules', '.bin', command);
  let built: string;
  beforeAll(() => {
    built = mkdtempSync(join(tmpdir(), `switchyard-${name}-`));
    folders.push(built);
    const script = join(ROOT, 'scripts', 'build-package.ts');
    const { stdout, stderr } = spawnSync(process.execPath, [script, join(ROOT, 'packages', name), built], { encoding: 'utf8' });
    expect(`${stdout}${stderr}`).toBe('');
  });

  test('is packed without a warning, and holds what runs, its types, its read-me and its licence', async () => {
    const packed = spawnSync('npm', ['pack', '--json', '--loglevel=warn'], { cwd: built, encoding: 'utf8' });
    expect([packed.status, packed.stderr]).toEqual([0, '']);
    const [content] = z.array(z.object({ files: z.array(z.object({ path: z.string() })) })).parse(JSON.parse(packed.stdout));
    const paths = content?.files.map(({ path }) => path) ?? [];
    expect(paths).toEqual(expect.arrayContaining(['LICENSE', 'README.md', 'package.json']));
    expect(paths.filter((path) => !/^(LICENSE|README\.md|package\.json|[\w/-]+(\.d\.ts|\.js))$/.test(path))).toEqual([]);
  });

  test('has no finding of publint, and none of Are The Types Wrong for users of modules', async () => {
    const linted = spawnSync(program('publint'), ['--strict', '--pack', 'npm', built], { encoding: 'utf8' });
    // Colours are forced where `CI` is set.
    expect([linted.status, stripVTControlCharacters(linted.stdout)]).toEqual([0, expect.stringMatching(/All good!\s*$/)]);
    const [tarball = ''] = readdirSync(built).filter((path) => path.endsWith('.tgz'));
    const checked = spawnSync(program('attw'), [join(built, tarball), '--profile', 'esm-only', '--format', 'json'], {
      encoding: 'utf8',
    });
    expect(checked.status).toBe(0);
    const { analysis } = z
      .object({
        analysis: z.object({ problems: z.array(z.looseObject({ kind: z.string(), resolutionKind: z.string().optional() })) }),
      })
      .parse(JSON.parse(checked.stdout));
    // A program of CommonJS takes it by `import()`, or by `require` from Node 20.19 on.
    const ofModules = analysis.problems.filter(({ resolutionKind = '' }) => !['node10', 'node16-cjs'].includes(resolutionKind));
    expect(ofModules).toEqual([]);
  });
});

test.skipIf(python === null)(
  'the wheel is one: pip installs it, or Python imports it as it is, and its record is right',
  async () => {
    const [wheel = ''] = readdirSync(installation.path).filter((name) => name.endsWith('.whl'));
    const path = join(installation.path, wheel);
    const check = `
import base64, csv, hashlib, io, sys, zipfile
wheel = zipfile.ZipFile(sys.argv[1])
assert wheel.testzip() is None
# Checkers read types of a package that is installed only beside this mark.
assert "switchyard/py.typed" in wheel.namelist()
[record] = [name for name in wheel.namelist() if name.endswith("/RECORD")]
rows = list(csv.reader(io.StringIO(wheel.read(record).decode())))
assert sorted(row[0] for row in rows) == sorted(wheel.namelist())
for name, digest, size in rows:
    if name == record: continue
    content = wheel.read(name)
    assert digest == "sha256=" + base64.urlsafe_b64encode(hashlib.sha256(content).digest()).decode().rstrip("="), name
    assert int(size) == len(content), name
sys.path.insert(0, sys.argv[1])
import switchyard
print(switchyard.__version__)`;
    const version = /-(.+?)-/.exec(wheel)?.[1];
    expect(await runProgram(python?.command ?? '', ['-c', check, path], process.env)).toBe(`${version}\n`);
    if (spawnSync(python?.command ?? '', ['-m', 'pip', '--version']).status !== 0) {
      console.warn('LEFT OUT: this Python has no pip, which would install the wheel');
      return;
    }
    const target = mkdtempSync(join(tmpdir(), 'switchyard-wheel-'));
    folders.push(target);
    const pip = [
      '-m',
      'pip',
      'install',
      '--quiet',
      '--no-index',
      '--no-deps',
      '--disable-pip-version-check',
      '--root-user-action=ignore',
    ];
    await runProgram(python?.command ?? '', [...pip, '--target', target, `${address}/${wheel}`], process.env);
    expect(readdirSync(join(target, 'switchyard'))).toEqual(expect.arrayContaining(['__init__.py', 'py.typed']));
  },
);

interface Outcome {
  readonly result?: unknown;
  readonly [field: string]: unknown;
}

const LANGUAGES: readonly (readonly [string, Interpreter | null])[] = [
  ['Python', python],
  ['PHP', findPhp()],
];

describe.each(LANGUAGES.flatMap(([name, found]) => (found === null ? [] : [[name, found] as const])))(
  'the client for %s',
  (name, interpreter) => {
    let merchant: TestMerchant;
    beforeAll(async () => {
      merchant = await harness.merchant();
    });

    /** Takes a step of the program of this language. */
    async function take(step: string, args: readonly string[] = [], url = harness.publicUrl): Promise<Outcome> {
      const program = join(import.meta.dirname, 'languages', name === 'PHP' ? 'use_client.php' : 'use_client.py');
      const env = {
        ...process.env,
        ...interpreter.env,
        SWITCHYARD_URL: url,
        SWITCHYARD_API_KEY: merchant.testKey,
        SWITCHYARD_CLIENT: join(installation.path, 'Switchyard.php'),
        PYTHONPATH: installation.path,
      };
      const output = await runProgram(interpreter.command, [...interpreter.args, program, step, ...args], env);
      const outcome: Outcome = JSON.parse(output);
      return outcome;
    }

    test('starts a payment once, verifies, refunds and lists it, and knows refusals from each other', async () => {
      const started = z
        .object({ result: z.object({ paymentId: z.uuid(), redirectUrl: z.url() }) })
        .parse(await take('start', ['ORD-1', 'key-1']));
      const { paymentId } = started.result;
      expect(await take('start', ['ORD-1', 'key-1'])).toEqual(started);
      expect(await take('start', ['ORD-1'])).toEqual({
        statusCode: 409,
        errors: expect.any(Array),
        code: 'duplicate_order',
        details: [{ field: 'merchantOrderId', code: 'not_unique' }],
        paymentStatus: null,
        paymentId,
        refundableAmount: null,
        hasRequestId: true,
      });
      expect(await take('verify', [paymentId])).toEqual({ result: 'PENDING' });
      const { reference } = await harness.database.prisma.attempt.findFirstOrThrow({ where: { paymentId } });
      await harness.gateways.settle('paystack', reference, 'success');
      expect(await take('verify', [paymentId])).toEqual({ result: 'SUCCESS' });
      expect(await take('refund', [paymentId])).toEqual({ result: [1_000] });
      expect(await take('refund_all', [paymentId])).toEqual({ result: 1_500 });
      expect(await take('refund', [paymentId])).toMatchObject({ statusCode: 409, refundableAmount: 0 });
      await take('start', ['ORD-2']);
      expect(await take('orders')).toEqual({ result: ['ORD-1', 'ORD-2'] });
      expect(await take('verify', [randomUUID()])).toMatchObject({ statusCode: 404 });
      expect(await take('verify', ['none'])).toEqual({ error: 'Id' });
      expect(await take('start', [''])).toMatchObject({
        statusCode: 400,
        code: 'bad_request',
        errors: [expect.stringMatching(/^merchantOrderId /)],
        details: [{ field: 'merchantOrderId', code: 'too_short' }],
      });
      expect(await take('test_event')).toEqual({ result: 'payment.succeeded' });
    });

    test('sends what was not answered again, under the same key, and what cannot be repeated once', async () => {
      const calls: { readonly key: string | undefined; readonly body: string }[] = [];
      const flaky = await listen(async (request, response) => {
        const chunks: Buffer[] = [];
        for await (const chunk of request) chunks.push(chunk);
        calls.push({ key: request.headers['idempotency-key']?.toString(), body: Buffer.concat(chunks).toString() });
        if (request.url !== '/v1/payments/initiate') response.writeHead(503).end('<html>');
        else if (calls.length === 1) request.socket.destroy();
        else if (calls.length === 2)
          response
            .writeHead(409, { 'retry-after': '0' })
            .end('{"success":false,"statusCode":409,"message":"in flight","data":null}');
        else
          response.end(
            JSON.stringify({ status: true, data: { paymentId: 'p-1', recommendedGateway: { session: { redirectUrl: 'u' } } } }),
          );
      });
      const url = addressOf(flaky);
      expect(await take('start', ['ORD-1'], url)).toEqual({ result: { paymentId: 'p-1', redirectUrl: 'u' } });
      expect(calls).toEqual([calls[0], calls[0], calls[0]]);
      expect(calls[0]).toEqual({ key: expect.stringMatching(/^[\w-]{32,36}$/), body: expect.stringContaining('"ORD-1"') });
      expect(await take('test_event', [], url)).toMatchObject({
        statusCode: 503,
        code: null,
        errors: [],
        details: [],
        hasRequestId: false,
      });
      expect(calls).toHaveLength(4);
      flaky.close();
      expect(await take('test_event', [], url)).toEqual({ error: 'NoAnswer' });
    });

    test('reads a Retry-After that is a date: one that is over is asked again, and one beyond a minute is not', async () => {
      let calls = 0;
      let retryAfter = '';
      const busy = await listen((_request, response) => {
        calls += 1;
        if (calls === 1) response.writeHead(503, { 'retry-after': retryAfter }).end('<html>');
        else
          response.end(
            JSON.stringify({ status: true, data: { paymentId: 'p-1', recommendedGateway: { session: { redirectUrl: 'u' } } } }),
          );
      });
      retryAfter = new Date(Date.now() - 60_000).toUTCString();
      expect(await take('start', ['ORD-1'], addressOf(busy))).toEqual({ result: { paymentId: 'p-1', redirectUrl: 'u' } });
      expect(calls).toBe(2);
      calls = 0;
      retryAfter = new Date(Date.now() + 3_600_000).toUTCString();
      expect(await take('start', ['ORD-1'], addressOf(busy))).toMatchObject({ statusCode: 503 });
      expect(calls).toBe(1);
      busy.close();
    });

    test('sends nothing with an id that is no UUID, in any place of a path', async () => {
      const reached: string[] = [];
      const recording = await listen((request, response) => {
        reached.push(request.url ?? '');
        response.end('{"status":true,"data":{"refunds":[],"nextCursor":null}}');
      });
      const own = randomUUID();
      expect(await take('hostile', [JSON.stringify(hostileIds(own)), own], addressOf(recording))).toEqual({ result: 0 });
      expect(reached).toEqual([]);
      recording.close();
    });

    test('follows no redirect, which would take the key elsewhere', async () => {
      const reached: string[] = [];
      const away = await listen((request, response) => {
        reached.push(request.url ?? '');
        if (request.url === '/elsewhere') response.end('{}');
        else response.writeHead(307, { location: '/elsewhere' }).end();
      });
      expect(await take('start', ['ORD-1'], addressOf(away))).toMatchObject({ statusCode: 307 });
      expect(reached).toEqual(['/v1/payments/initiate']);
      away.close();
    });

    test('takes what Switchyard signs, and refuses what is changed, old or signed by another', async () => {
      const secret = `whsec_${Buffer.alloc(24, 1).toString('base64')}`;
      const body = JSON.stringify({ type: 'payment.succeeded', data: { merchantOrderId: 'ORD-ñ' } });
      const signed = (at: Date, by = secret) =>
        JSON.stringify({
          'Webhook-Id': 'e-1',
          'WEBHOOK-TIMESTAMP': String(Math.floor(at.getTime() / 1_000)),
          'webhook-signature': `v1,AAAA ${new Webhook(by).sign('e-1', at, body)}`,
        });
      const now = new Date();
      expect(await take('webhook', [secret, signed(now), body])).toEqual({ result: 'payment.succeeded' });
      const refused = { error: 'Signature' };
      expect(await take('webhook', [secret, signed(now), body.replace('ORD', 'ORX')])).toEqual(refused);
      expect(await take('webhook', [secret, signed(new Date(now.getTime() - 400_000)), body])).toEqual(refused);
      expect(await take('webhook', [secret, signed(now, `whsec_${Buffer.alloc(24, 2).toString('base64')}`), body])).toEqual(
        refused,
      );
      expect(await take('webhook', [secret, '{}', body])).toEqual(refused);
      expect(await take('webhook', ['whsec_not base64', signed(now), body])).toEqual(refused);

      const headers: Record<string, string> = JSON.parse(signed(now));
      const lists = Object.fromEntries(Object.entries(headers).map(([header, value]) => [header, value.split(' ')]));
      expect(await take('webhook', [secret, JSON.stringify(lists), body])).toEqual({ result: 'payment.succeeded' });
      for (const timestamp of ['9'.repeat(5_000), `${'0'.repeat(4_990)}1764358400`, '²', '-1', '1e9', '']) {
        const changed = JSON.stringify({ ...headers, 'WEBHOOK-TIMESTAMP': timestamp });
        expect(await take('webhook', [secret, changed, body])).toEqual(refused);
      }
      const notAscii = JSON.stringify({ ...headers, 'Webhook-Id': 'é', 'webhook-signature': 'v1,é' });
      expect(await take('webhook', [secret, notAscii, body])).toEqual(refused);
      // Signed with the key that a secret which is not set, or too short, would be.
      for (const weak of ['', 'whsec_', 'whsec_AAAA', `whsec_${Buffer.alloc(23, 1).toString('base64')}`]) {
        const at = String(Math.floor(now.getTime() / 1_000));
        const code = createHmac('sha256', Buffer.from(weak.replace('whsec_', ''), 'base64')).update(`e-1.${at}.${body}`);
        const forged = { 'webhook-id': 'e-1', 'webhook-timestamp': at, 'webhook-signature': `v1,${code.digest('base64')}` };
        expect(await take('webhook', [weak, JSON.stringify(forged), body])).toEqual(refused);
      }
    });
  },
);

test.skipIf(python === null)('every type of the client for Python is one', async () => {
  const check = `
import inspect, typing, switchyard
for each in vars(switchyard).values():
    if inspect.isclass(each) and each.__module__ == "switchyard": typing.get_type_hints(each)
for each in vars(switchyard.Switchyard).values():
    if callable(each): typing.get_type_hints(each)
for name, each in vars(switchyard).items():
    if not inspect.isfunction(each) or name.startswith("_") or each.__module__ != "switchyard": continue
    assert all(given.annotation is not inspect.Parameter.empty for given in inspect.signature(each).parameters.values()), name
print(sorted(name for name in vars(switchyard.Switchyard) if not name.startswith("_")))`;
  const operations = await runProgram(python?.command ?? '', ['-W', 'error', '-c', check], {
    ...process.env,
    PYTHONPATH: installation.path,
  });
  expect(operations).toContain("'initiate_payment', 'iterate_disputes'");
  expect(readFileSync(join(installation.path, 'switchyard.py'), 'utf8').match(/ session: .+/g)).toEqual([
    ' session: Optional[Session]',
    ' session: Optional[Session]',
  ]);
});
