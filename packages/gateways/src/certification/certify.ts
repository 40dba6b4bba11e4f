import { observeUnrecognisedStates } from '../published-states.ts';
import { checks, type Verdict } from './checks.ts';
import { connectorDigest } from './connector-digest.ts';
import { type CheckId, type PlannedCheck, planCertification } from './plan.ts';
import type { Certification, CheckedCheck, CheckResult } from './report.ts';
import { type CertificationOptions, CertificationRun } from './run.ts';

/** Makes the checks of a gateway one after the other, by the product's own connector. Calls nothing that the plan does not have. */
export async function certify(options: CertificationOptions): Promise<Certification> {
  const run = new CertificationRun(options);
  const startedAt = performance.now();
  const made: CheckedCheck[] = [];
  for (const planned of planCertification(options.gateway)) {
    const before = performance.now();
    run.check = planned.id;
    const result = await makeCheck(run, planned, made);
    const { id, title, section } = planned;
    const check = { id, title, section, milliseconds: Math.round(performance.now() - before), ...result };
    made.push(check);
    options.onResult(check);
  }
  const { recordings, received } = run;
  return {
    gateway: options.gateway,
    startedAt: options.startedAt.toISOString(),
    milliseconds: Math.round(performance.now() - startedAt),
    version: options.version,
    connector: connectorDigest(options.gateway),
    hosts: [...new Set(recordings.flatMap(({ exchanges }) => exchanges.map(({ origin }) => origin)))],
    otherHost: options.host !== null,
    checks: made,
    recordings,
    webhooks: received,
  };
}

async function makeCheck(run: CertificationRun, planned: PlannedCheck, made: readonly CheckedCheck[]): Promise<CheckResult> {
  if (planned.notPossible !== null) return { result: 'not_possible', reason: planned.notPossible };
  const missing = planned.needs.filter((id) => made.find((check) => check.id === id)?.result !== 'passed');
  if (missing.length > 0) return { result: 'skipped', reason: `Needs what did not pass: ${missing.join(', ')}.` };
  const outside: string[] = [];
  const stop = observeUnrecognisedStates(({ gateway, kind }) => {
    if (gateway === run.name) outside.push(kind);
  });
  const verdict = await checks[planned.id](run).finally(stop);
  return asReported(run, planned.id, outside.length === 0 ? verdict : outsideOf(outside));
}

function outsideOf(kinds: readonly string[]): Verdict {
  const expected = 'words for states that the gateway publishes.';
  return { result: 'failed', expected, received: `another word for the state of a ${[...new Set(kinds)].join(', a ')}.` };
}

/** A result without secrets; of a failed one, what the last call of its check sent and what came back. */
function asReported(run: CertificationRun, id: CheckId, verdict: Verdict): CheckResult {
  const { redactor, recordings } = run;
  if (verdict.result === 'passed') return { ...verdict, detail: redactor.text(verdict.detail) };
  if (verdict.result !== 'failed') return verdict;
  const last = recordings.findLast(({ check }) => check === id)?.exchanges.at(-1);
  const call =
    last === undefined
      ? null
      : { method: last.method, path: last.path, request: last.request, status: last.status, answer: last.answer };
  return { ...verdict, received: redactor.text(verdict.received), call };
}
