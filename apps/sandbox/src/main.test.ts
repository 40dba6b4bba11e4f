import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { ofEachGateway } from './simulators.ts';
import { at, call, textAt } from './testing/harness.ts';

const entry = fileURLToPath(new URL('main.ts', import.meta.url));

interface Run {
  readonly child: ChildProcess;
  readonly firstLine: Promise<string>;
  readonly ended: Promise<{ code: number | null; stderr: string }>;
}

function run(env: Readonly<Record<string, string | undefined>>): Run {
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  const child = spawn(process.execPath, [entry], { env: { PATH, NODE_COMPILE_CACHE, SANDBOX_PORT: '0', ...env } });
  let stdout = '';
  let stderr = '';
  child.stderr.on('data', (chunk) => {
    stderr += String(chunk);
  });
  const firstLine = new Promise<string>((resolve) => {
    child.stdout.on('data', (chunk) => {
      stdout += String(chunk);
      if (stdout.includes('\n')) resolve(stdout.slice(0, stdout.indexOf('\n')));
    });
  });
  const ended = once(child, 'close').then(([code]) => ({ code: typeof code === 'number' ? code : null, stderr }));
  return { child, firstLine, ended };
}

describe('the command', () => {
  it('prints all addresses in one line of JSON, and ends on SIGTERM with a call still open', async () => {
    const { child, firstLine, ended } = run({ SANDBOX_PAYSTACK_SECRET_KEY: 'sk_test_of_the_demo' });
    const ready: unknown = JSON.parse(await firstLine);
    expect(ready).toEqual({
      ready: true,
      controlUrl: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
      gateways: ofEachGateway((name) => `${textAt(ready, 'controlUrl')}/${name}`),
    });
    const paystack = textAt(ready, 'gateways', 'paystack');
    expect((await call('GET', `${paystack}/transaction`, 'sk_test_of_the_demo')).status).toBe(200);
    await call('PUT', `${textAt(ready, 'controlUrl')}/control/paystack/fault`, null, { kind: 'hang' });
    const open = call('GET', `${paystack}/transaction`, 'sk_test_of_the_demo').catch(() => 'cut');
    child.kill('SIGTERM');
    expect((await ended).code).toBe(0);
    expect(await open).toBe('cut');
  });

  it('ends with code 2 and one sentence when a port is taken', async () => {
    const blocker = createServer().listen(0, '127.0.0.1');
    await once(blocker, 'listening');
    const port = at(blocker.address(), 'port');
    const { code, stderr } = await run({ SANDBOX_PORT: String(port) }).ended;
    blocker.close();
    expect(code).toBe(2);
    expect(stderr).toBe(`The sandbox cannot start: 127.0.0.1:${port} is already in use by another program.\n`);
  });

  it.each([
    [{ SANDBOX_PORT: 'four' }, 'port must be a port number'],
    [
      { SANDBOX_PAYSTACK_SECRET_KEY: 'hunter2' },
      'the account at Paystack is wrong: secretKey must start with sk_test_ or sk_live_',
    ],
    [
      { SANDBOX_FLUTTERWAVE_WEBHOOK_URL: 'nowhere' },
      'the account at Flutterwave is wrong: webhookUrl must be an http or https address',
    ],
  ])('ends with code 2 and one sentence when a setting is wrong: %j', async (setting, what) => {
    const { code, stderr } = await run(setting).ended;
    expect([code, stderr]).toEqual([2, `The sandbox cannot start: ${what}.\n`]);
  });
});
