import { connect } from 'node:net';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Sandbox } from '../sandbox.ts';
import { simulators } from '../simulators.ts';
import {
  at,
  call,
  flutterwaveKey,
  journal,
  listAt,
  openPaystack,
  paystackKey,
  quickSandbox,
  setFault,
  settle,
  textAt,
  until,
} from '../testing/harness.ts';
import { seededRandom } from './faults.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await quickSandbox();
});
afterAll(() => sandbox.close());

const control = (gateway: string, path: string) => `${sandbox.controlUrl}/control/${gateway}/${path}`;
beforeEach(async () => {
  for (const gateway of ['paystack', 'flutterwave']) {
    await call('DELETE', control(gateway, 'fault'));
    await call('DELETE', control(gateway, 'journal'));
  }
});

const initialize = (reference: string) =>
  call('POST', `${sandbox.gateways.paystack}/transaction/initialize`, paystackKey, {
    email: 'a@b.co',
    amount: 100_000,
    reference,
  });
const payment = (reference: string) =>
  call('POST', `${sandbox.gateways.flutterwave}/v3/payments`, flutterwaveKey, {
    tx_ref: reference,
    amount: 10,
    customer: { email: 'a@b.co' },
  });
const references = async (gateway: 'paystack' | 'flutterwave') =>
  listAt(await journal(sandbox, gateway), 'transactions').map((entry) => at(entry, 'reference'));

/** Sends a request on a bare socket and returns what arrives within `timeoutMs` of connecting. */
function readFromSocket(
  url: string,
  body: unknown,
  timeoutMs: number,
): Promise<{ connected: boolean; text: string; code?: string }> {
  const { hostname, port, pathname } = new URL(url);
  const payload = JSON.stringify(body);
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname);
    const result: { connected: boolean; text: string; code?: string } = { connected: false, text: '' };
    const finish = (): void => {
      clearTimeout(timer);
      socket.destroy();
      resolve(result);
    };
    let timer: NodeJS.Timeout | undefined;
    socket.on('connect', () => {
      result.connected = true;
      timer = setTimeout(finish, timeoutMs);
      socket.write(
        `POST ${pathname} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${paystackKey}\r\ncontent-type: application/json\r\ncontent-length: ${payload.length}\r\n\r\n${payload}`,
      );
    });
    socket.on('data', (chunk) => {
      result.text += chunk.toString();
    });
    socket.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== undefined) result.code = error.code;
      finish();
    });
    socket.on('close', finish);
  });
}

const initUrl = () => `${sandbox.gateways.paystack}/transaction/initialize`;
const initBody = (reference: string) => ({ email: 'a@b.co', amount: 100_000, reference });

describe('down', () => {
  it('cuts connections, open ones and new ones, and those of no other gateway, then serves again', async () => {
    await setFault(sandbox, 'paystack', { kind: 'hang' });
    const open = readFromSocket(initUrl(), initBody('cut'), 5_000);
    await until(
      async () => listAt(await journal(sandbox, 'paystack'), 'calls'),
      (calls) => calls.length === 1,
    );
    expect((await setFault(sandbox, 'paystack', { kind: 'down' })).status).toBe(200);
    expect(await open).toEqual({ connected: true, text: '', code: 'ECONNRESET' });
    expect(await readFromSocket(initUrl(), initBody('refused'), 5_000)).toEqual({
      connected: true,
      text: '',
      code: 'ECONNRESET',
    });
    expect(await references('paystack')).toEqual([]);
    expect((await payment('other-gateway')).status).toBe(200);
    const health = await call('GET', `${sandbox.controlUrl}/control/health`);
    expect(at(health.body, 'gateways', 'paystack')).toMatchObject({ listening: false, fault: { kind: 'down' } });
    await call('DELETE', control('paystack', 'fault'));
    expect((await initialize('again')).status).toBe(200);
  });

  it('refuses connections at a port of its own, and opens it again under the same number', async () => {
    const own = await quickSandbox({ separatePorts: true });
    try {
      const url = `${own.gateways.paystack}/transaction/initialize`;
      expect(new URL(url).port).not.toBe(new URL(own.controlUrl).port);
      expect((await call('POST', url, paystackKey, initBody('before'))).status).toBe(200);
      await setFault(own, 'paystack', { kind: 'down' });
      expect(await readFromSocket(url, initBody('refused'), 5_000)).toEqual({ connected: false, text: '', code: 'ECONNREFUSED' });
      const common = `${own.controlUrl}/paystack/transaction/initialize`;
      expect(await readFromSocket(common, initBody('cut'), 5_000)).toMatchObject({ connected: true, code: 'ECONNRESET' });
      await call('DELETE', `${own.controlUrl}/control/paystack/fault`);
      expect((await call('POST', url, paystackKey, initBody('after'))).status).toBe(200);
    } finally {
      await own.close();
    }
  });

  it('lets connections through again when another fault takes its place', async () => {
    await setFault(sandbox, 'paystack', { kind: 'down' });
    await setFault(sandbox, 'paystack', { kind: 'http_500' });
    expect((await initialize('other-fault')).status).toBe(500);
  });
});

describe('faults of calls', () => {
  it('slow answers as always, only later', async () => {
    await setFault(sandbox, 'paystack', { kind: 'slow', latencyMs: 1_000 });
    const order: string[] = [];
    const slow = initialize('slow').then(({ status }) => order.push(`slow ${status}`));
    await until(
      async () => listAt(await journal(sandbox, 'paystack'), 'calls'),
      (calls) => calls.length > 0,
    );
    // Calls of a gateway without a fault, sent later.
    expect((await payment('fast')).status).toBe(200);
    order.push('fast');
    await slow;
    expect(order).toEqual(['fast', 'slow 200']);
  });

  it('hang accepts the call and neither answers nor does anything', async () => {
    await setFault(sandbox, 'paystack', { kind: 'hang' });
    expect(await readFromSocket(initUrl(), initBody('hang'), 150)).toEqual({ connected: true, text: '' });
    expect(await references('paystack')).toEqual([]);
    expect(at(await journal(sandbox, 'paystack'), 'calls', 0)).toMatchObject({ reference: 'hang', status: null, fault: 'hang' });
  });

  it('http_500 answers in each gateway’s envelope and does nothing', async () => {
    await setFault(sandbox, 'paystack', { kind: 'http_500' });
    await setFault(sandbox, 'flutterwave', { kind: 'http_500' });
    expect(await initialize('five')).toMatchObject({ status: 500, body: { status: false, type: 'api_error' } });
    expect(await payment('five')).toMatchObject({
      status: 500,
      body: { status: 'error', error_id: expect.any(String), data: null },
    });
    expect(await references('paystack')).toEqual([]);
    expect(await references('flutterwave')).toEqual([]);
  });

  it('html_502 answers with a page that is not JSON', async () => {
    await setFault(sandbox, 'paystack', { kind: 'html_502' });
    const answer = await initialize('html');
    expect(answer.status).toBe(502);
    expect(answer.headers.get('content-type')).toBe('text/html');
    expect(answer.text).toContain('<h1>502 Bad Gateway</h1>');
  });

  it('broken_json carries the call out and cuts the answer short', async () => {
    await setFault(sandbox, 'paystack', { kind: 'broken_json' });
    const answer = await initialize('broken');
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toContain('application/json');
    expect(answer.body).toBeUndefined();
    expect(answer.text).toMatch(/^\{"status":true/);
    expect(await references('paystack')).toEqual(['broken']);
  });

  it('huge_body sends as much JSON as a reader takes, and survives a disconnect', async () => {
    await setFault(sandbox, 'paystack', { kind: 'huge_body' });
    const headers = { authorization: `Bearer ${paystackKey}`, 'content-type': 'application/json' };
    const response = await fetch(initUrl(), { method: 'POST', headers, body: JSON.stringify(initBody('huge')) });
    const reader = response.body?.getReader();
    let size = 0;
    while (reader !== undefined && size < 5_000_000) size += (await reader.read()).value?.length ?? 0;
    await reader?.cancel();
    expect(size).toBeGreaterThanOrEqual(5_000_000);
    await call('DELETE', control('paystack', 'fault'));
    expect((await initialize('after-huge')).status).toBe(200);
  });

  it('timeout_after_create creates and does not answer, while reads are answered', async () => {
    await setFault(sandbox, 'paystack', { kind: 'timeout_after_create' });
    expect(await readFromSocket(initUrl(), initBody('orphan'), 150)).toEqual({ connected: true, text: '' });
    const verified = await call('GET', `${sandbox.gateways.paystack}/transaction/verify/orphan`, paystackKey);
    expect(at(verified.body, 'data', 'status')).toBe('abandoned');
  });

  it('timeout_after_create with a latency answers with a time-out error after it', async () => {
    await setFault(sandbox, 'flutterwave', { kind: 'timeout_after_create', latencyMs: 30 });
    const answer = { status: 503, body: { status: 'error', message: 'An error occurred. Please contact support', data: null } };
    expect(await payment('orphan')).toMatchObject(answer);
    expect(await references('flutterwave')).toEqual(['orphan']);
  });

  it('invalid_key refuses a key that was good', async () => {
    await setFault(sandbox, 'paystack', { kind: 'invalid_key' });
    expect(await initialize('key')).toMatchObject({ status: 401, body: { message: 'Invalid key' } });
  });

  it('rate_limited answers with Retry-After', async () => {
    await setFault(sandbox, 'paystack', { kind: 'rate_limited' });
    expect((await initialize('limit')).headers.get('retry-after')).toBe('10');
    await setFault(sandbox, 'paystack', { kind: 'rate_limited', latencyMs: 1500 });
    const answer = await initialize('limit');
    expect(answer.status).toBe(429);
    expect(answer.headers.get('retry-after')).toBe('2');
  });

  it('leaves the customer’s page working while the API does not', async () => {
    const url = await openPaystack(sandbox, { reference: 'page' });
    await setFault(sandbox, 'paystack', { kind: 'http_500' });
    expect((await call('GET', url)).status).toBe(200);
  });
});

describe('faults of money', () => {
  it.each([
    ['underpaid', 90_000],
    ['overpaid', 110_000],
  ])('%s lets another amount arrive than was requested', async (kind, amount) => {
    await initialize('money');
    await setFault(sandbox, 'paystack', { kind });
    await settle(sandbox, 'paystack', 'money', { outcome: 'success' });
    const verified = await call('GET', `${sandbox.gateways.paystack}/transaction/verify/money`, paystackKey);
    expect(at(verified.body, 'data')).toMatchObject({ status: 'success', amount, requested_amount: 100_000 });
  });
});

describe('a fault of some calls', () => {
  const statuses = async (): Promise<unknown[]> => {
    const opened = await initialize('some-calls');
    const listed = await call('GET', `${sandbox.gateways.paystack}/transaction`, paystackKey);
    return [opened.status, listed.status];
  };

  it.each([
    ['creating', [500, 200]],
    ['reading', [200, 500]],
  ])('strikes calls that are %s and no others', async (calls, expected) => {
    await setFault(sandbox, 'paystack', { kind: 'http_500', calls });
    expect(await statuses()).toEqual(expected);
  });
});

describe('probability', () => {
  it('strikes by a seeded draw, the same again after the same seed', async () => {
    const run = async (seed: number): Promise<string> => {
      await setFault(sandbox, 'paystack', { kind: 'http_500', probability: 0.5, seed });
      let statuses = '';
      for (let index = 0; index < 20; index += 1) {
        statuses += (await call('GET', `${sandbox.gateways.paystack}/transaction`, paystackKey)).status === 500 ? 'x' : '.';
      }
      return statuses;
    };
    const first = await run(7);
    expect(first).toContain('x');
    expect(first).toContain('.');
    expect(await run(7)).toBe(first);
    expect(await run(8)).not.toBe(first);
  });

  it('draws numbers in [0, 1), equal for equal seeds', () => {
    fc.assert(
      fc.property(fc.integer(), (seed) => {
        const one = seededRandom(seed);
        const other = seededRandom(seed);
        for (let index = 0; index < 20; index += 1) {
          const value = one();
          if (value !== other() || value < 0 || value >= 1) return false;
        }
        return true;
      }),
    );
  });
});

describe('the switch', () => {
  it('takes every kind the gateway supports and shows it', async () => {
    for (const kind of simulators.flutterwave.faults) {
      expect((await setFault(sandbox, 'flutterwave', { kind })).status).toBe(200);
      expect(at((await call('GET', control('flutterwave', 'fault'))).body, 'fault', 'kind')).toBe(kind);
    }
    expect((await call('DELETE', control('flutterwave', 'fault'))).body).toEqual({ fault: null });
    expect((await call('GET', control('flutterwave', 'fault'))).body).toEqual({ fault: null });
  });

  it.each([
    [{ kind: 'sleepy' }, /^kind must be one of down, slow, hang/],
    [{}, /^kind must be one of/],
    [{ kind: 'slow', latencyMs: -1 }, /^latencyMs must be 0 or more$/],
    [{ kind: 'slow', latencyMs: '5' }, /^latencyMs must be a whole number of milliseconds$/],
    [{ kind: 'slow', probability: 2 }, /^probability must be at most 1$/],
    [{ kind: 'down', probability: 0.5 }, /^probability must be left out for down/],
    [{ kind: 'slow', calls: 'some' }, /^calls must be one of creating, reading$/],
    [{ kind: 'no_webhook', calls: 'reading' }, /^calls must be left out for a fault that strikes no calls$/],
    [{ kind: 'expired_token' }, /^kind must be one of down/],
    ['not json', /^body must be a JSON object$/],
  ])('refuses %j by field and rule, and keeps what was set', async (body, rule) => {
    await setFault(sandbox, 'paystack', { kind: 'no_webhook' });
    const answer = await call('PUT', control('paystack', 'fault'), null, body);
    expect(answer.status).toBe(400);
    expect(textAt(answer.body, 'errors', 0)).toMatch(rule);
    expect(at((await call('GET', control('paystack', 'fault'))).body, 'fault', 'kind')).toBe('no_webhook');
  });
});
