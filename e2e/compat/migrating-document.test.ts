import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findNode } from '../harness/interpreters.ts';
import { type WrittenFile, writeDocumentedFile } from './documented-file.ts';

/* The file that docs/migrating.md shows is run as it is shown, on the oldest Node and on this one. */

let shown: WrittenFile;
const app = () => join(shown.folder, 'app.cjs');

beforeAll(() => {
  shown = writeDocumentedFile();
  writeFileSync(
    app(),
    `const https = require('node:https');
const { Paystack } = require('@paystack/paystack-sdk');
const paystack = require('paystack')('sk_test_x');
const Sdk = require('paystack-sdk');
// Another package's requests go their own way.
const other = https.request({ host: '127.0.0.1', port: 1, path: '/other' });
other.on('error', ({ code }) => console.log(code));
other.end();
fetch('http://127.0.0.1:1/other').catch(({ cause }) => console.log(cause.message));
const print = ({ data }) => console.log(data.reference);
new Paystack('sk_test_x').transaction.initialize({ email: 'ada@example.com', amount: 250000 }).then(print);
paystack.transaction.verify('ORD-2').then(print);
new Sdk('sk_test_x').transaction.list({ perPage: 5 }).then(print);`,
  );
});
afterAll(() => shown.remove());

test.each([
  ['the oldest Node', 20],
  ['the Node of this project', 24],
])('packages for Paystack call Switchyard instead, and other requests go their own way, on %s', async (_, major) => {
  const received: string[] = [];
  const hosts = new Set<string | undefined>();
  const server = createServer((request, response) => {
    received.push(`${request.method} ${request.url} ${request.headers.authorization}`);
    hosts.add(request.headers.host);
    request.resume();
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"status":true,"data":{"reference":"ORD-1"}}');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : '';
  const env = { ...process.env, SWITCHYARD_PAYSTACK_BASE: `http://127.0.0.1:${port}/compat/paystack` };
  const child = spawn(findNode(major), ['--require', shown.file, app()], { env });
  let output = '';
  child.stdout.on('data', (data) => {
    output += String(data);
  });
  child.stderr.on('data', (data) => {
    output += String(data);
  });
  await once(child, 'close');
  server.close();
  const lines = output.trim().split('\n').toSorted();
  expect(lines).toEqual([
    'ECONNREFUSED',
    'ORD-1',
    'ORD-1',
    'ORD-1',
    expect.stringMatching(/bad port|ECONNREFUSED|127\.0\.0\.1:1/),
  ]);
  expect(received.toSorted()).toEqual([
    'GET /compat/paystack/transaction/verify/ORD-2 Bearer sk_test_x',
    'GET /compat/paystack/transaction?perPage=5 Bearer sk_test_x',
    'POST /compat/paystack/transaction/initialize Bearer sk_test_x',
  ]);
  expect(hosts).toEqual(new Set([`127.0.0.1:${port}`]));
});
