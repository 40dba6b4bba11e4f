'use client';

import { ScrollArea } from '../scroll-area/scroll-area.tsx';
import { CopyButton } from './copyable.tsx';

const TOKEN = /("(?:[^"\\]|\\.)*")(\s*:)?|\b(?:true|false|null)\b|-?\b\d+(?:\.\d+)?(?:[eE][+-]?\d+)?\b/g;

/** A request or response body: JSON indented, other text unchanged. */
export function JsonView({ text, label }: { text: string; label: string }) {
  const pretty = layOut(text);
  return (
    <div className="relative rounded-lg bg-ground-quiet">
      <div className="absolute top-1 right-1 rounded-md bg-ground-quiet">
        <CopyButton text={pretty ?? text} label={label} />
      </div>
      <ScrollArea className="max-h-80 px-3 py-2.5 overflow-auto rounded-lg text-xs leading-[1.55]" label={label}>
        <pre className="whitespace-pre-wrap wrap-anywhere">{pretty === null ? text : colour(pretty)}</pre>
      </ScrollArea>
    </div>
  );
}

function layOut(text: string): string | null {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return null;
  }
}

/** Names quieter than what they name. */
function colour(json: string): React.ReactNode[] {
  const parts: React.ReactNode[] = [];
  let done = 0;
  for (const match of json.matchAll(TOKEN)) {
    const [whole, quoted, colon] = match;
    parts.push(json.slice(done, match.index));
    const kind = quoted === undefined ? 'text-wait-ink' : colon === undefined ? 'text-accent-ink' : 'text-ink-faint';
    parts.push(
      <span key={match.index} className={kind}>
        {colon === undefined ? whole : quoted}
      </span>,
    );
    if (colon !== undefined) parts.push(colon);
    done = match.index + whole.length;
  }
  parts.push(json.slice(done));
  return parts;
}
