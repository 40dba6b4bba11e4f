import { readFileSync } from 'node:fs';
import { beforeAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { openMetrics } from '../metrics/open-metrics.ts';
import type { PoolUse } from '../metrics/worker-metrics.ts';
import { parsePromql, readsOf } from './promql.ts';

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

/** Labels that Prometheus or the scrape adds to each series of a target. */
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
      isReady: async () => true,
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

test('an expression that does not follow the grammar is refused', () => {
  expect(() => parsePromql('sum(')).toThrow('not PromQL');
});
