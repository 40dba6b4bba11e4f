import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runInNewContext } from 'node:vm';
import { gzipSync } from 'node:zlib';
import { rolldown } from 'rolldown';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';

const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const require = createRequire(import.meta.url);
const OWN_CODE_MAX_BYTES = 10_000;

/** A folder of a merchant's project, in which the built package is installed. */
let project: string;
let installed: string;

beforeAll(() => {
  project = realpathSync(mkdtempSync(join(tmpdir(), 'switchyard-client-')));
  installed = join(project, 'node_modules', '@switchyard', 'client');
  mkdirSync(dirname(installed), { recursive: true });
  const script = join(ROOT, 'scripts', 'build-package.ts');
  const built = spawnSync(process.execPath, [script, join(ROOT, 'packages', 'client'), installed], { encoding: 'utf8' });
  expect(`${built.stdout}${built.stderr}`).toBe('');
  for (const name of ['standardwebhooks', '@stablelib/base64', 'fast-sha256']) {
    mkdirSync(dirname(join(project, 'node_modules', name)), { recursive: true });
    symlinkSync(join(ROOT, 'node_modules', name), join(project, 'node_modules', name));
  }
  writeFileSync(join(project, 'package.json'), '{ "type": "module" }');
});
afterAll(() => rmSync(project, { recursive: true, force: true }));

/** The package as a bundler for browsers and edge runtimes takes it, and what it could not take in. */
async function bundle(external: readonly string[], format: 'esm' | 'iife') {
  const input = join(installed, 'index.js');
  const build = await rolldown({ input, platform: 'browser', external: [...external], logLevel: 'silent' });
  const { output } = await build.generate({ format, name: 'switchyardClient', minify: true });
  await build.close();
  return { code: output[0].code, imports: output[0].imports };
}

test('our own code has less than 10 kB when minified, and everything with the signature check less than that when compressed', async () => {
  const own = await bundle(['standardwebhooks'], 'esm');
  expect(own.imports).toEqual(['standardwebhooks']);
  const all = await bundle([], 'esm');
  console.log(
    `own code ${own.code.length} B minified, ${gzipSync(own.code).length} B compressed; ` +
      `with standardwebhooks ${all.code.length} B minified, ${gzipSync(all.code).length} B compressed`,
  );
  expect(own.code.length).toBeLessThan(OWN_CODE_MAX_BYTES);
  expect(gzipSync(all.code).length).toBeLessThan(OWN_CODE_MAX_BYTES);
});

test('it imports no module of Node and runs where there is nothing but web standards', async () => {
  const { code, imports } = await bundle([], 'iife');
  expect(imports).toEqual([]);
  const secret = `whsec_${Buffer.from('a signing secret of 24 b').toString('base64')}`;
  const body = JSON.stringify({ type: 'payment.succeeded' });
  const now = new Date();
  const signature = new Webhook(secret).sign('event-1', now, body);
  const headers = {
    'webhook-id': 'event-1',
    'webhook-timestamp': String(Math.floor(now.getTime() / 1_000)),
    'webhook-signature': signature,
  };
  const fetched: string[] = [];
  const web = {
    AbortSignal,
    crypto,
    fetch: async (address: string) => {
      fetched.push(address);
      return Response.json({ status: true, statusCode: 200, message: '', data: { status: 'PENDING' } });
    },
    Headers,
    setTimeout,
    clearTimeout,
    TextDecoder,
    TextEncoder,
    URL,
    URLSearchParams,
    given: { body, headers, secret },
  };
  const script = `${code};
    const switchyard = switchyardClient.createSwitchyard({ baseUrl: 'https://switchyard.example/', apiKey: 'sk_test_x' });
    const event = switchyardClient.webhooks.verify(given.body, given.headers, given.secret);
    switchyard.payments.retrieve('0193471e-8a3b-7c21-9f4e-2b6d5a7c9e11').then(({ status }) => event.type + ' ' + status);`;
  expect(await runInNewContext(script, { ...web, globalThis: web })).toBe('payment.succeeded PENDING');
  expect(fetched).toEqual(['https://switchyard.example/v1/payments/0193471e-8a3b-7c21-9f4e-2b6d5a7c9e11']);
});

/** Output of the compiler for a merchant's file, with the strictest settings and no types of Node. */
function compile(lines: readonly string[]): string {
  const compilerOptions = { noEmit: true, strict: true, target: 'es2022', lib: ['es2022', 'dom'], module: 'nodenext', types: [] };
  writeFileSync(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['app.ts'] }));
  writeFileSync(join(project, 'app.ts'), lines.join('\n'));
  const compiler = join(dirname(require.resolve('typescript/package.json')), 'bin', 'tsc');
  return spawnSync(process.execPath, [compiler, '-p', project], { encoding: 'utf8' }).stdout;
}

test('a project that installs it gets its types', () => {
  const start = [
    "import { createSwitchyard, SwitchyardApiError, type Payment } from '@switchyard/client';",
    "const switchyard = createSwitchyard({ baseUrl: 'https://switchyard.example', apiKey: 'sk_test_x' });",
    "const order = { merchantOrderId: 'ORD-1', amount: 2_500, customer: { email: 'ada@example.com' } };",
  ];
  const good = [
    "export const started = switchyard.payments.initiate({ ...order, currency: 'NGN' });",
    'export const field = (error: unknown) => (error instanceof SwitchyardApiError ? error.errors[0]?.field : null);',
    "export const status: Payment['status'] = 'SUCCESS';",
    "export const paid = switchyard.payments.list({ status: ['SUCCESS', 'REFUNDED'], createdFrom: new Date() });",
  ];
  const wrong = "export const refused = switchyard.payments.initiate({ ...order, currency: 'USD' });";
  const errors = compile([...start, ...good, wrong])
    .split('\n')
    .filter((line) => line.includes('error'));
  expect(errors).toEqual([expect.stringContaining(`app.ts(8,`)]);
  expect(errors[0]).toContain(`'"USD"' is not assignable to type '"NGN"'`);
});

test('its manifest is one to publish', () => {
  const manifest = z.looseObject({}).parse(JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8')));
  expect(manifest).toMatchObject({
    name: '@switchyard/client',
    license: 'Apache-2.0',
    type: 'module',
    sideEffects: false,
    exports: { '.': { types: './index.d.ts', default: './index.js' } },
    dependencies: { standardwebhooks: '1.1.1' },
  });
  expect(manifest).not.toHaveProperty('private');
});
