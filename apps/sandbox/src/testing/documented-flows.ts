import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Sandbox } from '../sandbox.ts';
import { type GatewayName, simulators } from '../simulators.ts';
import { differencesFrom, differencesFromFlow, readDocumentedFlows, readDocumentedShapes, readVocabulary } from './documented.ts';
import { at, call, listAt, quickSandbox, type Receiver, receiver, settle, textAt } from './harness.ts';

/** An answer or a webhook. */
export interface Shown {
  readonly status: number;
  readonly body: unknown;
}

/** A merchant's calls, by the gateway's own. Absent where it has no such call, or none whose answer is documented. */
export interface Client {
  /** Any call with the merchant's key. */
  readonly ask: ReturnType<typeof caller>;
  /** The answer that has the key, where a call gives it. */
  readonly token?: unknown;
  readonly naira: number;
  /** Opens a checkout of NGN 1,000. */
  open(reference: string): Promise<Shown>;
  openWithoutKey?(reference: string): Promise<Shown>;
  /** A request without the customer's address. */
  openWithoutEmail?(reference: string): Promise<Shown>;
  /** A request with an invalid amount. */
  openInvalid(reference: string): Promise<Shown>;
  /** A call with a key that the gateway does not know. */
  withWrongKey?(reference: string): Promise<Shown>;
  verify(reference: string): Promise<Shown>;
  /** A look-up with another amount than the payment's. */
  verifyOtherAmount?(reference: string): Promise<Shown>;
  /** Asks for a refund of NGN 100. */
  refund(reference: string): Promise<Shown>;
  findRefund?(requested: Shown): Promise<Shown>;
  /** True where the document shows a refund that is under way as the answer to a look-up, and not to the request. */
  readonly showsPendingRefund?: true;
  list(): Promise<Shown>;
  listRefunds?(): Promise<Shown>;
  listDisputes?(): Promise<Shown>;
  /** Hands in a picture as evidence in a dispute. */
  upload?(): Promise<Shown>;
  settled?(event: (is: (body: unknown) => boolean) => Promise<Shown>): Promise<Shown>;
  /** True if a webhook's body is about that refund in that state. */
  isRefundEvent?(body: unknown, state: 'pending' | 'done' | 'failed'): boolean;
}

/** The customer of every checkout. */
export const email = 'ada@example.com';
export const DAY_MS = 86_400_000;
/** A day in UTC, `YYYY-MM-DD`. */
export const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10);

/** True if a body contains all the texts. */
export function has(body: unknown, ...texts: readonly string[]): boolean {
  return texts.every((text) => JSON.stringify(body).includes(text));
}

/** Calls to a simulator's API with a key. */
export function caller(base: string, key: string | null) {
  return async (method: string, path: string, body?: unknown): Promise<Shown> => {
    const { status, body: answered } = await call(method, base + path, key, body);
    return { status, body: answered };
  };
}

/** The answer that gives a token to a user and a password, `user:password`. */
export async function tokenFor(url: string, user: string): Promise<unknown> {
  const authorization = `Basic ${Buffer.from(user).toString('base64')}`;
  const response = await fetch(url, { method: 'POST', headers: { authorization } });
  const body: unknown = await response.json();
  return body;
}

/** Flows of every simulator that are checked against the documented examples of the gateway. */
const FLOWS = [
  'failed',
  'pending',
  'abandoned',
  'reversed',
  'refund pending',
  'refund done',
  'refund failed',
  'disputed',
  'listed',
  'refunds listed',
  'settled',
  'wrong key',
  'duplicate reference',
  'unknown reference',
  'invalid amount',
  'failed event',
  'refund pending event',
  'refund done event',
  'refund failed event',
  'dispute event',
  'settlement event',
] as const;

type Flow = (typeof FLOWS)[number];

/** Flows whose examples show one state, which the simulator has to name by the same word. */
const HAS_STATE: ReadonlySet<Flow> = new Set<Flow>([
  'failed',
  'pending',
  'abandoned',
  'reversed',
  'refund pending',
  'refund done',
  'refund failed',
  'failed event',
  'refund done event',
  'refund failed event',
]);

/** One simulator, with what its staff and its customers do. */
class Stage {
  readonly sandbox: Sandbox;
  readonly gateway: GatewayName;
  readonly client: Client;
  readonly #hooks: Receiver;
  #count = 0;

  constructor(sandbox: Sandbox, gateway: GatewayName, client: Client, hooks: Receiver) {
    this.sandbox = sandbox;
    this.gateway = gateway;
    this.client = client;
    this.#hooks = hooks;
  }

  /** The webhook that `is` accepts, once it has come. */
  async event(is: (body: unknown) => boolean): Promise<Shown> {
    const { received } = this.#hooks;
    for (let count = received.length; ; count += 1) {
      const found = received.find(({ body }) => is(body));
      if (found !== undefined) return { status: 200, body: found.body };
      await this.#hooks.count(count + 1);
    }
  }

  reference(): string {
    this.#count += 1;
    return `flow-${this.gateway}-${this.#count}`;
  }

  async control(method: string, path: string, body: unknown): Promise<unknown> {
    const { status, body: answered } = await call(
      method,
      `${this.sandbox.controlUrl}/control/${this.gateway}${path}`,
      null,
      body,
    );
    expect([path, status]).toEqual([path, 200]);
    return answered;
  }

  async opened(): Promise<string> {
    const reference = this.reference();
    await this.client.open(reference);
    return reference;
  }

  async paid(): Promise<string> {
    const reference = await this.opened();
    await this.pay(reference);
    return reference;
  }

  async pay(reference: string): Promise<void> {
    await settle(this.sandbox, this.gateway, reference, { outcome: 'success' });
  }

  async altered(status: 'failed' | 'pending'): Promise<Shown> {
    const reference = await this.opened();
    // A payment that failed was tried: the customer's try is what fails, or what goes on.
    await settle(this.sandbox, this.gateway, reference, { outcome: 'failed' });
    await this.control('POST', `/transactions/${reference}/alter`, { status });
    return this.client.verify(reference);
  }

  /** A refund that ended so, by the gateway's call. */
  async refunded(outcome: 'processed' | 'failed'): Promise<Shown> {
    const reference = await this.paid();
    const requested = await this.client.refund(reference);
    await this.endRefund(reference, outcome);
    return present(this.client.findRefund)(requested);
  }

  async endRefund(reference: string, outcome: 'processed' | 'failed'): Promise<void> {
    await this.control('POST', `/refunds/${await this.refundOf(reference)}/settle`, { outcome });
  }

  /** The simulator's id of the refund of a payment. */
  async refundOf(reference: string): Promise<string> {
    const journal = await this.control('GET', '/journal', undefined);
    return textAt(
      listAt(journal, 'refunds').find((refund) => at(refund, 'reference') === reference),
      'id',
    );
  }

  async dispute(reference: string): Promise<void> {
    await this.control('POST', `/transactions/${reference}/dispute`, { amount: 200 * this.client.naira });
  }

  /** The gateway's call for payouts. */
  settled(): Promise<Shown> {
    return present(this.client.settled)((is) => this.event(is));
  }

  /** The payout of what was paid. */
  async payOut(): Promise<void> {
    await this.control('POST', '/settlements', {});
  }
}

/** A call that the gateway has. */
export function present<T>(member: T | undefined): T {
  if (member === undefined) throw new Error('the gateway has no such call');
  return member;
}

const scenarios: Readonly<Record<Flow, (stage: Stage) => Promise<Shown>>> = {
  failed: (stage) => stage.altered('failed'),
  pending: (stage) => stage.altered('pending'),
  async abandoned(stage) {
    const reference = stage.reference();
    await stage.control('POST', '/transactions', { reference, amount: 1_000 * stage.client.naira, status: 'abandoned' });
    return stage.client.verify(reference);
  },
  async reversed(stage) {
    const reference = await stage.paid();
    await stage.control('POST', `/transactions/${reference}/reverse`, {});
    return stage.client.verify(reference);
  },
  async 'refund pending'(stage) {
    const requested = await stage.client.refund(await stage.paid());
    return stage.client.showsPendingRefund === true ? present(stage.client.findRefund)(requested) : requested;
  },
  'refund done': (stage) => stage.refunded('processed'),
  'refund failed': (stage) => stage.refunded('failed'),
  async disputed(stage) {
    await stage.dispute(await stage.paid());
    return present(stage.client.listDisputes)();
  },
  async listed(stage) {
    await stage.paid();
    return stage.client.list();
  },
  async 'refunds listed'(stage) {
    await stage.refunded('processed');
    return present(stage.client.listRefunds)();
  },
  async settled(stage) {
    await stage.paid();
    await stage.payOut();
    return stage.settled();
  },
  'wrong key': (stage) => present(stage.client.withWrongKey)(stage.reference()),
  async 'duplicate reference'(stage) {
    return stage.client.open(await stage.opened());
  },
  'unknown reference': (stage) => stage.client.verify(stage.reference()),
  'invalid amount': (stage) => stage.client.openInvalid(stage.reference()),
  async 'failed event'(stage) {
    const reference = await stage.opened();
    await settle(stage.sandbox, stage.gateway, reference, { outcome: 'failed' });
    return stage.event((body) => has(body, reference));
  },
  async 'refund pending event'(stage) {
    await stage.client.refund(await stage.paid());
    return stage.event((body) => present(stage.client.isRefundEvent)(body, 'pending'));
  },
  async 'refund done event'(stage) {
    await stage.refunded('processed');
    return stage.event((body) => present(stage.client.isRefundEvent)(body, 'done'));
  },
  async 'refund failed event'(stage) {
    await stage.refunded('failed');
    return stage.event((body) => present(stage.client.isRefundEvent)(body, 'failed'));
  },
  async 'dispute event'(stage) {
    await stage.dispute(await stage.paid());
    return stage.event((body) => has(body, 'charge.dispute.create'));
  },
  async 'settlement event'(stage) {
    await stage.paid();
    await stage.payOut();
    return stage.event((body) => has(body, '"SETTLEMENT"'));
  },
};

/** Differences from the documentation that are meant, each with its reason. One that is no longer there fails the suite as well. */
type Differences = Readonly<Record<string, string>>;

/** Facts of one gateway that the checks against its documented examples need. */
export interface DocumentedGateway {
  connect(sandbox: Sandbox, credentials: Readonly<Record<string, string>>): Client | Promise<Client>;
  /** A payment from its opening to its payout, with a refund and a dispute: answers and webhooks by the names of the documented shapes. */
  fromOpeningToPayout(stage: Stage): Promise<Readonly<Record<string, Shown>>>;
  /** Flows without a documented example, each with its reason. One that has an example fails as well: then the flow is to be checked. */
  readonly gaps: Readonly<Partial<Record<Flow, string>>>;
  /** Differences of flows. */
  readonly known: Readonly<Partial<Record<Flow, Differences>>>;
  /** By the names of the shapes of a payment from its opening to its payout. */
  readonly knownShapes: Readonly<Record<string, Differences>>;
}

/** Compares the answers of a simulator with the documented examples of its gateway. */
export function describeDocumentedFlows(gateway: GatewayName, flows: DocumentedGateway): void {
  describe(`the simulator of ${gateway}, beside the documentation`, () => {
    const documented = readDocumentedFlows(gateway);
    const known = readVocabulary(gateway);
    const gaps = Object.keys(flows.gaps);
    let sandbox: Sandbox;
    let stage: Stage;
    let hooks: Receiver;

    beforeAll(async () => {
      // Refunds end when the flow says so.
      sandbox = await quickSandbox({ refundDelayMs: 600_000 });
      hooks = await receiver();
      const credentials = simulators[gateway].credentialsFor('demo');
      const registered = { ...credentials, webhookUrl: hooks.url, refundWebhooks: true };
      await call('PUT', `${sandbox.controlUrl}/control/${gateway}/keys`, null, registered);
      stage = new Stage(sandbox, gateway, await flows.connect(sandbox, credentials), hooks);
    });
    afterAll(async () => {
      await hooks.close();
      await sandbox.close();
    });

    it('has an example of every flow, or a reason why there is none', () => {
      expect([...documented.keys()].filter((flow) => !FLOWS.some((each) => each === flow))).toEqual([]);
      expect(FLOWS.filter((flow) => !documented.has(flow))).toEqual(FLOWS.filter((flow) => gaps.includes(flow)));
    });

    // Before the others, whose payments would be in its lists.
    it('answers a payment from its opening to its payout in the documented shapes, but for what is meant', async () => {
      const shapes = readDocumentedShapes(gateway);
      const shown = await flows.fromOpeningToPayout(stage);
      expect(Object.keys(shown).toSorted()).toEqual([...shapes.keys()].toSorted());
      const differences = [...shapes].map(([name, shape]) => [name, differencesFrom(shape, shown[name]?.body, known)] as const);
      const meant = Object.entries(flows.knownShapes).map(([name, reasons]) => [name, Object.keys(reasons)]);
      expect(Object.fromEntries(differences.filter(([, each]) => each.length > 0))).toEqual(Object.fromEntries(meant));
    });

    it.each(FLOWS.filter((flow) => documented.has(flow)))(
      '%s: is answered as documented, but for what is meant',
      async (flow) => {
        const example = documented.get(flow);
        if (example === undefined) throw new Error('the flow has an example');
        const shown = await scenarios[flow](stage);
        const found = differencesFromFlow(example, shown, { hasState: HAS_STATE.has(flow), known });
        expect(found).toEqual(Object.keys(flows.known[flow] ?? {}));
      },
    );

    /** The lists of a client, without the time of the answer. */
    async function listsOf(client: Client): Promise<string> {
      const lists = [await client.list(), await client.listRefunds?.()];
      return JSON.stringify(lists).replaceAll(/"timeStamp":"[^"]*"/g, '');
    }

    async function lookedUp(client: Client, reference: string): Promise<string> {
      return JSON.stringify(await client.verify(reference)).replaceAll(reference, '');
    }

    it('answers nothing of another account', async () => {
      const credentials = simulators[gateway].credentialsFor('second');
      await call('PUT', `${sandbox.controlUrl}/control/${gateway}/keys`, null, credentials);
      const other = await flows.connect(sandbox, credentials);
      const before = await listsOf(other);
      const reference = await stage.paid();
      await stage.client.refund(reference);
      expect(await lookedUp(other, reference)).toBe(await lookedUp(other, stage.reference()));
      expect(await lookedUp(stage.client, reference)).not.toBe(await lookedUp(other, reference));
      expect(await listsOf(other)).toBe(before);
    });

    it('answers nothing of what is hidden, and looks nothing up that is only listed', async () => {
      const before = await listsOf(stage.client);
      const reference = await stage.paid();
      const requested = await stage.client.refund(reference);
      const unknown = await lookedUp(stage.client, stage.reference());
      await stage.control('POST', `/transactions/${reference}/alter`, { listedOnly: true });
      expect(await lookedUp(stage.client, reference)).toBe(unknown);
      expect(await listsOf(stage.client)).not.toBe(before);
      await stage.control('POST', `/transactions/${reference}/alter`, { hidden: true });
      await stage.control('POST', `/refunds/${await stage.refundOf(reference)}/alter`, { hidden: true });
      expect(await lookedUp(stage.client, reference)).toBe(unknown);
      expect(await listsOf(stage.client)).toBe(before);
      const gone = await stage.client.findRefund?.(requested);
      if (gone !== undefined) expect(gone.status).toBeGreaterThanOrEqual(400);
    });
  });
}
