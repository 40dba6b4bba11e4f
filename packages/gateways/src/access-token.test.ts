import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  accessToken,
  callWithAccessToken,
  dropAccessToken,
  type Login,
  type LoginReply,
  loginTimeoutMs,
  tokenKeyOf,
} from './access-token.ts';
import { closeGatewayConnections } from './connections.ts';
import { callGateway } from './http.ts';
import { createRedactor } from './redact.ts';
import { type StubReply, type StubServer, startStubServer } from './testing/stub-server.ts';

const hour = 3_600_000;
let keys = 0;
let key: string;
beforeEach(() => {
  keys += 1;
  key = tokenKeyOf('https://gateway.example', `client-${keys}`, 'secret');
});

const failed: LoginReply = {
  kind: 'failed',
  failed: { class: 'provider_fault', code: 'http_5xx', message: 'The gateway failed with HTTP 500.', nothingDone: false },
  call: {
    method: 'POST',
    url: 'https://gateway.example/login',
    httpStatus: 500,
    latencyMs: 1,
    request: null,
    answer: null,
    retryAfterMs: null,
  },
  redactor: createRedactor([]),
};

/** A login that answers token-1, token-2, … and counts how often it was made. */
function countedLogin(expiresInMs = hour) {
  return vi.fn(async (): Promise<LoginReply> => {
    await Promise.resolve();
    return { kind: 'token', token: `token-${login.mock.calls.length}`, expiresInMs };
  });
}
let login = countedLogin();

async function tokenOf(by: Login = login): Promise<string> {
  const reply = await accessToken(key, by);
  return reply.kind === 'token' ? reply.token : reply.failed.code;
}

describe('an access token', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['performance'] });
    login = countedLogin();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('is one login for all calls at the same time, and for those after them', async () => {
    const all = await Promise.all(Array.from({ length: 50 }, () => tokenOf()));
    expect(new Set(all)).toEqual(new Set(['token-1']));
    expect(await tokenOf()).toBe('token-1');
    expect(login).toHaveBeenCalledTimes(1);
  });

  it('is renewed before it expires, while calls go on with the old one', async () => {
    await tokenOf();
    vi.advanceTimersByTime(hour - 300_000 - 1);
    expect(await tokenOf()).toBe('token-1');
    expect(login).toHaveBeenCalledTimes(1);
    vi.advanceTimersByTime(1);
    expect(await Promise.all([tokenOf(), tokenOf()])).toEqual(['token-1', 'token-1']);
    expect(login).toHaveBeenCalledTimes(2);
    await vi.waitFor(async () => expect(await tokenOf()).toBe('token-2'));
    expect(login).toHaveBeenCalledTimes(2);
  });

  it('is never handed out when it has expired or is about to', async () => {
    await tokenOf();
    vi.advanceTimersByTime(hour - 5000);
    expect(await tokenOf()).toBe('token-2');
  });

  it('outlives a renewal that fails', async () => {
    await tokenOf();
    vi.advanceTimersByTime(hour - 60_000);
    expect(await tokenOf(async () => failed)).toBe('token-1');
    expect(await tokenOf(() => Promise.reject(new Error('a defect')))).toBe('token-1');
    vi.advanceTimersByTime(60_000);
    await vi.waitFor(async () => expect(await tokenOf()).toBe('token-2'));
  });

  it.each([0, -1, Number.NaN])('with a life of %s serves the calls that waited for it, and no other', async (expiresInMs) => {
    login = countedLogin(expiresInMs);
    expect(await Promise.all([tokenOf(), tokenOf()])).toEqual(['token-1', 'token-1']);
    expect(await tokenOf()).toBe('token-2');
  });

  it('that could not be had is asked for again by the next call', async () => {
    const failing = vi.fn(async () => failed);
    expect(await Promise.all([tokenOf(failing), tokenOf(failing)])).toEqual(['http_5xx', 'http_5xx']);
    expect(failing).toHaveBeenCalledTimes(1);
    expect(await tokenOf()).toBe('token-1');
  });

  it('is dropped when it was refused, but not a newer one', async () => {
    await tokenOf();
    dropAccessToken(key, 'token-0');
    expect(await tokenOf()).toBe('token-1');
    dropAccessToken(key, 'token-1');
    expect(await tokenOf()).toBe('token-2');
  });

  it('belongs to one base address and one set of credentials', () => {
    const all = [
      tokenKeyOf('https://a.example', 'id', 'secret'),
      tokenKeyOf('https://b.example', 'id', 'secret'),
      tokenKeyOf('https://a.example', 'id', 'other'),
      tokenKeyOf('https://a.example', 'ids', 'ecret'),
    ];
    expect(new Set(all).size).toBe(4);
    for (const each of all) expect(each).not.toContain('secret');
  });
});

describe('a call with an access token', () => {
  let server: StubServer;
  beforeAll(async () => {
    server = await startStubServer();
  });
  afterAll(async () => {
    await closeGatewayConnections();
    await server.close();
  });

  const ok: StubReply = { kind: 'answer', status: 200, body: '{"ok":true}' };
  const unauthorised: StubReply = { kind: 'answer', status: 401, body: '{"message":"expired"}' };
  const basic = Buffer.from('client:secret').toString('base64');

  /** Plays a gateway: each login answers the next token, other calls are answered by `answer`. */
  function serve(answer: (token: string, count: number) => StubReply, loginReply?: StubReply): void {
    let issued = 0;
    let calls = 0;
    server.script((call) => {
      if (call.path === '/login') {
        issued += 1;
        return loginReply ?? { kind: 'answer', status: 200, body: JSON.stringify({ token: `issued-token-${issued}` }) };
      }
      calls += 1;
      return answer((call.headers.authorization ?? '').replace('Bearer ', ''), calls);
    });
  }

  async function logIn(): Promise<LoginReply> {
    const shared = { baseUrl: server.url, bearer: '', redactor: createRedactor(['secret']), timeoutMs: loginTimeoutMs };
    const reply = await callGateway({ ...shared, method: 'POST', path: '/login', basic, body: null, repeatable: true });
    if (reply.kind === 'failed') return reply;
    return { kind: 'token', token: 'token' in reply.json ? String(reply.json.token) : '', expiresInMs: hour };
  }

  function call(timeoutMs = 10_000) {
    const shared = { baseUrl: server.url, redactor: createRedactor(['secret']), timeoutMs };
    return callWithAccessToken({ ...shared, method: 'POST', path: '/pay', body: {}, repeatable: false }, key, logIn);
  }
  const paths = () => server.calls.map(({ path }) => path);

  it('logs in by Basic, once for calls at the same time', async () => {
    serve(() => ok);
    const replies = await Promise.all([call(), call(), call()]);
    expect(replies.map((reply) => reply.kind)).toEqual(['answer', 'answer', 'answer']);
    expect(paths()).toEqual(['/login', '/pay', '/pay', '/pay']);
    expect(server.calls.map(({ headers }) => headers.authorization)).toEqual([
      `Basic ${basic}`,
      ...Array.from({ length: 3 }, () => 'Bearer issued-token-1'),
    ]);
  });

  it('is made once more with a new token when its token is refused', async () => {
    serve((token) => (token === 'issued-token-1' ? unauthorised : ok));
    const replies = await Promise.all([call(), call()]);
    expect(replies.map((reply) => reply.kind)).toEqual(['answer', 'answer']);
    expect(paths().filter((path) => path === '/login').length).toBe(2);
    expect(paths().filter((path) => path === '/pay').length).toBe(4);
  });

  it('is refused for certain when a new token is refused too', async () => {
    serve(() => unauthorised);
    expect(await call()).toMatchObject({ kind: 'failed', failed: { code: 'invalid_credentials', nothingDone: true } });
    expect(paths()).toEqual(['/login', '/pay', '/login', '/pay']);
  });

  it('keeps its token when it is forbidden', async () => {
    serve(() => ({ kind: 'answer', status: 403, body: '{}' }));
    expect(await call()).toMatchObject({ kind: 'failed', failed: { code: 'invalid_credentials' } });
    expect(paths()).toEqual(['/login', '/pay']);
  });

  it('did nothing when the login fails, and shows the failed login', async () => {
    serve(() => ok, { kind: 'answer', status: 500, body: '{"message":"boom secret"}' });
    const reply = await call();
    expect(reply).toMatchObject({
      kind: 'failed',
      failed: { class: 'provider_fault', code: 'http_5xx', nothingDone: true },
      call: { url: `${server.url}/login`, httpStatus: 500, answer: '{"message":"boom [redacted]"}' },
    });
    expect(paths()).toEqual(['/login']);
  });

  it('does not wait for a login longer than it may take', async () => {
    serve(() => ok, { kind: 'hang' });
    expect(await call(60)).toMatchObject({
      kind: 'failed',
      failed: { class: 'provider_fault', code: 'timeout', nothingDone: true },
      call: { url: `${server.url}/pay`, httpStatus: null },
    });
  });

  it('shows its token in no record, even when the gateway repeats it', async () => {
    serve((token) => ({ kind: 'answer', status: 200, body: JSON.stringify({ echo: `you are ${token}` }) }));
    const reply = await call();
    expect(reply.call.answer).toBe('{"echo":"you are [redacted]"}');
    expect(reply.redactor.text('issued-token-1')).toBe('[redacted]');
  });
});
