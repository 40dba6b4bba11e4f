import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';

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
