import { describe, expect, it } from 'vitest';
import { FaultSwitches } from '../faults/faults.ts';
import { Ledger } from '../ledger/ledger.ts';
import type { Account } from '../ledger/records.ts';
import { paystack } from '../paystack/paystack.ts';
import { AccessTokens, type Authentication, type Simulator } from '../simulator.ts';
import { Dispatcher } from '../webhooks/dispatcher.ts';
import { authenticateByKey, authenticateByPassword, authenticateByToken } from './authenticate.ts';
import type { Inbound } from './router.ts';

let clock = Date.parse('2026-11-20T10:00:00Z');
const now = () => clock;
const account: Account = {
  id: 'account-1',
  number: 100_001,
  key: 'key-1',
  credentials: { apiKey: 'key-1', secretKey: 'secret:1' },
  webhookUrl: null,
  refundWebhooks: false,
};

function simulatorWithAccount(): Simulator {
  const ledger = new Ledger({ transactions: 10, calls: 10, webhooks: 10 }, 1, () => undefined);
  ledger.put({ kind: 'account', record: account });
  return {
    spec: paystack,
    ledger,
    faults: new FaultSwitches(),
    dispatcher: new Dispatcher({ retryMs: [], timeoutMs: 1, now, sign: () => ({}), onChange: () => undefined }),
    tokens: new AccessTokens(now),
    webhookDelayMs: 0,
    refundDelayMs: 0,
    timing: {},
    now,
    address: () => 'http://127.0.0.1:4010/paystack',
    later: () => undefined,
  };
}

function request(authorization: string | undefined): Inbound {
  const headers = authorization === undefined ? {} : { authorization };
  return { method: 'GET', path: '/', query: new URLSearchParams(), headers, body: Buffer.alloc(0), params: {}, ip: '127.0.0.1' };
}

function refused(why: Parameters<typeof paystack.errors.unauthorised>[0]): Authentication {
  return { kind: 'refused', reply: paystack.errors.unauthorised(why) };
}

const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`;
const accepted: Authentication = { kind: 'account', account };

describe('a call is made by', () => {
  it.each([
    ['Bearer key-1', accepted],
    ['bearer  key-1', accepted],
    ['Bearer key-2', refused('unknown')],
    ['key-1', refused('malformed')],
    ['Basic key-1', refused('malformed')],
    ['', refused('missing')],
    [undefined, refused('missing')],
  ])('the account whose key is in %j', (authorization, expected) => {
    expect(authenticateByKey(request(authorization), simulatorWithAccount())).toEqual(expected);
  });

  it.each([
    [basic('key-1:secret:1'), accepted],
    [basic('key-1:secret:2'), refused('unknown')],
    [basic('key-1'), refused('unknown')],
    [basic('key-2:secret:1'), refused('unknown')],
    ['Bearer key-1', refused('malformed')],
    [undefined, refused('missing')],
  ])('the account whose key and password are in %j', (authorization, expected) => {
    expect(authenticateByPassword('secretKey')(request(authorization), simulatorWithAccount())).toEqual(expected);
  });
});

describe('a token', () => {
  it('is good for its account until its time is over', () => {
    const simulator = simulatorWithAccount();
    const token = simulator.tokens.issue(account.id, 60_000);
    const ask = (value: string) => authenticateByToken(request(`Bearer ${value}`), simulator);
    expect([ask(token), ask(token)]).toEqual([accepted, accepted]);
    expect(ask('another')).toEqual(refused('unknown'));
    clock += 60_000;
    expect(ask(token)).toEqual(refused('expired'));
  });

  it('is good for one call under the fault expired_token', () => {
    const simulator = simulatorWithAccount();
    const token = simulator.tokens.issue(account.id, 60_000);
    simulator.faults.set({ kind: 'expired_token' }, '2026-11-20T10:00:00Z');
    const ask = () => authenticateByToken(request(`Bearer ${token}`), simulator);
    expect([ask(), ask()]).toEqual([accepted, refused('expired')]);
  });

  it('is forgotten when very many came after it', () => {
    const tokens = new AccessTokens(now);
    const first = tokens.issue('account-1', 60_000);
    for (let n = 0; n < 10_000; n += 1) tokens.issue('account-1', 60_000);
    expect(tokens.use(first)).toEqual({ kind: 'unknown' });
  });
});
