import { docsData, recordedAnswer } from '#/app/docs/docs-data.ts';
import { CodeBlock } from './code-block.tsx';

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
