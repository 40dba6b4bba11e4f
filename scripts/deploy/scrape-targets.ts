import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import { z } from 'zod';

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

/*
 * Renders the Helm chart where no helm binary is: the forms of Go templates that this chart uses, and no others, throwing on the rest.
 * Helm's own checks of names, its other functions and whitespace in scalars are not covered. No maintained package renders Go templates
 * with Sprig in JavaScript: `helm-ts` calls the binary.
 *
 *   {{ .Path }}   {{ .Path | quote }}   {{ $name }}   {{- include "name" . | nindent 4 }}   {{- toYaml .Path | nindent 4 }}
 *   {{ printf "%s:%s" .Path .Path | quote }}   {{- if .Path }}   {{- if not .Path }}   {{- range $k, $v := .Path }}   {{- end }}
 */

type Scope = Readonly<Record<string, unknown>>;
interface Template {
  readonly text: string;
  readonly definitions: ReadonlyMap<string, string>;
}

const ACTION = /\{\{(-)?\s*(.*?)\s*(-)?\}\}/gs;

function lookUp(scope: Scope, path: string): unknown {
  if (path === '.') return scope;
  if (path.startsWith('$')) return scope[path];
  let value: unknown = scope;
  for (const name of path.slice(1).split('.')) {
    if (typeof value !== 'object' || value === null || !(name in value)) throw new Error(`${path} is not in the values`);
    value = Reflect.get(value, name);
  }
  return value;
}

function indent(text: string, spaces: number): string {
  return `\n${text.replace(/^(?=.)/gm, ' '.repeat(spaces))}`;
}

/** Text and actions in turn, with the whitespace that `{{-` and `-}}` take away. */
function tokens(text: string): { action: boolean; text: string }[] {
  const found: { action: boolean; text: string }[] = [];
  let from = 0;
  let trimNext = false;
  const push = (raw: string, trimEnd: boolean) => {
    const start = trimNext ? raw.trimStart() : raw;
    found.push({ action: false, text: trimEnd ? start.trimEnd() : start });
  };
  for (const match of text.matchAll(ACTION)) {
    push(text.slice(from, match.index), match[1] === '-');
    found.push({ action: true, text: match[2] ?? '' });
    from = match.index + match[0].length;
    trimNext = match[3] === '-';
  }
  push(text.slice(from), false);
  return found;
}

function evaluate(expression: string, scope: Scope, definitions: Template['definitions']): string {
  const [call = '', ...filters] = expression.split('|').map((part) => part.trim());
  let value = evaluateCall(call, scope, definitions);
  for (const filter of filters) {
    const [, spaces] = /^nindent (\d+)$/.exec(filter) ?? [];
    if (spaces !== undefined) value = indent(String(value), Number(spaces));
    else if (filter === 'quote') value = JSON.stringify(String(value));
    else throw new Error(`unknown filter in {{ ${expression} }}`);
  }
  return String(value);
}

function evaluateCall(call: string, scope: Scope, definitions: Template['definitions']): unknown {
  if (/^[.$][\w.]*$/.test(call)) return lookUp(scope, call);
  const [, name] = /^include "([\w.]+)" \.$/.exec(call) ?? [];
  if (name !== undefined) {
    const text = definitions.get(name);
    if (text === undefined) throw new Error(`no template is called ${name}`);
    return renderText({ text, definitions }, scope);
  }
  const [, path] = /^toYaml (\.[\w.]+)$/.exec(call) ?? [];
  if (path !== undefined) return stringify(lookUp(scope, path)).trimEnd();
  const [, format, paths] = /^printf "([^"]*)"((?: \.[\w.]+)+)$/.exec(call) ?? [];
  if (format === undefined || paths === undefined) throw new Error(`unknown form {{ ${call} }}`);
  const values = paths.trim().split(' ');
  return format.replaceAll('%s', () => String(lookUp(scope, values.shift() ?? '')));
}

function isTrue(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 : Boolean(value);
}

function renderText({ text, definitions }: Template, scope: Scope): string {
  const all = tokens(text);
  let at = 0;
  /** Renders up to the `end` of the block, or skips it. */
  function block(inner: Scope, shown: boolean): string {
    let output = '';
    while (at < all.length) {
      const token = all[at++];
      if (token === undefined) break;
      if (!token.action) {
        if (shown) output += token.text;
      } else if (token.text === 'end') {
        return output;
      } else if (token.text.startsWith('if ')) {
        const [, not, path = ''] = /^if (not )?(\.[\w.]+)$/.exec(token.text) ?? [];
        output += block(inner, shown && isTrue(lookUp(inner, path)) === (not === undefined));
      } else if (token.text.startsWith('range ')) {
        output += range(token.text, inner, shown);
      } else if (shown) {
        output += evaluate(token.text, inner, definitions);
      }
    }
    return output;
  }
  function range(action: string, inner: Scope, shown: boolean): string {
    const [, key = '', value = '', path = ''] = /^range (\$\w+), (\$\w+) := (\.[\w.]+)$/.exec(action) ?? [];
    const entries = Object.entries(lookUp(inner, path) ?? {});
    const start = at;
    if (entries.length === 0) return block(inner, false);
    return entries
      .map(([name, each]) => {
        at = start;
        return block({ ...inner, [key]: name, [value]: each }, shown);
      })
      .join('');
  }
  return block(scope, true);
}

function readDefinitions(text: string): Map<string, string> {
  const definitions = new Map<string, string>();
  for (const [, name = '', body = ''] of text.matchAll(/\{\{- define "([\w.]+)" -\}\}\n(.*?)\n\{\{- end -\}\}\n/gs)) {
    definitions.set(name, body);
  }
  return definitions;
}

/** The Kubernetes objects of the chart under some values, with the file each is from. Throws for a form of template that is not known. */
export function renderChart(folder: string, values: object): { file: string; object: Record<string, unknown> }[] {
  const read = (path: string) => readFileSync(join(folder, path), 'utf8');
  const chart: { version: string; appVersion: string } = parse(read('Chart.yaml'));
  const scope = {
    Values: values,
    Chart: { Version: chart.version, AppVersion: chart.appVersion },
    Release: { Name: 'pay', Service: 'Helm' },
  };
  const definitions = readDefinitions(read('templates/_helpers.tpl'));
  const files = readdirSync(join(folder, 'templates')).filter((name) => name.endsWith('.yaml'));
  return files.sort().flatMap((file) => {
    const documents = renderText({ text: read(`templates/${file}`), definitions }, scope).split(/^---$/m);
    return documents.flatMap((text) => {
      const object: Record<string, unknown> | null = parse(text);
      return object === null ? [] : [{ file, object }];
    });
  });
}
