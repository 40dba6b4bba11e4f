import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findNode20 } from '../harness/node-20.ts';

/* The file that docs/migrating.md shows is run as it is shown, on the oldest Node and on this one. */

const DOCUMENT = readFileSync(join(import.meta.dirname, '..', '..', 'docs', 'migrating.md'), 'utf8');
let folder: string;

beforeAll(() => {
  // Inside the repository, so that the package is found.
  const local = join(import.meta.dirname, '..', '.local');
  mkdirSync(local, { recursive: true });
  folder = mkdtempSync(join(local, 'migrating-'));
  const [, shown] = /```js\n(\/\/ switchyard-paystack\.cjs[\s\S]*?)```/.exec(DOCUMENT) ?? [];
  if (shown === undefined) throw new Error('docs/migrating.md shows no switchyard-paystack.cjs');
  writeFileSync(join(folder, 'switchyard-paystack.cjs'), shown);
  writeFileSync(
    join(folder, 'app.cjs'),
    `const https = require('node:https');
const { Paystack } = require('@paystack/paystack-sdk');
// Another package's request, by options alone, goes its own way.
const other = https.request({ host: '127.0.0.1', port: 1, path: '/other' });
other.on('error', ({ code }) => console.log(code));
other.end();
new Paystack('sk_test_x').transaction.initialize({ email: 'ada@example.com', amount: 250000 }).then(({ data }) => console.log(data.reference));`,
  );
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test.each([
  ['the oldest Node', findNode20],
  ['the Node of this project', () => process.execPath],
])('the package of Paystack calls Switchyard instead, and other requests go their own way, on %s', async (_, findNode) => {
  const received: (string | undefined)[] = [];
  const server = createServer((request, response) => {
    received.push(`${request.method} ${request.url} ${request.headers.authorization}`);
    request.resume();
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"status":true,"data":{"reference":"ORD-1"}}');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : '';
  const env = { ...process.env, SWITCHYARD_PAYSTACK_BASE: `http://127.0.0.1:${port}/compat/paystack` };
  const child = spawn(findNode(), ['--require', join(folder, 'switchyard-paystack.cjs'), join(folder, 'app.cjs')], { env });
  let output = '';
  child.stdout.on('data', (data) => {
    output += String(data);
  });
  child.stderr.on('data', (data) => {
    output += String(data);
  });
  await once(child, 'close');
  server.close();
  expect(output.trim().split('\n').toSorted()).toEqual(['ECONNREFUSED', 'ORD-1']);
  expect(received).toEqual(['POST /compat/paystack/transaction/initialize Bearer sk_test_x']);
});
