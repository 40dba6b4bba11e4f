import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';
import { renderChart } from './render-chart.ts';

/** A process that a form of deployment scrapes, with the labels that its series get. */
export interface ScrapeTarget {
  readonly labels: Readonly<Record<string, string>>;
}

/** The forms of deployment that bring a scrape configuration. */
export const FORMS = ['compose', 'systemd', 'Helm'] as const;
export type Form = (typeof FORMS)[number];

/** Rules of the action `replace`, which every part but the target has a default for. Other keys are refused. */
const relabelSchema = (sources: string, target: string, replacement: string) =>
  z
    .strictObject({ [sources]: z.array(z.string()).default([]), [target]: z.string(), [replacement]: z.string().default('$1') })
    .transform((rule) => ({
      sources: z.array(z.string()).parse(rule[sources]),
      target: z.string().parse(rule[target]),
      replacement: z.string().parse(rule[replacement]),
    }));
type Relabelling = z.output<ReturnType<typeof relabelSchema>>;

const inFile = relabelSchema('source_labels', 'target_label', 'replacement');
const inMonitor = relabelSchema('sourceLabels', 'targetLabel', 'replacement');

const scrapeSchema = z.object({
  rule_files: z.tuple([z.literal('alerts.yaml')]),
  scrape_configs: z.tuple([
    z.strictObject({
      job_name: z.string(),
      scrape_interval: z.string(),
      authorization: z.object({ credentials_file: z.string() }),
      dns_sd_configs: z.array(z.looseObject({ names: z.array(z.string()), port: z.number() })).default([]),
      static_configs: z.array(z.object({ targets: z.array(z.string()), labels: z.record(z.string(), z.string()) })).default([]),
      relabel_configs: z.array(inFile).default([]),
    }),
  ]),
});

const monitorSchema = z.object({
  selector: z.object({ matchLabels: z.record(z.string(), z.string()) }),
  podMetricsEndpoints: z.tuple([z.looseObject({ port: z.string(), relabelings: z.array(inMonitor).default([]) })]),
});
const workloadSchema = z.object({
  metadata: z.object({ labels: z.record(z.string(), z.string()) }),
  spec: z.object({
    containers: z.array(z.object({ ports: z.array(z.object({ name: z.string(), containerPort: z.number() })).default([]) })),
  }),
});

/** The targets of a form, as Prometheus makes them from its scrape configuration: one process of each address or pod. */
export function scrapeTargets(root: string, form: Form): ScrapeTarget[] {
  switch (form) {
    case 'compose':
    case 'systemd':
      return targetsOfFile(join(root, 'deploy/prometheus', `scrape-${form}.yaml`));
    case 'Helm':
      return targetsOfChart(join(root, 'deploy/helm/switchyard'));
    default:
      return form satisfies never;
  }
}

function targetsOfFile(file: string): ScrapeTarget[] {
  const [config] = scrapeSchema.parse(parse(readFileSync(file, 'utf8'))).scrape_configs;
  const found = config.dns_sd_configs.flatMap(({ names, port }) =>
    names.map((name, index) => ({ __address__: `172.18.0.${index + 2}:${port}`, __meta_dns_name: name })),
  );
  const named = config.static_configs.flatMap(({ targets, labels }) =>
    targets.map((target) => ({ __address__: target, ...labels })),
  );
  return [...found, ...named].map((labels) => target({ job: config.job_name, ...labels }, config.relabel_configs));
}

function targetsOfChart(folder: string): ScrapeTarget[] {
  const values: Record<string, unknown> = parse(readFileSync(join(folder, 'values.yaml'), 'utf8'));
  const objects = renderChart(folder, { ...values, podMonitor: { enabled: true, interval: '15s' } });
  const monitor = objects.find(({ object }) => object.kind === 'PodMonitor');
  const { selector, podMetricsEndpoints } = monitorSchema.parse(monitor?.object.spec);
  const [endpoint] = podMetricsEndpoints;
  const pods = objects.flatMap(({ object }) =>
    object.kind === 'Deployment' || object.kind === 'Job'
      ? [workloadSchema.parse(z.object({ template: z.unknown() }).parse(object.spec).template)]
      : [],
  );
  const selected = pods.filter(({ metadata }) =>
    Object.entries(selector.matchLabels).every(([name, value]) => metadata.labels[name] === value),
  );
  return selected.flatMap(({ metadata, spec }, index) => {
    const port = spec.containers.flatMap(({ ports }) => ports).find(({ name }) => name === endpoint.port);
    if (port === undefined) return [];
    const meta = Object.entries(metadata.labels).map(
      ([name, value]) => [`__meta_kubernetes_pod_label_${name.replaceAll(/[^\w]/g, '_')}`, value] as const,
    );
    // The operator names the job of a monitor by its namespace and name, before the relabelling.
    const labels = { job: 'default/pay', __address__: `10.0.0.${index + 2}:${port.containerPort}`, ...Object.fromEntries(meta) };
    return [target(labels, endpoint.relabelings)];
  });
}

/** Relabels, then drops what begins with two underscores, as Prometheus does after relabelling. */
function target(discovered: Readonly<Record<string, string>>, rules: readonly Relabelling[]): ScrapeTarget {
  const labels: Record<string, string> = { ...discovered };
  for (const { sources, target: name, replacement } of rules) {
    labels[name] = replacement.replaceAll('$1', sources.map((source) => labels[source] ?? '').join(';'));
  }
  const instance = labels.instance ?? labels.__address__ ?? '';
  const kept = Object.entries({ ...labels, instance }).filter(([name]) => !name.startsWith('__'));
  return { labels: Object.fromEntries(kept) };
}
