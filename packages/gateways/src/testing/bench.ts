import { afterAll, beforeAll, beforeEach, expect } from 'vitest';
import { closeGatewayConnections } from '../connections.ts';
import type { AccountAccess, Gateway, Outcome } from '../gateway.ts';
import { observeUnrecognisedStates, type UnrecognisedState } from '../published-states.ts';
import {
  type GatewayScript,
  order,
  reference,
  type TransactionFacts,
  transactionId,
  type WireAnswer,
  wireReply,
} from './script.ts';
import { type StubReply, type StubServer, startStubServer } from './stub-server.ts';

/** Enough for a loaded machine; nothing that goes well waits for it. */
export const patient = { timeoutMs: 10_000 };
/** For what never answers: enough to connect within this machine, so that it runs out only after the request was sent. */
export const brief = { timeoutMs: 300 };

/** The token that the stub server issues, at a gateway that has tokens. */
export const benchToken = 'issued-token-0123456789abcdef';

/** A gateway, its script, and the stub server that plays it. The getters work inside tests only. */
export interface Bench {
  readonly gateway: Gateway;
  readonly script: GatewayScript;
  readonly server: StubServer;
  readonly account: AccountAccess;
  readonly checkoutUrl: string;
  /** Answers refunds; where a refund begins with a look-up of its payment, that finds it paid. */
  answerRefunds(reply: () => StubReply): void;
  /** A paid transaction of so many kobo, with these changes. */
  paid(kobo: bigint, changes?: Partial<TransactionFacts>): WireAnswer;
}

/** Sets the bench up for the tests around it. Each starts with a connection in the pool and no memory of losses. */
export function createBench(gateway: Gateway, script: GatewayScript): Bench {
  let started: StubServer | null = null;
  let account: AccountAccess | null = null;
  const running = (): StubServer => {
    if (started === null) throw new Error('the server runs only while tests do');
    return started;
  };
  const bench: Bench = {
    gateway,
    script,
    get server() {
      return running();
    },
    get account() {
      account ??= { accountId: 'acc-1', mode: 'test', credentials: script.credentials.test, baseUrl: running().url };
      return account;
    },
    get checkoutUrl() {
      return `${running().url}/pay/x1y2z3`;
    },
    answerRefunds: (reply) =>
      running().script((call) =>
        script.refundNeedsLookup === true && call.method === 'GET' ? wireReply(bench.paid(100_000n)) : reply(),
      ),
    paid: (kobo, changes = {}) =>
      script.transaction({
        reference,
        id: transactionId,
        state: 'paid',
        amount: script.wireAmount(kobo),
        currency: 'NGN',
        ...changes,
      }),
  };
  for (const credentials of Object.values(script.credentials)) {
    for (const name of gateway.secretFields) secrets.add(credentials[name] ?? '');
  }
  beforeAll(async () => {
    const { token } = script;
    started = await startStubServer((call) =>
      token === undefined || call.path.split('?')[0]?.endsWith(token.path) !== true
        ? null
        : wireReply(token.issued(benchToken, 3_600)),
    );
  });
  beforeEach(async () => {
    bench.server.script(() => wireReply(script.opened(reference, bench.checkoutUrl)));
    expect((await gateway.open(bench.account, order, patient)).outcome).toBe('yes');
  });
  afterAll(async () => {
    await closeGatewayConnections();
    await bench.server.close();
  });
  return bench;
}

/** Secrets of the accounts that benches use. Their other credentials may be recorded: calls name a merchant by its code. */
const secrets = new Set<string>();

/** Checks what holds for every outcome there is: bounded, storable, and without the account's secrets. */
export function sound<T>(outcome: Outcome<T>, account: AccountAccess): Outcome<T> {
  const text = JSON.stringify(outcome);
  for (const value of Object.values(account.credentials)) if (secrets.has(value)) expect(text).not.toContain(value);
  expect(text).not.toContain('\\u0000');
  const { call } = outcome;
  expect(Buffer.byteLength(call.request ?? '')).toBeLessThanOrEqual(4 * 1024);
  expect(Buffer.byteLength(call.answer ?? '')).toBeLessThanOrEqual(16 * 1024);
  expect(call.latencyMs).toBeGreaterThanOrEqual(0);
  if (outcome.outcome !== 'yes') {
    expect(outcome.failure.message.length).toBeGreaterThan(0);
    expect(outcome.failure.message.length).toBeLessThanOrEqual(500);
  }
  return outcome;
}

/** A field of a JSON object whose shape is not known, or else of an object in it. */
export function field(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined;
  if (Object.hasOwn(value, name)) return Reflect.get(value, name);
  return Object.values(value)
    .map((inner) => field(inner, name))
    .find((found) => found !== undefined);
}

/** Runs a call, and gives the statuses that were reported as not documented meanwhile. */
export async function reporting<T>(
  run: () => Promise<T>,
): Promise<{ readonly value: T; readonly reported: readonly UnrecognisedState[] }> {
  const reported: UnrecognisedState[] = [];
  const stop = observeUnrecognisedStates((state) => reported.push(state));
  try {
    return { value: await run(), reported };
  } finally {
    stop();
  }
}
