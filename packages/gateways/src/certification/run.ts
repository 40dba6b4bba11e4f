import { setTimeout as wait } from 'node:timers/promises';
import type { CheckId } from '../check-list.ts';
import type {
  AccountAccess,
  CheckoutSession,
  Gateway,
  Outcome,
  ReceivedPayment,
  RefundReceipt,
  WebhookReading,
  WebhookRequest,
} from '../gateway.ts';
import { createRedactor, type Redactor, redactedMark } from '../redact.ts';
import { findGateway, type GatewayName } from '../registry.ts';
import { type CertifiedOperation, type OperationInput, type OperationValue, runOperation } from './operations.ts';
import type { CheckedCheck, OtherCalls, RecordedWebhook, Recording } from './report.ts';
import { maskPersons, maskText, type RecordedExchange, readable, recordExchanges } from './wire-recorder.ts';

/** Longer than the product waits for any operation, so that a slow one is measured. */
const CALL_TIMEOUT_MS = 30_000;
const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 5_000;
/** Headers of a webhook that are named in the report: all others say where it came from. */
const NAMED_HEADER = /^content-type$|^user-agent$|signature|hash|encrypted-body/;

/** Webhooks as they come, in their order. */
export interface WebhookSource {
  /** The next one; null when none comes within so many milliseconds. */
  next(withinMs: number): Promise<WebhookRequest | null>;
}

/** A certification to run. */
export interface CertificationOptions {
  readonly gateway: GatewayName;
  /** As {@link Gateway.credentials} parsed them; keys of test mode. */
  readonly credentials: Readonly<Record<string, string>>;
  /** Another base address than the gateway's own test hosts, or null. */
  readonly host: string | null;
  /** Version of Switchyard, for the report. */
  readonly version: string;
  /** Leaves out the payment and what needs one. */
  readonly skipPaid: boolean;
  /** Longest wait for a person, a webhook or a refund. */
  readonly waitMs: number;
  readonly webhooks: WebhookSource | null;
  readonly startedAt: Date;
  newId(): string;
  /** Something for the person at the terminal to read or to do. */
  tell(line: string): void;
  onResult(check: CheckedCheck): void;
  readonly signal: AbortSignal;
}

interface AcceptedRefund {
  readonly receipt: RefundReceipt;
  readonly refundReference: string;
  readonly amount: bigint;
}

/** A certification while it runs: what checks call, and what they leave for the checks after them. */
export class CertificationRun {
  readonly name: GatewayName;
  readonly gateway: Gateway;
  readonly account: AccountAccess;
  readonly startedAt: Date;
  readonly skipPaid: boolean;
  readonly waitMs: number;
  readonly webhooks: WebhookSource | null;
  readonly opened: CheckoutSession[] = [];
  readonly refunds: AcceptedRefund[] = [];
  paid: ReceivedPayment | null = null;
  readonly recordings: Recording[] = [];
  readonly otherCalls: OtherCalls[] = [];
  readonly received: RecordedWebhook[] = [];
  readonly signal: AbortSignal;
  readonly redactor: Redactor;
  private check: CheckId = 'credentials';
  private last: RecordedExchange | null = null;
  private readonly options: CertificationOptions;

  constructor(options: CertificationOptions) {
    const gateway = findGateway(options.gateway);
    if (gateway === null) throw new Error(`there is no gateway ${options.gateway}`);
    const { credentials, host } = options;
    this.options = options;
    this.name = options.gateway;
    this.gateway = gateway;
    this.account = { accountId: 'certification', mode: 'test', credentials, baseUrl: host };
    this.startedAt = options.startedAt;
    this.skipPaid = options.skipPaid;
    this.waitMs = options.waitMs;
    this.webhooks = options.webhooks;
    this.signal = options.signal;
    this.redactor = createRedactor(Object.values(credentials));
  }

  newId(): string {
    return this.options.newId();
  }

  newReference(): string {
    return `cert-${this.options.newId()}`;
  }

  tell(line: string): void {
    this.options.tell(line);
  }

  /** Begins a check: what is called from now on is its own. */
  begin(check: CheckId): void {
    this.check = check;
    this.last = null;
  }

  /** The last exchange of the check that is being made; null where it called nothing. */
  lastExchange(): RecordedExchange | null {
    return this.last;
  }

  /** Runs an operation of the connector and records it. `inPlaceOfLast` keeps one recording of a question that is repeated. */
  async call<Operation extends CertifiedOperation>(
    operation: Operation,
    input: OperationInput<Operation>,
    { account = this.account, inPlaceOfLast = false } = {},
  ): Promise<Outcome<OperationValue<Operation>>> {
    this.signal.throwIfAborted();
    const startedAt = performance.now();
    const { result, exchanges } = await recordExchanges(this.redactor, () =>
      runOperation(this.gateway, account, operation, input, { timeoutMs: CALL_TIMEOUT_MS }),
    );
    const outcome = result as Outcome<OperationValue<Operation>>;
    this.last = exchanges.at(-1) ?? null;
    if (inPlaceOfLast) this.recordings.pop();
    this.recordings.push({
      check: this.check,
      operation,
      input,
      exchanges: [...exchanges],
      milliseconds: Math.round(performance.now() - startedAt),
      ...describeOutcome(outcome, this.redactor),
    });
    return outcome;
  }

  /** Runs calls that are not operations of the connector and records them. */
  async callOtherwise<T>(work: () => Promise<T>): Promise<T> {
    this.signal.throwIfAborted();
    const { result, exchanges } = await recordExchanges(this.redactor, work);
    this.last = exchanges.at(-1) ?? null;
    this.otherCalls.push({ check: this.check, exchanges: [...exchanges] });
    return result;
  }

  /** Repeats an operation until its outcome is `enough`, or the time is over. */
  async poll<Operation extends CertifiedOperation>(
    operation: Operation,
    input: OperationInput<Operation>,
    withinMs: number,
    isEnough: (outcome: Outcome<OperationValue<Operation>>) => boolean,
  ): Promise<Outcome<OperationValue<Operation>>> {
    let repeated = false;
    const ask = () => {
      const options = { inPlaceOfLast: repeated };
      repeated = true;
      return this.call(operation, input, options);
    };
    return this.again(withinMs, ask, isEnough);
  }

  /** Repeats `ask` with longer and longer pauses until the answer is `enough`, or the time is over. */
  async again<T>(withinMs: number, ask: () => Promise<T>, isEnough: (answer: T) => boolean): Promise<T> {
    const deadline = performance.now() + withinMs;
    for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
      const answer = await ask();
      if (isEnough(answer) || performance.now() + pause > deadline) return answer;
      await wait(pause, undefined, { signal: this.signal });
    }
  }

  /** Reads a webhook for the account and records it, without the values of its headers: one may be the account's secret itself. */
  readWebhook(delivery: WebhookRequest): WebhookReading {
    const reading = this.gateway.readWebhook(this.account, delivery);
    const body = readable(Buffer.from(delivery.body).toString('utf8'), this.redactor);
    const headers = Object.entries(delivery.headers).filter(([name]) => NAMED_HEADER.test(name));
    this.received.push({
      headers: Object.fromEntries(headers.map(([name, value]) => [name, name === 'content-type' ? value : redactedMark])),
      body: typeof body === 'string' ? body : JSON.stringify(body),
      reading: maskPersons(this.redactor.json(toJson(reading))) as RecordedWebhook['reading'],
    });
    return reading;
  }
}

/** An outcome as it is recorded: redacted, without people and cards, its times as text. */
export function describeOutcome(outcome: Outcome<unknown>, redactor: Redactor): Pick<Recording, 'outcome' | 'failure' | 'value'> {
  if (outcome.outcome !== 'yes') {
    const { class: of, code, message } = outcome.failure;
    return { outcome: outcome.outcome, failure: { class: of, code, message: maskText(redactor.text(message)) }, value: null };
  }
  return { outcome: 'yes', failure: null, value: maskPersons(redactor.json(withoutCard(toJson(outcome.value)))) };
}

function toJson(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}

/** The digits that gateways give of a card are masked in answers, so that a recording cannot lead to them. */
function withoutCard(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !('cardLast4' in value)) return value;
  const { cardLast4: _digits, ...rest } = value;
  return rest;
}
