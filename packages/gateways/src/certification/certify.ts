import { observeUnrecognisedStates } from '../published-states.ts';
import { checks, type Verdict } from './checks.ts';
import { connectorDigest } from './connector-digest.ts';
import { maskText } from './mask-persons.ts';
import { type PlannedCheck, planCertification } from './plan.ts';
import type { Certification, CheckedCheck, CheckResult } from './report.ts';
import { type CertificationOptions, CertificationRun } from './run.ts';

const STOPPED = { result: 'skipped', reason: 'The certification was stopped.' } as const satisfies CheckResult;

/**
 * Makes the checks of a gateway one after the other, by the product's own connector. Calls nothing that the plan does not have. Once
 * `signal` is aborted, the check that is being made and those after it are skipped.
 */
export async function certify(options: CertificationOptions): Promise<Certification> {
  const run = new CertificationRun(options);
  const startedAt = performance.now();
  const made: CheckedCheck[] = [];
  for (const planned of planCertification(options.gateway)) {
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
