import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { Mode } from '@switchyard/db/client';
import { gatewayTitle } from '@switchyard/gateways/names';
import type { PaymentMethod } from '@switchyard/routing';
import { BUCKET_MS } from '../assess/outcome-counts.ts';
import type { HealthContext } from '../context.ts';
import { readHealthHistory } from '../history/count-queries.ts';
import { toMethod } from '../history/describe-health.ts';
import { toBucket } from '../monitor/health-series.ts';
import { type Firing, findFirings } from './find-firings.ts';
import { thresholdsOf } from './merchant-thresholds.ts';
import type { HealthThresholds } from './thresholds.ts';

/** Thresholds to try on the outcomes of past days. */
export interface PreviewThresholdsQuery {
  readonly merchantId: string;
  readonly mode: Mode;
  /** 1 to 31. */
  readonly days: number;
  readonly thresholds: HealthThresholds;
}

/** How often an account and method would have been degraded or down, under the current and the proposed thresholds. */
export interface SeriesPreview {
  readonly accountId: string;
  readonly label: string;
  /** Null for the account as a whole. */
  readonly method: PaymentMethod | null;
  readonly inForce: FiringSum;
  readonly proposed: FiringSum;
  /** The latest of the proposed ones, newest first. */
  readonly latest: readonly Firing[];
}

/** How often an account would have left the healthy state, and for how long. */
export interface FiringSum {
  /** How often it was degraded at worst, and how often down. */
  readonly degraded: number;
  readonly down: number;
  /** Milliseconds from healthy to healthy again, all together. */
  readonly unhealthyMs: number;
}

/** Effects that the thresholds would have had in the period, beside those of the active ones. */
export interface ThresholdPreview {
  readonly from: Date;
  readonly to: Date;
  readonly thresholds: HealthThresholds;
  readonly series: readonly SeriesPreview[];
}

const DAY_MS = 86_400_000;
const DAYS_MAX = 31;
const LATEST_MAX = 20;
/** A month of minutes and a day of tens of seconds, for every method there is. */
const ROWS_MAX = 500_000;

/**
 * Computes how often thresholds would have fired over the stored counts: steps of ten seconds for the last day, minutes before that.
 * Null for an unknown merchant. Accounts are read one after the other, so that memory stays bounded.
 */
export async function previewThresholds(
  context: HealthContext,
  { merchantId, mode, days, thresholds }: PreviewThresholdsQuery,
): Promise<ThresholdPreview | null> {
  const { configuration, database } = context.resources;
  await configuration.ready();
  const merchant = configuration.merchant(merchantId);
  if (merchant === undefined) return null;
  const to = context.now();
  const from = new Date(to.getTime() - Math.min(Math.max(1, days), DAYS_MAX) * DAY_MS);
  const current = thresholdsOf(merchant, mode);
  const series: SeriesPreview[] = [];
  for (const { id, label, gateway } of merchant.accounts.filter((account) => account.mode === mode)) {
    const scope = { merchantIds: [merchantId], accountIds: [id], from, to, stepMs: BUCKET_MS };
    const steps = await readHealthHistory(database, scope, ROWS_MAX);
    for (const [word, own] of Map.groupBy(steps, (step) => step.method)) {
      const method = toMethod(word);
      const subject = { gateway: gatewayTitle(gateway), method };
      const input = { subject, buckets: own.map((step) => toBucket(step.at, step)), from: from.getTime(), to: to.getTime() };
      const inForce = findFirings({ ...input, thresholds: current });
      await yieldToEventLoop();
      const proposed = findFirings({ ...input, thresholds });
      await yieldToEventLoop();
      const latest = proposed.slice(-LATEST_MAX).reverse();
      series.push({ accountId: id, label, method, inForce: sum(inForce, to), proposed: sum(proposed, to), latest });
    }
  }
  return { from, to, thresholds, series };
}

function sum(firings: readonly Firing[], to: Date): FiringSum {
  return {
    degraded: firings.filter(({ state }) => state === 'degraded').length,
    down: firings.filter(({ state }) => state === 'down').length,
    unhealthyMs: firings.reduce((total, { at, until }) => total + (until ?? to.getTime()) - at, 0),
  };
}
