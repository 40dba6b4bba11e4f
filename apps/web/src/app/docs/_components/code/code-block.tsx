import hljs from 'highlight.js/lib/core';
import bash from 'highlight.js/lib/languages/bash';
import go from 'highlight.js/lib/languages/go';
import json from 'highlight.js/lib/languages/json';
import php from 'highlight.js/lib/languages/php';
import text from 'highlight.js/lib/languages/plaintext';
import python from 'highlight.js/lib/languages/python';
import typescript from 'highlight.js/lib/languages/typescript';
import { samples } from '#/app/docs/_content/samples/index.ts';
import { LANGUAGES, type Language, SAMPLE_URL } from '#/app/docs/_content/samples/languages.ts';
import { docsData, recordedAnswer } from '#/app/docs/_reference/api-document.ts';
import { CopyButton } from '#/components/copyable/copyable.tsx';
import { ScrollArea } from '#/components/scroll-area/scroll-area.tsx';
import classes from './code.module.css';
import { LanguageTabs } from './language-choice.tsx';

interface CodeBlockProps {
  readonly code: string;
  readonly language: CodeLanguage;
  readonly title: string;
  /** Name of the code, for the copy button and for screen readers. */
  readonly label: string;
}

/** Code under a title, to copy. */
export function CodeBlock({ code, language, title, label }: CodeBlockProps) {
  return (
    <div className="min-w-0 border border-line rounded-[8px] bg-ground-quiet">
      <div className="flex items-center gap-3 min-h-10 pr-2 pl-4 border-b border-line">
        <p className="flex-1 min-w-0 text-ink-quiet text-xs font-medium truncate">{title}</p>
        <CopyButton text={code} label={label} />
      </div>
      <CodeText code={code} language={language} label={label} />
    </div>
  );
}

/** Code with its tokens coloured, which scrolls by itself. */
function CodeText({ code, language, label }: Omit<CodeBlockProps, 'title'>) {
  return (
    <ScrollArea label={label} className="max-h-[440px] overflow-auto [border-radius:0_0_8px_8px]">
      <pre className={classes.code}>
        {/* biome-ignore lint/security/noDangerouslySetInnerHtml: our own code, escaped by the highlighter. */}
        <code dangerouslySetInnerHTML={{ __html: highlight(code, language) }} />
      </pre>
    </ScrollArea>
  );
}

/** The language of a piece of code. */
type CodeLanguage = Language | 'json' | 'text';

const GRAMMARS = { curl: bash, typescript, php, python, go, json, text } as const satisfies Readonly<
  Record<CodeLanguage, unknown>
>;
for (const [name, grammar] of Object.entries(GRAMMARS)) hljs.registerLanguage(name, grammar);

const drawn = new Map<string, string>();

/** Code as HTML, escaped, with its tokens marked. Runs on the server only; each piece is done once in a process. */
function highlight(code: string, language: CodeLanguage): string {
  const key = `${language}\n${code}`;
  const known = drawn.get(key) ?? hljs.highlight(code, { language }).value;
  drawn.set(key, known);
  return known;
}

/** The recorded call of an answer, as a command to paste. `label` names it where its summary is not enough. */
export function CallOf({ name, label }: { name: string; label?: string }) {
  const { summary, request } = recordedAnswer(name);
  return (
    <CodeBlock
      code={curlOf(request)}
      language="curl"
      title={`${request.method} ${request.path}`}
      label={label ?? `Call: ${summary}`}
    />
  );
}

/** A recorded request as a shell command. */
function curlOf({ method, path, headers, body }: ReturnType<typeof recordedAnswer>['request']): string {
  const address = /[?&]/.test(path) ? `"${docsData().base}${path}"` : `${docsData().base}${path}`;
  const verb = method === 'GET' || body !== undefined ? '' : `-X ${method} `;
  const lines = [`curl ${verb}${address}`, '-H "Authorization: Bearer $SWITCHYARD_API_KEY"'];
  if (body !== undefined) lines.push('-H "Content-Type: application/json"');
  if (headers['idempotency-key'] !== undefined) lines.push(`-H "Idempotency-Key: ${headers['idempotency-key']}"`);
  if (body !== undefined) lines.push(`-d '${JSON.stringify(body, null, 2).replaceAll("'", "'\\''")}'`);
  return lines.join(' \\\n  ');
}

/** A recorded answer: its status, the headers that matter, and its body. `label` names it where its summary is not enough. */
export function RecordedAnswer({ name, label }: { name: string; label?: string }) {
  const { summary, status, headers, body } = recordedAnswer(name);
  const lines = Object.entries(headers).map(([header, value]) => `${capitalised(header)}: ${value}`);
  const title = [`HTTP ${status}`, ...lines].join(' · ');
  return <CodeBlock code={JSON.stringify(body, null, 2)} language="json" title={title} label={label ?? summary} />;
}

/** The body of a webhook event, as it was sent. */
export function EventBody({ type }: { type: string }) {
  const body = docsData().examples.events[type];
  return <CodeBlock code={JSON.stringify(body, null, 2)} language="json" title={type} label={`A ${type} event`} />;
}

/** A header as documentation writes it: `Retry-After`. */
function capitalised(header: string): string {
  return header.replaceAll(/(^|-)[a-z]/g, (letter) => letter.toUpperCase());
}

/** A description of the OpenAPI document, whose backticks mark code. */
export function WithCode({ text }: { text: string }) {
  return text.split('`').map((part, position) => {
    const isCode = position % 2 === 1;
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a fixed text.
    return isCode ? <code key={position}>{part}</code> : part;
  });
}

/** A sample, with the address of this installation. */
export function SampleView({ name }: { name: keyof typeof samples }) {
  const { title } = samples[name];
  const panels = sampleCode(name).map(({ language, code }) => {
    return { language, code, drawn: <CodeText code={code} language={language} label={title} /> };
  });
  return <LanguageTabs label={title} panels={panels} />;
}

/** The code of a sample in each of its languages, with the address of this installation. */
export function sampleCode(name: keyof typeof samples): { readonly language: Language; readonly code: string }[] {
  const { base } = docsData();
  return LANGUAGES.flatMap((language) => {
    const code = samples[name].code[language]?.replaceAll(SAMPLE_URL, base).trimEnd();
    return code === undefined ? [] : [{ language, code }];
  });
}
