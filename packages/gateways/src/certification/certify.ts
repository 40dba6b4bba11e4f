import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CHECKS, type CheckId, checkIds } from '../check-list.ts';
import type { DocumentSection, Gateway } from '../gateway.ts';
import { observeUnrecognisedStates } from '../published-states.ts';
import type { GatewayName } from '../registry.ts';
import { checks, type Verdict } from './checks.ts';
import type { Certification, CheckedCheck, CheckResult } from './report.ts';
import { type CertificationOptions, CertificationRun } from './run.ts';
import { maskText } from './wire-recorder.ts';

const STOPPED = { result: 'skipped', reason: 'The certification was stopped.' } as const satisfies CheckResult;

/**
 * Makes the checks of a gateway one after the other, by the product's own connector. Calls nothing that the plan does not have. Once
 * `signal` is aborted, the check that is being made and those after it are skipped.
 */
export async function certify(options: CertificationOptions): Promise<Certification> {
  const run = new CertificationRun(options);
  const startedAt = performance.now();
  const made: CheckedCheck[] = [];
  for (const planned of planCertification(run.gateway)) {
    const before = performance.now();
    run.begin(planned.id);
    const result = await makeCheck(run, planned, made);
    const { id, title, section } = planned;
    const check = { id, title, section, milliseconds: Math.round(performance.now() - before), ...result };
    made.push(check);
    options.onResult(check);
  }
  const { recordings, otherCalls, received } = run;
  return {
    gateway: options.gateway,
    startedAt: options.startedAt.toISOString(),
    milliseconds: Math.round(performance.now() - startedAt),
    version: options.version,
    connector: connectorDigest(options.gateway),
    hosts: [...new Set([...recordings, ...otherCalls].flatMap(({ exchanges }) => exchanges.map(({ origin }) => origin)))],
    otherHost: options.host !== null,
    checks: made,
    recordings,
    otherCalls,
    webhooks: received,
  };
}

/** A check of a gateway. */
interface PlannedCheck {
  readonly id: CheckId;
  readonly title: string;
  /** The section of the gateway's documentation that it tests. */
  readonly section: DocumentSection;
  /** Checks that have to pass before it. */
  readonly needs: readonly CheckId[];
  /** Why it cannot be made, or null where it can. */
  readonly notPossible: string | null;
}

/** The checks of a gateway, in the order in which they are made. */
export function planCertification({ certification }: Pick<Gateway, 'certification'>): readonly PlannedCheck[] {
  const { sections, notPossible } = certification;
  return checkIds.map((id) => {
    const { title, topic, needs } = CHECKS[id];
    return { id, title, section: sections[topic], needs, notPossible: notPossible[id] ?? null };
  });
}

async function makeCheck(run: CertificationRun, planned: PlannedCheck, made: readonly CheckedCheck[]): Promise<CheckResult> {
  if (planned.notPossible !== null) return { result: 'not_possible', reason: planned.notPossible };
  if (run.signal.aborted) return STOPPED;
  const missing = planned.needs.filter((id) => made.find((check) => check.id === id)?.result !== 'passed');
  if (missing.length > 0) return { result: 'skipped', reason: `Needs what did not pass: ${missing.join(', ')}.` };
  const outside: string[] = [];
  const stop = observeUnrecognisedStates(({ gateway, kind }) => {
    if (gateway === run.name) outside.push(kind);
  });
  const verdict = await verdictOf(run, planned).finally(stop);
  return asReported(run, outside.length === 0 ? verdict : outsideOf(outside));
}

/** The verdict of a check. One that throws has failed, so that the others are made and the report is written. */
async function verdictOf(run: CertificationRun, { id }: PlannedCheck): Promise<Verdict> {
  const stopped = Promise.withResolvers<Verdict>();
  const stop = () => stopped.resolve(STOPPED);
  run.signal.addEventListener('abort', stop, { once: true });
  try {
    return await Promise.race([stopped.promise, checks[id](run)]);
  } catch (error) {
    if (run.signal.aborted) return STOPPED;
    return { result: 'failed', expected: 'a check that comes to its end.', received: String(error) };
  } finally {
    run.signal.removeEventListener('abort', stop);
  }
}

function outsideOf(kinds: readonly string[]): Verdict {
  const expected = 'words for states that the gateway publishes.';
  return { result: 'failed', expected, received: `another word for the state of a ${[...new Set(kinds)].join(', a ')}.` };
}

/** A result without secrets and people; of a failed one, what the last call of its check sent and what came back. */
function asReported(run: CertificationRun, verdict: Verdict): CheckResult {
  const shown = (text: string) => maskText(run.redactor.text(text));
  if (verdict.result === 'passed') return { ...verdict, detail: shown(verdict.detail) };
  if (verdict.result !== 'failed') return verdict;
  const last = run.lastExchange();
  const call =
    last === null
      ? null
      : { method: last.method, path: last.path, request: last.request, status: last.status, answer: last.answer };
  return { ...verdict, received: shown(verdict.received), call };
}

const SOURCES = join(import.meta.dirname, '..');
const DIGEST_LENGTH = 12;

/**
 * Version of a connector: a digest of its own files and of what connectors share, as they run. The command line as it is published has
 * files that were built of the sources, and with them digests of its own.
 */
function connectorDigest(gateway: GatewayName): string {
  const hash = createHash('sha256');
  for (const path of [...programsIn(gateway), ...programsIn('.')]) {
    hash
      .update(path)
      .update('\0')
      .update(readFileSync(join(SOURCES, path)));
  }
  return hash.digest('hex').slice(0, DIGEST_LENGTH);
}

function programsIn(folder: string): readonly string[] {
  return readdirSync(join(SOURCES, folder))
    .filter((name) => /(?<!\.test|\.d)\.[jt]s$/.test(name))
    .map((name) => join(folder, name))
    .toSorted();
}

/* Checks of a connector against its gateway, with a merchant's own test keys. */

export { credentialFields, credentialVariable } from '../credential-fields.ts';
export { findGateway, type GatewayName, gatewayNames, parseCredentials } from '../registry.ts';
export { limitsMs } from './checks.ts';
export { type Certification, certificationSchema, countResults, describeCertification, sentenceOf, wordOf } from './report.ts';
export type { WebhookSource } from './run.ts';
