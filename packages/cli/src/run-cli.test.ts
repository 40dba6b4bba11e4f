import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { runCli } from './run-cli.ts';

let folder: string;
const closing: (() => void)[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'switchyard-run-cli-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
  for (const close of closing.splice(0)) close();
});

/** A Switchyard that answers every request with this data. */
async function serve(data: object): Promise<string> {
  const body = JSON.stringify({ status: true, statusCode: 200, message: 'Done', data });
  const server = createServer((request, response) => {
    request.resume().on('end', () => void response.writeHead(200, { 'content-type': 'application/json' }).end(body));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  closing.push(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  return `http://127.0.0.1:${address.port}`;
}

async function run(
  args: readonly string[],
  url: string,
  readLine: (question: string) => Promise<string | null> = async () => null,
) {
  const written = { out: '', err: '' };
  const code = await runCli(args, {
    environment: { SWITCHYARD_URL: url, SWITCHYARD_API_KEY: 'sk_test_1' },
    homeFolder: folder,
    folder,
    out: (text) => {
      written.out += text;
    },
    err: (text) => {
      written.err += text;
    },
    readLine,
    readSecret: async () => '',
    readText: async () => '',
    signal: new AbortController().signal,
  });
  return { code, ...written };
}

test.each([
  { grade: 'notice', blocks: false, codes: [0, 0] },
  { grade: 'warning', blocks: false, codes: [0, 1] },
  { grade: 'critical', blocks: false, codes: [0, 1] },
  { grade: 'error', blocks: true, codes: [1, 1] },
])(
  'rules with a finding of grade $grade end a check with $codes.0, and a strict one with $codes.1',
  async ({ grade, blocks, codes }) => {
    const finding = { grade, path: 'rules.0', message: 'is never reached', example: null };
    const url = await serve({ findings: [finding], omitted: 0, expectations: { total: 0, held: 0 }, blocks });
    const path = join(folder, 'rules.json');
    writeFileSync(path, '{}');
    const checks = [await run(['rules', 'check', path], url), await run(['rules', 'check', path, '--strict'], url)];
    expect(checks.map(({ code }) => code)).toEqual(codes);
    for (const { out } of checks) expect(out).toContain(`${grade} rules.0 is never reached`);
  },
);

test('without an answer a command ends with 3, and says where it asked', async () => {
  const ended = await run(['payments', 'get', '0193471e-8a3b-7c21-9f4e-2b6d5a7c9e11'], 'http://127.0.0.1:1');
  expect(ended).toMatchObject({ code: 3, out: '', err: expect.stringContaining('127.0.0.1:1') });
});

test('rules that were edited are overwritten only when someone says so', async () => {
  const file = { schemaVersion: 1, mode: 'test', version: 3, ruleSet: {} };
  const url = await serve({ file, accounts: [] });
  const [path, accounts] = [join(folder, 'rules.json'), join(folder, 'accounts.json')];
  const pull = async (answer: string | null, ...more: string[]) => {
    let asked = 0;
    const ended = await run(['rules', 'pull', path, '--accounts', accounts, ...more], url, async () => {
      asked += 1;
      return answer;
    });
    return { ...ended, asked };
  };
  writeFileSync(path, 'edited');
  expect(await pull(null)).toMatchObject({ code: 2, asked: 1, err: expect.stringContaining('--force') });
  for (const answer of ['', 'n', 'no', 'yesterday']) expect(await pull(answer)).toMatchObject({ code: 2, asked: 1 });
  expect([readFileSync(path, 'utf8'), existsSync(accounts)]).toEqual(['edited', false]);
  expect(await pull('y')).toMatchObject({ code: 0, asked: 1 });
  expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual(file);
  // The same content needs no question.
  expect(await pull(null)).toMatchObject({ code: 0, asked: 0 });
  // Neither file is written where one of them may not be.
  writeFileSync(accounts, 'edited');
  rmSync(path);
  expect(await pull(null)).toMatchObject({ code: 2, asked: 1 });
  expect(existsSync(path)).toBe(false);
  expect(await pull(null, '--force')).toMatchObject({ code: 0, asked: 0 });
  expect(readFileSync(accounts, 'utf8')).toBe('[]\n');
});

test.each([
  ['--events', 'payment.suceeded'],
  ['--events', 'payment.succeeded', 'refund'],
  ['--forward-to', 'ftp://localhost/webhooks'],
  ['--forward-to', 'file:///tmp/webhooks'],
  ['--forward-to', 'javascript:alert(1)'],
  ['--forward-to', '//localhost/webhooks'],
  ['--forward-to', 'http://user:word@localhost/webhooks'],
  ['--secret', 'whsec_'],
  ['--secret', `whsec_${Buffer.alloc(23, 1).toString('base64')}`],
])('listen refuses %s %s before it connects', async (...args) => {
  const target = args[0] === '--forward-to' ? [] : ['--forward-to', 'localhost:1'];
  const ended = await run(['listen', ...target, ...args], 'http://127.0.0.1:1');
  expect(ended).toMatchObject({ code: 2, out: '', err: expect.stringMatching(/\S/) });
});

test.each(['ftp://pay.example', 'file:///etc', 'pay.example', 'javascript:1'])('login refuses the address %s', async (url) => {
  expect(await run(['login', '--url', url], 'http://127.0.0.1:1')).toMatchObject({ code: 2, out: '' });
});
