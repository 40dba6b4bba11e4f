import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { openMetrics } from '../metrics/open-metrics.ts';
import type { PoolUse } from '../metrics/pool-metrics.ts';
import { evaluate, parsePromql, readsOf, type Sample } from './promql.ts';

const read = (path: string) => readFileSync(new URL(`../../../../deploy/${path}`, import.meta.url), 'utf8');

const ruleSchema = z.union([
  z.strictObject({ record: z.string(), expr: z.string() }),
  z.strictObject({
    alert: z.string().regex(/^[A-Z][A-Za-z]+$/),
    expr: z.string(),
    for: z
      .string()
      .regex(/^\d+[smh]$/)
      .optional(),
    labels: z.strictObject({ severity: z.enum(['page', 'ticket']) }),
    annotations: z.strictObject({ summary: z.string().min(10), description: z.string().min(10), runbook_url: z.string() }),
  }),
]);
const rulesSchema = z.strictObject({
  groups: z.array(z.strictObject({ name: z.string(), interval: z.string().optional(), rules: z.array(ruleSchema) })),
});
const dashboardSchema = z.looseObject({
  panels: z.array(z.looseObject({ title: z.string(), targets: z.array(z.looseObject({ expr: z.string() })).optional() })),
});

const rules = rulesSchema.parse(parse(read('prometheus/alerts.yaml'))).groups.flatMap((group) => group.rules);
const alerts = rules.flatMap((rule) => ('alert' in rule ? [rule] : []));
const recorded = new Map(rules.flatMap((rule) => ('record' in rule ? [[rule.record, rule.expr] as const] : [])));
const panels = dashboardSchema.parse(JSON.parse(read('grafana/switchyard.json'))).panels;
/** Grafana puts the interval in. */
const queries = panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr.replaceAll('$__rate_interval', '5m')));

/** What Prometheus adds to each series of a target, and what a scrape itself gives. */
const TARGET_LABELS = ['job', 'instance', 'process'];

/** The labels of each metric that can be queried. */
const labelsByMetric = new Map<string, readonly string[]>([['up', []]]);

beforeAll(() => {
  const none: PoolUse = { totalCount: 0, idleCount: 0, waitingCount: 0 };
  const pool = Object.assign(Object.create(null), none);
  for (const process of ['web', 'worker', 'reporting'] as const) {
    const metrics = openMetrics({
      process,
      database: { pool, batches: pool },
      isReady: () => true,
      ...(process === 'reporting' && { reportsPool: none, replicaLagSeconds: async () => 0 }),
    });
    for (const metric of metrics.registry.getMetricsAsArray()) {
      const { name, labelNames } = z.looseObject({ name: z.string(), labelNames: z.array(z.string()) }).parse(metric);
      const isHistogram = metric.constructor.name === 'Histogram';
      const names = isHistogram ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name];
      for (const one of names) labelsByMetric.set(one, one.endsWith('_bucket') ? [...labelNames, 'le'] : labelNames);
    }
    metrics.close();
  }
  for (const name of recorded.keys()) labelsByMetric.set(name, []);
});

test.each([...rules.map(({ expr }) => expr), ...queries])('%s follows the grammar, and what it reads exists', (expression) => {
  parsePromql(expression);
  const { selectors, grouping } = readsOf(expression);
  expect(selectors.length).toBeGreaterThan(0);
  const known = selectors.flatMap(({ metric, labels }) => {
    const existing = labelsByMetric.get(metric);
    expect(existing, `metric ${metric}`).toBeDefined();
    const allowed = [...(existing ?? []), ...TARGET_LABELS];
    for (const label of labels) expect(allowed, `${metric} by ${label}`).toContain(label);
    return allowed;
  });
  for (const label of grouping) expect(known).toContain(label);
});

test('every alert names its own part of the runbooks', () => {
  expect(new Set(alerts.map(({ alert }) => alert)).size).toBe(alerts.length);
  for (const { alert, annotations } of alerts) {
    const anchor = alert.replaceAll(/(?<!^)(?=[A-Z])/g, '-').toLowerCase();
    expect(annotations.runbook_url).toBe(`docs/runbooks.md#${anchor}`);
  }
});

describe('the error budget of initiates', () => {
  const DAY_S = 86_400;
  const REQUESTS_PER_SECOND = 10;
  const pages = alerts.filter(({ alert, labels }) => alert.startsWith('InitiateErrorBudget') && labels.severity === 'page');

  /** Series of requests at a constant rate, of which `failedUntil` have failed by a time; none before their start. */
  function series(failedUntil: (at: number) => number): Sample {
    return (selector, from, to) => {
      const begun = Math.max(0, from);
      const all = (to - begun) * REQUESTS_PER_SECOND;
      const failed = failedUntil(to) - failedUntil(begun);
      if (selector.includes('status="5xx"')) return failed;
      return selector.includes('status=~"2xx|5xx"') ? all : null;
    };
  }

  /** Seconds until any paging alert fires, evaluated every 15 s unless given; null for never. */
  function pagedAfter(from: number, to: number, sample: Sample, everySeconds = 15): number | null {
    for (let at = from; at <= to; at += everySeconds) {
      if (pages.some(({ expr }) => evaluate(expr, at, recorded, sample) !== null)) return at - from;
    }
    return null;
  }

  const failingFrom = (start: number, share: number) => series((at) => Math.max(0, at - start) * REQUESTS_PER_SECOND * share);

  test('has two pages, which wait for nothing', () => {
    expect(pages.map(({ alert }) => alert)).toEqual(['InitiateErrorBudgetFastBurn', 'InitiateErrorBudgetSlowBurn']);
    expect(pages.every((alert) => alert.for === undefined)).toBe(true);
  });

  test('pages within 90 s of a total outage, after three quiet days and after a start', () => {
    // Of these, 15 s may pass until the next scrape.
    for (const start of [3 * DAY_S, 3_600]) {
      const after = pagedAfter(start, start + 3_600, failingFrom(start, 1));
      expect(after).not.toBeNull();
      expect(after).toBeLessThanOrEqual(75);
    }
  });

  test('pages within 15 minutes of two failures in a hundred', () => {
    const after = pagedAfter(3 * DAY_S, 3 * DAY_S + 7_200, failingFrom(3 * DAY_S, 0.02));
    expect(after).not.toBeNull();
    expect(after).toBeLessThanOrEqual(885);
  });

  test('never pages in 30 days of one failure in 20,000, even or in bursts of three', () => {
    for (const burst of [1, 3]) {
      const every = (20_000 / REQUESTS_PER_SECOND) * burst;
      // No window is shorter than five minutes.
      expect(
        pagedAfter(
          0,
          30 * DAY_S,
          series((at) => Math.floor(at / every) * burst),
          150,
        ),
      ).toBeNull();
    }
  });
});

describe('first attempts to deliver events', () => {
  const DAY_S = 86_400;
  const EVENTS_PER_SECOND = 10;
  const START = 4 * DAY_S;
  const named = (name: string) => alerts.find(({ alert }) => alert === name);

  /** First attempts at a constant rate, of which a share ends later than 5 s from `START` on. */
  function late(share: number): Sample {
    const lateUntil = (at: number) => Math.max(0, at - START) * EVENTS_PER_SECOND * share;
    return (selector, from, to) => {
      const all = (to - Math.max(0, from)) * EVENTS_PER_SECOND;
      if (selector === 'switchyard_webhook_first_attempt_seconds_count') return all;
      if (selector !== 'switchyard_webhook_first_attempt_seconds_bucket{le="5"}') return null;
      return all - (lateUntil(to) - lateUntil(Math.max(0, from)));
    };
  }

  /** Seconds from `START` until the expression of an alert holds, evaluated every 15 s; null for never within `seconds`. */
  function holdsAfter(name: string, sample: Sample, seconds: number, everySeconds = 15): number | null {
    for (let at = START; at <= START + seconds; at += everySeconds) {
      if (evaluate(named(name)?.expr ?? '', at, recorded, sample) !== null) return at - START;
    }
    return null;
  }

  test('page within three minutes when all are late, and within 20 minutes when one in twenty is', () => {
    expect(named('FirstAttemptFastBurn')).toMatchObject({ for: '1m', labels: { severity: 'page' } });
    expect(holdsAfter('FirstAttemptFastBurn', late(1), 3_600)).toBeLessThanOrEqual(60 + 15);
    // It has to hold for a minute.
    expect(holdsAfter('FirstAttemptFastBurn', late(0.05), 3_600)).toBeLessThanOrEqual(19 * 60);
  });

  test('make a ticket of twice what the objective allows within two days, and page no one', () => {
    expect(named('FirstAttemptLeak')?.labels.severity).toBe('ticket');
    const after = holdsAfter('FirstAttemptLeak', late(0.002), 3 * DAY_S, 300);
    expect(after).not.toBeNull();
    expect(after).toBeLessThanOrEqual(2 * DAY_S);
    expect(holdsAfter('FirstAttemptFastBurn', late(0.002), DAY_S, 300)).toBeNull();
  });

  test('are silent within the objective, and while nothing is delivered', () => {
    for (const name of ['FirstAttemptFastBurn', 'FirstAttemptLeak']) {
      expect(holdsAfter(name, late(0.0005), 7 * DAY_S, 900)).toBeNull();
      expect(holdsAfter(name, () => 0, 3_600)).toBeNull();
      expect(holdsAfter(name, () => null, 3_600)).toBeNull();
    }
  });
});

describe('the evaluation', () => {
  const sample: Sample = (selector, from, to) => (selector === 'gone' ? null : to - from);

  test('follows the precedence of PromQL', () => {
    expect(evaluate('1 - 2 * 3 / 4', 0, new Map(), sample)).toBe(-0.5);
    expect(evaluate('sum(rate(a[5m])) > 0.5 and (2 > 1)', 0, new Map(), sample)).toBe(1);
    expect(evaluate('sum(increase(a[1h])) >= 3600', 0, new Map(), sample)).toBe(3_600);
  });

  test('of nothing is nothing', () => {
    expect(evaluate('sum(rate(gone[5m])) / sum(rate(a[5m])) > 0', 0, new Map(), sample)).toBeNull();
  });

  test('refuses what it does not know', () => {
    expect(() => evaluate('max(a)', 0, new Map(), sample)).toThrow('not evaluated here');
    expect(() => parsePromql('sum(')).toThrow('not PromQL');
  });
});
