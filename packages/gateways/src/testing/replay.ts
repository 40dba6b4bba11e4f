import { maskText } from '../certification/mask-persons.ts';
import { runOperation } from '../certification/operations.ts';
import type { Certification, Recording } from '../certification/report.ts';
import { describeOutcome } from '../certification/run.ts';
import { readable } from '../certification/wire-recorder.ts';
import type { AccountAccess } from '../gateway.ts';
import { createRedactor } from '../redact.ts';
import { findGateway } from '../registry.ts';
import { readDocumented, signDocumented } from './documented.ts';
import { delivered, wireReply } from './script.ts';
import { type StubServer, startStubServer } from './stub-server.ts';

const TIMEOUT_MS = 10_000;

/** A call without its credentials, which differ. */
interface ReplayedCall {
  /** `POST /transaction/initialize` */
  readonly call: string;
  readonly query: string | null;
  readonly request: unknown;
}

/** Outcome that a connector reads from a recording, in a form that can be compared. */
interface Replayed {
  readonly calls: readonly ReplayedCall[];
  readonly outcome: Recording['outcome'];
  readonly code: string | null;
  readonly value: unknown;
}

/** A recording beside what the connector made of the same answers. */
export interface ReplayedRecording {
  /** `verify_unpaid: verify` */
  readonly name: string;
  readonly recorded: Replayed;
  readonly replayed: Replayed;
}

/**
 * Runs each recorded operation again, against a server that gives the recorded answers, with the credentials of the documented examples:
 * those of the recording are in no report.
 */
export async function replayRecordings({ gateway: name, recordings }: Certification): Promise<readonly ReplayedRecording[]> {
  const gateway = findGateway(name);
  if (gateway === null) throw new Error(`there is no gateway ${name}`);
  const { credentials, token, examples } = readDocumented(name);
  const redactor = createRedactor(Object.values(credentials));
  const issued = examples.find((example) => example.name === token?.example);
  let current: Recording | undefined;
  const server = await startStubServer((call) => {
    if (token === undefined || issued === undefined || call.path.split('?')[0]?.endsWith(token.path) !== true) return null;
    const refused = current?.exchanges.find(({ login, status }) => login && status !== null && status >= 400);
    return wireReply({ status: refused?.status ?? issued.status, json: refused === undefined ? issued.body : refused.answer });
  });
  try {
    const replayed: ReplayedRecording[] = [];
    for (const [at, recording] of recordings.entries()) {
      current = recording;
      // A base address of its own, so that no token of another recording is used.
      const account: AccountAccess = { accountId: `recording-${at}`, mode: 'test', credentials, baseUrl: `${server.url}/r${at}` };
      const outcome = await replayOne(server, recording, () =>
        runOperation(gateway, account, recording.operation, recording.input, { timeoutMs: TIMEOUT_MS }),
      );
      const { failure, ...rest } = describeOutcome(outcome, createRedactor([]));
      const calls = server.calls.map(({ method, path, body }) => ({
        method,
        path: maskText(redactor.text(path.slice(`/r${at}`.length))),
        request: body === '' ? null : readable(body, redactor),
      }));
      replayed.push({
        name: `${recording.check}: ${recording.operation}`,
        recorded: recordedAs(recording, calls),
        replayed: { calls: calls.map(describeCall), code: failure?.code ?? null, ...rest },
      });
    }
    return replayed;
  } finally {
    await server.close();
  }
}

async function replayOne<T>(server: StubServer, { exchanges }: Recording, run: () => Promise<T>): Promise<T> {
  const answers = exchanges.filter(({ login }) => !login);
  server.script((_call, count) => {
    const exchange = answers[count - 1];
    if (exchange === undefined) return { kind: 'answer', status: 418, body: 'a call that was not recorded' };
    if (exchange.status === null) return { kind: 'reset' };
    const { answer, status } = exchange;
    return { kind: 'answer', status, body: typeof answer === 'string' ? answer : JSON.stringify(answer) };
  });
  return run();
}

/** Paths as far as they do not depend on the base address: that of the recording may have had a path of its own. */
function recordedAs({ exchanges, outcome, failure, value }: Recording, calls: readonly SentCall[]): Replayed {
  const recorded = exchanges.filter(({ login }) => !login);
  return {
    calls: recorded.map(({ method, path, request }, at) => {
      const own = calls[at]?.path ?? '';
      return describeCall({ method, path: own !== '' && path.endsWith(own) ? own : path, request });
    }),
    outcome,
    code: failure?.code ?? null,
    value,
  };
}

type SentCall = Pick<Recording['exchanges'][number], 'method' | 'path' | 'request'>;

function describeCall({ method, path, request }: SentCall): ReplayedCall {
  const [name = '', query = null] = path.split('?');
  return { call: `${method} ${name}`, query, request };
}

/** Readings of the recorded webhooks, as recorded and as the connector reads the same bodies, signed anew by the documented rule. */
export function replayWebhooks({ gateway: name, webhooks }: Certification) {
  const gateway = findGateway(name);
  if (gateway === null) throw new Error(`there is no gateway ${name}`);
  const collection = readDocumented(name);
  const { credentials, signature } = collection;
  const account: AccountAccess = { accountId: 'recorded-webhooks', mode: 'test', credentials, baseUrl: null };
  return webhooks
    .filter(({ reading }) => reading.kind !== 'refused')
    .map(({ body, reading }) => {
      const signed = signDocumented(collection, credentials[signature.key] ?? '', body);
      const read = gateway.readWebhook(account, delivered(body, { [signature.header]: signed }));
      return { recorded: withoutDigest(reading), replayed: withoutDigest(JSON.parse(maskText(JSON.stringify(read)))) };
    });
}

/** Some keys of webhooks are digests of their bodies, which were redacted. */
function withoutDigest({ dedupeKey: _key, ...reading }: Readonly<Record<string, unknown>>) {
  return reading;
}
